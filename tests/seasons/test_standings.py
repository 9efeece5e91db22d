"""Standings by season, year and all time, their order, and seasons as owners keep them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import User
from ginledger.gin.errors import AgainstRules, GinError
from ginledger.matches.stake import Stake
from ginledger.seasons import seasons
from ginledger.seasons.models import Season, Tally
from ginledger.seasons.periods import current, find_period, periods
from ginledger.seasons.seasons import SeasonTerms
from ginledger.seasons.standings import TIE_BREAK, Line, standings
from tests.cast import ANN, BEN, Cast, gin, knock, won
from tests.seasons.tables import fill, played
from tests.web.page import text_of

pytestmark = pytest.mark.django_db

SPRING = SeasonTerms("Spring", date(2025, 3, 1), date(2025, 5, 31))
BrowserOf = Callable[..., Client]


@pytest.fixture
def spring(cast: Cast) -> Season:
    return seasons.add_season(user=cast.ann, club_key=cast.club.key, terms=SPRING)


def net(cast: Cast, slug: str) -> dict[str, int]:
    found = standings(find_period(cast.club, slug)).lines
    return {line.player.name: line.figures["net"] for line in found}


def test_days_decide_where_a_match_counts(cast: Cast, spring: Season) -> None:
    pairs = (("Ann", "Ben"), ("Ben", "Ann"), ("Ann", "Cleo"))
    for day, names in zip((SPRING.begins, SPRING.ends, date(2025, 6, 1)), pairs, strict=True):
        played(cast.ann, day, won(ANN, 100), names=names)
    assert net(cast, spring.key) == {"Ann": 0, "Ben": 0}
    assert net(cast, "2025") == net(cast, "all") == {"Ann": 450, "Ben": 0, "Cleo": -450}
    assert net(cast, "2024") == {}
    assert [one.slug for one in periods(cast.club)] == [spring.key, "2025", "all"]


def test_a_line_is_the_sum_of_its_matches(cast: Cast) -> None:
    stake = Stake("USD", 1000)  # 10 cents a point
    day = date(2025, 3, 1)
    names = ("Ann", "Ben")
    played(cast.ann, day, won(ANN, 100), names=names, stake=stake)
    played(cast.ann, day, knock(ANN, 6, 21), gin(BEN, 80), names=names, stake=stake)
    cast.club.refresh_from_db()
    table = standings(find_period(cast.club, "all"))
    ann, ben = table.lines
    assert (table.matches, table.hands, table.with_money) == (2, 3, True)
    # 450 in a shutout; then Ben 105 + box + game to Ann's 15 + box.
    assert (ann.figures["net"], ben.figures["net"]) == (260, -260)
    assert (ann.amount, ben.amount) == (2600, -2600)
    assert (ann.figures["won"], ann.figures["lost"], ann.figures["boxes"]) == (1, 1, 2)
    assert (ann.figures["shutouts_given"], ben.figures["shutouts_taken"]) == (1, 1)
    assert (ann.figures["biggest"], ben.figures["biggest"]) == (100, 105)


def test_who_is_level_is_put_in_order_by_the_stated_rule(cast: Cast) -> None:
    day = date(2025, 3, 1)
    played(cast.ann, day, won(ANN, 100), names=("Ann", "Ben"))
    played(cast.ann, day, won(ANN, 100), names=("Dev", "Cleo"))
    lines = standings(find_period(cast.club, "all")).lines
    assert [(line.place, line.player.name) for line in lines] == [
        (1, "Ann"), (1, "Dev"), (3, "Ben"), (3, "Cleo"),
    ]  # fmt: skip
    base = {"net": 0, "won": 2, "lost": 2, "hands_won": 5}

    def order(**more: int) -> tuple[int, ...]:
        return Line(lines[0].player, base | more).order

    assert order(net=1) < order(won=3) < order(lost=1) < order(hands_won=6) < order()
    assert TIE_BREAK in text_of(_season(cast, "all"))


def _season(cast: Cast, slug: str, user: User | None = None) -> Any:
    client = Client()
    client.force_login(user or cast.ann)
    answer = client.get(reverse("season", args=[cast.club.key, slug]))
    assert answer.status_code == 200
    return answer


def test_the_running_season_comes_first(cast: Cast, spring: Season) -> None:
    assert current(cast.club).slug == "all"
    today = cast.club.today()
    terms = SeasonTerms("Now", today - timedelta(days=1), today)
    running = seasons.add_season(user=cast.ann, club_key=cast.club.key, terms=terms)
    assert current(cast.club).season == running


@pytest.mark.parametrize("slug", ["1799", "3000", "20255", "x", "٢٠٢٥", "a" * 65])
def test_no_such_days(cast: Cast, browser_of: BrowserOf, slug: str) -> None:
    assert browser_of(cast.ann).get(f"/club/{cast.club.key}/season/{slug}/").status_code == 404


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (SPRING._replace(begins=date(2025, 6, 1)), "days-turned"),
        (SeasonTerms("May", date(2025, 5, 31), date(2025, 7, 1)), "days-taken"),
        (SPRING._replace(name=" ", begins=date(2020, 1, 1), ends=date(2020, 1, 1)), "name-blank"),
    ],
)
def test_a_season_that_cannot_be(cast: Cast, spring: Season, terms: SeasonTerms, code: str) -> None:
    with pytest.raises(GinError) as error:
        seasons.add_season(user=cast.ann, club_key=cast.club.key, terms=terms)
    assert code in {problem.code for problem in error.value.problems}
    assert Season.objects.get() == spring


def test_a_closed_season_keeps_its_days_until_it_is_opened(cast: Cast, spring: Season) -> None:
    asked = {"user": cast.ann, "club_key": cast.club.key, "season_key": spring.key}
    seasons.close_season(**asked, closed=True)
    with pytest.raises(AgainstRules, match="closed"):
        seasons.change_season(**asked, terms=SPRING._replace(name="Fall"))
    with pytest.raises(AgainstRules, match="closed"):
        seasons.remove_season(**asked)
    assert "closed" in text_of(_season(cast, spring.key))
    seasons.close_season(**asked, closed=False)
    assert seasons.change_season(**asked, terms=SPRING._replace(name="Fall")).name == "Fall"
    played(cast.ann, SPRING.begins, won(ANN, 100), names=("Ann", "Ben"))
    seasons.remove_season(**asked)
    assert Tally.objects.count() == 2


def test_seasons_by_their_pages(cast: Cast, browser_of: BrowserOf) -> None:
    ann, key = browser_of(cast.ann), cast.club.key
    asked = {"name": "Spring", "begins": "2025-03-01", "ends": "2025-02-01"}
    wrong = ann.post(reverse("season_list", args=[key]), asked)
    assert wrong.status_code == 422
    assert "The last day comes before the first." in wrong.content.decode()
    ann.post(reverse("season_list", args=[key]), {**asked, "ends": "2025-05-31"})
    season = Season.objects.get()
    edit = reverse("season_edit", args=[key, season.key])
    assert ann.post(edit, {**asked, "name": "", "ends": "2025-05-31"}).status_code == 422
    ann.post(edit, {**asked, "name": "Easter", "ends": "2025-05-31"})
    ann.post(edit, {"act": "close"})
    season.refresh_from_db()
    assert (season.name, season.closed_at is None) == ("Easter", False)
    refused = ann.post(edit, {"act": "remove"})
    assert refused.status_code == 422
    assert "open it again first" in refused.content.decode()
    ann.post(edit, {"act": "reopen"})
    assert ann.post(edit, {"act": "remove"}, follow=True).status_code == 200
    assert not Season.objects.exists()
    assert browser_of(cast.ben).post(edit, {"act": "close"}).status_code == 403


def test_every_period_that_is_offered_is_found(cast: Cast, spring: Season) -> None:
    for year in (1850, 1899, 1900, 1999, 2026):
        played(cast.ann, date(year, 1, 1), won(ANN, 100), names=("Ann", "Ben"))
    offered = periods(cast.club)
    assert [one.name for one in offered] == [
        "Spring", "2026", "1999", "1900", "1899", "1850", "All time",
    ]  # fmt: skip
    for one in offered:
        assert find_period(cast.club, one.slug) == one


def test_no_two_seasons_have_the_same_name(cast: Cast, spring: Season) -> None:
    asked = {"user": cast.ann, "club_key": cast.club.key}
    other = SPRING._replace(name=" spring ", begins=date(2026, 3, 1), ends=date(2026, 5, 31))
    with pytest.raises(AgainstRules) as refusal:
        seasons.add_season(**asked, terms=other)
    assert (refusal.value.code, refusal.value.field) == ("name-taken", "name")
    later = seasons.add_season(**asked, terms=other._replace(name="Spring 2026"))
    with pytest.raises(AgainstRules):
        seasons.change_season(**asked, season_key=later.key, terms=other)
    # Its own name is none that is taken.
    seasons.change_season(**asked, season_key=spring.key, terms=SPRING._replace(name="SPRING"))


def test_queries_do_not_grow(cast: Cast, browser_of: BrowserOf, django_assert_num_queries) -> None:
    ann = browser_of(cast.ann)
    for more in (20, 400):
        fill(cast.club, more)
        with django_assert_num_queries(10):
            ann.get(reverse("season", args=[cast.club.key, "all"]))
