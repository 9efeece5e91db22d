"""Every table in one workbook: a sheet a topic, numbers and days as such, text never a formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from ginledger.csv_files import Cell

from .export_figures import StandingLine
from .export_hands import HandLine
from .export_rows import Scope, topics
from .results import COUNTS

# What a sheet of a workbook holds, its headings included.
MOST_LINES = 1_048_576
# Workbooks have a 29 February 1900, which was none: spreadsheets differ on what is before it.
FIRST_DAY = date(1900, 3, 1)
# More could not be read in a chart.
MOST_BARS = 40
_WIDE = {
    "sides": 24, "note": 40, "rules": 18, "player": 18, "figure": 26, "column": 14,
    "recorded": 19, "last_change": 19, "struck": 19,
}  # fmt: skip
_STATE, _KIND = HandLine._fields.index("state"), HandLine._fields.index("kind")
_PLAYER, _NET = StandingLine._fields.index("player"), StandingLine._fields.index("net")
_KINDS = ("knock", "gin", "big_gin", "undercut", "tie", "dead")

Watch = Callable[[Iterator[Sequence[Cell]], int], Iterable[Sequence[Cell]]]


def write_workbook(scope: Scope, file: IO[bytes], watch: Watch = lambda rows, _: rows) -> None:
    """Write the workbook of a club or match; memory does not grow with its rows.

    watch: is given the rows of each table and about how many there will be, and passes them on.
    """
    with Workbook(file, {"constant_memory": True}) as book:
        writer = _Writer(book)
        kinds = Counter[str]()
        nets: list[tuple[Cell, Cell]] = []
        for topic in topics(scope):
            rows = topic.rows(scope)
            if topic.name == "hands":
                rows = _counted(rows, kinds)
            elif topic.name == "standings":
                rows = _kept(rows, nets)
            writer.table(topic.label, topic.head, watch(rows, topic.about(scope)))
            if topic.name == "standings":
                writer.nets(topic.label, topic.head, nets)
        writer.endings(kinds)


def _counted(rows: Iterable[Sequence[Cell]], kinds: Counter[str]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        if row[_STATE] == COUNTS:
            kinds[str(row[_KIND])] += 1
        yield row


def _kept(
    rows: Iterable[Sequence[Cell]], nets: list[tuple[Cell, Cell]]
) -> Iterator[Sequence[Cell]]:
    """Keeps the names and the net points of the first lines."""
    for row in rows:
        if len(nets) < MOST_BARS:
            nets.append((row[_PLAYER], row[_NET]))
        yield row


class _Writer:
    """The sheets of a workbook, one after another."""

    def __init__(self, book: Workbook) -> None:
        self.book = book
        self.head = book.add_format({"bold": True, "bottom": 1})
        self.day = book.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self.money = book.add_format({"num_format": "#,##0.00##"})

    def table(self, label: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """A table with its headings frozen; what no sheet holds goes on on another."""
        waiting = iter(rows)
        number, row = 1, next(waiting, None)
        while number == 1 or row is not None:
            sheet = self._sheet(label if number == 1 else f"{label} {number}", head)
            line = 1
            while row is not None and line < MOST_LINES:
                self._row(sheet, line, row)
                line, row = line + 1, next(waiting, None)
            sheet.autofilter(0, 0, max(line - 1, 1), len(head) - 1)
            number += 1

    def _sheet(self, name: str, head: Sequence[str]) -> Worksheet:
        sheet = self.book.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        # On paper: as wide as the page, the headings on each.
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        for column, text in enumerate(head):
            sheet.set_column(column, column, _WIDE.get(text, max(len(text) + 3, 11)))
        sheet.write_row(0, 0, head, self.head)
        return sheet

    def _row(self, sheet: Worksheet, line: int, row: Sequence[Cell]) -> None:
        for column, value in enumerate(row):
            if value is None or value == "":
                continue
            if isinstance(value, str):
                sheet.write_string(line, column, value)
            elif isinstance(value, date):
                self._day(sheet, line, column, value)
            elif isinstance(value, Decimal):
                sheet.write_number(line, column, value, self.money)
            else:
                sheet.write_number(line, column, value)

    def _day(self, sheet: Worksheet, line: int, column: int, value: date) -> None:
        """A day or a moment; one from before a workbook's days begin is text."""
        day = value.date() if isinstance(value, datetime) else value
        if day < FIRST_DAY:
            sheet.write_string(line, column, str(value))
        else:
            form: Any = self.moment if isinstance(value, datetime) else self.day
            sheet.write_datetime(line, column, value, form)

    def endings(self, kinds: Counter[str]) -> None:
        """How hands ended, counted, with a chart of it."""
        sheet = self._sheet("Endings", ("ending", "hands"))
        found = [(kind.replace("_", " "), kinds[kind]) for kind in _KINDS]
        for line, row in enumerate(found, 1):
            self._row(sheet, line, row)
        self._chart(sheet, "D2", "How hands ended", found, (0, 1))

    def nets(self, label: str, head: Sequence[str], found: Sequence[tuple[Cell, Cell]]) -> None:
        """The net points of the first players of the standings, beside their table."""
        if found:
            sheet = self.book.get_worksheet_by_name(label)
            place = xl_rowcol_to_cell(1, len(head) + 1)
            self._chart(sheet, place, "Net points", found, (_PLAYER, _NET))

    def _chart(
        self,
        sheet: Worksheet,
        place: str,
        title: str,
        found: Sequence[tuple[Cell, Cell]],
        columns: tuple[int, int],
    ) -> None:
        """A bar for each of the first lines. found: the name and the number of each; columns:
        where they stand in the sheet, which are what the chart follows."""
        names, numbers = columns
        chart = self.book.add_chart({"type": "column"})
        chart.add_series(
            {
                "name": [sheet.name, 0, numbers],
                "categories": [sheet.name, 1, names, len(found), names],
                "values": [sheet.name, 1, numbers, len(found), numbers],
                # The rows are written and forgotten by now; a reader that works nothing out
                # shows these.
                "categories_data": [name for name, _ in found],
                "values_data": [number for _, number in found],
                "data_labels": {"value": True},
            }
        )
        chart.set_title({"name": title})
        chart.set_legend({"none": True})
        # Below the bars that go down, too.
        chart.set_x_axis({"label_position": "low"})
        sheet.insert_chart(place, chart, {"description": f"{title}: a bar for each"})
