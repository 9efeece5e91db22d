"""The pad that follows the other phone: what it asks for, what it costs, what it hears."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.test.utils import override_settings
from pytest_django import DjangoAssertNumQueries

from ginledger.clubs.models import Membership, User
from ginledger.clubs.services import rename_player
from ginledger.matches import live, services
from ginledger.matches.models import Match
from ginledger.matches.polling import find_pad_tag
from ginledger.money import signing
from tests.cast import ANN, BEN, Cast, enter, fresh, knock, make_match, won
from tests.web.page import HTMX, address, counts, text_of


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, knock(ANN, 6, 21))


class Pad:
    """A pad in a browser of this user: it asks with the tag of what it shows."""

    def __init__(self, user: User, match: Match) -> None:
        self.client, self.match = Client(), match
        self.client.force_login(user)
        self.client.get(address("pad", match))  # after which the browser has its cookies
        self.heard(self.client.get(address("pad", match)))

    def heard(self, answer: Any) -> Any:
        found = re.search(r'data-etag="(\w+)"', answer.content.decode())
        if found:
            self.tag = found[1]
        return answer

    def ask(self) -> Any:
        headers = {**HTMX, "If-None-Match": f'"{self.tag}"'}
        return self.heard(self.client.get(address("pad_now", self.match), headers=headers))


def test_unchanged_costs_one_query_of_ours_and_304(
    cast: Cast, match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    pad = Pad(cast.ben, match)
    with django_assert_num_queries(3):  # the session, the account, the match
        same = pad.ask()
    assert (same.status_code, same.content) == (304, b"")
    enter(cast.ann, match, won(ANN, 90))
    assert pad.ask().status_code == 200
    with django_assert_num_queries(4):  # and how far the signing of the finished match is
        assert pad.ask().status_code == 304


def test_what_the_pad_hears_of(cast: Cast, match: Match) -> None:
    pad = Pad(cast.ben, match)

    def heard() -> str:
        answer = pad.ask()
        assert answer.status_code == 200
        assert answer.content.decode().lstrip().startswith('<div id="pad"')
        assert pad.ask().status_code == 304
        return text_of(answer)

    enter(cast.ann, match, won(BEN, 12))
    assert "Hand 3" in heard()
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert "Hand 2" in heard()
    player = match.seats.get(number=ANN).player
    rename_player(user=cast.ann, player_key=player.key, name="Anna")
    assert "Anna" in heard()
    Membership.objects.filter(user=cast.ben).update(role="viewer")
    assert "You may look" in heard()


def test_who_was_put_out_hears_nothing_more(cast: Cast, match: Match) -> None:
    pad = Pad(cast.ben, match)
    Membership.objects.filter(user=cast.ben).delete()
    gone = pad.ask()
    assert (gone.status_code, gone.headers["HX-Refresh"]) == (404, "true")
    assert gone.content == b""


def test_a_match_in_the_bin_is_asked_for_in_vain(cast: Cast, match: Match) -> None:
    pad = Pad(cast.ben, match)
    link = live.open_match_link(user=cast.ann, match_key=match.key)
    Match.objects.update(deleted_at=match.created_at)
    assert pad.ask().status_code == 404
    assert Client().get(f"/live/{link.token}/").status_code == 404


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("hollywood-100", ("Ann", "Ben")),
        ("three-handed", ("Ann", "Ben", "Cleo")),
        ("partners-125", ("Ann", "Cleo", "Ben", "Dan")),
    ],
)
def test_the_tag_of_the_page_is_the_tag_of_the_query(
    cast: Cast, rules: str, names: tuple[str, ...]
) -> None:
    match = make_match(cast.ann, rules=rules, names=names)
    assert Pad(cast.ann, match).ask().status_code == 304
    if len(names) == 2:
        services.swap_sides(user=cast.ann, match_key=match.key, version=0)
        assert Pad(cast.ann, match).ask().status_code == 304


def test_nobody_has_no_tag(match: Match) -> None:
    assert find_pad_tag(AnonymousUser(), match.key, "") is None


def test_a_collision_keeps_what_was_typed_and_stores_nothing(cast: Cast, match: Match) -> None:
    pad = Pad(cast.ben, match)
    late = counts(match, BEN, 5, 30)
    enter(cast.ann, match, won(ANN, 10))
    answer = pad.client.post(address("enter", match), late, headers=HTMX)
    assert answer.status_code == 409
    assert "nothing of yours was stored" in text_of(answer)
    body = answer.content.decode()
    assert re.search(r'name="knocker_deadwood"[^>]*value="5"', body)
    assert f'data-version="{fresh(match).version}"' in body
    assert match.rows.count() == 2


def test_b57_a_shared_page_posts_behind_a_proxy(cast: Cast) -> None:
    """The policy lets a browser say where it comes from, so the token of the form is believed."""
    match = make_match(cast.ann, won(ANN, 99), won(ANN, 20))
    link = signing.open_link(user=cast.ann, match_key=match.key, seat=BEN)
    with override_settings(
        SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"), SECURE_SSL_REDIRECT=True
    ):
        client = Client(
            enforce_csrf_checks=True, headers={"X-Forwarded-Proto": "https", "Host": "testserver"}
        )
        page = client.get(f"/sign/{link.token}/")
        assert page.headers["Referrer-Policy"] == "same-origin"
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
        seen = re.search(r'name="seen" value="(\w+)"', page.content.decode())
        assert found and seen
        data = {"csrfmiddlewaretoken": found[1], "seen": seen[1], "verdict": "agree"}
        address_ = f"https://testserver/sign/{link.token}/"
        said = {"Referer": address_, "Origin": "https://testserver"}
        assert client.post(f"/sign/{link.token}/", data, headers=said).status_code == 302
        # What no-referrer would make of it:
        said = {"Origin": "null"}
        assert client.post(f"/sign/{link.token}/", data, headers=said).status_code == 403
    assert match.signatures.count() == 1
    assert settings.SECURE_REFERRER_POLICY == "same-origin"
