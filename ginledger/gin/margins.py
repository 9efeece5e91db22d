"""The margin between two sides as a column that anyone can add up (rules.md, The sheet, 3 and 4).

One list of lines serves the sheet, the settlement, the exports and the print.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ginledger.gin.sheet import Column, Sheet, round_margin


class Line(NamedTuple):
    """One line of the column: what it is, and its points for the first side of the pair.

    column: the number of the column it belongs to, from 1; 0 where it belongs to the match.
    kind: hands, boxes, game, shutout, column (what they come to), weight (what weighting adds),
    sum, rounding or margin.
    """

    kind: str
    points: int
    column: int = 0


class Margin(NamedTuple):
    """What one side wins from another: sides, lines, and the points (negative: it loses them)."""

    one: int
    other: int
    points: int
    lines: tuple[Line, ...]


# The kinds whose lines add up to the margin; the others are what has come together so far.
ADDING = ("hands", "boxes", "game", "shutout", "weight", "rounding")


def pair_margins(sheet: Sheet) -> tuple[Margin, ...]:
    """The margin of every pair of sides of a match that is over; () while it is not.

    With two sides there is one pair and the margin is rounded; with three there are three pairs.
    """
    if not sheet.over:
        return ()
    sides = range(len(sheet.match.table.sides))
    return tuple(_margin(sheet, one, other) for one, other in combinations(sides, 2))


def _margin(sheet: Sheet, one: int, other: int) -> Margin:
    lines: list[Line] = []
    for number, column in enumerate(sheet.columns, 1):
        lines += _column_lines(sheet, number, column, one, other)
    total = sum(line.points for line in lines if line.kind in ADDING)
    rounding = sheet.match.rules.rounding if len(sheet.match.table.sides) == 2 else 1
    margin = round_margin(total, rounding)
    if len(sheet.columns) > 1:
        lines.append(Line("sum", total))
    if rounding > 1:
        lines.append(Line("rounding", margin - total))
    lines.append(Line("margin", margin))
    return Margin(one, other, margin, tuple(lines))


def _column_lines(
    sheet: Sheet, number: int, column: Column, one: int, other: int
) -> Iterator[Line]:
    mine, theirs = column.sides[one], column.sides[other]
    found = {
        "hands": mine.points - theirs.points,
        "boxes": mine.box_bonus - theirs.box_bonus,
        "game": mine.game_bonus - theirs.game_bonus,
        "shutout": column.shutouts[other] * (column.first_over == one)
        - column.shutouts[one] * (column.first_over == other),
    }
    for kind, points in found.items():
        if points or kind == "hands":
            yield Line(kind, points, number)
    total = sum(found.values())
    yield Line("column", total, number)
    weight = sheet.match.rules.weights[number - 1]
    if weight > 1:
        yield Line("weight", total * (weight - 1), number)
