"""A match as a file: taken along, read again without loss, refused whole when it is wrong."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import Player, User
from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand
from ginledger.matches import files, life, services
from ginledger.matches.management.commands.audit import differences
from ginledger.matches.models import Amendment, Match, Row
from tests.cast import ANN, BEN, Cast, adjust, book_of, dead, fresh, gin, knock, make_match, won
from tests.web.page import address, filled, text_of

pytestmark = pytest.mark.django_db

CARDS = CardsHand(
    knocker=ANN,
    opponent=BEN,
    knocker_cards=parse_cards("7S 7H 7C JS QS KS 2D 3D 4D 6C"),
    opponent_cards=parse_cards("TS 9S 8H 8D 8C 5D KH AH 2C 9H"),
    melds=tuple(parse_cards(meld) for meld in ("7S 7H 7C", "JS QS KS", "2D 3D 4D")),
    note="late at night",
    played_at="2026-03-01T23:59:00",
)


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    """A book with everything in it: cards, a void row, one in between, undone, described."""
    match = make_match(cast.ann, CARDS, gin(BEN, 33), dead(dealer=BEN), adjust(BEN, -5, note="x"))
    keys = [row.key for row in match.rows.all()]
    ask = {"user": cast.ben}
    services.void_row(row_key=keys[1], version=4, why="not played", **ask)
    services.insert_row(
        match_key=match.key, hand=won(ANN, 12), once_key="i", version=5, before=keys[0], **ask
    )
    services.amend_row(row_key=keys[2], hand=knock(ANN, 6, 21), version=6, **ask)
    services.undo(match_key=match.key, version=7, **ask)
    life.describe_match(
        match_key=match.key, note="At Ben's", played_on=date(2026, 3, 1), version=8, **ask
    )
    services.stop_match(match_key=match.key, version=9, **ask)
    return fresh(match)


def document_of(client: Client, match: Match) -> dict[str, Any]:
    return json.loads(client.get(address("match_file", match)).content)


def upload(client: Client, data: bytes | str | dict[str, Any], **more: str) -> Any:
    if isinstance(data, dict):
        data = json.dumps(data)
    body = data.encode() if isinstance(data, str) else data
    file = SimpleUploadedFile("match.json", body, content_type="application/json")
    return client.post(reverse("upload"), {"file": file, "once_key": "up", **more})


def everything() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Match, Row, Amendment, Player, User))


def test_taken_along_and_read_again_nothing_is_lost(
    client: Client, match: Match, cast: Cast, browser_of
) -> None:
    document = document_of(client, match)
    assert document["hands"][0] == {"kind": "knock", "winner": "Ann", "points": 12}
    assert document["hands"][1]["melds"] == {"Ann": ["7C 7H 7S", "JS QS KS", "2D 3D 4D"]}
    assert document["hands"][2]["void"] is True
    assert [one["action"] for one in document["amendments"]][4:] == [
        "void", "insert", "amend", "undo", "describe", "stop",
    ]  # fmt: skip
    other = browser_of(cast.dev)
    answer = upload(other, document)
    assert answer.status_code == 302
    copy = Match.objects.latest("pk")
    assert answer.headers["Location"] == address("pad", copy)
    assert copy.club.memberships.get().user == cast.dev
    assert document_of(other, copy) == document
    assert (copy.note, copy.played_on, copy.stopped) == ("At Ben's", date(2026, 3, 1), True)
    assert book_of(copy).sheet == book_of(match).sheet
    assert list(differences(copy)) == []
    words = text_of(other.get(address("history", copy)))
    assert "Struck out by Ben (as the file says)" in words
    assert "Why: not played" in words


def test_what_was_read_goes_on_like_any_match(client: Client, match: Match) -> None:
    upload(client, document_of(client, match))
    copy = Match.objects.latest("pk")
    services_of = {"version": copy.version}
    assert client.post(address("reopen", copy), services_of).status_code == 302
    redone = client.post(address("redo", copy), {"version": fresh(copy).version})
    assert redone.status_code == 302
    assert knock(ANN, 6, 21, opponent=BEN) in [line.hand for line in book_of(copy).lines]
    for _ in range(len(book_of(copy).acts.standing)):
        client.post(address("undo", copy), {"version": fresh(copy).version})
    assert fresh(copy).hand_count == 0


def test_a_file_written_by_hand(browser_of) -> None:
    document = {
        "format": "ginledger/match/1",
        "rules": {"preset": "hollywood-100", "target": 150},
        "sides": [["  Mary Ann "], ["José"]],
        "first_dealer": "José",
        "hands": [
            {"kind": "dead", "void": True},
            {"kind": "knock", "winner": "  Mary Ann ", "points": 20},
        ],
    }
    guest = browser_of()
    assert upload(guest, document).status_code == 302
    match = Match.objects.get()
    book = book_of(match)
    assert book.table.names == ("Mary Ann", "José")
    assert match.rules_name == "The rules of the file"
    assert [(one.amendment.action, one.is_void) for one in book.changes()] == [
        ("enter", False),
        ("enter", False),
        ("void", True),
    ]
    assert book.sheet.columns[0].sides[0].points == 20
    assert guest.get(address("pad", match)).status_code == 200


def test_b56_players_known_here_play_again(client: Client, cast: Cast, match: Match) -> None:
    document = document_of(client, match)
    text = json.dumps(document).replace('"Ann"', '" ANN "')
    before = Player.objects.count()
    assert upload(client, text).status_code == 302
    assert Player.objects.count() == before


def test_the_same_upload_twice_is_one_match(client: Client, match: Match) -> None:
    document = document_of(client, match)
    answers = [upload(client, document) for _ in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert Match.objects.count() == 2


def test_golden_files_become_matches(client: Client) -> None:
    folder = Path(__file__).parent.parent / "vectors"
    named = sorted(folder.rglob("*.json*"))
    assert named
    case = next(
        one for one in _documents(named) if len(one.get("hands", ())) > 5 and "sides" in one
    )
    assert upload(client, case).status_code == 302
    assert Match.objects.get().rows.count() == len(case["hands"])


def _documents(names: list[Path]) -> Any:
    for name in names:
        text = name.read_text()
        lines = text.splitlines() if name.suffix == ".jsonl" else [text]
        for line in lines:
            waiting = [json.loads(line)]
            while waiting:
                one = waiting.pop()
                if isinstance(one, dict):
                    if one.get("format") == "ginledger/match/1":
                        yield one
                    waiting += one.values()
                elif isinstance(one, list):
                    waiting += one


def test_b126_hands_with_a_date_alone_stay_in_recorded_order(client: Client) -> None:
    hands = [
        {"kind": "knock", "winner": "Ann", "points": points, "played_at": "2026-03-01"}
        for points in (5, 3, 9, 1, 8, 2, 7, 4, 6, 10)
    ]
    document = {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "hands": hands,
    }
    upload(client, document)
    match = Match.objects.get()
    Row.objects.update(entered_at=match.created_at)
    sheet = client.get(address("sheet", match)).content.decode()
    shown = re.findall(r'<td class="num pts figure">(\d+)<', sheet)
    assert shown == [str(hand["points"]) for hand in hands]
    again = document_of(client, match)
    assert again["hands"] == hands


# What is refused


def test_a_bad_file_gets_all_its_problems_listed_and_stores_nothing(
    client: Client, match: Match
) -> None:
    document = document_of(client, match)
    del document["amendments"]
    document["hands"][0] = {"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 11, "Ben": 2}}
    document["hands"][3] = {"kind": "gin", "winner": "Zoe", "points": -1}
    document["hands"][4]["points"] = "ten"
    before = everything()
    words = text_of(upload(client, document))
    assert "2 things in the file are wrong" in words
    assert "hand 4, winner: Nobody here is called 'Zoe'" in words
    assert "hand 5, points: points is a whole number, not 'ten'." in words
    document["hands"][3:] = [{"kind": "gin", "winner": "Ben", "points": 40}] * 4
    words = text_of(upload(client, document))
    assert "hand 1, deadwood.knocker: Ann cannot knock with 11" in words
    assert "Nothing was stored." in words
    assert everything() == before


BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00",
    "no text": b"\xff\xfe\x00",
    "half a file": b'{"format": "ginledger/match/1", "hands": [',
    "a list": b"[]",
    "a number": b"7",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "a long number": b"9" * 5_000,
    "another format": b'{"format": "excel"}',
    "no names": b'{"format": "ginledger/match/1", "rules": "house-modern"}',
}


@pytest.mark.parametrize("kind", BROKEN)
def test_b46_files_that_are_none(client: Client, kind: str) -> None:
    before = everything()
    answer = upload(client, BROKEN[kind])
    assert answer.status_code == 422
    assert "Nothing was stored." in text_of(answer)
    assert everything() == before


def test_b46_utf_16_with_its_mark_is_read(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 5), names=("José", "Zoë"))
    text = client.get(address("match_file", match)).content.decode()
    assert upload(client, text.encode("utf-16")).status_code == 302
    assert book_of(Match.objects.latest("pk")).table.names == ("José", "Zoë")


@pytest.mark.parametrize(
    "changes",
    [
        {"note": "half \ud800"},
        {"note": "nul \0"},
        {"sides": [["A\nB"], ["Ben"]], "first_dealer": "Ben"},
        {"sides": [["Ann"], ["ann"]]},
        {"played_on": "9999-01-01"},
        {"stopped_at": "2999-01-01T00:00:00Z"},
        {"hands": [{"kind": "dead"}] * 1001},
        {"hands": [{"kind": "gin", "winner": "Ben", "points": 10**20}]},
        {"rules": {"preset": "house-modern", "target": 10**20}},
        {"surprise": 1},
    ],
)
def test_what_a_file_cannot_say(client: Client, changes: dict[str, Any]) -> None:
    document = {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "hands": [],
        **changes,
    }
    before = everything()
    answer = upload(client, document)
    assert answer.status_code == 422
    assert "Nothing was stored." in text_of(answer)
    assert everything() == before


def test_amendments_from_tomorrow_are_refused(client: Client, match: Match) -> None:
    document = document_of(client, match)
    document["amendments"][2]["at"] = "2999-01-01T00:00:00+00:00"
    assert "amendment 3, at: This lies ahead." in text_of(upload(client, document))


def test_too_large_a_file_is_told_before_it_is_read(client: Client, monkeypatch) -> None:
    assert "up to 5 MB" in text_of(client.get(reverse("upload")))
    monkeypatch.setattr(files, "read_file", None)
    answer = upload(client, b" " * (files.MOST_BYTES + 1))
    assert answer.status_code == 422
    assert "up to 5 MB; this one is larger" in text_of(answer)


def test_without_a_file(client: Client) -> None:
    answer = client.post(reverse("upload"), {"once_key": "x"})
    assert answer.status_code == 422
    assert "Choose a file first." in text_of(answer)
    assert set(filled(answer, "upload")) >= {"once_key", "file"}


def test_an_undo_of_rows_that_never_stood_so_is_refused(client: Client) -> None:
    """The file's rows are right; what an undo would bring back is not."""
    wrong = {"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 50, "Ben": 60}}
    right = {"kind": "gin", "winner": "Ann", "points": 30}
    common = {"hand": 1, "who": "Ann", "at": "2026-03-01T20:00:00Z"}
    document = {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "hands": [right],
        "amendments": [
            {"act": 1, "action": "enter", "after": wrong, **common},
            {"act": 2, "action": "amend", "before": wrong, "after": right, **common},
        ],
    }
    assert upload(client, document).status_code == 302
    match = Match.objects.get()
    answer = client.post(address("undo", match), {"version": 2})
    assert answer.status_code == 422
    assert "cannot knock with 50" in text_of(answer)
    assert client.get(address("history", match)).status_code == 200
    assert client.get(address("row", match, match.rows.get())).status_code == 200


# Names, places, access


def test_b07_b94_the_name_of_the_file_is_safe(client: Client, cast: Cast) -> None:
    names = ('<img src=x onerror="x">/../A"B', "O'Hara {{x}} \\ José")
    match = make_match(cast.ann, won(ANN, 5), names=names)
    answer = client.get(address("match_file", match))
    head = answer.headers["Content-Disposition"]
    assert head.startswith("attachment; filename")
    assert not set('/\\<>{}"') & set(head.replace('filename="', "").rstrip('"'))
    assert "ginledger-img-src-x-onerror-x-A-B-v-O-Hara-x-Jos" in head
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert json.loads(answer.content)["sides"] == [[name] for name in names]
    assert upload(client, answer.content).status_code == 302


def test_into_the_club_that_was_chosen(cast: Cast, browser_of, match: Match, client) -> None:
    document = document_of(client, match)
    ben = browser_of(cast.ben)
    assert upload(ben, document, club=cast.club.key).status_code == 302
    assert Match.objects.latest("pk").club == cast.club
    for who, status in (("cleo", 403), ("dev", 404)):
        before = everything()
        answer = upload(browser_of(getattr(cast, who)), document, club=cast.club.key)
        assert (answer.status_code, everything()) == (status, before)


@pytest.mark.parametrize(("who", "status"), [("cleo", 200), ("dev", 404), ("guest", 404)])
def test_who_may_take_it_along(cast: Cast, browser_of, match: Match, who: str, status: int) -> None:
    answer = browser_of(getattr(cast, who)).get(address("match_file", match))
    assert answer.status_code == status
    assert status == 404 or "no-store" in answer.headers["Cache-Control"]


def test_nothing_secret_is_in_a_file(client: Client, match: Match, cast: Cast) -> None:
    text = client.get(address("match_file", match)).content.decode()
    for secret in (cast.ann.email, cast.ann.username, cast.club.key, match.key):
        assert secret not in text
    assert all(row.key not in text for row in match.rows.all())
