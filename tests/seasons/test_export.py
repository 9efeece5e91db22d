"""Tables that go out: what stands in them, how they are named, and that they are streamed."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import Club, User
from ginledger.csv_files import csv_chunks
from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand, Round
from ginledger.gin.ruleset import preset
from ginledger.matches import services
from ginledger.matches.life import delete_match, describe_match
from ginledger.matches.models import Match, Row
from ginledger.matches.stake import Stake
from ginledger.money.ledger import strike_entry
from ginledger.seasons.export_files import DELIMITERS, safe_name
from ginledger.seasons.export_rows import TOPICS, Scope
from ginledger.seasons.filling import fill_missing
from ginledger.seasons.management.commands import export as export_command
from ginledger.seasons.models import HandResult
from tests.cast import (
    ANN,
    BEN,
    Cast,
    adjust,
    dead,
    enter,
    fresh,
    gin,
    knock,
    make_match,
    won,
)
from tests.money.ledgers import DIME, pay

pytestmark = pytest.mark.django_db


def body(answer: Any) -> bytes:
    """The whole of a streamed answer."""
    assert answer.streaming
    return b"".join(answer.streaming_content)


def table(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    """The lines of a CSV file by the names of its columns."""
    text = data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def club_table(cast: Cast, topic: str, **asked: str) -> list[dict[str, str]]:
    address = reverse("export_table", args=[cast.club.key])
    answer = as_user(cast.cleo).get(address, {"topic": topic, **asked})
    assert answer.status_code == 200
    return table(body(answer), {"semicolon": ";", "tab": "\t"}.get(asked.get("form", ""), ","))


SPREAD = CardsHand(
    knocker=ANN, opponent=BEN,
    knocker_cards=parse_cards("7S 7H 7C JS QS KS 2D 3D 4D 6C"),
    opponent_cards=parse_cards("TS 9S 8H 8D 8C 5D KH AH 2C 9H"),
)  # fmt: skip


def test_every_row_of_a_book_goes_out_and_what_is_void_adds_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 19), SPREAD, dead(), won(BEN, 12))
    enter(cast.ann, match, adjust(BEN, -10, note="showed a card"))
    second = match.rows.get(position=2)
    services.void_row(user=cast.ann, row_key=second.key, version=fresh(match).version, why="no")
    lines = club_table(cast, "hands")
    assert [line["kind"] for line in lines] == [
        "knock", "gin", "knock", "dead", "knock", "adjustment",
    ]  # fmt: skip
    assert [line["state"] for line in lines] == ["counts", "void", *["counts"] * 4]
    assert [line["hand"] for line in lines] == ["1", "", "2", "3", "4", "5"]
    assert lines[0]["knocker_deadwood"] == "6" and lines[0]["opponent_deadwood"] == "21"
    assert (lines[0]["side"], lines[0]["points"], lines[0]["boxes"]) == ("Ann", "15", "1")
    assert (lines[1]["points"], lines[1]["entered"]) == ("", "")
    assert parse_cards(lines[2]["knocker_cards"]) == SPREAD.knocker_cards
    assert (lines[5]["side"], lines[5]["entered"], lines[5]["note"]) == (
        "Ben", "-10", "showed a card",
    )  # fmt: skip
    sheet = Match.objects.get(pk=match.pk).totals[0]
    for side, name in enumerate(("Ann", "Ben")):
        found = sum(int(one["entered"] or 0) for one in lines if one["side"] == name)
        assert found == sheet[side]


def test_a_round_of_partners_is_entered_once_with_its_tables_below(cast: Cast) -> None:
    names = ("Ann", "Cleo", "Ben", "Dev")
    match = services.start_match(
        user=cast.ann, names=names, rules=preset("partners-125").rules, rules_name="P",
        first_dealer=0, once_key="", club_key=cast.club.key,
    )  # fmt: skip
    hands = (knock(0, 6, 21, opponent=2), won(3, 10, opponent=1))
    enter(cast.ann, match, Round(tables=hands))
    whole, *tables = club_table(cast, "hands")
    assert (whole["kind"], whole["table"], whole["entered"]) == ("round", "", "5")
    assert whole["side"] == "Ann & Cleo"
    assert [(one["table"], one["points"], one["entered"]) for one in tables] == [
        ("1", "15", ""), ("2", "10", ""),
    ]  # fmt: skip
    assert [one["side"] for one in tables] == ["Ann", "Dev"]


def test_matches_come_in_the_order_they_were_played_and_recorded(cast: Cast) -> None:
    """B126: with only a day, and none of them twice or missing."""
    made = [make_match(cast.ann, won(ANN, 5)) for _ in range(60)]
    Match.objects.filter(pk=made[7].pk).update(played_on=date(2020, 1, 1))
    keys = [line["match"].removeprefix("'") for line in club_table(cast, "matches")]
    assert keys == [made[7].key] + [one.key for one in made if one is not made[7]]


def test_days_are_both_counted_and_the_bin_stays_in(cast: Cast) -> None:
    made = [make_match(cast.ann, won(ANN, 5)) for _ in range(4)]
    for day, match in enumerate(made, 1):
        describe_match(
            user=cast.ann, match_key=match.key, version=match.version,
            played_on=date(2026, 1, day), note="",
        )  # fmt: skip
    delete_match(user=cast.ann, match_key=made[2].key, version=fresh(made[2]).version)
    days = [line["day"] for line in club_table(cast, "matches", since="2026-01-02")]
    assert days == ["2026-01-02", "2026-01-04"]
    assert len(club_table(cast, "hands", since="2026-01-02", until="2026-01-02")) == 1
    answer = as_user(cast.ann).get(
        reverse("export_table", args=[cast.club.key]), {"topic": "hands", "since": "yesterday"}
    )
    assert answer.status_code == 422


def test_a_quarter_a_point_is_19_25_in_the_file(cast: Cast) -> None:
    """B78: stake 0.25, margin 77; no decimals lost, no cents read as whole."""
    rules = {"preset": "one-deal", "game_bonus": 0, "shutout": "none", "gin_bonus": 25}
    match = make_match(cast.ann, rules=rules, stake=Stake("EUR", 2500))
    enter(cast.ann, match, gin(ANN, 52))
    (line,) = club_table(cast, "matches")
    assert [line[f"margin_{side}"] for side in (1, 2, 3)] == ["77", "-77", ""]
    assert [line[f"amount_{side}"] for side in (1, 2, 3)] == ["19.25", "-19.25", ""]
    assert (line["currency"], line["counts"], line["winner"]) == ("EUR", "yes", "Ann")
    assert [one["amount"] for one in club_table(cast, "ledger")] == ["19.25"]


def test_a_payment_taken_back_is_marked_and_out_of_the_sum(cast: Cast) -> None:
    """B122."""
    make_match(cast.ann, gin(ANN, 90), stake=DIME)
    payment = pay(cast.ann, cast.club, "Ben", "Ann", 500)
    strike_entry(user=cast.ann, entry_key=payment.key)
    lines = club_table(cast, "ledger")
    assert [(one["kind"], one["counts"]) for one in lines] == [("Match", "yes"), ("Payment", "no")]
    assert lines[1]["struck"]


LIVE = ("=1+1", "+x", "@x", "-x", "  =x")


@pytest.mark.parametrize("form", ["comma", "semicolon", "tab"])
def test_text_that_looks_like_a_formula_stays_text_and_numbers_numbers(
    cast: Cast, form: str
) -> None:
    """B14."""
    for place, text in enumerate(LIVE):
        match = make_match(cast.ann, won(BEN, 25), names=(f"{text}{place}", "Ben"))
        enter(cast.ann, match, adjust(ANN, -25, note=text))
    lines = club_table(cast, "hands", form=form)
    assert not any(
        cell.lstrip().startswith(("=", "+", "@")) for line in lines for cell in line.values()
    )
    assert {line["entered"] for line in lines} == {"25", "-25"}
    assert {line["note"] for line in lines} == {"", *(f"'{text}" for text in LIVE)}


def test_no_column_of_ours_holds_what_a_spreadsheet_takes_for_a_date(cast: Cast) -> None:
    """B69: scores are numbers in columns of their own, days are days."""
    make_match(cast.ann, knock(ANN, 9, 10), knock(BEN, 5, 6), rules="hollywood-100")
    text = {"match", "sides", "rules", "note", "recorded", "recorded_by", "day"}
    for line in club_table(cast, "hands"):
        for name, cell in line.items():
            assert name in text or not set("-/.") & set(cell), (name, cell)
        date.fromisoformat(line["day"])


def test_a_spreadsheet_in_any_locale_opens_it(cast: Cast) -> None:
    make_match(cast.ann, won(ANN, 5), names=("José", "Zoë; B"))
    address = reverse("export_table", args=[cast.club.key])
    for form, delimiter in (("comma", ","), ("semicolon", ";"), ("tab", "\t")):
        data = body(as_user(cast.ann).get(address, {"topic": "matches", "form": form}))
        assert data.startswith(b"\xef\xbb\xbfday" + delimiter.encode())
        assert table(data, delimiter)[0]["side_2"] == "Zoë; B"


def test_amounts_have_a_comma_where_semicolons_part_the_fields(cast: Cast) -> None:
    rows = [("Ann", Decimal("19.25"), -3), ("=1", Decimal("-0.5"), 1000), ("", None, 0)]
    head = ("name", "amount", "points")
    assert "".join(csv_chunks(head, rows, ";")).splitlines()[1:] == [
        "Ann;19,25;-3", "'=1;-0,5;1000", ";;0",
    ]  # fmt: skip
    for delimiter in ",\t":
        assert f"19.25{delimiter}-3" in "".join(csv_chunks(head, rows, delimiter))


def test_file_names_are_safe_on_any_system(cast: Cast) -> None:
    assert safe_name('a/b\\c:"<>|?*\0', "hands") == "ginledger-a-b-c-hands"
    assert safe_name("../..", "x" * 100) == f"ginledger-x-{'x' * 40}"
    assert safe_name("José 🎴", date(2026, 1, 2)) == "ginledger-José-2026-01-02"
    match = make_match(cast.ann, won(ANN, 5), names=('A"/B', "Ö\r\n"[:1]))
    answer = as_user(cast.ann).get(reverse("match_table", args=[match.key]))
    said = Message()
    said["Content-Disposition"] = answer.headers["Content-Disposition"]
    assert said.get_filename() == f"ginledger-A-B-Ö-{match.played_on}-hands.csv"
    assert len(table(body(answer))) == 1


@pytest.mark.parametrize("form", ["comma", "xlsx"])
@pytest.mark.parametrize("name", ["Ana/Ben 7:30 [final]", "x" * 60, "History", "🎴" * 31, "CON"])
def test_whatever_a_club_is_called_its_files_have_names(cast: Cast, form: str, name: str) -> None:
    """B52: sheets are named for their topics; so it is the file that a name could spoil."""
    for one in (name, name.swapcase()):
        Club.objects.filter(pk=cast.club.pk).update(name=one)
        address = reverse("export_table", args=[cast.club.key])
        answer = as_user(cast.ann).get(address, {"topic": "hands", "form": form})
        said = Message()
        said["Content-Disposition"] = answer.headers["Content-Disposition"]
        found = said.get_filename()
        assert found is not None
        assert re.fullmatch(r"ginledger-[\w-]+\.(csv|xlsx)", found)
        assert len(found.encode()) < 255
        assert body(answer)


def test_the_name_of_a_file_is_short_enough_for_any_disk() -> None:
    """Eight at the table, each with a long name in a script of three bytes a letter."""
    name = safe_name(*["漢" * 60] * 8, date(2026, 1, 2), "hands")
    assert len(f"{name}.csv".encode()) < 255
    assert name.endswith("-2026-01-02-hands")


def test_one_match_has_only_its_own(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 90), stake=DIME)
    make_match(cast.ann, gin(ANN, 90), stake=DIME)
    client, address = as_user(cast.cleo), reverse("match_table", args=[match.key])
    for topic in ("hands", "matches", "ledger"):
        assert len(table(body(client.get(address, {"topic": topic})))) == 1
    for topic in ("standings", "statistics", "secrets"):
        assert client.get(address, {"topic": topic}).status_code == 422
    assert as_user(cast.dev).get(address).status_code == 404


def test_the_queries_grow_by_fifty_matches_and_not_by_one(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    for _ in range(12):
        make_match(cast.ann, won(ANN, 5), stake=DIME)
    scope = Scope(cast.club)
    for topic, queries in (("hands", 2), ("matches", 3), ("ledger", 1)):
        with django_assert_num_queries(queries):
            list(TOPICS[topic].rows(scope))


def test_nothing_is_read_before_it_is_sent() -> None:
    """B103: rows are asked for as pieces are taken, however many there are."""
    taken = 0

    def rows() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield ("x", taken)

    pieces = csv_chunks(("a", "b"), rows())
    next(pieces)
    assert taken == 0
    next(pieces)
    next(pieces)
    assert taken < 2000


def test_a_book_that_no_longer_replays_goes_out_as_it_was_kept(cast: Cast) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    fact = {"kind": "knock", "knocker": "0", "deadwood": {"0": 60, "1": 21}}
    Row.objects.filter(match=match).update(fact=fact)
    (line,) = club_table(cast, "hands")
    assert (line["state"], line["knocker_deadwood"], line["entered"]) == ("counts", "6", "15")
    HandResult.objects.all().delete()
    fill_missing()
    (line,) = club_table(cast, "hands")
    assert (line["state"], line["knocker_deadwood"], line["entered"]) == ("not scored", "60", "")


def test_names_are_those_of_today(cast: Cast) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    cast.club.players.filter(name="Ann").update(name="Anna")
    services.swap_sides(user=cast.ann, match_key=match.key, version=match.version)
    (line,) = club_table(cast, "hands")
    assert (line["sides"], line["side"], line["knocker"], line["dealer"]) == (
        "Ben – Anna", "Anna", "Anna", "Anna",
    )  # fmt: skip


def test_the_command_writes_the_same(cast: Cast, tmp_path: Path) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(BEN, 5))
    file = tmp_path / "out.csv"
    call_command("export", cast.club.key, "--output", str(file))
    address = reverse("export_table", args=[cast.club.key])
    assert file.read_bytes() == body(as_user(cast.ann).get(address, {"topic": "hands"}))
    out = io.StringIO()
    call_command("export", match.key, "--table", "matches", "--delimiter", "semicolon", stdout=out)
    assert len(table(out.getvalue().encode(), ";")) == 1
    with pytest.raises(CommandError, match="no standings"):
        call_command("export", match.key, "--table", "standings")
    with pytest.raises(CommandError, match="No club"):
        call_command("export", "nothing")
    with pytest.raises(CommandError):
        call_command("export", match.key, "-o", str(tmp_path / "no" / "such" / "folder"))


@pytest.mark.parametrize("form", [(), ("--json",), ("--xlsx",)])
def test_an_export_that_fails_leaves_the_last_one_whole(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...]
) -> None:
    file = tmp_path / "kept"
    file.write_text("yesterday")

    def broken(_scope: object) -> Iterator[tuple[str, ...]]:
        yield ("a", "b")
        raise ZeroDivisionError

    def torn(_club: object) -> Iterator[str]:
        yield '{"format"'
        raise ZeroDivisionError

    monkeypatch.setattr(export_command, "backup_text", torn)
    monkeypatch.setitem(TOPICS, "ledger", dataclasses.replace(TOPICS["ledger"], rows=broken))
    with pytest.raises(ZeroDivisionError):
        call_command("export", cast.club.key, "--table", "ledger", *form, "-o", str(file))
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    assert file.read_text() == "yesterday"
    monkeypatch.undo()
    call_command("export", cast.club.key, "--table", "ledger", *form, "-o", str(file))
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    assert file.stat().st_size > 50


def test_the_page_offers_every_table(cast: Cast) -> None:
    page = as_user(cast.cleo).get(reverse("export", args=[cast.club.key])).content.decode()
    for topic in TOPICS:
        assert f'value="{topic}"' in page
    club = as_user(cast.cleo).get(reverse("club", args=[cast.club.key])).content.decode()
    assert reverse("export", args=[cast.club.key]) in club


def test_the_docs_name_every_table_and_option() -> None:
    docs = (Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text("utf-8")
    for topic in TOPICS:
        assert f"| {topic} |" in docs
    for delimiter in DELIMITERS:
        assert delimiter in docs
