"""A backup restored by a page: looked at first, stored as one's own, and taken back."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import Club, Membership, Player, User
from ginledger.gin.errors import GinError
from ginledger.matches.models import Match
from ginledger.money.models import Entry
from ginledger.seasons.backup_read import restore_club
from ginledger.seasons.restore_page import MOST_PEOPLE, look_inside
from tests.cast import ANN, Cast, enter, make_user, won
from tests.seasons.desk import data_folder as data_folder
from tests.seasons.test_backup import emptied, text_of
from tests.seasons.test_backup import full as full

pytestmark = pytest.mark.django_db

PATH = "/restore/"


@pytest.fixture
def text(full: Club) -> str:
    """A backup of a club that is no more."""
    text = text_of(full)
    emptied()
    return text


@pytest.fixture
def eva(text: str) -> Client:
    """Somebody with an account, on the other server."""
    client = Client()
    client.force_login(make_user("Eva"))
    return client


def look(client: Client, data: str | bytes) -> Any:
    body = data.encode() if isinstance(data, str) else data
    return client.post(PATH, {"file": SimpleUploadedFile("club.json", body), "step": "look"})


def store(client: Client, looked: Any) -> Any:
    draft = re.findall(r'name="draft" value="([^"]+)"', looked.content.decode())
    return client.post(PATH, {"draft": draft[0], "step": "store"})


def counts() -> tuple[int, ...]:
    return tuple(one.objects.count() for one in (Club, User, Player, Match, Entry, Membership))


def test_looked_at_then_stored_as_ones_own(eva: Client, text: str, data_folder: Path) -> None:
    before = counts()
    looked = look(eva, text)
    page = looked.content.decode()
    assert looked.status_code == 200
    inside = looked.context["inside"]
    document = json.loads(text)
    assert (inside.name, inside.players, inside.matches, inside.entries) == (
        "Our table", len(document["players"]), len(document["matches"]), len(document["ledger"]),
    )  # fmt: skip
    assert inside.people == (("Ann", "owner"), ("Ben", "scorer"), ("Cleo", "viewer"))
    assert inside.binned == 1 and inside.hands > 4
    assert "<bdi>Ben</bdi>" in page and "You will own the club" in page
    assert counts() == before
    answer = store(eva, looked)
    club = Club.objects.get(key=document["club"]["key"])
    assert answer.headers["Location"] == reverse("club_restored", args=[club.key])
    assert "The club is restored" in eva.get(answer.headers["Location"]).content.decode()
    assert club.memberships.get(user__name="Eva").role == "owner"
    assert eva.get(reverse("club", args=[club.key])).status_code == 200
    assert list(data_folder.iterdir()) == []
    # Pressed twice, it says the same.
    assert store(eva, looked).headers["Location"] == answer.headers["Location"]
    again = look(eva, text)
    assert again.status_code == 422
    assert "stored here already" in again.content.decode()
    assert reverse("club", args=[club.key]) in again.content.decode()


def test_it_is_taken_back_while_nothing_was_changed(eva: Client, text: str) -> None:
    before = counts()
    store(eva, look(eva, text))
    club = Club.objects.get(key=json.loads(text)["club"]["key"])
    back = reverse("club_restored_back", args=[club.key])
    eva.get(reverse("club", args=[club.key]))
    answer = eva.post(back)
    assert "is removed" in eva.get(answer.headers["Location"]).content.decode()
    assert counts() == before
    assert eva.post(back).status_code == 404
    store(eva, look(eva, text))
    match = Match.objects.filter(deleted_at=None, over=False).earliest("pk")
    enter(User.objects.get(name="Eva"), match, won(ANN, 5))
    changed = counts()
    said = eva.get(eva.post(back).headers["Location"]).content.decode()
    assert "was changed since" in said
    assert counts() == changed
    other = Client()
    other.force_login(User.objects.get(name="Eva"))
    said = other.get(other.post(back).headers["Location"]).content.decode()
    assert "did not restore" in said
    assert counts() == changed


def test_what_stands_in_the_way_is_said_and_nothing_stored(eva: Client, text: str) -> None:
    before = counts()
    document = json.loads(text)
    document["matches"][0]["played_on"] = "31/12/2026"
    people = {**document, "people": [{"name": "x", "is_guest": True}] * (MOST_PEOPLE + 1)}
    for data, said in (
        (json.dumps(document), "matches.1"),
        (json.dumps(people), f"more than {MOST_PEOPLE} people"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"format": "ginledger/match/1"}', "no backup"),
        ("[]", "no backup"),
        (b"\xff\xfe", "not JSON"),
    ):
        answer = look(eva, data)
        assert answer.status_code == 422
        assert said in answer.content.decode(), said
    assert "Choose a file" in eva.post(PATH, {"step": "look"}).content.decode()
    assert "here no more" in eva.post(PATH, {"step": "store", "draft": "x" * 22}).content.decode()
    assert "up to 5 MB" in eva.get(PATH).content.decode()
    assert counts() == before


def test_guests_and_strangers_log_in_first(cast: Cast, full: Club) -> None:
    text = text_of(full)
    for client in (Client(), Client()):
        for answer in (client.get(PATH), look(client, text)):
            assert answer.headers["Location"].startswith("/account/login/?next=%2Frestore%2F")
        client.force_login(cast.guest)
    assert look(Client(), text).status_code == 302


def test_after_a_session_that_ended_the_look_is_kept(eva: Client, text: str) -> None:
    looked = look(eva, text)
    eva.logout()
    before = counts()
    assert store(eva, looked).headers["Location"].startswith("/account/login/")
    assert counts() == before
    eva.force_login(User.objects.get(name="Eva"))
    kept = eva.get(PATH)
    assert "Nothing is stored yet" in kept.content.decode()
    assert store(eva, kept).status_code == 302
    assert Club.objects.filter(memberships__user__name="Eva").exists()


# A backup that somebody made himself


def test_a_backup_reaches_nothing_of_another_club(cast: Cast, full: Club) -> None:
    """What a merge says it moved is looked for in the club of the file alone."""
    document = json.loads(text_of(full))
    theirs = Match.objects.filter(club=full).earliest("pk").key
    club = {**document["club"], "key": "another"}
    moved = {"account": None, "archived": None, "rows": {"matches.Seat.player": [[theirs, 0]]}}
    made = {
        **{name: [] for name in document if isinstance(document[name], list)},
        "format": document["format"],
        "club": club,
        "people": [],
        "players": [
            {"name": "Ann", "folded": "ann", "key": "p0"},
            {"name": "Ben", "folded": "ben", "key": "p1"},
        ],
        "merges": [{**document["merges"][0], "key": "m", "created_by": None,
                    "kept": "p0", "gone": "p1", "moved": moved}],
    }  # fmt: skip
    before = counts()
    wrong: list[Any] = [moved["rows"], {"clubs.Membership.user": []}, {"no.Such.thing": []}]
    for rows in wrong:
        moved["rows"] = rows
        with pytest.raises(GinError) as refused:
            restore_club(made)
        assert refused.value.field == "merges.1"
    assert counts() == before
    moved["rows"] = {}
    assert restore_club(made).players.count() == 2


def values(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in a document, of a list in its last entry."""
    if isinstance(document, dict):
        return [one for key in document for one in values(document[key], (*path, key))]
    if isinstance(document, list) and document:
        return values(document[-1], (*path, len(document) - 1))
    return [path]


STRANGE: tuple[Any, ...] = (
    None, -1, 10**30, 1e400, "", "a/b", "\ud800", "x" * 300, [], {"a": 1}, True, "QQQ",
)  # fmt: skip


def tried(document: Any) -> GinError | None:
    """Why a backup is refused."""
    try:
        look_inside(document)
    except GinError as error:
        return error
    return None


def test_no_value_of_a_backup_fails_otherwise_than_with_its_place(text: str) -> None:
    """Any value that is out of order is refused, or can be stored: nothing else is raised."""
    document = json.loads(text)
    places = values({name: document[name] for name in document if name != "format"})[::2]
    assert len(places) > 40
    refused = 0
    for number, path in enumerate(places):
        changed = copy.deepcopy(document)
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = STRANGE[number % len(STRANGE)]
        if (error := tried(changed)) is not None:
            refused += 1
            assert error.problems[0].field, path
    assert not Club.objects.exists()
    assert refused > len(places) / 2
