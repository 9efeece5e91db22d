"""What was understood, as the page shows it: a match an item, its hands with their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import NamedTuple

from ginledger.gin.ruling import KIND_WORDS
from ginledger.gin.sheet import ScoredHand, Sheet

from .import_found import FoundMatch, Understood

SHOWN = 200
# Hands on one page, of all matches together.
SHOWN_HANDS = 2000
KIND_LINES = {
    "hands": "a table of hands",
    "results": "a table of results, without hands",
    "files": "match files",
}


class HandItem(NamedTuple):
    """A row of a match. lines: of the table, as text; points: "" where nobody scores."""

    lines: str
    who: str
    how: str
    points: str


@dataclass(frozen=True, slots=True)
class MatchItem:
    """A match in the list. day: None where it could not be read; source: its line or file;
    more: how many hands are not shown."""

    day: date | None
    sides: tuple[str, ...]
    hands: int
    result: str
    state: str
    good: bool
    source: str
    rules: str
    rows: tuple[HandItem, ...]
    more: int


def items(found: Understood) -> list[MatchItem]:
    """The first matches, opened as far as there is room."""
    room, made = SHOWN_HANDS, []
    for match in found.matches[:SHOWN]:
        rows = tuple(islice(_rows(match), room))
        room -= len(rows)
        made.append(_item(match, rows))
    return made


def _item(match: FoundMatch, rows: tuple[HandItem, ...]) -> MatchItem:
    table = match.table
    count = 0 if match.sheet is None else len(match.sheet.hands)
    return MatchItem(
        day=None if match.day == date.min else match.day,
        sides=tuple(table.side_name(side) for side in range(len(table.sides))),
        hands=0 if match.handless else len(match.hands),
        result="" if match.sheet is None else result_line(match.sheet),
        state=_state(match),
        good=match.good,
        source=match.file or f"line {match.line}",
        rules=match.rules_name,
        rows=rows,
        more=0 if match.handless else count - len(rows),
    )


def _state(match: FoundMatch) -> str:
    if match.wrong:
        return "wrong"
    if match.binned:
        return "in the bin"
    return "here already" if match.known else "new"


def _rows(match: FoundMatch) -> Iterator[HandItem]:
    """The hands of a match that can be scored; a result has none."""
    if match.sheet is None or match.handless:
        return
    for at, hand in enumerate(match.sheet.hands):
        lines = ", ".join(map(str, match.lines[at])) if match.lines else ""
        yield _row(match.sheet, hand, lines)


def _row(sheet: Sheet, hand: ScoredHand, lines: str) -> HandItem:
    who = "" if hand.side is None else sheet.match.table.side_name(hand.side)
    signed = hand.kind == "adjustment"
    points = f"{hand.points:+d}" if signed else str(hand.points)
    return HandItem(
        lines, who, KIND_WORDS.get(hand.kind, hand.kind), "" if hand.side is None else points
    )


def result_line(sheet: Sheet) -> str:
    """How a match ended or stands: "Ann won by 142", "43 : 12, goes on"."""
    table = sheet.match.table
    if not sheet.over or sheet.net is None:
        columns = (
            " : ".join(str(side.points) for side in column.sides) for column in sheet.columns
        )
        return f"{', '.join(columns)}, goes on"
    if sheet.winner is None:
        return "level"
    name = table.side_name(sheet.winner)
    if len(sheet.net) == 2:
        return f"{name} won by {sheet.net[sheet.winner]}"
    nets = ", ".join(f"{table.side_name(side)} {net:+d}" for side, net in enumerate(sheet.net))
    return f"{name} won: {nets}"
