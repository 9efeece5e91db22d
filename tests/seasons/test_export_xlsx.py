"""The workbook, opened again by another library: its cells are of the type they should be."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from ginledger.matches.life import describe_match
from ginledger.matches.stake import Stake
from ginledger.seasons import export_xlsx
from ginledger.seasons.export_rows import TOPICS, Scope, Topic
from ginledger.seasons.export_xlsx import write_workbook
from tests.cast import ANN, BEN, Cast, adjust, dead, enter, gin, knock, make_match, won

pytestmark = pytest.mark.django_db


def opened(scope: Scope) -> Workbook:
    file = io.BytesIO()
    write_workbook(scope, file)
    return load_workbook(file)


def lines(book: Workbook, name: str) -> list[dict[str, Any]]:
    head, *rows = book[name].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_sheet_a_topic_with_frozen_headings_and_a_chart(cast: Cast) -> None:
    hands = (knock(ANN, 6, 21), dead(), gin(BEN, 5), knock(ANN, 5, 9), won(ANN, 100))
    match = make_match(cast.ann, *hands)
    book = opened(Scope(cast.club))
    assert book.sheetnames == [topic.label for topic in TOPICS.values()] + ["Endings"]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert (sheet.print_title_rows, sheet.page_setup.fitToHeight) == ("$1:$1", 0)
    for topic in TOPICS.values():
        assert [cell.value for cell in book[topic.label][1]] == list(topic.head)
        assert book[topic.label].auto_filter.ref is not None
    assert {one["ending"]: one["hands"] for one in lines(book, "Endings")} == {
        "knock": 3, "gin": 1, "big gin": 0, "undercut": 0, "tie": 0, "dead": 1,
    }  # fmt: skip
    assert len(book["Endings"]._charts) == 1
    (chart,) = book["Standings"]._charts
    assert chart.series[0].val.numRef.f == "Standings!$G$2:$G$3"
    assert chart.series[0].cat.strRef.f == "Standings!$B$2:$B$3"
    assert [point.v for point in chart.series[0].val.numRef.numCache.pt] == match.net
    assert [point.v for point in chart.series[0].cat.strRef.strCache.pt] == ["Ann", "Ben"]
    assert [one["net"] for one in lines(book, "Standings")] == match.net


def test_no_chart_stands_over_nothing(cast: Cast) -> None:
    book = opened(Scope(cast.club))
    assert [len(sheet._charts) for sheet in book] == [0, 0, 0, 0, 0, 1]
    match = make_match(cast.ann, won(ANN, 100))
    assert opened(Scope(cast.club, match)).sheetnames == ["Hands", "Matches", "Ledger", "Endings"]


def test_numbers_days_and_amounts_are_real_ones(cast: Cast) -> None:
    """B78 too: 77 points at 0.25 are 19.25."""
    rules = {"preset": "one-deal", "game_bonus": 0, "shutout": "none", "gin_bonus": 25}
    match = make_match(cast.ann, rules=rules, stake=Stake("EUR", 2500))
    describe_match(
        user=cast.ann, match_key=match.key, version=match.version,
        played_on=date(2026, 3, 31), note="",
    )  # fmt: skip
    enter(cast.ann, match, gin(ANN, 52))
    book = opened(Scope(cast.club))
    (hand,), (line,), (entry,) = (lines(book, name) for name in ("Hands", "Matches", "Ledger"))
    assert (hand["points"], hand["knocker_deadwood"]) == (77, 0)
    assert isinstance(hand["day"], datetime) and hand["day"].date() == date(2026, 3, 31)
    assert isinstance(hand["recorded"], datetime)
    assert (line["amount_1"], line["amount_2"], line["amount_3"]) == (19.25, -19.25, None)
    assert (line["margin_1"], line["side_1"]) == (77, "Ann")
    assert entry["amount"] == 19.25
    assert isinstance(entry["day"], datetime) and isinstance(entry["recorded"], datetime)


ODD = ("=1+1", "+x", "@x", "\t=x", "-25", "10-9", "Mar 5", "1E5", "TRUE", "7/10", "http://x/1")


def test_text_is_text_whatever_it_looks_like(cast: Cast) -> None:
    """B14, B69, B132: no formula, no date, no number, no link."""
    match = make_match(cast.ann, won(BEN, 25), names=("=1+1", "Mar 5"))
    for text in ODD:
        enter(cast.ann, match, adjust(ANN, -25, note=text))
    book = opened(Scope(cast.club))
    notes = [row[-1] for row in book["Hands"].iter_rows(min_row=3)]
    assert [cell.value for cell in notes] == list(ODD)
    assert {cell.data_type for cell in notes} <= {"s", "inlineStr"}
    assert not any(cell.hyperlink for cell in notes)
    assert {one["entered"] for one in lines(book, "Hands")[1:]} == {-25}
    sides = [
        book["Matches"].cell(2, TOPICS["matches"].head.index(f"side_{at}") + 1) for at in (1, 2)
    ]
    assert [(cell.value, cell.data_type) for cell in sides] == [("=1+1", "s"), ("Mar 5", "s")]


def endless(count: int) -> Topic:
    def rows(scope: Scope) -> Iterator[tuple[Any, ...]]:
        for number in range(count):
            yield (number, f"http://x/{number}", date(1850, 1, 1), Decimal("0.5"))

    return Topic("many", "Many", ("n", "note", "old", "amount"), rows, lambda scope: count)


def test_what_a_sheet_cannot_hold_goes_on_on_another(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B103, at a smaller limit; B132: no text past any number of cells is left out."""
    monkeypatch.setattr(export_xlsx, "MOST_LINES", 31)
    monkeypatch.setattr(export_xlsx, "topics", lambda scope: [endless(75)])
    book = opened(Scope(cast.club))
    assert book.sheetnames == ["Many", "Many 2", "Many 3", "Endings"]
    found = [row for name in book.sheetnames[:3] for row in lines(book, name)]
    assert [row["n"] for row in found] == list(range(75))
    assert [row["note"] for row in found] == [f"http://x/{number}" for number in range(75)]
    assert found[0]["old"] == "1850-01-01"
    assert found[0]["amount"] == 0.5


@pytest.mark.parametrize(
    ("day", "kind"),
    [(date(1900, 1, 1), "s"), (date(1900, 2, 28), "s"), (date(1900, 3, 1), "d")],
)
def test_days_that_spreadsheets_count_differently_are_texts(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, day: date, kind: str
) -> None:
    topic = Topic("old", "Old", ("day",), lambda scope: iter([(day,)]), lambda scope: 1)
    monkeypatch.setattr(export_xlsx, "topics", lambda scope: [topic])
    cell = opened(Scope(cast.club))["Old"]["A2"]
    assert cell.data_type == kind
    assert str(cell.value)[:10] == day.isoformat()


def test_what_looks_like_an_address_is_there_however_many_there_are(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B132: more links than a sheet holds would leave blank cells; ours are texts."""
    count = 70_000

    def rows(scope: Scope) -> Iterator[tuple[str]]:
        return ((f"http://x/{number}",) for number in range(count))

    many = Topic("many", "Many", ("note",), rows, lambda scope: count)
    monkeypatch.setattr(export_xlsx, "topics", lambda scope: [many])
    file = io.BytesIO()
    write_workbook(Scope(cast.club), file)
    sheet = load_workbook(file, read_only=True)["Many"]
    found = [value for (value,) in sheet.iter_rows(min_row=2, values_only=True)]
    assert found == [f"http://x/{number}" for number in range(count)]
    assert b"hyperlink" not in zipfile.ZipFile(file).read("xl/worksheets/sheet1.xml")


def test_memory_does_not_grow_with_the_rows(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def peak(count: int) -> int:
        monkeypatch.setattr(export_xlsx, "topics", lambda scope: [endless(count)])
        tracemalloc.start()
        write_workbook(Scope(cast.club), Nowhere())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(8000) < 1.5 * peak(800)


class Nowhere(io.RawIOBase):
    """A file that keeps nothing, so that only the writer's own memory is seen."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


def test_it_is_downloaded_under_a_safe_name(cast: Cast, tmp_path: Path) -> None:
    match = make_match(cast.ann, won(ANN, 5))
    client = Client()
    client.force_login(cast.cleo)
    for address in (
        reverse("export_table", args=[cast.club.key]),
        reverse("match_table", args=[match.key]),
    ):
        answer: Any = client.get(address, {"topic": "hands", "form": "xlsx"})
        data = b"".join(answer.streaming_content)
        assert len(data) == int(answer.headers["Content-Length"])
        assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
        assert answer.headers["Content-Disposition"].endswith('-book.xlsx"')
    file = tmp_path / "book.xlsx"
    call_command("export", match.key, "--xlsx", "-o", str(file))
    assert len(lines(load_workbook(file), "Matches")) == 1
    with pytest.raises(CommandError, match="-o"):
        call_command("export", match.key, "--xlsx")
