"""The sheet as its template shows it: every hand in its columns, bonuses, what each comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS
from ginledger.clubs.rulebook import Agreement, agreement_of
from ginledger.gin.hands import Adjustment
from ginledger.gin.margins import ADDING, Margin, pair_margins
from ginledger.gin.sheet import Column, ColumnSide, Sheet
from ginledger.gin.words import rules_line

from .book import Book
from .pages import HandLine, hand_lines
from .wording import (
    MINUS,
    ORDINALS,
    cards_checked,
    cards_words,
    hand_sentence,
    named,
    signed,
    verdict,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of the table; edge: the first of its column; closes: it reached the target."""

    text: str
    edge: bool
    closes: bool = False


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the book in the table; checked: its cards are known and agree."""

    line: HandLine
    reasons: tuple[SafeString | str, ...]
    cells: tuple[Cell, ...]
    checked: bool


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line below the hands; kind: boxes, game, shutout or total."""

    kind: str
    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column's head and its result, explained part by part."""

    name: str
    open: bool
    weight: int
    caption: str
    result: SafeString | str
    explained: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class SheetPage:
    """The whole sheet of a match."""

    key: str
    names: tuple[str, ...]
    rules_name: str
    heading: str
    terms: str
    played_on: date
    note: str
    many: bool
    over: bool
    may_write: bool
    verdict: SafeString
    columns: tuple[ColumnView, ...]
    rows: tuple[SheetRow, ...]
    sums: tuple[SumLine, ...]
    settled: SafeString
    pairs: tuple[SafeString, ...]
    agreed: Agreement

    @property
    def title(self) -> str:
        return " v ".join(self.names)

    @property
    def width(self) -> int:
        """How many cells a row of the table has."""
        return 3 + len(self.columns) * len(self.names)


def sheet_page(book: Book) -> SheetPage:
    """The sheet as the rows stand now."""
    sheet, match, rules = book.sheet, book.match, book.rules
    many = len(sheet.columns) > 1
    return SheetPage(
        key=match.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        rules_name=match.rules_name,
        heading="Hollywood sheet" if many else "The sheet",
        terms=rules_line(rules),
        played_on=match.played_on,
        note=match.note,
        many=many,
        over=sheet.over,
        may_write=match.role in WRITERS,
        verdict=verdict(sheet),
        columns=tuple(_column(sheet, place, column) for place, column in enumerate(sheet.columns)),
        rows=_rows(book),
        sums=_sums(sheet),
        settled=_settled(sheet),
        pairs=_pairs(sheet),
        agreed=agreement_of(match.rules_name, rules),
    )


def _rows(book: Book) -> tuple[SheetRow, ...]:
    sheet = book.sheet
    entries = {
        (entry.hand, place): entry
        for place, column in enumerate(sheet.columns)
        for entry in column.entries
    }
    sides = range(len(book.table.sides))
    rows = []
    for line, shown in zip(book.lines, hand_lines(book), strict=True):
        number = line.scored.number if line.scored else 0
        cells = []
        for place, column in enumerate(sheet.columns):
            entry = entries.get((number, place))
            for side in sides:
                mine = entry is not None and entry.side == side
                text = str(entry.running[side]) if entry is not None and mine else ""
                closes = mine and column.closed_by_hand == number and column.first_over == side
                cells.append(Cell(text.replace("-", MINUS), side == 0, closes))
        reasons: tuple[SafeString | str, ...]
        if line.scored:
            reasons = (*line.scored.reasons, *line.scored.outcome.notes)
            if words := cards_words(line.hand, line.scored.outcome):
                reasons = (*reasons, f"{words[0].upper()}{words[1:]}.")
        else:
            reasons = (hand_sentence(book.rules, book.table, line.hand), "Void: it does not count.")
        if line.hand.note and not isinstance(line.hand, Adjustment):  # which says it already
            reasons = (*reasons, format_html("Note: {}", named(line.hand.note)))
        checked = line.scored is not None and cards_checked(line.hand, line.scored.outcome)
        rows.append(SheetRow(shown, reasons, tuple(cells), checked))
    return tuple(rows)


def _sums(sheet: Sheet) -> tuple[SumLine, ...]:
    rules = sheet.match.rules

    def line(kind: str, label: str, figure: Callable[[Column, ColumnSide], str]) -> SumLine:
        cells = [
            Cell(figure(column, side), place == 0)
            for column in sheet.columns
            for place, side in enumerate(column.sides)
        ]
        return SumLine(kind, label, tuple(cells))

    def bonus(name: str) -> Callable[[Column, ColumnSide], str]:
        def figure(column: Column, side: ColumnSide) -> str:
            if column.is_open:
                return "–"
            return str(getattr(side, name) or "")

        return figure

    def boxes(column: Column, side: ColumnSide) -> str:
        return "–" if column.is_open else str(side.box_bonus)

    lines = []
    if rules.box_bonus:
        lines.append(line("boxes", f"Boxes × {rules.box_bonus}", boxes))
    if rules.game_points:
        lines.append(line("game", "Game", bonus("game_bonus")))
    if any(side.shutout_bonus for column in sheet.columns for side in column.sides):
        lines.append(line("shutout", "Shutout", bonus("shutout_bonus")))
    lines.append(line("total", "Total", lambda _, side: str(side.total).replace("-", MINUS)))
    return tuple(lines)


def _column(sheet: Sheet, place: int, column: Column) -> ColumnView:
    weight = sheet.match.rules.weights[place]
    game = f"{ORDINALS[place]} game" if len(sheet.columns) > 1 else "The game"
    result: SafeString | str
    if column.net is None:
        caption = f"{game}, still open"
        result = " – ".join(str(side.points) for side in column.sides)
    else:
        caption = f"{game}, counts × {weight}" if weight > 1 else game
        result = _won_by(sheet, column.winner, column.net)
    return ColumnView(
        name=ORDINALS[place],
        open=column.is_open,
        weight=weight,
        caption=caption,
        result=result,
        explained=_explained(sheet, place, column),
    )


def _won_by(sheet: Sheet, winner: int | None, net: tuple[int, ...]) -> SafeString:
    """ "Ann +213"; level games say so."""
    if winner is None or net[winner] == 0:
        return SafeString("Level")
    return format_html("{} {}", named(sheet.match.table.side_name(winner)), signed(net[winner]))


def _explained(sheet: Sheet, place: int, column: Column) -> tuple[SafeString, ...]:
    """How each side's total adds up, and the margin."""
    table, weight = sheet.match.table, sheet.match.rules.weights[place]
    lines = []
    for side, figures in enumerate(column.sides):
        parts = format_html_join(
            " + ", "{} ({})", ((part.points, part.label) for part in sheet.explain(place, side))
        )
        lines.append(
            format_html("{}: {} = {}.", named(table.side_name(side)), parts, figures.total)
        )
    if column.net is None:
        lines.append(SafeString("Bonuses are added when the column closes."))
    elif len(column.sides) == 2:
        totals = [figures.total for figures in column.sides]
        high, low = max(totals), min(totals)
        times = format_html(" × {} = {}", weight, (high - low) * weight) if weight > 1 else ""
        lines.append(format_html("{} {} {} = {}{}.", high, MINUS, low, high - low, times))
        if column.closed_by_hand:
            lines.append(format_html("Closed by hand {}.", column.closed_by_hand))
    return tuple(lines)


def _settled(sheet: Sheet) -> SafeString:
    """How the columns' margins make the match's, where that is more than one step."""
    nets = [column.net for column in sheet.columns if column.net is not None]
    if not sheet.over or sheet.net is None or len(sheet.net) != 2:
        return SafeString()
    rounding = sheet.match.rules.rounding
    if len(nets) == 1 and rounding == 1:
        return SafeString()
    first = 0 if sheet.winner is None else sheet.winner
    summed = sum(net[first] for net in nets)
    parts = " ".join(
        f"{MINUS if net[first] < 0 else '+'} {abs(net[first])}" for net in nets
    ).removeprefix("+ ")
    rounded = (
        format_html(", rounded to {}: {}", rounding, signed(sheet.net[first]))
        if rounding > 1
        else ""
    )
    name = named(sheet.match.table.side_name(first))
    return format_html("{}: {} = {}{}.", name, parts, signed(summed), rounded)


_PARTS = {"hands": "points", "boxes": "boxes", "game": "game", "shutout": "shutout"}


def _pairs(sheet: Sheet) -> tuple[SafeString, ...]:
    """Of three what every two settle, in a sentence each; nothing for two sides."""
    if len(sheet.match.table.sides) == 2:
        return ()
    return tuple(_pair(sheet, margin) for margin in pair_margins(sheet))


def _pair(sheet: Sheet, margin: Margin) -> SafeString:
    sign = -1 if margin.points < 0 else 1
    winner, loser = (margin.one, margin.other)[::sign]
    names = [named(sheet.match.table.side_name(side)) for side in (winner, loser)]
    many = len(sheet.columns) > 1
    parts: dict[str, int] = {}
    for line in margin.lines:
        if line.kind in ADDING:
            label = ORDINALS[line.column - 1].lower() if many else _PARTS[line.kind]
            parts[label] = parts.get(label, 0) + sign * line.points
    said = ", ".join(f"{label} {signed(points)}" for label, points in parts.items())
    if not margin.points:
        return format_html("{} and {} are level: {}.", *names, said)
    return format_html(
        "{} from {}: {} = {}.",
        *names,
        said,
        format_html("<strong>{}</strong>", signed(abs(margin.points))),
    )
