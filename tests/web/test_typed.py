"""B22, B09, B20: a session ends in the middle of a hand; the hand is there after the login."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from ginledger import typed
from ginledger.clubs.models import User
from ginledger.matches.models import Match
from tests.cast import ANN, Cast, enter, knock, make_match, won
from tests.web.page import HTMX, address, counts, filled, state_of, text_of

PASSWORD = "walrus-and-carpenter"


@pytest.fixture
def ann(cast: Cast) -> User:
    User.objects.filter(pk=cast.ann.pk).update(password=make_password(PASSWORD))
    return User.objects.get(pk=cast.ann.pk)


@pytest.fixture
def match(ann: User) -> Match:
    return make_match(ann, knock(ANN, 6, 21))


def log_in(client: Client, user: User, where: str) -> Any:
    """Go through the login page that an answer leads to."""
    assert urlsplit(where).path == reverse("account_login")
    answer = client.post(where, {"login": user.email, "password": PASSWORD})
    assert answer.status_code == 302, text_of(answer)
    return client.get(answer.headers["Location"])


@pytest.mark.parametrize("htmx", [False, True])
def test_the_hand_is_there_after_the_login_and_stored_once(
    ann: User, match: Match, htmx: bool
) -> None:
    client = Client()
    before = state_of(match)
    hand = counts(match, ANN, 4, 30, note="a near thing")
    answer = client.post(address("enter", match), hand, headers=HTMX if htmx else {})
    assert answer.status_code == (401 if htmx else 302)
    where = answer.headers["HX-Redirect" if htmx else "Location"]
    assert parse_qs(urlsplit(where).query)["next"] == [address("pad", match)]
    for word in ("4", "30", "near"):
        assert word not in parse_qs(urlsplit(where).query)["next"][0].split("/")
    assert state_of(match) == before

    pad = log_in(client, ann, where)
    assert "Not stored yet" in text_of(pad)
    form = filled(pad)
    assert (form["knocker_deadwood"], form["opponent_deadwood"], form["who"]) == ("4", "30", "0")
    assert form["once_key"] == hand["once_key"]
    assert state_of(match) == before
    for _ in range(2):
        assert client.post(address("enter", match), form).status_code == 302
    assert match.rows.count() == 2
    # It is shown once: the next time the form is empty.
    assert filled(client.get(address("pad", match)))["knocker_deadwood"] == ""


def test_what_others_entered_meanwhile_is_seen_first(cast: Cast, ann: User, match: Match) -> None:
    client = Client()
    answer = client.post(address("enter", match), counts(match, ANN, 4, 30))
    enter(cast.ben, match, won(ANN, 5))
    pad = log_in(client, ann, answer.headers["Location"])
    assert filled(pad)["version"] == str(Match.objects.get(pk=match.pk).version)
    assert ">20<" in pad.content.decode()


def test_the_change_of_a_row_waits_too(ann: User, match: Match) -> None:
    client, row = Client(), match.rows.get()
    answer = client.post(address("row", match, row), counts(match, ANN, 3, 40, why="misread"))
    page = log_in(client, ann, answer.headers["Location"])
    assert page.request["PATH_INFO"] == address("row", match, row)
    assert filled(page)["knocker_deadwood"] == "3"
    assert filled(page)["why"] == "misread"


def test_it_lies_on_the_server_and_not_for_long(
    ann: User, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B87: neither an address nor a cookie holds it, and after an hour it is gone."""
    client = Client()
    answer = client.post(address("enter", match), counts(match, ANN, 4, 30, note="a near thing"))
    assert "near" not in str(answer.headers) and "near" not in str(client.cookies)
    assert Session.objects.count() == 1
    later = time.time() + typed.LIFETIME
    monkeypatch.setattr(typed.time, "time", lambda: later)
    pad = log_in(client, ann, answer.headers["Location"])
    assert "Not stored yet" not in text_of(pad)
    assert filled(pad)["knocker_deadwood"] == ""


def test_somebody_else_who_logs_in_there_does_not_read_it(cast: Cast, match: Match) -> None:
    User.objects.filter(pk=cast.dev.pk).update(password=make_password(PASSWORD))
    client = Client()
    answer = client.post(address("enter", match), counts(match, ANN, 4, 30, note="a near thing"))
    page = log_in(client, User.objects.get(pk=cast.dev.pk), answer.headers["Location"])
    assert page.status_code == 404
    assert "near" not in page.content.decode()


def test_a_flood_is_not_kept(match: Match) -> None:
    client = Client()
    data = counts(match, ANN, 4, 30, note="x" * typed.LONGEST)
    assert client.post(address("enter", match), data).status_code == 302
    assert "typed" not in client.session


def test_a_token_from_before_another_login_costs_nothing_typed(ann: User, match: Match) -> None:
    """B70's kind: by htmx the page loads afresh with what was typed, and nothing was stored."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    part = client.post(address("enter", match), counts(match, ANN, 4, 30), headers=HTMX)
    assert (part.status_code, part.headers["HX-Refresh"]) == (403, "true")
    pad = client.get(address("pad", match))
    assert filled(pad)["knocker_deadwood"] == "4"
    assert match.rows.count() == 1


def test_a_pad_that_asks_is_told_that_the_session_ended(match: Match) -> None:
    """B20: no login page inside the page, and the form is left to the script."""
    pad = address("pad", match)
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{pad}"}
    for answer in (
        Client().get(address("pad_now", match), headers=headers),
        Client().post(address("preview", match), counts(match, ANN, 4), headers=headers),
    ):
        assert (answer.status_code, answer.content) == (204, b"")
        assert f"/login/?next={pad.replace('/', '%2F')}" in answer["HX-Trigger"]


@pytest.mark.parametrize(
    "shown",
    [
        "https://evil.example/m/",
        "//evil.example",
        "javascript:x",
        "http://testserver//evil.example/x",
    ],
)
def test_b38_where_one_was_is_a_page_of_ours(match: Match, shown: str) -> None:
    answer = Client().post(
        address("undo", match), {"version": 1}, headers={**HTMX, "HX-Current-URL": shown}
    )
    after = parse_qs(urlsplit(answer.headers["HX-Redirect"]).query)["next"]
    assert after == ["/"]
