"""The demo season: really played, in the books as if entered, the same for the same seed."""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Sum
from django.test import Client

from ginledger.clubs.models import Club, User
from ginledger.gin.hands import CardsHand
from ginledger.gin.matchfile import write_match
from ginledger.matches.book import load_book
from ginledger.matches.models import Amendment, Row
from ginledger.money.balances import owing_of
from ginledger.seasons import demo
from ginledger.seasons.demo import Plan, make_demo, read_plan
from ginledger.seasons.models import Tally
from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """The same plan with a match or two by each of its rule sets."""
    plan = read_plan()
    few = Plan(
        **{name: getattr(plan, name) for name in Plan.__slots__ if name != "rules"},
        rules=tuple((slug, 2) for slug, _ in plan.rules),
    )
    monkeypatch.setattr(demo, "read_plan", lambda: few)
    return few


def books(club: Club) -> list[dict[str, Any]]:
    return [write_match(load_book(match).gin_match) for match in club.matches.order_by("pk")]


def test_the_plan_is_a_season_of_sixty_matches() -> None:
    plan = read_plan()
    assert sum(count for _, count in plan.rules) == 60
    assert len(plan.styles) == 4


def test_a_season_is_played_to_the_end_and_every_figure_is_right(cast: Cast, small: Plan) -> None:
    club = make_demo(user=cast.dev)
    matches = list(club.matches.all())
    assert len(matches) == 10
    assert all(match.over for match in matches)
    assert all(0 <= (match.played_on - small.begins).days < small.days for match in matches)
    kinds = Counter(
        "cards" in fact for fact in Row.objects.filter(club=club).values_list("fact", flat=True)
    )
    assert kinds[True] > 5
    assert kinds[False] > 5
    laid = [hand for match in matches for hand in load_book(match).gin_match.hands
            if isinstance(hand, CardsHand) and hand.melds is not None]  # fmt: skip
    assert len(laid) > 5
    # Some counts were said before every lay-off was seen.
    figures = Tally.objects.filter(club=club).aggregate(
        missed=Sum("missed_points"), right=Sum("put_right_points"), spreads=Sum("spreads")
    )
    assert figures["spreads"] == 2 * kinds[True]
    assert figures["missed"] + figures["right"] > 0
    assert sum(owing_of(club, small.currency).balances().values()) == 0
    out = io.StringIO()
    call_command("audit", stdout=out)


def test_mistakes_were_put_right_with_a_reason(
    cast: Cast, small: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "MISTAKES", 1)
    club = make_demo(user=cast.dev)
    amended = Amendment.objects.filter(club=club, action="amend")
    assert amended.count() == 10
    assert set(amended.values_list("why", flat=True)) == {"counted again"}


def test_the_same_seed_deals_the_same_season_once_for_each_user(cast: Cast, small: Plan) -> None:
    first = make_demo(user=cast.dev)
    assert make_demo(user=cast.dev) == first
    other = make_demo(user=cast.ann)
    assert other != first
    assert books(first) == books(other)
    assert books(make_demo(user=cast.ben, seed=2)) != books(first)


def test_one_tap_makes_it_for_a_guest(client: Client, small: Plan) -> None:
    assert b"Deal the season" in client.get("/demo/").content
    assert client.post("/demo/", {}).status_code == 422
    assert not Club.objects.exists()
    made = client.post("/demo/", {"make": "season"}, follow=True)
    assert made.status_code == 200
    assert small.club in made.content.decode()
    client.post("/demo/", {"make": "season"})
    assert Club.objects.filter(name=small.club).count() == 1


def test_the_command_makes_an_account_that_can_log_in(small: Plan, client: Client) -> None:
    out = io.StringIO()
    call_command("demo", stdout=out)
    (password,) = re.findall(r"with the password (\S+)", out.getvalue())
    user = User.objects.get(email="demo@example.org")
    assert user.check_password(password)
    assert "10 matches of 4 players" in out.getvalue()
    with pytest.raises(CommandError):
        call_command("demo", "--email", "nobody@example.org")
