"""The form of a row, by how many sit at the table; a round of partners is one form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from ginledger.gin.errors import GinError
from ginledger.gin.hands import DeadHand, PointsHand, Round, Table, TableHand
from ginledger.gin.ruleset import RuleSet

from .book import Book, Line
from .forms import EntryForm, Pair, RowFields, TableForm, initial_of

_AT_TABLE = re.compile(r"round\.([0-9]{1,3})(?:\.(.+))?")


class RoundForm(RowFields):
    """A round of partners, one hand a table; ``hand`` is the value when it is valid.

    pairs: for each table the seats who can have met there, as proposed first; keep: the round
    that is amended, its tables in the same order.
    """

    hand: Round

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        table: Table,
        rules: RuleSet,
        pairs: Sequence[Sequence[Pair]],
        keep: Round | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.table = table
        self.rules = rules
        self.keep = keep
        kept: Sequence[TableHand | None] = keep.tables if keep else [None] * len(pairs)
        self.tables = tuple(
            TableForm(
                data,
                prefix=f"t{place}",
                table=table,
                rules=rules,
                pairs=offered,
                keep=hand,
                initial=initial_of(hand) if hand else None,
            )
            for place, (offered, hand) in enumerate(zip(pairs, kept, strict=True))
        )

    def is_valid(self) -> bool:
        return super().is_valid() and all(one.is_valid() for one in self.tables)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        # Every table is asked, so that all that is missing is told at once.
        wrong = [one for one in self.tables if not one.is_valid()]
        if not wrong and not self.errors:
            keep = self.keep or Round()
            self.hand = Round(
                tables=tuple(one.hand for one in self.tables),
                note=cleaned["note"],
                upcard=keep.upcard,
                played_at=keep.played_at,
                dealer=keep.dealer,
            )
        return cleaned

    def add_problems(self, error: GinError) -> None:
        """Show gin's problems with the round beside the fields they belong to."""
        for problem in error.problems:
            at = _AT_TABLE.fullmatch(problem.field)
            if at and 0 < int(at[1]) <= len(self.tables):
                self.tables[int(at[1]) - 1].add_problem(at[2] or "", problem.message)
            else:
                self.add_error("why" if problem.field == "why" else None, problem.message)


RowForm: TypeAlias = EntryForm | RoundForm


def row_form(
    book: Book, data: Mapping[str, Any] | None = None, *, line: Line | None = None
) -> RowForm:
    """The form of the next row of a book, or of a line of it; data: what was sent."""
    rules, table, sheet = book.rules, book.table, book.sheet
    keep = line.hand if line else None
    initial = initial_of(keep) if keep else None
    if rules.play == "partners":
        round_ = keep if isinstance(keep, Round) else None
        pairs = _kept_pairs(table, round_) if round_ else sheet.next_pairs
        offered = [_round_pairs(table, pair) for pair in pairs]
        return RoundForm(
            data, table=table, rules=rules, pairs=offered, keep=round_, initial=initial
        )
    players = line.scored.players if line and line.scored else sheet.next_players
    return EntryForm(
        data,
        table=table,
        rules=rules,
        pairs=_pairs(len(table.names), players),
        keep=keep,
        initial=initial,
    )


def _pairs(seats: int, turn: Sequence[int]) -> list[Pair]:
    """Everybody who can meet, those whose turn it is first."""
    return sorted(combinations(range(seats), 2), key=lambda pair: set(pair) != set(turn))


def _round_pairs(table: Table, proposed: Pair) -> list[Pair]:
    """Whom the first of a pair can meet, the other of it first."""
    seat, other = proposed
    opponents = table.seats(1 - table.side_of(seat))
    return [(seat, one) for one in sorted(opponents, key=lambda one: one != other)]


def _kept_pairs(table: Table, round_: Round) -> list[Pair]:
    """Who met at each table of a round; where nobody wrote it down, those who are left."""
    met = [_players(table, hand) for hand in round_.tables]
    known = {seat for pair in met if pair for seat in pair}
    left = zip(*([s for s in table.seats(side) if s not in known] for side in (0, 1)), strict=True)
    return [pair or next(left, (table.seats(0)[0], table.seats(1)[0])) for pair in met]


def _players(table: Table, hand: TableHand) -> Pair | None:
    """The two who met, the one of the first side first; None where the hand does not say."""
    if isinstance(hand, DeadHand):
        seats = set(hand.players)
    elif isinstance(hand, PointsHand):
        seats = {hand.winner} if hand.opponent is None else {hand.winner, hand.opponent}
    else:
        seats = {hand.knocker} if hand.opponent is None else {hand.knocker, hand.opponent}
    if len(seats) != 2:
        return None
    one, other = sorted(seats, key=table.side_of)
    return one, other
