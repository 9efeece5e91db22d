"""A table out of a file of any origin: its bytes, its delimiter, its lines, its days."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ginledger.gin.errors import Unreadable

MOST_BYTES = 500_000
DELIMITERS = (",", ";", "\t")
_DELIMITER = re.compile(r"sep=([,;\t])", re.IGNORECASE)
_BLANK = "".join(DELIMITERS) + ' "\N{NO-BREAK SPACE}'
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# The day that spreadsheets count as 0, and the numbers that are days of 1954 to 2119.
_DAY_ZERO = date(1899, 12, 30)
_SERIALS = range(20_000, 80_000)


class Record(NamedTuple):
    """A line of the table. line: where it begins in the file, from 1."""

    line: int
    cells: list[str]


def read_text(data: bytes) -> str:
    """The text of a file, its lines ended by LF: UTF-8, UTF-16 or else Windows-1252.

    Raises Unreadable where it is no text, none at all, or too much of it.
    """
    encodings = next(([name] for mark, name in _MARKS if data.startswith(mark)), None)
    for encoding in encodings or ["utf-8", "cp1252"]:
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if not text.strip():
            raise Unreadable("file-empty", "The file is empty.", "file")
        if not _CONTROL.search(text):
            return _within_limit(text.replace("\r\n", "\n").replace("\r", "\n"))
    raise Unreadable("file-binary", "This is no table of text: save it as CSV first.", "file")


def _within_limit(text: str) -> str:
    if len(text.encode()) > MOST_BYTES:
        raise Unreadable(
            "file-large", f"A table has up to {MOST_BYTES // 1000} kB; split it.", "file"
        )
    return text


def read_records(text: str) -> list[Record]:
    """The lines of a table, headings first, blank ones left out; raises Unreadable.

    A line before the headings may name the delimiter, as spreadsheets have it: "sep=;".
    """
    lines = (line for line in text.split("\n") if line.strip(_BLANK))
    first = next(lines, "")
    said = _DELIMITER.fullmatch(first)
    delimiter = said[1] if said else max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found, line = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not (
                said and delimiter.join(cells) == first
            ):
                found.append(Record(line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise Unreadable("csv-unreadable", f"Line {line}: {error}.", "file") from None
    if not found:
        raise Unreadable("file-empty", "There is nothing in its cells.", "file")
    return found


class DayFormat(NamedTuple):
    """A way to write a day. order: where year, month and day stand in it."""

    name: str
    label: str
    order: str


DAY_FORMATS = {
    one.name: one
    for one in (
        DayFormat("ymd", "year-month-day", "ymd"),
        DayFormat("dmy", "day/month/year", "dmy"),
        DayFormat("mdy", "month/day/year", "mdy"),
        DayFormat("serial", "a spreadsheet's day numbers", ""),
    )
}


def read_day(text: str, form: DayFormat) -> date | None:
    """The day in this format; None where it is none."""
    text = text.strip()
    if not form.order:
        serial = int(text) if re.fullmatch(r"[0-9]{5}", text) else 0
        return _DAY_ZERO + timedelta(days=serial) if serial in _SERIALS else None
    parts = re.fullmatch(r"([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})", text)
    if parts is None:
        return None
    values = dict(zip(form.order, (parts[1], parts[3], parts[4]), strict=True))
    if len(values["y"]) not in (2, 4) or max(len(values["m"]), len(values["d"])) > 2:
        return None
    year = int(values["y"]) + (2000 if len(values["y"]) == 2 else 0)
    try:
        return date(year, int(values["m"]), int(values["d"]))
    except ValueError:
        return None


def infer_format(texts: Sequence[str]) -> tuple[DayFormat, tuple[DayFormat, ...]]:
    """The one format that reads the most of a file's days, and others that read as many."""
    counts = {
        form: sum(read_day(text, form) is not None for text in texts)
        for form in DAY_FORMATS.values()
    }
    best, *others = [form for form, count in counts.items() if count == max(counts.values())]
    return best, tuple(others)
