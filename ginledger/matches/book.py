"""The book of a match as it is read: its rows, and the sheet that gin replays from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ginledger.gin.handfile import read_hand, write_hand
from ginledger.gin.hands import AnyHand, Table
from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import ScoredHand, Sheet, score

from .ink import ROW_ACTS, Acts, acts
from .models import Amendment, Match, Row, Seat


@dataclass(frozen=True, slots=True)
class Line:
    """A row, its hand (seats as in the book's table) and what it came to; None when void."""

    row: Row
    hand: AnyHand
    scored: ScoredHand | None


@dataclass(frozen=True, slots=True)
class Change:
    """An amendment as one reads it: the hand before (None: there was no row) and after.

    stands: false for an act that was taken back by undo.
    """

    amendment: Amendment
    before: AnyHand | None
    after: AnyHand | None
    was_void: bool
    is_void: bool
    stands: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played on, apart from its rows.

    table: the current names of the players, in the order of the sheet; tokens: a table of the
    same shape that holds the seats' lasting numbers, by which facts are stored; first_dealer: a
    seat, an index into ``table.names``.
    """

    rules: RuleSet
    table: Table
    tokens: Table
    seats: tuple[Seat, ...]
    first_dealer: int

    def read(self, fact: dict[str, Any]) -> AnyHand:
        """The hand of a stored fact."""
        return read_hand(fact, self.tokens)

    def write(self, hand: AnyHand) -> dict[str, Any]:
        """The fact to store for a hand."""
        return write_hand(hand, self.tokens)

    def match(self, hands: Sequence[AnyHand]) -> GinMatch:
        """The match of these hands as gin knows it."""
        return GinMatch(self.rules, self.table, self.first_dealer, tuple(hands))

    def score(self, hands: Sequence[AnyHand]) -> Sheet:
        """The sheet of these hands; raises gin's problems, fields "hands.3…" from 1."""
        return score(self.match(hands))


@dataclass(frozen=True, slots=True)
class Book:
    """A match with every row, void ones included, in the order of the book, and its sheet."""

    match: Match
    terms: Terms
    lines: tuple[Line, ...]
    sheet: Sheet
    amendments: tuple[Amendment, ...]
    acts: Acts

    @property
    def table(self) -> Table:
        """The players' current names, in the order of the sheet."""
        return self.terms.table

    @property
    def rules(self) -> RuleSet:
        """The rule set the match was started with."""
        return self.terms.rules

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row in order, void ones included."""
        return tuple(line.row for line in self.lines)

    @property
    def gin_match(self) -> GinMatch:
        """The match as gin knows it: what a match file holds."""
        return self.terms.match([line.hand for line in self.lines if not line.row.void])

    def until(self, place: int) -> Book:
        """The book as it stood before the row at a place among all rows: who deals then, say."""
        lines = self.lines[:place]
        sheet = self.terms.score([line.hand for line in lines if not line.row.void])
        return replace(self, lines=lines, sheet=sheet)

    def line(self, row_key: str) -> Line | None:
        """The line of the row with this key."""
        return next((line for line in self.lines if line.row.key == row_key), None)

    def changes(self, row: Row | None = None) -> tuple[Change, ...]:
        """The history of the match, or of one row, in the order it was recorded."""
        return tuple(
            self._change(amendment)
            for amendment in self.amendments
            if row is None or amendment.row_id == row.pk
        )

    def act(self, version: int | None) -> tuple[Change, ...]:
        """The changes of one act: of ``acts.last``, say, which an undo would take back."""
        return tuple(
            self._change(amendment) for amendment in self.amendments if amendment.version == version
        )

    def changes_of(self, versions: Collection[int]) -> tuple[Change, ...]:
        """The changes of several acts, in the order they were recorded."""
        return tuple(
            self._change(amendment)
            for amendment in self.amendments
            if amendment.version in versions
        )

    def _change(self, amendment: Amendment) -> Change:
        before, after = amendment.before, amendment.after
        if amendment.row_id is None:
            before = after = None
        return Change(
            amendment,
            self.terms.read(before["fact"]) if before else None,
            self.terms.read(after["fact"]) if after else None,
            bool(before and before["void"]),
            bool(after and after["void"]),
            amendment.action not in ROW_ACTS or amendment.version in self.acts.standing,
        )


def seat_tables(seats: Sequence[Seat]) -> tuple[Table, Table]:
    """The table of the players' names and the table of the seats' numbers, side by side.

    seats: in the order of the sheet, by side and number; their players loaded.
    """
    sides = range(seats[-1].side + 1)
    rows = [[seat for seat in seats if seat.side == side] for side in sides]
    return (
        Table(tuple(tuple(seat.player.name for seat in row) for row in rows)),
        Table(tuple(tuple(str(seat.number) for seat in row) for row in rows)),
    )


def load_terms(match: Match) -> Terms:
    """The terms of a match; one query."""
    return terms_of(match, match.seats.select_related("player").order_by("side", "number"))


def terms_of(match: Match, seats: Iterable[Seat]) -> Terms:
    """The terms of a match whose seats are at hand: by side and number, their players loaded."""
    seats = tuple(seats)
    table, tokens = seat_tables(seats)
    first = [seat.number for seat in seats].index(match.first_dealer)
    return Terms(read_rules(match.rules), table, tokens, seats, first)


def load_book(match: Match) -> Book:
    """The whole book of a match: three queries, however many rows it has.

    Raises a GinError when stored rows no longer replay, which ``manage.py audit`` reports.
    """
    terms = load_terms(match)
    rows = tuple(match.rows.select_related("entered_by").order_by("position"))
    amendments = tuple(match.amendments.select_related("who").order_by("pk"))
    hands = [terms.read(row.fact) for row in rows]
    sheet = terms.score([hand for row, hand in zip(rows, hands, strict=True) if not row.void])
    scored = iter(sheet.hands)
    lines = tuple(
        Line(row, hand, None if row.void else next(scored))
        for row, hand in zip(rows, hands, strict=True)
    )
    return Book(match, terms, lines, sheet, amendments, acts(amendments))


def altered_rows(book: Book) -> Iterator[str]:
    """Rows that were changed past the log, a sentence each."""
    last = {amendment.row_id: amendment.after for amendment in book.amendments}
    for number, row in enumerate(book.rows, 1):
        if last.get(row.pk) != row.state():
            yield f"row {number} ({row.key}) is not as its last amendment left it"
