"""Rates with their n and interval, and the rest of the statistics, against counts by hand."""

from __future__ import annotations

import re
from datetime import date
from math import comb, sqrt

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand
from ginledger.seasons.models import FIELDS
from ginledger.seasons.periods import all_time, find_period
from ginledger.seasons.rates import FEW, Average, Rate, wilson
from ginledger.seasons.statistics import AVERAGES, MEASURES, meeting, statistics
from tests.cast import ANN, BEN, Cast, gin, knock, won
from tests.seasons.tables import fill, played
from tests.web.page import text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [  # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(count: int, n: int, low: float, high: float) -> None:
    found = wilson(count, n)
    assert [round(edge, 4) for edge in found] == [low, high]


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_turns_round(case: tuple[int, int]) -> None:
    count, n = case
    low, high = wilson(count, n)
    assert 0 <= low <= count / n <= high <= 1
    assert wilson(n - count, n) == pytest.approx((1 - high, 1 - low))
    # The edges are the shares that the count is just 1.96 standard errors away from.
    for edge in {low, high} - {0.0, 1.0}:
        assert abs(count / n - edge) == pytest.approx(1.959964 * sqrt(edge * (1 - edge) / n))


def test_the_interval_covers_what_it_says() -> None:
    """With a true share of 0.2 and 100 hands, it holds the share in some 95 of 100 evenings."""
    share, n = 0.2, 100
    covered = sum(
        comb(n, k) * share**k * (1 - share) ** (n - k)
        for k in range(n + 1)
        if wilson(k, n)[0] <= share <= wilson(k, n)[1]
    )
    assert 0.93 < covered < 0.97


def test_few_cases_give_no_rate() -> None:
    assert Rate(3, FEW - 1).few
    assert not Rate(3, FEW).few
    assert (Rate(46, 254).percent, Rate(46, 254).interval) == ("18.1 %", "13.9–23.3 %")
    assert (Average(214, 10).value, Average(214, 10).few) == ("21.4", True)


def test_every_measure_reads_figures_that_there_are() -> None:
    names = {name for one in MEASURES for pair in one.counted for name in pair}
    names |= {name for _, *pair in AVERAGES for name in pair}
    assert names <= set(FIELDS)


@pytest.fixture
def winter(cast: Cast) -> Cast:
    """Ann and Ben: three in a row for Ann over two months, one for Ben; Ann once beats Cleo."""
    pair = ("Ann", "Ben")
    played(cast.ann, date(2025, 1, 1), won(ANN, 100), names=pair)
    played(cast.ann, date(2025, 1, 31), won(ANN, 100), names=pair)
    played(cast.ann, date(2025, 2, 1), won(BEN, 50), gin(ANN, 80), names=pair)
    played(cast.ann, date(2025, 2, 2), knock(ANN, 6, 21), gin(BEN, 80), names=pair)
    played(cast.ann, date(2025, 3, 1), won(ANN, 100), names=("Ann", "Cleo"))
    return cast


def test_streaks_months_and_comebacks(winter: Cast) -> None:
    people = {one.line.player.name: one for one in statistics(all_time(winter.club)).people}
    ann, ben = people["Ann"], people["Ben"]
    assert (ann.streak, ben.streak, people["Cleo"].streak) == (3, 1, 0)
    # January 450 twice; February 155 up, then 190 down.
    assert (ann.hot.day, ann.hot.net) == (date(2025, 1, 1), 900)
    assert (ann.cold.day, ann.cold.net) == (date(2025, 2, 1), 155 - 190)
    assert (ben.hot.day, ben.hot.net) == (date(2025, 2, 1), 35)
    assert ann.line.figures["comeback"] == 50
    assert ann.line.figures["biggest"] == 105
    caught = dict(zip([name for name, _, _ in AVERAGES], ann.averages, strict=True))["Caught with"]
    assert (caught.total, caught.n) == (80, 1)


def test_two_who_met(winter: Cast) -> None:
    ann, ben, cleo = (winter.club.players.get(name=name) for name in ("Ann", "Ben", "Cleo"))
    both = meeting(all_time(winter.club), ann, ben)
    assert both.figures is not None
    one, other = both.figures
    assert (one["matches"], one["won"], other["won"]) == (4, 3, 1)
    assert one["net"] == -other["net"] == 865
    assert meeting(all_time(winter.club), ben, ann).figures == (other, one)
    assert meeting(all_time(winter.club), ben, cleo).figures is None
    assert dict(both.rows)["Gin, for"] == (Rate(1, 6), Rate(1, 6))


def test_the_page_says_too_few_and_compares(winter: Cast, browser_of) -> None:
    client = browser_of(winter.ann)
    address = reverse("statistics", args=[winter.club.key, "all"])
    ann, ben, cleo = (winter.club.players.get(name=name) for name in ("Ann", "Ben", "Cleo"))
    page = text_of(client.get(address))
    assert f"Under {FEW} cases no rate" in page
    assert "too few4 of 5" in page
    assert "%of" not in page
    met = client.get(address, {"one": ann.key, "other": ben.key})
    assert "+865" in text_of(met)
    assert "no match of two" in text_of(client.get(address, {"one": ben.key, "other": cleo.key}))
    same = client.get(address, {"one": ann.key, "other": ann.key})
    assert (same.status_code, "Choose two different players." in text_of(same)) == (422, True)
    assert client.get(address, {"one": "x", "other": ann.key}).status_code == 422


def test_rates_are_shown_with_their_interval_and_n(cast: Cast, browser_of) -> None:
    fill(cast.club, 200)
    own = statistics(all_time(cast.club)).people[0].line.figures
    rate = Rate(own["hands_won"], own["hands"])
    page = text_of(browser_of(cast.ann).get(reverse("statistics", args=[cast.club.key, "all"])))
    assert f"{rate.percent}{rate.interval}{rate.count} of {rate.n}" in page


def test_queries_do_not_grow(cast: Cast, browser_of, django_assert_num_queries) -> None:
    client = browser_of(cast.ann)
    for more in (20, 400):
        fill(cast.club, more)
        with django_assert_num_queries(11):
            client.get(reverse("statistics", args=[cast.club.key, "all"]))


def test_what_better_layouts_would_have_won_is_told_where_cards_are_known(
    cast: Cast, browser_of
) -> None:
    ann, page = browser_of(cast.ann), reverse("statistics", args=[cast.club.key, "all"])
    played(cast.ann, date(2025, 1, 1), won(ANN, 100), names=("Ann", "Ben"))
    assert "What better layouts" not in text_of(ann.get(page))
    sets = tuple(parse_cards(meld) for meld in ("8C 8H 8S", "9C 9H 9S", "TC TH TS"))
    hand = CardsHand(
        knocker=ANN, opponent=BEN, melds=sets,
        knocker_cards=parse_cards("8C 9C TC 8H 9H TH 8S 9S TS JD"),
        opponent_cards=parse_cards("2C 5C QC AD 3D 8D 9D 5H 4S 5S"),
    )  # fmt: skip
    played(cast.ann, date(2025, 1, 2), hand, won(ANN, 90), names=("Ann", "Ben"))
    found = statistics(find_period(cast.club, "all"))
    assert [
        (one.line.player.name, one.missed.count, one.missed.n, one.line.figures["missed_points"])
        for one in found.people
    ] == [("Ann", 1, 1, 17), ("Ben", 0, 1, 0)]
    said = text_of(ann.get(page))
    assert "What better layouts and lay-offs would have won" in said
    assert re.search(r"17 ?in 1 hand", said)
