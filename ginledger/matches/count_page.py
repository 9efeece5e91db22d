"""The count of a match as its template shows it: what each needs, and may be caught with."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.gin.count import ColumnCount, Reach, SideCount, count
from ginledger.gin.sheet import Sheet

from .book import Book
from .wording import ORDINALS, named

SAFE, LOST, SITS_OUT = "safe", "lost", "–"


@dataclass(frozen=True, slots=True)
class CountRow:
    """A line of the count: its label and a cell for each side."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountBlock:
    """What each side may be caught with. title: what was turned up, "" where it is no matter."""

    title: str
    rows: tuple[CountRow, ...]


@dataclass(frozen=True, slots=True)
class CountColumn:
    """An open column. shut_out: a sentence for each side that would be, with what saves it."""

    title: str
    needs: CountRow
    blocks: tuple[CountBlock, ...]
    shut_out: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class CountPage:
    """The count of a match; no column when it is over."""

    key: str
    names: tuple[str, ...]
    rules_name: str
    partners: bool
    columns: tuple[CountColumn, ...]
    knocks: bool

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def count_page(book: Book) -> CountPage:
    """The count as the rows stand now; with spades that double, also as if one was turned up."""
    sheet, rules = book.sheet, book.rules
    plain = count(sheet)
    spade = count(sheet, spade=True) if rules.spade_doubles else ()
    many = len(sheet.columns) > 1
    return CountPage(
        key=book.match.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        rules_name=book.match.rules_name,
        partners=rules.play == "partners",
        columns=tuple(
            _column(sheet, many, column, spade[place] if spade else None)
            for place, column in enumerate(plain)
        ),
        knocks=rules.knock_limit > 0,
    )


def _column(
    sheet: Sheet, many: bool, column: ColumnCount, spade: ColumnCount | None
) -> CountColumn:
    rules = sheet.match.rules
    blocks: tuple[CountBlock, ...] = ()
    if rules.play != "partners":
        blocks = (CountBlock("Without a spade" if spade else "", _caught(sheet, column)),)
        if spade:
            blocks += (CountBlock("A spade as upcard", _caught(sheet, spade)),)
    needs = tuple(str(one.needs) if rules.target else "a win" for one in column.sides)
    return CountColumn(
        title=f"{ORDINALS[column.number - 1]} game" if many else "",
        needs=CountRow("Needs", needs),
        blocks=blocks,
        shut_out=tuple(
            _shut_out(sheet, one)
            for one in column.sides
            if one.shut_out and _behind(sheet, column.number, one.side)
        ),
    )


def _caught(sheet: Sheet, column: ColumnCount) -> tuple[CountRow, ...]:
    """What each side may be caught with at most before the other closes the column.

    A kind of hand from which everybody is safe is left out.
    """
    rules = sheet.match.rules
    kinds = [("gin", "Gin", 0)]
    if rules.big_gin_bonus is not None:
        kinds.append(("big_gin", "Big gin", 0))
    if rules.knock_limit:
        kinds.insert(0, ("knock", "A knock", 1))
        kinds.append(("undercut", "Undercut", 0))
    rows = (
        CountRow(label, tuple(_most(sheet, column, one, kind, least) for one in column.sides))
        for kind, label, least in kinds
    )
    return tuple(row for row in rows if set(row.cells) - {SAFE, SITS_OUT})


def _most(sheet: Sheet, column: ColumnCount, one: SideCount, kind: str, least: int) -> str:
    """The most a side may be caught with, in words where it is all or nothing."""
    if not _plays(sheet, one.side):
        return SITS_OUT
    reaches = [
        other.reach for other in column.sides if other.side != one.side and other.reach is not None
    ]
    limits = [limit for reach in reaches if (limit := _reach_of(reach, kind)) is not None]
    if not limits:
        return SAFE
    closest = min(limits)
    return LOST if closest <= least else str(closest - 1)


def _reach_of(reach: Reach, kind: str) -> int | None:
    found: int | None = getattr(reach, kind)
    return found


def _plays(sheet: Sheet, side: int) -> bool:
    """Whether somebody of the side plays the next hand."""
    return any(seat in sheet.next_players for seat in sheet.match.table.seats(side))


def _behind(sheet: Sheet, number: int, side: int) -> bool:
    """Whether another side has won a hand in the column: before that a shutout is no news."""
    sides = sheet.columns[number - 1].sides
    return any(one.wins for place, one in enumerate(sides) if place != side)


def _shut_out(sheet: Sheet, one: SideCount) -> SafeString:
    """Who would be shut out if another closed the column now, and what saves him."""
    name = named(sheet.match.table.side_name(one.side))
    if not _plays(sheet, one.side):
        saves = "and sits out the next hand"
    elif one.saved_by is None:
        saves = "and a win of the next hand is not entered here"
    elif one.saved_by == 0:
        saves = "until winning any hand"
    else:
        saves = f"until winning a hand of {one.saved_by} or more"
    return format_html("{} would be shut out, {}.", name, saves)
