"""What goes out as LibreOffice reads it: every cell of the workbook, and the hands as CSV."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from ginledger.csv_files import Cell
from ginledger.seasons.export_rows import TOPICS, Scope
from tests.cast import ANN, BEN, Cast, adjust, dead, enter, gin, knock, make_match, won
from tests.conftest import CI
from tests.money.ledgers import DIME, pay
from tests.seasons.tables import played
from tests.seasons.test_export_xlsx import ODD

pytestmark = pytest.mark.django_db

OFFICE = shutil.which("soffice")
NO_OFFICE = "no LibreOffice (soffice) on the PATH: the tables were opened by no spreadsheet"
# Seconds; it takes two.
PATIENCE = 120
# Commas, double quotes, UTF-8, from the first line; numbers and days are looked for.
CSV_FILTER = "CSV:44,34,76,1,,0,false,true"
# The same with semicolons, by the habits of German.
GERMAN_FILTER = "CSV:59,34,76,1,,1031,false,true"


def fill(cast: Cast) -> None:
    """Matches with money, of two and three, with names and notes that look like something else."""
    cast.club.currency = "USD"
    cast.club.time_zone = "Europe/Berlin"
    cast.club.save(update_fields=["currency", "time_zone"])
    hands = (knock(ANN, 6, 21), gin(BEN, 30), dead(), knock(BEN, 8, 8), won(BEN, 100, "gin"))
    for day in range(1, 6):
        played(cast.ann, date(2026, 3, day), *hands, names=("=1+1", "Mar 5"), stake=DIME)
    match = make_match(cast.ann, won(BEN, 25), names=("José", "Ana/Ben 7:30 [final] 🎴"))
    for text in ODD:
        enter(cast.ann, match, adjust(ANN, -25, note=text))
    make_match(cast.ann, won(ANN, 20), rules="three-handed", names=("Ann", "Ben", "Cleo"))
    pay(cast.ann, cast.club, "=1+1", "Mar 5", 1925)


def converted(file: Path, *options: str) -> Workbook:
    """The file opened and stored again as a workbook by LibreOffice, with a profile of its own."""
    assert OFFICE is not None
    out = file.parent / "out"
    profile = (file.parent / "profile").as_uri()
    command = [
        OFFICE, f"-env:UserInstallation={profile}", "--headless", "--norestore", *options,
        "--convert-to", "xlsx", "--outdir", str(out), str(file),
    ]  # fmt: skip
    subprocess.run(command, check=True, timeout=PATIENCE, capture_output=True)
    return load_workbook(out / f"{file.stem}.xlsx")


def plain(value: Cell) -> Any:
    """A value as openpyxl gives a cell of its kind."""
    if isinstance(value, Decimal):
        return pytest.approx(float(value))
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, datetime.min.time())
    return None if value == "" else value


def cells(book: Workbook, name: str) -> Iterator[Sequence[Any]]:
    head, *rows = book[name].iter_rows()
    assert [cell.value for cell in head] == list(TOPICS[name.lower()].head)
    return iter(rows)


def test_a_spreadsheet_reads_what_was_meant(cast: Cast, tmp_path: Path) -> None:
    """B14, B52, B69: numbers, days and moments are such, and every text is a text."""
    if OFFICE is None and not CI:
        pytest.skip(NO_OFFICE)
    assert OFFICE is not None, NO_OFFICE
    fill(cast)
    file = tmp_path / "Ana-Ben book.xlsx"
    call_command("export", cast.club.key, "--xlsx", "-o", str(file))
    book = converted(file)
    assert book.sheetnames == [*(topic.label for topic in TOPICS.values()), "Endings"]
    for topic in TOPICS.values():
        ours = [tuple(map(plain, row)) for row in topic.rows(Scope(cast.club))]
        found = list(cells(book, topic.label))
        assert ours
        assert [tuple(cell.value for cell in row) for row in found] == ours, topic.name
        assert not any(cell.data_type == "f" for row in found for cell in row)
    endings = {name.value: number.value for name, number in list(book["Endings"].iter_rows())[1:]}
    assert (endings["knock"], endings["gin"], endings["undercut"], endings["dead"]) == (7, 10, 5, 5)
    check_csv(cast, tmp_path / "hands.csv")
    check_german(cast, tmp_path / "matches.csv")


def check_german(cast: Cast, file: Path) -> None:
    """Where a comma is the decimal point amounts are numbers, too, and no days (B69)."""
    call_command(
        "export", cast.club.key, "--table", "matches", "--delimiter", "semicolon", "-o", str(file)
    )
    lines = converted(file, f"--infilter={GERMAN_FILTER}").active.iter_rows(values_only=True)
    head, *found = lines
    place = head.index("amount_1")
    rows = [dict(zip(head, row, strict=True)) for row in TOPICS["matches"].rows(Scope(cast.club))]
    assert {row["amount_1"] for row in rows} > {None}
    assert [line[place] for line in found] == [plain(row["amount_1"]) for row in rows]


def check_csv(cast: Cast, file: Path) -> None:
    call_command("export", cast.club.key, "-o", str(file))
    lines = list(converted(file, f"--infilter={CSV_FILTER}").active.iter_rows(values_only=True))
    assert lines[0] == tuple(TOPICS["hands"].head)
    found = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    ours = [dict(zip(lines[0], row, strict=True)) for row in TOPICS["hands"].rows(Scope(cast.club))]
    numbers = ("row", "hand", "points", "boxes", "entered", "knocker_deadwood", "day", "recorded")
    for line, own in zip(found, ours, strict=True):
        for name in numbers:
            assert line[name] == plain(own[name]), name
        assert line["sides"] in (own["sides"], f"'{own['sides']}")
    assert {"'=1+1", "'+x", "'@x", "'\t=x", "'-25"} <= {line["note"] for line in found}
