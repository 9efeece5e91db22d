"""CSV files that spreadsheets open as they were meant: UTF-8 told, numbers as numbers, and no
text that begins like a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.http import HttpResponse

Cell = str | int | Decimal | None
# What a spreadsheet takes for the beginning of a formula.
_LIVE = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Cell) -> str:
    """A value as it stands in the file: a text that would be a formula behind an apostrophe."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_LIVE):
        return f"'{value}"
    return "" if value is None else str(value)


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """The file as a download; name: letters, digits and hyphens, without the ending."""
    answer = HttpResponse("\N{ZERO WIDTH NO-BREAK SPACE}", content_type="text/csv; charset=utf-8")
    writer = csv.writer(answer)
    writer.writerow(head)
    writer.writerows([cell(value) for value in row] for row in rows)
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer
