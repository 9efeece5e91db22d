"""Starting a match in a club: which one, by whose names, rules and day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import Club, Membership, Role
from ginledger.clubs.rulebook import create_rules
from ginledger.clubs.services import home_club
from ginledger.gin.ruleset import read_rules
from ginledger.matches.models import Match
from ginledger.matches.querysets import find_match
from tests.cast import ANN, Cast, gin, make_match

pytestmark = pytest.mark.django_db
BrowserOf = Callable[..., Client]


def start(client: Client, **fields: str) -> Any:
    usual = {"first": "Zoe", "second": "Yan", "rules": "house-modern", "sheet": "one"}
    return client.post(reverse("start"), {**usual, "dealer": "0", **fields})


def chosen(client: Client, **query: str) -> str:
    """The key of the club in the form of the start page; empty for none."""
    page = client.get(reverse("start"), query).content.decode()
    found = re.search(r'name="club" value="([^"]+)"', page)
    return found[1] if found else ""


def names_offered(page: str) -> list[str]:
    """The names that the fields of the start page offer."""
    found = re.search(r'<datalist id="known-players">(.*?)</datalist>', page)
    assert found
    return re.findall(r'<option value="([^"]+)">', found[1])


def test_a_new_browser_has_no_club_yet_and_needs_none(browser_of: BrowserOf) -> None:
    client = browser_of()
    assert chosen(client) == ""
    assert start(client).status_code == 302
    assert chosen(client) == Match.objects.get().club.key


def test_one_club_is_no_choice_and_two_are(browser_of: BrowserOf, cast: Cast) -> None:
    client, words = browser_of(cast.ann), "The club to play in"
    assert words not in client.get("/").content.decode()
    Membership.objects.create(club=home_club(cast.dev), user=cast.ann, role=Role.SCORER)
    page = client.get("/").content.decode()
    assert words in page
    assert f"?club={home_club(cast.dev).key}" in page
    assert chosen(client) == cast.club.key
    Membership.objects.filter(user=cast.ann, role=Role.SCORER).update(role=Role.VIEWER)
    assert words not in client.get("/").content.decode()


def test_a_match_is_started_in_the_club_that_was_chosen(browser_of: BrowserOf, cast: Cast) -> None:
    client, other = browser_of(cast.ben), home_club(cast.ben)
    for club in (other, cast.club):
        key = chosen(client, club=club.key)
        assert key == club.key
        start(client, club=key)
        assert Match.objects.latest("pk").club == club
    # From then on the last one is offered first.
    assert chosen(client) == cast.club.key


def test_the_names_of_the_clubs_players_are_offered_and_no_one_elses(
    browser_of: BrowserOf, cast: Cast
) -> None:
    make_match(cast.ann, names=("Wilhelmina", "O'Hara"))
    make_match(cast.dev, names=("Secret", "Other"))
    gone = cast.club.players.get(name="O'Hara")
    client = browser_of(cast.ben)
    page = client.get(reverse("start"), {"club": cast.club.key}).content.decode()
    assert names_offered(page) == ["O&#x27;Hara", "Wilhelmina"]
    gone.archived_at = datetime.now(UTC)
    gone.save()
    page = client.get("/", {"club": cast.club.key}).content.decode()
    assert names_offered(page) == ["Wilhelmina"]


@pytest.mark.parametrize("who", ["dev", "cleo", "guest"])
def test_nobody_starts_a_match_where_he_does_not_score(
    browser_of: BrowserOf, cast: Cast, who: str
) -> None:
    client = browser_of(getattr(cast, who))
    status = 403 if who == "cleo" else 404
    assert client.get(reverse("start"), {"club": cast.club.key}).status_code == status
    assert start(client, club=cast.club.key).status_code == status
    assert not Match.objects.exists()
    assert not cast.club.players.exists()


def test_a_closed_club_is_not_offered(browser_of: BrowserOf, cast: Cast) -> None:
    from ginledger.clubs.club_services import close_club

    close_club(user=cast.ann, club_key=cast.club.key)
    client = browser_of(cast.ann)
    assert chosen(client) == ""
    assert start(client, club=cast.club.key).status_code == 403


def test_what_was_typed_stays_in_its_club_when_it_is_refused(
    browser_of: BrowserOf, cast: Cast
) -> None:
    client = browser_of(cast.ben)
    home_club(cast.ben)
    answer = start(client, club=cast.club.key, second="zoe")
    assert answer.status_code == 422
    assert f'name="club" value="{cast.club.key}"' in answer.content.decode()


@pytest.mark.parametrize("own", [False, True])
def test_the_clubs_usual_rules_are_chosen_already(
    browser_of: BrowserOf, cast: Cast, own: bool
) -> None:
    usual = "short-50"
    if own:
        usual = create_rules(user=cast.ann, name="Ours", rules=read_rules("short-50")).key
    Club.objects.filter(pk=cast.club.pk).update(usual_rules=usual)
    client = browser_of(cast.ben)
    page = client.get("/", {"club": cast.club.key}).content.decode()
    assert re.search(rf'name="rules" value="{usual}" checked', page)
    asked = client.get("/", {"club": cast.club.key, "rules": "straight"}).content.decode()
    assert re.search(r'name="rules" value="straight" checked', asked)
    Club.objects.filter(pk=cast.club.pk).update(usual_rules="gone-by-now")
    page = client.get("/", {"club": cast.club.key}).content.decode()
    assert re.search(r'name="rules" value="house-modern" checked', page)


def test_a_match_is_dated_where_the_club_is(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(time_zone="Pacific/Auckland")
    evening = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
    with mock.patch("django.utils.timezone.now", return_value=evening):
        match = make_match(cast.ann, gin(ANN, 90))
        from ginledger.matches.services import rematch

        again = rematch(user=cast.ann, match_key=match.key)
    assert match.played_on == again.played_on == date(2026, 3, 2)


def test_pages_tell_the_time_of_their_club_and_then_no_more(
    browser_of: BrowserOf, cast: Cast
) -> None:
    from django.utils import timezone

    Club.objects.filter(pk=cast.club.pk).update(time_zone="Pacific/Auckland")
    evening = datetime(2026, 3, 1, 20, 5, tzinfo=UTC)
    with mock.patch("django.utils.timezone.now", return_value=evening):
        match = make_match(cast.ann, gin(ANN, 9))
    client, row = browser_of(cast.ann), match.rows.get()
    page = client.get(reverse("row", args=[match.key, row.key])).content.decode()
    assert "2 Mar 2026, 09:05" in page
    assert timezone.get_current_timezone_name() == "UTC"
    find_match(cast.ann, match.key)  # outside of a page nothing of it holds
    assert timezone.get_current_timezone_name() == "UTC"
