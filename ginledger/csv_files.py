"""CSV files that spreadsheets open as they were meant: UTF-8 told, numbers as numbers, and no
text that begins like a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import chain, islice

from django.http import HttpResponse

# Moments (``datetime``) are days too; one without a zone is the local time of the club.
Cell = str | int | Decimal | date | None
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
# What a spreadsheet takes for the beginning of a formula.
_LIVE = ("=", "+", "-", "@", "\t", "\r")
_ROWS_AT_ONCE = 500
# Fields are set apart by it where a comma is the decimal point.
DECIMAL_COMMA = ";"


def _is_live(value: Cell) -> bool:
    # Behind apostrophes, too: so that one of its own comes back beside the one that is put there.
    return isinstance(value, str) and value.lstrip("' ").startswith(_LIVE)


def unguarded(text: str) -> str:
    """A text as it was before ``guarded``."""
    return text[1:] if text.startswith("'") and _is_live(text[1:]) else text


def guarded(rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> Iterable[Sequence[Cell]]:
    """The same rows with a text that would be a formula behind an apostrophe, and decimals as they
    are written where the delimiter is used.

    Column by column: one without texts is not looked at, and each text only once however often it
    stands there. Rows by themselves would take longer than all the rest of a file.
    """
    rows = list(rows)
    columns: list[Sequence[Cell]] = list(zip(*rows, strict=True))
    changed = False
    for place, column in enumerate(columns):
        kinds = set(map(type, column))
        if any(issubclass(kind, str) for kind in kinds):
            live = {value: f"'{value}" for value in set(column) if _is_live(value)}
            if live:
                column = columns[place] = [live.get(value, value) for value in column]
                changed = True
        if delimiter == DECIMAL_COMMA and Decimal in kinds:
            columns[place] = [with_comma(value) for value in column]
            changed = True
    return zip(*columns, strict=True) if changed else rows


def with_comma(value: Cell) -> Cell:
    """A decimal as it is written where a comma is the decimal point; else the value."""
    return str(value).replace(".", ",") if isinstance(value, Decimal) else value


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """The file as a download; name: letters, digits and hyphens, without the ending."""
    answer = HttpResponse(BOM, content_type="text/csv; charset=utf-8")
    writer = csv.writer(answer)
    writer.writerow(head)
    writer.writerows(guarded(rows))
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def csv_chunks(
    head: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = ","
) -> Iterator[str]:
    """The same file piece by piece, so that memory does not grow with its rows."""
    yield BOM
    waiting = chain([head], rows)
    while lines := list(islice(waiting, _ROWS_AT_ONCE)):
        piece = io.StringIO(newline="")
        csv.writer(piece, delimiter=delimiter).writerows(guarded(lines, delimiter))
        yield piece.getvalue()
