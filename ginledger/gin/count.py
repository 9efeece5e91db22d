"""The count: what each side needs, and what the other may be caught with, before a column is lost.

For every open column: how far each side is from the target; the least with which its next win
would close the column; and whether a side would be shut out if the other closed it now, and what
saves it. All follow from the sheet; ``score`` with the hand entered gives the same (a test proves
it hand by hand).
"""

from __future__ import annotations

from dataclasses import dataclass

from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import MOST_DEADWOOD, knock_limit, multiplier
from ginledger.gin.sheet import Column, Sheet


@dataclass(frozen=True, slots=True)
class Reach:
    """The least with which a side's next win would close a column; None: no such win can.

    knock, undercut: by how many points of deadwood it is won; gin, big_gin: the deadwood the
    other side is left with.
    """

    knock: int | None
    gin: int | None
    big_gin: int | None
    undercut: int | None


@dataclass(frozen=True, slots=True)
class SideCount:
    """A side in an open column.

    needs: points to the target; enters: its next win is entered here; reach: None where the next
    hand cannot be won by it alone (it sits out, or partners play a round); shut_out: it would be
    shut out if another side closed the column now; saved_by: the least points of a win that saves
    it from that, 0 for any win, None where its next win is not entered here or it is safe.
    """

    side: int
    needs: int
    enters: bool
    reach: Reach | None
    shut_out: bool
    saved_by: int | None


@dataclass(frozen=True, slots=True)
class ColumnCount:
    """An open column, numbered from 1."""

    number: int
    sides: tuple[SideCount, ...]


def count(
    sheet: Sheet, upcard: int | None = None, *, spade: bool = False
) -> tuple[ColumnCount, ...]:
    """The count of every open column; nothing when the match is over.

    upcard: of the next hand, where it is known; spade: count as with a spade of unknown rank.
    Without either the hand is counted undoubled, with the knock limit of the rule set.
    """
    rules = sheet.match.rules
    times = 2 if spade and rules.spade_doubles else multiplier(rules, upcard)
    limit = knock_limit(rules, upcard)
    return tuple(
        ColumnCount(
            number,
            tuple(
                _side(sheet, column, number, side, times, limit)
                for side in range(len(column.sides))
            ),
        )
        for number, column in enumerate(sheet.columns, 1)
        if column.is_open
    )


def _side(
    sheet: Sheet, column: Column, number: int, side: int, times: int, limit: int
) -> SideCount:
    rules, table = sheet.match.rules, sheet.match.table
    figures = column.sides[side]
    needs = rules.target - figures.points
    plays = any(seat in sheet.next_players for seat in table.seats(side))
    enters = plays and number in sheet.next_columns(side)
    reach = None
    if enters and rules.play != "partners":
        # Whole deadwood points, before they are doubled.
        reach = _reach(rules, -(-needs // times), limit)
    if rules.shutout_when == "no-hand":
        shut_out, least = figures.wins == 0, 0
    else:
        shut_out, least = figures.points <= 0, 1 - figures.points
    shut_out = shut_out and rules.shutout != "none"
    return SideCount(
        side, max(needs, 0), enters, reach, shut_out, least if shut_out and enters else None
    )


def _reach(rules: RuleSet, points: int, limit: int) -> Reach:
    """What a win must be to be worth these points, before any doubling."""
    big = rules.big_gin_bonus
    return Reach(
        # A knocker holds at least a point, or it would be gin.
        _within(points - rules.knock_bonus, 1, MOST_DEADWOOD - 1) if limit else None,
        _within(points - rules.gin_bonus, 0, MOST_DEADWOOD),
        None if big is None else _within(points - big, 0, MOST_DEADWOOD),
        _undercut(rules, points, limit) if limit else None,
    )


def _undercut(rules: RuleSet, points: int, limit: int) -> int | None:
    """By how many points a knock must be undercut, a tie counting as the rules say."""
    least = {"undercut": 0, "undercut-no-bonus": 1, "no-score": 1}[rules.tie]
    if rules.tie == "undercut-no-bonus" and points <= 0:
        return 0
    return _within(points - rules.undercut_bonus, least, limit)


def _within(value: int, low: int, high: int) -> int | None:
    """The value, or the least there is; None where it is more than there can be."""
    return max(value, low) if value <= high else None
