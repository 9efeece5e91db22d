"""The pages that show ratings, and the course of them over time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import Club, User
from ginledger.clubs.services import seat_players
from ginledger.matches import posters
from ginledger.matches.models import Match, Seat
from ginledger.seasons.models import Rating, Tally
from ginledger.seasons.periods import all_time, year_of
from ginledger.seasons.rating_chart import MOST_POINTS, rating_chart, steps
from ginledger.seasons.rating_views import MATCHES_A_PAGE
from ginledger.seasons.ratings import FEW, START, ratings_at, ratings_of
from tests.cast import ANN, BEN, Cast, make_match, won
from tests.seasons.tables import played
from tests.web.page import text_of

pytestmark = pytest.mark.django_db

DAY = date(2025, 3, 1)
PEOPLE = ("Ann", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gil", "Hana")
BrowserOf = Callable[[User], Client]


def fill(club: Club, count: int, days: int = 1) -> None:
    """So many finished matches of eight people, each some days after the one before."""
    people = seat_players(club=club, names=list(PEOPLE))
    matches = Match.objects.bulk_create(
        Match(
            club=club, rules={}, rules_name="Modern 100", first_dealer=0, over=True,
            winner=number % 3 % 2, net=[(-1) ** (number % 3) * 50, -((-1) ** (number % 3)) * 50],
            played_on=DAY + timedelta(days=number * days),
        )
        for number in range(count)
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(club=club, match=match, number=side, side=side, player=people[(number + side * 3) % 8])
        for number, match in enumerate(matches)
        for side in (0, 1)
    )
    Tally.objects.bulk_create(
        Tally(club=club, match=match, player=people[(number + side * 3) % 8],
              played_on=match.played_on)
        for number, match in enumerate(matches)
        for side in (0, 1)
    )  # fmt: skip
    posters.remake(club)


def page_of(client: Client, club: Club, name: str = "ratings", **more: Any) -> Any:
    return client.get(reverse(name, args=[club.key, more.pop("period", "all")]), more)


def test_the_rating_of_a_period_is_that_at_its_end(cast: Cast) -> None:
    for number in range(FEW + 2):
        day = date(2024, 12, 31) + timedelta(days=number)
        played(cast.ann, day, won(ANN if number % 3 else BEN, 100), names=("Ann", "Ben"))
    ann = ratings_at(year_of(cast.club, 2025))[0]
    own = Rating.objects.filter(player__name="Ann").order_by("played_on")
    first, last = own[1], own[FEW + 1]
    assert (ann.rated.player.name, ann.matches, ann.few) == ("Ann", FEW + 1, False)
    assert (ann.rated.before, ann.rated.after) == (round(first.before), round(last.after))
    assert ann.rated.change == round(last.after) - round(first.before)
    assert ann.rated.after_half == round(1.96 * last.after_spread)
    # Enough of them are before the year ends, not in it alone.
    played(cast.ann, date(2026, 1, 1), won(BEN, 100), names=("Ann", "Cleo"))
    now = {one.rated.player.name: one for one in ratings_at(year_of(cast.club, 2026))}
    assert (now["Ann"].few, now["Ann"].matches, now["Cleo"].few) == (False, 1, True)
    [before] = {one.few for one in ratings_at(year_of(cast.club, 2024))}
    assert before


def test_who_has_few_matches_comes_last_and_gets_no_number(
    cast: Cast, browser_of: BrowserOf
) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Cleo", "Ben"))
    client = browser_of(cast.cleo)
    assert "Cleo few matches yet 1" in text_of(page_of(client, cast.club))
    for number in range(FEW):
        names = ("Ann", "Ben") if number else ("Dev", "Ben")
        played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=names)
    standings = ratings_at(all_time(cast.club))
    assert [one.rated.player.name for one in standings] == ["Ben", "Ann", "Cleo", "Dev"]
    said = text_of(page_of(client, cast.club))
    ben = standings[0].rated
    assert ben.after < START
    assert f"Ben {ben.after:,}± {ben.after_half}−{START - ben.after:.0f} {FEW + 1}" in said
    assert f"Under {FEW} rated matches" in said


def test_every_match_is_listed_with_before_and_after(cast: Cast, browser_of: BrowserOf) -> None:
    first = played(cast.ann, DAY, won(ANN, 100), names=("Ann", "<b>Ben"))
    second = played(cast.ann, DAY + timedelta(days=400), won(BEN, 100), names=("Ann", "<b>Ben"))
    page = page_of(browser_of(cast.cleo), cast.club)
    said = text_of(page)
    [ben, ann] = ratings_of([second.pk])[second.pk]
    assert (ben.player.name, ann.player.name) == ("<b>Ben", "Ann")
    assert ann.before == 1658
    line = f"Ann 1,658± {ann.before_half} {ann.after:,}± {ann.after_half} −{-ann.change}"
    assert line in said
    assert said.index(line) < said.index("Ann 1,500± 980 1,658")
    assert b"<b>Ben" not in page.content
    links = [reverse("race", args=[match.key]).encode() for match in (second, first)]
    assert page.content.index(links[0]) < page.content.index(links[1])
    year = page_of(browser_of(cast.cleo), cast.club, period="2025")
    assert links[1] in year.content
    assert links[0] not in year.content
    assert "No finished match" in text_of(page_of(browser_of(cast.cleo), cast.club, period="2019"))


def test_the_page_of_a_match_says_what_it_did(cast: Cast, browser_of: BrowserOf) -> None:
    client, match = browser_of(cast.cleo), make_match(cast.ann, won(ANN, 60))
    address = reverse("race", args=[match.key])
    assert "Ratings" not in text_of(client.get(address))
    done = make_match(cast.ann, won(ANN, 100))
    page = client.get(reverse("race", args=[done.key]))
    assert "Ann 1,500± 980 1,658± 949 +158" in text_of(page)
    assert "Ben 1,500± 980 1,342± 949 −158" in text_of(page)
    assert reverse("ratings", args=[cast.club.key, "all"]).encode() in page.content


def test_the_list_is_paged(cast: Cast, browser_of: BrowserOf) -> None:
    fill(cast.club, MATCHES_A_PAGE + 3)
    client = browser_of(cast.cleo)
    pages = [page_of(client, cast.club, page=number) for number in (1, 2)]
    assert [page.content.count(b"/race/") for page in pages] == [MATCHES_A_PAGE, 3]
    assert f"{MATCHES_A_PAGE + 3} matches" in text_of(pages[1])
    assert "Older" in text_of(pages[0])


def test_queries_do_not_grow(
    cast: Cast, browser_of: BrowserOf, django_assert_num_queries: Any
) -> None:
    client = browser_of(cast.ann)
    for more in (MATCHES_A_PAGE + 1, 500):
        fill(cast.club, more)
        with django_assert_num_queries(15):
            assert page_of(client, cast.club).status_code == 200
        with django_assert_num_queries(3):
            assert ratings_at(year_of(cast.club, 2025))


@pytest.mark.parametrize(
    ("days", "step", "points"),
    [
        (0, "day", 1), (1, "day", 2), (59, "day", 60), (60, "week", 9), (419, "week", 60),
        (420, "month", 14), (1800, "month", 60), (1900, "2 months", 32), (20000, "11 months", 60),
    ],
)  # fmt: skip
def test_points_are_few_and_reach_from_the_first_day_to_the_last(
    days: int, step: str, points: int
) -> None:
    last = DAY + timedelta(days=days)
    name, ends = steps(DAY, last)
    assert (name, len(ends)) == (step, points)
    assert len(ends) <= MOST_POINTS
    assert ends == sorted(set(ends))
    assert ends[0] >= DAY
    assert ends[-1] >= last
    assert (ends[1:] or ends)[0] > DAY or days == 0


@pytest.mark.parametrize(("apart", "step"), [(1, "day"), (5, "week"), (25, "month")])
def test_the_course_is_what_is_stored(cast: Cast, apart: int, step: str) -> None:
    fill(cast.club, 48, days=apart)
    period = all_time(cast.club)
    standings = ratings_at(period)
    chart = rating_chart(period, standings)
    assert chart is not None
    assert (chart.step, len(chart.names)) == (step, 6)
    assert chart.names == tuple(one.rated.player.name for one in standings[:6])
    assert chart.rows[-1][1] == tuple(one.rated.after for one in standings[:6])
    _, ends = steps(DAY, DAY + timedelta(days=47 * apart))
    for end, (_, numbers) in zip(ends, chart.rows, strict=True):
        for name, number in zip(chart.names, numbers, strict=True):
            own = Rating.objects.filter(player__name=name, played_on__lte=end)
            last = own.order_by("played_on", "match_id").last()
            assert number == round(last.after if last else START)


def test_no_course_of_one_day_or_of_few_matches(cast: Cast) -> None:
    period = all_time(cast.club)
    assert rating_chart(period, ratings_at(period)) is None
    fill(cast.club, 48, days=0)
    assert len(ratings_at(period)) == 8
    assert rating_chart(period, ratings_at(period)) is None
    assert rating_chart(period, [one for one in ratings_at(period) if one.few]) is None


def test_the_statistics_have_a_card_of_ratings(cast: Cast, browser_of: BrowserOf) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    client = browser_of(cast.cleo)
    page = page_of(client, cast.club, "statistics")
    assert "Ann few matches yet 1" in text_of(page)
    assert reverse("ratings", args=[cast.club.key, "all"]).encode() in page.content
    Rating.objects.all().delete()  # matches from before there were ratings
    assert "few matches yet" not in text_of(page_of(client, cast.club, "statistics"))
