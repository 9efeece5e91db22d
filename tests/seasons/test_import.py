"""Tables that come in: always looked at first, then all or what is right, and back as one act."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from ginledger.clubs.models import Club, Player
from ginledger.gin.errors import Unreadable
from ginledger.matches.book import load_book
from ginledger.matches.models import Match
from ginledger.seasons import import_hands, import_results
from ginledger.seasons.import_found import Understood
from ginledger.seasons.import_look import MOST_MATCHES, understand_table
from ginledger.seasons.import_store import latest
from ginledger.seasons.import_text import (
    DAY_FORMATS,
    MOST_BYTES,
    infer_format,
    read_day,
    read_records,
    read_text,
)
from tests.cast import ANN, Cast, fresh, make_match, won
from tests.money.ledgers import player
from tests.seasons.desk import Desk, typed_on
from tests.seasons.desk import data_folder as data_folder

pytestmark = pytest.mark.django_db

HEAD = "day,player_1,player_2,winner,points,kind,note,match\n"
TABLE = (
    HEAD
    + "2026-01-12,Mary Ann,José,Mary Ann,31,gin,,1\n"
    + "2026-01-12,Mary Ann,José,José,12,,late,1\n"
    + "2026-01-13,Mary Ann,José,José,112,gin,,2\n"
)


def read(club: Club, text: str, form: str = "", rules: str = "house-modern") -> Understood:
    return understand_table(club, text, rules, form)


# Days (B23)


@pytest.mark.parametrize(
    ("days", "form", "unclear"),
    [
        (["12/01/2026", "31/12/2025"], "dmy", 0),
        (["12/01/2026", "12/31/2025"], "mdy", 0),
        (["1/2/26", "13/2/26"], "dmy", 0),
        (["1.2.2026", "3.4.2026"], "dmy", 1),
        (["2026-01-12", "2026/1/2"], "ymd", 0),
        (["46023", "46024"], "serial", 0),
        (["12/01/2026", "31/12/2025", "99/99/2026"], "dmy", 0),
    ],
)
def test_one_format_for_the_whole_file(days: list[str], form: str, unclear: int) -> None:
    found, others = infer_format(days)
    assert found.name == form
    assert len(others) == unclear


def test_days_are_read_or_none() -> None:
    dmy = DAY_FORMATS["dmy"]
    assert read_day("18/05/2015", dmy) == date(2015, 5, 18)
    assert read_day(" 1/2/26 ", dmy) == date(2026, 2, 1)
    assert read_day("46023", DAY_FORMATS["serial"]) == date(2026, 1, 1)
    for text in ("31/02/2026", "05/18/2015", "1/2", "", "1/2-2026", "0/1/2026", "1/1/026"):
        assert read_day(text, dmy) is None, text


def test_an_impossible_day_is_a_fault_of_its_line(cast: Cast) -> None:
    text = HEAD + "12/01/2026,A,B,A,5\n31/12/2025,A,B,A,5\n18/18/2015,A,B,A,5\n"
    found = read(cast.club, text)
    assert found.form.name == "dmy"
    assert [(one.line, one.column) for one in found.faults] == [(4, "day")]
    ahead = timezone.localdate() + timedelta(days=9)
    found = read(cast.club, f"{HEAD}{ahead},A,B,A,5\n")
    assert [(one.line, one.column) for one in found.faults] == [(2, "day")]
    assert read(cast.club, HEAD + "1/2/2026,A,B,A,5\n", "mdy").matches[0].day == date(2026, 1, 2)


# All, or what is right (B30)


def fifty(wrong: int) -> bytes:
    rows = [
        f"2026-01-12,Ann,Ben,Ann,{'x' if number == wrong else 26 + number},gin,,{number}\n"
        for number in range(1, 51)
    ]
    return (HEAD + "".join(rows)).encode()


def test_one_wrong_line_keeps_everything_out_until_one_says_otherwise(cast: Cast) -> None:
    desk = Desk(cast)
    looked = desk.look(fifty(37))
    assert "Line 38, points" in looked.content.decode()
    assert "Some of it is wrong: nothing was stored." in desk.refused(desk.store(looked))
    assert not Match.objects.exists() and not Player.objects.exists()
    assert desk.store(looked, some="1").status_code == 302
    assert Match.objects.count() == 49
    assert {match.hand_count for match in Match.objects.all()} == {1}


def test_looking_stores_nothing(cast: Cast) -> None:
    assert Desk(cast).look(TABLE.encode()).status_code == 200
    assert not Match.objects.exists() and not Player.objects.exists()


def test_what_is_stored_is_what_stood_there_and_comes_in_once(cast: Cast) -> None:
    desk = Desk(cast)
    looked = desk.look(TABLE.encode())
    page = looked.content.decode()
    assert "New players" in page and "year-month-day" in page
    done = desk.store(looked)
    first, second = Match.objects.order_by("pk")
    assert (first.played_on, first.hand_count, first.over) == (date(2026, 1, 12), 2, False)
    assert second.over
    assert [hand.points for hand in load_book(first).sheet.hands] == [31, 12]
    assert load_book(first).lines[1].hand.note == "late"
    assert "2 matches stored" in desk.client.get(done.headers["Location"]).content.decode()
    again = desk.look(TABLE.encode())
    assert [one.known for one in again.context["found"].matches] == [True, True]
    assert "here already" in again.content.decode()
    assert "There is nothing new in it to store." in desk.refused(desk.store(again))
    assert Match.objects.count() == 2


def test_pressed_twice_it_is_stored_once_and_says_so_twice(cast: Cast) -> None:
    desk = Desk(cast)
    looked = desk.look(TABLE.encode())
    first, second = desk.store(looked), desk.store(looked)
    assert first.headers["Location"] == second.headers["Location"]
    assert Match.objects.count() == 2


def test_what_nobody_saw_is_not_stored(cast: Cast) -> None:
    """Other choices than those of the look are looked at first."""
    desk = Desk(cast)
    text = HEAD + "01/02/2026,Ann,Ben,Ann,30,,,\n01/02/2026,Ann,Ben,Ann,35,,,\n"
    looked = desk.look(text.encode())
    for change in ({"days": "mdy"}, {"rules": "hollywood-100"}, {"stand_in": "on"}, {"seen": ""}):
        page = desk.refused(desk.store(looked, **change))
        assert "Look at it once more with these choices" in page
        assert not Match.objects.exists()
    other = desk.store(looked, days="mdy", rules="hollywood-100")
    desk.store(desk.client.get(other.headers["Location"]))
    match = Match.objects.get()
    assert (match.played_on, match.rules_name) == (date(2026, 1, 2), "Hollywood 100")


def test_a_look_has_an_address_to_go_back_to(cast: Cast) -> None:
    desk = Desk(cast)
    looked = desk.look(TABLE.encode(), days="ymd")
    ((address, status),) = looked.redirect_chain
    assert status == 302
    assert "2 of 2 matches" in desk.client.get(address).content.decode()
    # Looked at by other rules, it is at another address.
    body = {**typed_on(looked.content.decode()), "rules": "short-50", "step": "look"}
    again = desk.client.post(desk.path, body, follow=True)
    assert "Short 50" in again.content.decode() and "days=ymd" in again.redirect_chain[0][0]
    # Only its owner finds it there.
    assert Desk(cast, cast.ann).client.get(address).status_code == 422
    done = desk.store(looked)
    assert desk.client.get(address).headers["Location"] == done.headers["Location"]
    desk.take_back()
    assert "here no more" in desk.client.get(address).content.decode()


# Back, as one act


def test_an_import_is_taken_back_and_may_come_in_again(cast: Cast) -> None:
    by_hand = make_match(cast.ann, won(ANN, 5))
    ana = player(cast.club, "Mary Ann")
    desk = Desk(cast)
    done = desk.store(desk.look(TABLE.encode()))
    assert "Take it all back" in desk.client.get(done.headers["Location"]).content.decode()
    page = desk.client.get(desk.path).content.decode()
    assert "Brought in of late" in page
    answer = desk.take_back()
    assert (
        "2 matches are in the bin" in desk.client.get(answer.headers["Location"]).content.decode()
    )
    assert list(Match.objects.filter(deleted_at=None)) == [by_hand]
    assert fresh(by_hand).deleted_at is None
    # Who came along with it is offered no more; nor is who had been added and has nothing here.
    assert set(cast.club.players.playing().values_list("name", flat=True)) == {"Ann", "Ben"}
    # Whoever comes once more, by going back or in another tab, is told.
    (batch,) = re.findall(r"/import/(\w+)/$", done.headers["Location"])
    back = reverse("import_back", args=[cast.club.key, batch])
    for again in (
        desk.client.get(done.headers["Location"], follow=True),
        desk.client.post(back, follow=True),
    ):
        assert again.redirect_chain == [(desk.path, 302)]
        assert "was taken back already" in again.content.decode()
    assert latest(cast.club) == []
    again = desk.look(TABLE.encode())
    assert len(again.context["found"].good) == 2
    desk.store(again)
    assert Match.objects.filter(deleted_at=None).count() == 3
    ana.refresh_from_db()
    assert ana.archived_at is None


def test_taking_back_touches_nothing_that_was_entered_by_hand(cast: Cast) -> None:
    make_match(cast.ann)
    Match.objects.update(once_key="start-0a1b2c3d4e5f-1")
    path = reverse("import_back", args=[cast.club.key, "0a1b2c3d4e5f"])
    assert Desk(cast).client.post(path).status_code == 404
    assert Match.objects.get().deleted_at is None


def test_the_rules_refuse_what_they_must(cast: Cast) -> None:
    text = HEAD + "2026-01-12,A,B,A,110,gin,,1\n2026-01-12,A,B,B,9,,,1\n"
    found = read(cast.club, text)
    assert found.faults[0].line == 3  # after the end of the match
    text = HEAD + "2026-01-12,A,B,C,1e1,what,,1\n2026-01-12,A,A,A,-5,,,2\n"
    columns = {(one.line, one.column) for one in read(cast.club, text).faults}
    assert columns == {
        (2, "winner"), (2, "points"), (2, "kind"), (3, "player_2"), (3, "points"),
    }  # fmt: skip


# Files of any origin (B46)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_any_encoding_and_delimiter(cast: Cast, encoding: str, delimiter: str) -> None:
    data = TABLE.replace(",", delimiter).encode(encoding)
    found = read(cast.club, read_text(data))
    assert found.new_names == ("Mary Ann", "José")
    assert len(found.good) == 2


def test_what_is_no_table_is_said(cast: Cast) -> None:
    png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    for data in (
        b"",
        b"  \n",
        png,
        TABLE.encode("utf-16-le"),
        b"a,b\n1,2\n",
        b'"x\n',
        HEAD.encode(),
    ):
        answer = Desk(cast).look(data)
        assert answer.status_code == 422, data
        assert 'role="alert"' in answer.content.decode()
    answer = Desk(cast).client.post(Desk(cast).path, {"rules": "house-modern"})
    assert "Choose a file" in answer.content.decode()
    with pytest.raises(Unreadable, match="kB"):
        read_text(b"x" * (MOST_BYTES + 1))


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf\r\n", "\ufeff\n".encode("utf-16-le"),
        b",,,\n,,\n", "\u00a0\n".encode(), b'"\r\n"', b"sep=;\n", b"sep=;\n;;\n",
    ],
)  # fmt: skip
def test_what_has_nothing_in_it_is_said(cast: Cast, data: bytes) -> None:
    answer = Desk(cast).look(data)
    assert answer.status_code == 422
    assert (
        "is empty" in answer.content.decode() or "nothing in its cells" in answer.content.decode()
    )


@pytest.mark.parametrize("before", ["\n", "sep=;\n", "SEP=;\r\n", ";;;\n", "\ufeffsep=;\n\n"])
def test_lines_before_the_headings_are_passed_over(cast: Cast, before: str) -> None:
    rows = "2026-01-12;Ann, the elder;Ben, Ben, Ben;Ben, Ben, Ben;5;;;\n2026-01-12;A;B;C;5;;;\n"
    text = before + HEAD.replace(",", ";") + rows
    found = read(cast.club, read_text(text.encode()))
    assert found.new_names == ("Ann, the elder", "Ben, Ben, Ben")
    assert [one.line for one in found.faults] == [3 + before.count("\n")]


# Names (B56)


def test_names_are_matched_after_trimming_and_keep_their_inner_spaces(cast: Cast) -> None:
    player(cast.club, "Mary Ann")
    player(cast.club, "Jos\u00e9")
    rows = [
        f"2026-01-1{number},{first},{second},{first},110,gin,,{number}\n"
        for number, (first, second) in enumerate(
            [(" Mary Ann ", "José"), ("mary ann", "Jose\u0301"), ("MaryAnn", "José")]
        )
    ]
    desk = Desk(cast)
    looked = desk.look((HEAD + "".join(rows)).encode())
    assert looked.context["found"].new_names == ("MaryAnn",)
    assert desk.store(looked).status_code == 302
    names = set(Player.objects.values_list("name", flat=True))
    assert names == {"Mary Ann", "Jos\u00e9", "MaryAnn"}


# Line breaks (B93)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_breaks_in_quotes_are_no_lines_and_faults_point_right(cast: Cast, end: str) -> None:
    text = (
        HEAD
        + '2026-01-12,A,B,A,5,,"two\nlines",1\n'
        + "2026-01-12,A,B,A,5,,,1\n\n2026-01-12,A,B,A,x,,,2\n"
    )
    found = read(cast.club, read_text(text.replace("\n", end).encode()))
    assert [len(match.hands) for match in found.matches] == [2, 0]
    assert found.matches[0].hands[0].note == "two\nlines"
    assert [(one.line, one.column) for one in found.faults] == [(6, "points")]
    assert len(read_records(text)) == 4


# Size (B108)


def test_four_hundred_hands_are_looked_at_and_stored(cast: Cast) -> None:
    rows = [f"2026-01-12,Ann,Ben,Ann,30,,,{number // 4}\n" for number in range(400)]
    desk = Desk(cast)
    looked = desk.look((HEAD + "".join(rows)).encode())
    # The same hands on the same day are one match that comes in twice, unless they differ.
    assert [one.known for one in looked.context["found"].matches].count(False) == 1
    rows = [f"2026-01-12,Ann,Ben,Ann,{1 + number % 97},,,{number // 2}\n" for number in range(400)]
    looked = desk.look((HEAD + "".join(rows)).encode())
    good = len(looked.context["found"].good)
    assert good > 90
    assert desk.store(looked, some="1").status_code == 302
    assert Match.objects.count() == good
    assert str(MOST_BYTES // 1000) in desk.client.get(desk.path).content.decode()


def test_more_matches_than_are_stored_at_once_are_split(cast: Cast) -> None:
    rows = [f"2026-01-12,A,B,A,{1 + number % 90},,,{number}\n" for number in range(9000)]
    made = [f"2026-01-12,A{number},B,A{number},9,,,\n" for number in range(MOST_MATCHES + 1)]
    desk = Desk(cast)
    answer = desk.look((HEAD + "".join(made)).encode())
    assert answer.status_code == 422
    assert f"Up to {MOST_MATCHES} new matches" in answer.content.decode()
    assert f"up to {MOST_MATCHES} new matches" in desk.client.get(desk.path).content.decode()
    # What is in the file twice is not new.
    assert len(read(cast.club, HEAD + "".join(rows)).good) == 90


def test_who_may(cast: Cast) -> None:
    for user, status in ((cast.cleo, 403), (cast.dev, 404), (cast.ben, 200), (cast.ann, 200)):
        desk = Desk(cast, user)
        assert desk.client.get(desk.path).status_code == status
        assert desk.look(TABLE.encode()).status_code == status
    assert not Match.objects.exists()


def test_the_docs_name_every_heading() -> None:
    docs = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text("utf-8")
    for name in (*import_hands.COLUMNS, *import_results.COLUMNS):
        assert f"`{name}`" in docs, name
    assert f"{MOST_BYTES // 1000} kB" in docs
    assert f"Up to {MOST_MATCHES} new matches" in docs
