"""Match files, many at once; and matches that are here already, whatever they come as."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ginledger.clubs.models import Club, Player
from ginledger.gin.bookfile import write_book
from ginledger.matches import services
from ginledger.matches.files import book_file
from ginledger.matches.life import delete_match
from ginledger.matches.merging import merge_players
from ginledger.matches.models import Match
from ginledger.seasons.import_look import understand_table
from ginledger.seasons.import_uploads import MOST_FILES
from tests.cast import ANN, BEN, Cast, adjust, book_of, dead, enter, gin, knock, make_match, won
from tests.money.ledgers import player
from tests.seasons.desk import Desk
from tests.seasons.desk import data_folder as data_folder

pytestmark = pytest.mark.django_db


def document(*hands: Any, names: tuple[str, str] = ("Ann", "Ben"), **more: Any) -> dict[str, Any]:
    return {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [[names[0]], [names[1]]],
        "first_dealer": names[0],
        "hands": list(hands),
        "played_on": "2026-01-12",
        **more,
    }


def points(winner: str, worth: int, kind: str = "knock") -> dict[str, Any]:
    return {"kind": kind, "winner": winner, "points": worth}


def data(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def test_several_files_come_in_together_and_go_together(cast: Cast) -> None:
    desk = Desk(cast)
    files = [
        data(document(points("Ann", 31), points("Ben", 12), {"kind": "dead"})),
        data(document(points("Eva", 110, "gin"), names=("Eva", "Ben"), note="a file")),
    ]
    looked = desk.look(*files, name="one.json")
    page = looked.content.decode()
    assert "Read as match files: 2 of 2 matches" in page
    assert "New players: <bdi>Ann</bdi>, <bdi>Ben</bdi>, <bdi>Eva</bdi>" in page
    assert "31 : 12, goes on" in page and "Eva won by" in page and "one.json" in page
    assert not Match.objects.exists() and not Player.objects.exists()
    assert desk.store(looked).status_code == 302
    assert [match.hand_count for match in Match.objects.order_by("pk")] == [3, 1]
    again = desk.look(*files, name="one.json")
    assert [one.known for one in again.context["found"].matches] == [True, True]
    desk.take_back()
    assert not Match.objects.filter(deleted_at=None).exists()
    assert desk.look(*files, name="one.json").context["found"].good


def test_one_wrong_file_keeps_all_out_until_one_says_otherwise(cast: Cast) -> None:
    desk = Desk(cast)
    ahead = (timezone.localdate() + timedelta(days=9)).isoformat()
    looked = desk.look(
        data(document(points("Ann", 31))),
        data(document(points("Ann", 31), points("Cleo", 9))),
        data(document(points("Ann", 31), played_on=ahead)),
        b"{",
        data(document(points("Ann", 32), names=("Ann", "Be\nn"))),
        name="x.json",
    )
    found = looked.context["found"]
    assert [one.text.partition(":")[0] for one in found.faults] == [
        "This is no match file", "hand 2, winner", "played_on", "sides.1"
    ]  # fmt: skip
    assert {one.file for one in found.faults} == {"x.json"}
    assert "Some of it is wrong: nothing was stored." in desk.refused(desk.store(looked))
    assert not Match.objects.exists()
    assert desk.store(looked, some="1").status_code == 302
    assert Match.objects.count() == 1


def test_what_cannot_come_together_is_said(cast: Cast) -> None:
    desk = Desk(cast)
    table = b"day,player_1,player_2,winner,points\n2026-01-12,Ann,Ben,Ann,9\n"
    for files, said in (
        ([table, data(document())], "one table, or one or several match files"),
        ([table, table], "one table, or one or several match files"),
        ([b'{"format": "ginledger/club/1"}'], "is the backup of a club"),
        ([b"x" * 5_000_001], "Up to 5 MB"),
    ):
        answer = desk.look(*files)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    page = desk.client.get(desk.path).content.decode()
    assert f"up to {MOST_FILES} at once and 5 MB together" in page
    answer = desk.look(*[b"{}"] * (MOST_FILES + 1), name="x.json")
    assert answer.status_code == 422
    assert f"Up to {MOST_FILES} files come in at once" in answer.content.decode()
    assert settings.DATA_UPLOAD_MAX_NUMBER_FILES > 10 * MOST_FILES
    assert not Match.objects.exists()


def test_a_file_with_its_whole_book_loses_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 33), dead(), adjust(BEN, -5, note="x"))
    second = match.rows.get(position=2)
    services.void_row(user=cast.ann, row_key=second.key, version=match.version, why="no")
    written = write_book(book_file(book_of(match)))
    desk = Desk(cast, cast.dev)
    desk.path = reverse("import", args=[Club.objects.get(memberships__user=cast.dev).key])
    desk.store(desk.look(data(written)))
    copy = Match.objects.latest("pk")
    assert write_book(book_file(book_of(copy))) == written
    # In the club that it is from, it is here already.
    assert [one.known for one in Desk(cast).look(data(written)).context["found"].matches] == [True]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_moments_at_the_ends_of_time_are_faults(cast: Cast, moment: str) -> None:
    hand = points("Ann", 31)
    log = {"act": 1, "action": "enter", "hand": 1, "after": hand, "at": moment}
    found = (
        Desk(cast)
        .look(
            data(document(hand, stopped_at=moment)),
            data(document(hand, amendments=[log])),
        )
        .context["found"]
    )
    assert [one.text.partition(":")[0] for one in found.faults] == ["amendment 1, at", "stopped_at"]
    assert found.good == []


def test_rules_without_a_name_and_a_missing_dealer_are_told(cast: Cast) -> None:
    own = document(points("Ann", 31), rules={"preset": "house-modern", "target": 77})
    lacking = document()
    del lacking["first_dealer"]
    named = document(points("Ann", 32), rules_name="Friday")
    looked = Desk(cast).look(*map(data, (document(), own, named, lacking)))
    found = looked.context["found"]
    assert [one.rules_name for one in found.matches] == [
        "Modern", "The rules of the file", "Friday"
    ]  # fmt: skip
    assert [one.text for one in found.faults] == [
        "first_dealer: first_dealer is missing: who of Ann, Ben deals first."
    ]


def test_a_file_without_a_day_comes_in_once_whatever_the_day(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = document(points("Ann", 31))
    del file["played_on"]
    desk = Desk(cast)
    desk.store(desk.look(data(file)))
    later = timezone.localdate() + timedelta(days=90)
    monkeypatch.setattr(Club, "today", lambda club: later)
    (found,) = desk.look(data(file)).context["found"].matches
    assert found.day == later and found.known
    # One that says its day is another match on another day.
    days = ("2026-01-12", "2026-01-13")
    looked = desk.look(*(data(document(points("Ann", 32), played_on=day)) for day in days))
    assert [one.known for one in looked.context["found"].matches] == [False, False]


# Here already


HEAD = "day,player_1,player_2,winner,points,kind,match\n"


def known(club: Club, *rows: str) -> list[bool]:
    text = HEAD + "".join(f"2026-01-12,{row}\n" for row in rows)
    found = understand_table(club, text, "house-modern")
    assert found.faults == ()
    return [one.known for one in found.matches]


def test_a_match_that_was_entered_by_hand_is_known(cast: Cast) -> None:
    make_match(cast.ann, knock(ANN, 6, 21), dead(), gin(BEN, 20))
    Match.objects.update(played_on="2026-01-12")
    same = ("Ben,Ann,Ann,15,,1", "Ben,Ann,Ben,45,gin,1")
    assert known(cast.club, *same) == [True]
    assert known(cast.club, *same[:1]) == [False]
    assert known(cast.club, *same[::-1]) == [False]
    assert known(cast.club, "Ben,Ann,Ben,15,,1", same[1]) == [False]
    # One that is stored stands for one that comes in.
    again = ("Ann,Ben,Ann,15,,2", "Ann,Ben,Ben,45,gin,2")
    assert known(cast.club, *same, *again) == [True, False]
    assert known(cast.club, *again) == [True]
    Match.objects.update(played_on="2026-01-11")
    assert known(cast.club, *same) == [False]
    Match.objects.update(played_on="2026-01-12")
    match = Match.objects.get()
    delete_match(user=cast.ann, match_key=match.key, version=match.version)
    assert known(cast.club, *same) == [False]


def test_an_older_name_is_the_same_player(cast: Cast) -> None:
    make_match(cast.ann, knock(ANN, 6, 21), names=("Ann", "Benny"))
    Match.objects.update(played_on="2026-01-12")
    ben, benny = player(cast.club, "Ben"), player(cast.club, "Benny")
    merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert known(cast.club, "Ann,Benny,Ann,15,,") == [True]
    text = HEAD + "2026-01-12,Ben,Benny,Ben,15,,\n"
    found = understand_table(cast.club, text, "house-modern")
    assert [(one.line, one.text) for one in found.faults] == [
        (2, "Ben and Benny are one player here.")
    ]


def test_what_came_by_an_import_and_was_amended_is_known(cast: Cast) -> None:
    desk = Desk(cast)
    text = (HEAD + "2026-01-12,Ann,Ben,Ann,15,,\n").encode()
    desk.store(desk.look(text))
    match = Match.objects.get()
    enter(cast.ann, match, won(BEN, 9))
    assert desk.look(text).context["found"].good == []
    delete_match(user=cast.ann, match_key=match.key, version=Match.objects.get().version)
    looked = desk.look(text)
    assert [one.binned for one in looked.context["found"].matches] == [True]
    assert "in the bin" in looked.content.decode()


def test_as_many_queries_however_many_matches(cast: Cast) -> None:
    counts = []
    for many in (2, 30):
        for number in range(many):
            make_match(cast.ann, won(ANN, 5 + number))
        Match.objects.update(played_on="2026-01-12")
        rows = [f"Ann,Ben,Ann,{5 + number},,{number}" for number in range(many)]
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert known(cast.club, *rows) == [True] * many
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 8
