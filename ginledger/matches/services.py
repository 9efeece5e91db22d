"""Every write of a match's rows: keyword-only, one transaction, nothing stored when it raises.

All of them take the match's ``version`` as the writer saw it and raise

- ``StaleMatch`` when somebody else wrote since,
- ``WrongState`` when the row or match is past that (already struck out, nothing to undo),
- a ``GinError`` (one or ``Problems``) when gin refuses the rows as they would stand; fields of
  the row in question are "deadwood.knocker" and the like, those of another row "hands.3…",
- ``LeftOver``, one of these, when the match would end earlier and rows would stand after its end:
  with ``void_rest=True`` they are struck out in the same act,
- ``Http404`` for a stranger and ``PermissionDenied`` for a viewer.

Seats in the hands given are those of ``load_book(match).table``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules, GinError, Problems
from ginledger.gin.hands import AnyHand
from ginledger.gin.sheet import Sheet

from .act import Act, Draft, Written, change_match, unknown_row
from .book import Book, load_book
from .errors import LeftOver, StaleMatch, WrongState
from .models import Action, Match, Seat
from .querysets import find_match, find_row_match
from .record import clean_why
from .start import clean_once_key, once, rematch, start_match

__all__ = [
    "Written",
    "amend_row",
    "correct_dealer",
    "enter_row",
    "enter_rows",
    "insert_row",
    "preview",
    "preview_rows",
    "redo",
    "rematch",
    "reopen_match",
    "restore_row",
    "start_match",
    "stop_match",
    "swap_sides",
    "undo",
    "void_row",
]


def _locked(user: Asker, match_key: str) -> Book:
    return load_book(find_match(user, match_key, write=True, lock=True))


def _locked_at(user: Asker, row_key: str) -> Book:
    return load_book(find_row_match(user, row_key, write=True, lock=True))


def _check_version(book: Book, version: int) -> None:
    if book.match.version != version:
        raise StaleMatch


def enter_row(
    *, user: Asker, match_key: str, hand: AnyHand, once_key: str, version: int
) -> Written:
    """Add a row at the end. The same one-time key again answers with the row it made."""
    return _add(
        user, match_key, hand, once_key, version, Action.ENTER, lambda book: len(book.lines)
    )


def enter_rows(
    *, user: Asker, match_key: str, hands: Sequence[AnyHand], once_key: str, version: int
) -> Written:
    """Add several rows at the end in one act: all of them or none.

    Problems have fields "hands.3.deadwood.knocker", counting the given hands from 1; each one that
    would stand after the end is a problem of its own ("after-the-end").
    """
    key = clean_once_key(once_key)
    with transaction.atomic():
        book = _locked(user, match_key)

        def find() -> Written | None:
            row = book.match.rows.filter(once_key=key).first() if key else None
            return Act(book).unchanged(row.key) if row else None

        def make() -> Written:
            _check_version(book, version)
            if book.match.stopped:
                raise WrongState("This match was stopped; take it up again first.", "match-stopped")
            act, sheet = _add_all(book, hands, user.pk, key)
            return act.write(sheet, action=Action.ENTER, user=user, why="", asked=None)

        return once(find, make)


def _add_all(
    book: Book, hands: Sequence[AnyHand], user_id: int | None, key: str | None
) -> tuple[Act, Sheet]:
    """An act that adds these hands at the end, and the sheet that results."""
    act = Act(book)
    standing = len(book.sheet.hands)
    for place, hand in enumerate(hands):
        act.add(hand, len(act.drafts), user_id, None if place else key)
    try:
        return act, act.settle()
    except LeftOver as error:
        raise Problems(
            AgainstRules(error.code, error.message, f"hands.{left.number - standing}")
            for left in error.rows
        ) from None
    except GinError as error:
        raise Problems(_counted_from(problem, standing) for problem in error.problems) from None


def _counted_from(problem: GinError, standing: int) -> GinError:
    """The problem of a new row, its number without the rows that stood before."""
    head, number, *rest = problem.field.split(".")
    field = ".".join([head, str(int(number) - standing), *rest])
    return type(problem)(problem.code, problem.message, field)


def insert_row(
    *,
    user: Asker,
    match_key: str,
    hand: AnyHand,
    once_key: str,
    version: int,
    before: str | None = None,
    after: str | None = None,
    why: str = "",
    void_rest: bool = False,
) -> Written:
    """Add a forgotten row before or after the row with that key (one of the two)."""
    return _add(
        user,
        match_key,
        hand,
        once_key,
        version,
        Action.INSERT,
        lambda book: _place(book, before, after),
        why,
        void_rest,
    )


def _place(book: Book, before: str | None, after: str | None) -> int:
    """Where a row before or after another belongs among all rows."""
    if (before is None) == (after is None):
        raise ValueError("say one of before and after")
    keys = [row.key for row in book.rows]
    key = before if before is not None else after
    if key not in keys:
        raise unknown_row()
    return keys.index(key) + (after is not None)


def _add(
    user: Asker,
    match_key: str,
    hand: AnyHand,
    once_key: str,
    version: int,
    action: Action,
    place: Callable[[Book], int],
    why: str = "",
    void_rest: bool = False,
) -> Written:
    key, why = clean_once_key(once_key), clean_why(why)
    with transaction.atomic():
        book = _locked(user, match_key)

        def find() -> Written | None:
            row = book.match.rows.filter(once_key=key).first() if key else None
            return Act(book).unchanged(row.key) if row else None

        def make() -> Written:
            _check_version(book, version)
            if action == Action.ENTER and book.match.stopped:
                raise WrongState("This match was stopped; take it up again first.", "match-stopped")
            act = Act(book)
            draft = act.add(hand, place(book), user.pk, key)
            sheet = act.settle(asked=draft, void_rest=void_rest)
            return act.write(sheet, action=action, user=user, why=why, asked=draft)

        return once(find, make)


def amend_row(
    *,
    user: Asker,
    row_key: str,
    hand: AnyHand,
    version: int,
    why: str = "",
    void_rest: bool = False,
) -> Written:
    """Correct what a row says. A hand that says the same stores nothing."""

    def change(act: Act, draft: Draft) -> None:
        _must_count(draft)
        act.put(draft, hand)

    return _change_row(user, row_key, version, Action.AMEND, change, why, void_rest)


def correct_dealer(
    *,
    user: Asker,
    row_key: str,
    dealer: int | None,
    version: int,
    why: str = "",
    void_rest: bool = False,
) -> Written:
    """Note which seat really dealt a hand; None: the one whom the rule names."""

    def change(act: Act, draft: Draft) -> None:
        _must_count(draft)
        act.put(draft, replace(draft.hand, dealer=dealer))

    return _change_row(user, row_key, version, Action.AMEND, change, why, void_rest)


def void_row(
    *, user: Asker, row_key: str, version: int, why: str = "", void_rest: bool = False
) -> Written:
    """Strike a row out: it stays to be read and counts no more."""

    def change(_act: Act, draft: Draft) -> None:
        if draft.void:
            raise WrongState("This row is already struck out.", "already-void")
        draft.void = True

    return _change_row(user, row_key, version, Action.VOID, change, why, void_rest)


def restore_row(
    *, user: Asker, row_key: str, version: int, why: str = "", void_rest: bool = False
) -> Written:
    """Let a struck out row count again, where it stands."""

    def change(_act: Act, draft: Draft) -> None:
        if not draft.void:
            raise WrongState("This row is not struck out.", "not-void")
        draft.void = False

    return _change_row(user, row_key, version, Action.RESTORE, change, why, void_rest)


def _must_count(draft: Draft) -> None:
    if draft.void:
        raise WrongState("This row is struck out; restore it first.", "row-void")


def _change_row(
    user: Asker,
    row_key: str,
    version: int,
    action: Action,
    change: Callable[[Act, Draft], None],
    why: str,
    void_rest: bool,
) -> Written:
    why = clean_why(why)
    with transaction.atomic():
        act = Act(_locked_at(user, row_key))
        draft = act.draft(row_key)
        # The row's own state is told before the version: "already struck out" is the clearer word.
        change(act, draft)
        _check_version(act.book, version)
        if not draft.changed:
            return act.unchanged(row_key)
        sheet = act.settle(asked=draft, void_rest=void_rest)
        return act.write(sheet, action=action, user=user, why=why, asked=draft)


def undo(*, user: Asker, match_key: str, version: int) -> Written:
    """Take back the latest act on rows that stands, also the one that ended the match.

    An entered row becomes void, a void one counts again, an amended one says what it said.
    """
    with transaction.atomic():
        book = _locked(user, match_key)
        return _replay(book, user, version, Action.UNDO, book.acts.last)


def redo(*, user: Asker, match_key: str, version: int) -> Written:
    """Let the act that was taken back last stand again, until a new act is made."""
    with transaction.atomic():
        book = _locked(user, match_key)
        return _replay(book, user, version, Action.REDO, book.acts.next)


def _replay(book: Book, user: Asker, version: int, action: Action, of: int | None) -> Written:
    if of is None:
        raise WrongState(f"There is nothing to {action}.", f"nothing-to-{action}")
    _check_version(book, version)
    act = Act(book)
    for draft in act.drafts:
        for amendment in book.amendments:
            if (amendment.version, amendment.row_id) != (of, draft.row.pk):
                continue
            state = amendment.after if action == Action.REDO else amendment.before
            # Before it was entered there was no row; from now on there is a void one.
            act.put_state(draft, state or {**draft.state, "void": True})
    return act.write(act.settle(), action=action, user=user, why="", asked=None)


def stop_match(*, user: Asker, match_key: str, version: int, why: str = "") -> Written:
    """Put a running match away unfinished: it has no winner and no margin."""
    with transaction.atomic():
        book = _locked(user, match_key)
        if book.match.over or book.match.stopped:
            raise WrongState("This match is not being played.", "not-running")
        _check_version(book, version)
        book.match.stopped_at = timezone.now()
        return change_match(book, user, Action.STOP, ["stopped_at"], why=why)


def reopen_match(*, user: Asker, match_key: str, version: int, why: str = "") -> Written:
    """Take a stopped match up again where it was."""
    with transaction.atomic():
        book = _locked(user, match_key)
        if book.match.stopped_at is None:
            raise WrongState("This match is not stopped.", "not-stopped")
        _check_version(book, version)
        book.match.stopped_at = None
        return change_match(book, user, Action.REOPEN, ["stopped_at"], why=why)


def swap_sides(*, user: Asker, match_key: str, version: int) -> Written:
    """Show the two sides the other way round. Every hand stays with the person it belongs to."""
    with transaction.atomic():
        book = _locked(user, match_key)
        if len(book.table.sides) != 2:
            raise WrongState("Only two sides can be swapped.", "not-two-sides")
        _check_version(book, version)
        for seat in book.terms.seats:
            seat.side = 1 - seat.side
        Seat.objects.bulk_update(book.terms.seats, ["side"])
        return change_match(book, user, Action.SWAP)


def preview(
    match: Match,
    hand: AnyHand,
    *,
    replacing: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> Sheet:
    """The sheet that would result from entering a hand; nothing is written.

    replacing: the key of the row it would amend; before, after: of the row it would be inserted
    beside; none of them: it would be the last row. Raises as the write would, but for the version.
    """
    book = load_book(match)
    act = Act(book)
    if replacing is not None:
        draft = act.draft(replacing)
        act.put(draft, hand)
    else:
        beside = before is not None or after is not None
        place = _place(book, before, after) if beside else len(book.lines)
        draft = act.add(hand, place, None, None)
    return act.settle(asked=draft)


def preview_rows(match: Match, hands: Sequence[AnyHand]) -> Sheet:
    """The sheet that would result from entering these hands at the end; nothing is written.

    Raises as ``enter_rows`` would, but for the version.
    """
    return _add_all(load_book(match), hands, None, None)[1]
