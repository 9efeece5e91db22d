"""A match under other rules as its template shows it, side by side with the match as it is."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.rulebook import Choice, Found
from ginledger.gin.hands import Table
from ginledger.gin.matchfile import seating_problems
from ginledger.gin.rescore import Rescored, RescoredRow, rescore
from ginledger.gin.sheet import Column, ScoredHand, Sheet
from ginledger.gin.words import Difference, compared, rules_line

from .book import Book
from .wording import KIND_LABELS, MINUS, ORDINALS, named, signed, verdict


@dataclass(frozen=True, slots=True)
class Figure:
    """A total of one side in a column, by parts: "125 (5 hands won) + 125 (5 boxes at 25)"."""

    name: str
    parts: str
    total: str


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """A column by one rule set. caption: "First game, still open"; result: "Ann +213"."""

    caption: str
    result: SafeString | str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """The match by one rule set."""

    name: str
    line: str
    verdict: SafeString | str
    columns: tuple[ColumnResult, ...]


@dataclass(frozen=True, slots=True)
class UnderRow:
    """A row of the match: who won it and how, what it is worth either way, why it is left out."""

    number: int
    who: str
    label: str
    kind: str
    before: str
    after: str
    after_label: str
    reason: str
    as_written: bool


@dataclass(frozen=True, slots=True)
class UnderPage:
    """A match by its own rules and by others."""

    ways: tuple[Way, Way]
    rows: tuple[UnderRow, ...]
    left_out: tuple[UnderRow, ...]
    ended: str
    written: str
    differences: tuple[Difference, ...]


def fitting(book: Book, offered: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The rule sets that so many people on so many sides can play by."""
    return tuple(one for one in offered if not seating_problems(one.rules, book.table))


def under_page(book: Book, other: Found) -> UnderPage:
    """The match re-scored; raises what ``rescore`` raises, and stores nothing."""
    rescored = rescore(book.gin_match, other.rules)
    rows = tuple(_row(book.table, row) for row in rescored.rows)
    return UnderPage(
        ways=(
            _way(book.match.rules_name, rescored.before),
            _way(other.name, rescored.after),
        ),
        rows=rows,
        left_out=tuple(row for row in rows if row.reason),
        ended=_ended(rescored),
        written=_written(rows),
        differences=compared(book.rules, other.rules),
    )


def _row(table: Table, row: RescoredRow) -> UnderRow:
    before, after = row.before, row.after
    changed = after is not None and (after.kind, after.side) != (before.kind, before.side)
    return UnderRow(
        number=row.number,
        who="" if before.side is None else table.side_name(before.side),
        label=KIND_LABELS[before.kind],
        kind=before.kind,
        before=_points(before),
        after="" if after is None else _points(after),
        after_label=_told(table, after) if after is not None and changed else "",
        reason=row.reason,
        as_written=row.as_written,
    )


def _points(scored: ScoredHand) -> str:
    if scored.side is None:
        return "–"
    return signed(scored.points) if scored.kind == "adjustment" else str(scored.points)


def _told(table: Table, scored: ScoredHand) -> str:
    label = KIND_LABELS[scored.kind].lower()
    return label if scored.side is None else f"{table.side_name(scored.side)}, {label}"


def _way(name: str, sheet: Sheet) -> Way:
    return Way(
        name=name,
        line=rules_line(sheet.match.rules),
        verdict=verdict(sheet) or "Not over yet.",
        columns=tuple(_column(sheet, place) for place in range(len(sheet.columns))),
    )


def _column(sheet: Sheet, place: int) -> ColumnResult:
    column, table = sheet.columns[place], sheet.match.table
    weight = sheet.match.rules.weights[place]
    game = f"{ORDINALS[place]} game" if len(sheet.columns) > 1 else "The game"
    if column.is_open:
        game = f"{game}, still open"
    elif weight > 1:
        game = f"{game}, counts × {weight}"
    figures = tuple(
        Figure(
            table.side_name(side),
            " + ".join(f"{part.points} ({part.label})" for part in sheet.explain(place, side)),
            str(one.total).replace("-", MINUS),
        )
        for side, one in enumerate(column.sides)
    )
    return ColumnResult(game, _result(table, column), figures)


def _result(table: Table, column: Column) -> SafeString | str:
    if column.net is None:
        return " – ".join(str(side.points) for side in column.sides)
    if len(column.net) > 2:
        return ", ".join(
            f"{table.side_name(side)} {signed(net)}" for side, net in enumerate(column.net)
        )
    if column.winner is None or column.net[column.winner] == 0:
        return "Level"
    name = named(table.side_name(column.winner))
    return format_html("{} {}", name, signed(column.net[column.winner]))


def _ended(rescored: Rescored) -> str:
    """Where the other rules end the match, if that is not where it really ended."""
    before, after = rescored.before, rescored.after
    if after.over and any(row.ended for row in rescored.left_out):
        return f"By these rules hand {rescored.ended_by} ends the match."
    if before.over and not after.over:
        return "By these rules the match would not be over yet."
    return ""


def _written(rows: tuple[UnderRow, ...]) -> str:
    """Which hands keep their points because they were entered by points."""
    numbers = [str(row.number) for row in rows if row.as_written]
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"Hand {numbers[0]} was entered by its points and keeps them."
    *most, last = numbers
    return f"Hands {', '.join(most)} and {last} were entered by their points and keep them."
