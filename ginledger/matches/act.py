"""One act on the rows of a match: prepared in memory, replayed by gin, then written whole.

Nothing is stored before gin has accepted every row that would stand, and what is stored beside
the rows is worked out afresh from all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import F
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import GinError, Problems
from ginledger.gin.hands import AnyHand
from ginledger.gin.sheet import Sheet

from .book import Book, load_book
from .errors import LeftOver, LeftRow, WrongState
from .models import Action, Row
from .record import Change, clean_why, next_version, record, rewrite

AFTER_THE_END = "after-the-end"
MOST_ROWS = 1000
# Positions are moved out of the way of each other by this much: unique also in between.
_ASIDE = 1_000_000


class Written(NamedTuple):
    """What a write came to.

    row_key: the row written, None for an act on the match; version: the match's now; sheet: as
    it stands now; new: false when nothing was stored, because the same one-time key had been
    used before or because the row already said so.
    """

    match_key: str
    row_key: str | None
    version: int
    sheet: Sheet
    new: bool


@dataclass(slots=True, eq=False)
class Draft:
    """A row as it would stand after the act."""

    row: Row
    hand: AnyHand
    fact: dict[str, Any]
    void: bool

    @property
    def state(self) -> dict[str, Any]:
        return {"fact": self.fact, "void": self.void}

    @property
    def changed(self) -> bool:
        return self.row._state.adding or self.row.state() != self.state


class Act:
    """The rows of a book as an act would leave them. ``settle`` before ``write``."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.match = book.match
        self.drafts = [
            Draft(line.row, line.hand, line.row.fact, line.row.void) for line in book.lines
        ]

    def draft(self, row_key: str) -> Draft:
        """The draft of the row with this key; raises WrongState when it is not in this book."""
        for draft in self.drafts:
            if draft.row.key == row_key:
                return draft
        raise unknown_row()

    def put(self, draft: Draft, hand: AnyHand) -> None:
        """Have the row say this hand; raises gin's problems when no file could hold it."""
        draft.fact = self.book.terms.write(hand)
        draft.hand = self.book.terms.read(draft.fact)

    def put_state(self, draft: Draft, state: dict[str, Any]) -> None:
        """Have the row be as an amendment remembers it."""
        draft.fact, draft.void = state["fact"], state["void"]
        draft.hand = self.book.terms.read(draft.fact)

    def add(self, hand: AnyHand, place: int, user_id: int | None, once_key: str | None) -> Draft:
        """A new row at a place among all rows, void ones counted too."""
        if len(self.drafts) >= MOST_ROWS:
            raise WrongState(f"A match has up to {MOST_ROWS} rows.", "match-full")
        row = Row(
            club_id=self.match.club_id,
            match=self.match,
            entered_by_id=user_id,
            once_key=once_key,
        )
        draft = Draft(row, hand, {}, False)
        self.put(draft, hand)
        self.drafts.insert(place, draft)
        return draft

    def settle(self, *, asked: Draft | None = None, void_rest: bool = False) -> Sheet:
        """Replay the rows that would stand.

        asked: the row the act is about; its own problems have fields without "hands.3.", those of
        other rows keep them, counting the rows that would stand. Rows left over after an earlier
        end raise LeftOver, or are made void with ``void_rest``.
        """
        try:
            return self._score()
        except GinError as error:
            left = self._left_over(error)
            if not left or asked in left:
                raise self._about(error, asked) from None
            if not void_rest:
                raise _left_over(error, left, self._standing()) from None
        for draft in left:
            draft.void = True
        return self._score()

    def write(
        self, sheet: Sheet, *, action: Action, user: Asker, why: str, asked: Draft | None
    ) -> Written:
        """Store the changed rows, an amendment for each, and all that is derived."""
        changed = [draft for draft in self.drafts if draft.changed]
        next_version(self.match)
        self._make_room()
        changes = [self._store(draft) for draft in changed]
        log = record(self.match, changes, action=action, user=user, why=why)
        rewrite(self.match, sheet, [*self.book.amendments, *log])
        row = asked or changed[0]
        return Written(self.match.key, row.row.key, self.match.version, sheet, True)

    def unchanged(self, row_key: str | None) -> Written:
        """The answer where there is nothing to store."""
        return Written(self.match.key, row_key, self.match.version, self.book.sheet, False)

    def _standing(self) -> list[Draft]:
        return [draft for draft in self.drafts if not draft.void]

    def _score(self) -> Sheet:
        return self.book.terms.score([draft.hand for draft in self._standing()])

    def _left_over(self, error: GinError) -> list[Draft]:
        """The rows from the first one after the end on; gin names that one before all else."""
        first = error.problems[0]
        if first.code != AFTER_THE_END:
            return []
        return self._standing()[int(first.field.split(".")[1]) - 1 :]

    def _about(self, error: GinError, asked: Draft | None) -> GinError:
        standing = self._standing()
        if asked is None or asked not in standing:
            return error
        own = f"hands.{standing.index(asked) + 1}"
        problems = [
            _at(problem, problem.field.removeprefix(own).removeprefix("."))
            if f"{problem.field}.".startswith(f"{own}.")
            else problem
            for problem in error.problems
        ]
        return problems[0] if len(problems) == 1 else Problems(problems)

    def _make_room(self) -> None:
        """Move the rows behind the new ones so that positions say the order again.

        New rows of one act stand together.
        """
        new = [at for at, draft in enumerate(self.drafts) if draft.row._state.adding]
        if not new:
            return
        before = self.drafts[new[0] - 1].row.position if new[0] else 0
        for more, at in enumerate(new, 1):
            self.drafts[at].row.position = before + more
        if new[-1] == len(self.drafts) - 1:
            return
        behind = self.match.rows.filter(position__gt=before)
        behind.update(position=F("position") + _ASIDE)
        moved = self.match.rows.filter(position__gt=_ASIDE)
        moved.update(position=F("position") - _ASIDE + len(new))

    def _store(self, draft: Draft) -> Change:
        row, now = draft.row, timezone.now()
        new = row._state.adding
        before = None if new else row.state()
        row.fact = draft.fact
        if draft.void != row.void:
            row.voided_at = now if draft.void else None
        if new:
            row.entered_at = now
            row.save(force_insert=True)
        else:
            row.save(update_fields=["fact", "voided_at"])
        return Change(row, before, row.state())


def change_match(
    book: Book,
    user: Asker,
    action: Action,
    fields: Sequence[str] = (),
    *,
    why: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> Written:
    """Store a change of the match itself, and what follows from it.

    fields: those of ``book.match`` that were set anew; before, after: what the log keeps of them.
    """
    match, why = book.match, clean_why(why)
    next_version(match)
    if fields:
        match.save(update_fields=fields)
    record(match, [Change(None, before, after)], action=action, user=user, why=why)
    fresh = load_book(match)
    rewrite(match, fresh.sheet, fresh.amendments)
    return Written(match.key, None, match.version, fresh.sheet, True)


def unknown_row() -> WrongState:
    """The refusal of a row that is not in the match."""
    return WrongState("That row is not in this match.", "row-unknown")


def _at(problem: GinError, field: str) -> GinError:
    return type(problem)(problem.code, problem.message, field)


def _left_over(error: GinError, left: list[Draft], standing: list[Draft]) -> LeftOver:
    rows = tuple(LeftRow(draft.row.key, standing.index(draft) + 1) for draft in left)
    first = error.problems[0]
    what = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    return LeftOver(
        first.code, f"{first.message} {what} would be left over after it.", first.field, rows
    )
