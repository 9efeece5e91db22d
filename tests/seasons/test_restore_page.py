"""A backup restored by a page: looked at first, stored as one's own, and taken back."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
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
    file = SimpleUploadedFile("club.json", body)
    return client.post(PATH, {"file": file, "step": "look"}, follow=True)


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
    # Pressed twice, it says the same; so it does to whoever goes back.
    ((address, _),) = looked.redirect_chain
    assert eva.get(address).headers["Location"] == answer.headers["Location"]
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


def rekeyed(text: str, mark: str) -> str:
    """The same backup with other keys, as of another club."""
    keys = set(re.findall(r'"key": "([^"]+)"', text))
    for key in keys:
        text = text.replace(f'"{key}"', f'"{mark}{key[1:]}"')
    return text


def test_of_two_clubs_each_is_taken_back(eva: Client, text: str) -> None:
    before = counts()
    texts = [rekeyed(text, mark) for mark in "-_"]
    for one in texts:
        assert store(eva, look(eva, one)).status_code == 302
    for one in texts:
        key = json.loads(one)["club"]["key"]
        assert eva.get(reverse("club_restored", args=[key])).status_code == 200
        said = eva.post(reverse("club_restored_back", args=[key]), follow=True).content.decode()
        assert "is removed" in said
    assert counts() == before


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
        to_login = "/account/login/?next=%2Frestore%2F"
        assert client.get(PATH).headers["Location"].startswith(to_login)
        assert look(client, text).redirect_chain[0][0].startswith(to_login)
        client.force_login(cast.guest)


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


def changed(text: str, change: Callable[[Any], None]) -> GinError | None:
    """Why a backup is refused that somebody changed."""
    document = json.loads(text)
    change(document)
    return tried(document)


def merged_in_a_circle(document: Any) -> None:
    players = document["players"]
    for place in range(3):
        players[place]["merged_into"] = players[(place + 1) % 3]["key"]


def rematches_in_a_circle(document: Any) -> None:
    one, other = document["matches"][:2]
    one["rematch_of"], other["rematch_of"] = other["key"], one["key"]


def with_rows(document: Any) -> Any:
    return next(one for one in document["matches"] if one["rows"])


def without_amendments(document: Any) -> None:
    with_rows(document)["amendments"] = []


def amended_from_elsewhere(document: Any) -> None:
    row = with_rows(document)["rows"][0]["key"]
    last = document["matches"][-1]
    last["amendments"].append({**with_rows(document)["amendments"][0], "row": row, "version": 0})


def amended_past_its_version(document: Any) -> None:
    with_rows(document)["version"] = 0


def described_by_nothing(document: Any) -> None:
    log = [one for match in document["matches"] for one in match["amendments"]]
    next(one for one in log if one["action"] == "describe")["after"] = {"x": 1}


def twice(document: Any) -> None:
    document["matches"].append(document["matches"][0])


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (merged_in_a_circle, "players.1"),
        (rematches_in_a_circle, "matches.1"),
        (without_amendments, "matches."),
        (amended_from_elsewhere, "matches."),
        (amended_past_its_version, "matches."),
        (described_by_nothing, "matches."),
        (twice, "matches."),
    ],
)
def test_what_no_club_could_be_is_refused(text: str, change: Any, place: str) -> None:
    error = changed(text, change)
    assert error is not None and error.problems[0].field.startswith(place)
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("where", "field", "value"),
    [
        ("matches", "played_on", "0001-01-01"),
        ("matches", "played_on", "9999-12-31"),
        ("matches", "created_at", "0001-01-01T00:00:00+14:00"),
        ("matches", "stopped_at", "9999-12-31T23:59:59+00:00"),
        ("ledger", "on", "1849-12-31"),
        ("ledger", "at", "0001-01-01T00:00:00+00:00"),
    ],
)
def test_days_at_the_ends_of_time_are_refused(
    text: str, where: str, field: str, value: str
) -> None:
    error = changed(text, lambda document: document[where][0].update({field: value}))
    assert error is not None and error.problems[0].field == f"{where}.1"
    assert f"{field} is {value}" in str(error)


MONEY = {"currency": "USD", "rate": 1000, "cap": None, "pairs": []}


@pytest.mark.parametrize(
    "stake",
    [
        MONEY | {"currency": "XXX"}, MONEY | {"rate": -5}, MONEY | {"rate": 10**25},
        MONEY | {"rate": 10.5}, MONEY | {"cap": 0}, MONEY | {"pairs": [[0, 1, 5]]},
        MONEY | {"more": 1}, {"words": "two\nlines"}, {"words": 5}, [1],
    ],
)  # fmt: skip
def test_a_stake_is_one_that_a_form_could_have_made(text: str, stake: Any) -> None:
    assert changed(text, lambda document: document["matches"][0].update(stake=MONEY)) is None
    error = changed(text, lambda document: document["matches"][0].update(stake=stake))
    assert error is not None and error.problems[0].field.startswith("matches.")


def test_what_is_here_under_another_key_is_said(eva: Client, text: str) -> None:
    assert store(eva, look(eva, text)).status_code == 302
    document = json.loads(text)
    document["club"]["key"] = "another"
    answer = look(eva, json.dumps(document))
    assert answer.status_code == 422
    assert "What is in it is stored here already." in answer.content.decode()
    assert "IntegrityError" not in answer.content.decode()


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
