"""The page of a season: its head, its tables, who won it, its files, and what evens the club."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import User
from ginledger.matches.stake import Stake
from ginledger.money.models import Entry, Kind
from ginledger.seasons import seasons
from ginledger.seasons.export_rows import TOPICS
from ginledger.seasons.models import Season
from ginledger.seasons.periods import all_time, season_of
from ginledger.seasons.rates import FEW, Rate, wilson
from ginledger.seasons.season_page import days_words, export_links
from ginledger.seasons.seasons import SeasonTerms
from tests.cast import ANN, BEN, Cast, gin, knock, won
from tests.seasons.tables import fill, played
from tests.web.page import text_of

pytestmark = pytest.mark.django_db

DAY = date(2025, 3, 3)
SPRING = SeasonTerms("Spring", date(2025, 3, 1), date(2025, 5, 31))
DOLLAR = Stake("USD", 1000)  # 10 cents a point
PAGE = re.compile(r"<form[^>]*action=\"([^\"]*/settle/)\".*?</form>", re.DOTALL)


@pytest.fixture
def spring(cast: Cast) -> Season:
    return seasons.add_season(user=cast.ann, club_key=cast.club.key, terms=SPRING)


@pytest.fixture
def page_of(cast: Cast) -> Callable[..., Any]:
    def get(user: User, slug: str) -> Any:
        client = Client()
        client.force_login(user)
        answer = client.get(reverse("season", args=[cast.club.key, slug]))
        assert answer.status_code == 200
        return answer

    return get


def close(cast: Cast, season: Season) -> None:
    seasons.close_season(user=cast.ann, club_key=cast.club.key, season_key=season.key, closed=True)


PageOf = Callable[..., Any]


def test_the_head_says_how_much_was_played_and_when(
    cast: Cast, spring: Season, page_of: PageOf
) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    head = "1 match · 1 hand · two players · 1 March 2025 to 31 May 2025"
    assert head in text_of(page_of(cast.ann, spring.key)).replace("\N{NO-BREAK SPACE}", " ")
    assert "1 match · 1 hand · two players ·" not in text_of(page_of(cast.ann, "all"))


def test_the_days_as_they_look_from_today(cast: Cast) -> None:
    club, today = cast.club, cast.club.today()
    day, month = timedelta(days=1), timedelta(days=30)

    def said(begins: date, ends: date) -> str:
        season = Season(club=club, name="S", begins=begins, ends=ends)
        return days_words(season_of(club, season))

    assert re.match(r"since \d+.\w+.*, closes \d+.\w+", said(today - month, today))
    assert re.match(r"begins \d+.\w+.*, closes", said(today + day, today + month))
    assert re.match(r"\d+.\w+.* to \d+.\w+", said(today - month, today - day))
    assert days_words(all_time(club)) == ""


def test_a_season_is_closed_on_the_day_it_was_where_the_club_is(cast: Cast) -> None:
    cast.club.time_zone = "Pacific/Auckland"
    season = Season(club=cast.club, name="Spring", begins=SPRING.begins, ends=SPRING.ends)
    season.closed_at = datetime(2025, 6, 1, 23, 0, tzinfo=ZoneInfo("UTC"))
    said = days_words(season_of(cast.club, season)).replace("\N{NO-BREAK SPACE}", " ")
    assert said == "1 March 2025 to 31 May 2025 · closed on 2 June 2025"


def test_a_closed_season_says_who_won_it(cast: Cast, spring: Season, page_of: PageOf) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    assert "wins the season" not in text_of(page_of(cast.ann, spring.key))
    close(cast, spring)
    assert "Ann wins the season with +450" in text_of(page_of(cast.ann, spring.key))
    assert "wins the season" not in text_of(page_of(cast.ann, "2025"))
    played(cast.ann, DAY, won(ANN, 100), names=("Cleo", "Dev"))
    shared = "Ann and Cleo share the season with +450 each"
    assert shared in text_of(page_of(cast.ann, spring.key))


def test_a_closed_season_that_nobody_played_has_no_winner(
    cast: Cast, spring: Season, page_of: PageOf
) -> None:
    close(cast, spring)
    text = text_of(page_of(cast.ann, spring.key))
    assert "No finished match in these days yet." in text
    assert "the season with" not in text


def test_the_menu_has_every_table_of_exactly_these_days(cast: Cast, spring: Season) -> None:
    played(cast.ann, SPRING.begins, won(ANN, 100), names=("Ann", "Ben"))
    played(cast.ann, SPRING.ends + timedelta(days=1), won(BEN, 90), names=("Ann", "Ben"))
    client = Client()
    client.force_login(cast.ann)
    links = export_links(season_of(cast.club, spring))
    asked = [parse_qs(urlsplit(link.address).query) for link in links]
    assert [one["topic"][0] for one in asked[:-1]] == list(TOPICS)
    assert [one["form"][0] for one in asked] == [*["comma"] * len(TOPICS), "xlsx"]
    assert {(*one["since"], *one["until"]) for one in asked} == {("2025-03-01", "2025-05-31")}
    page = client.get(reverse("season", args=[cast.club.key, spring.key])).content.decode()
    for link in links:
        assert link.address.replace("&", "&amp;") in page
        answer = client.get(link.address)
        assert answer.status_code == 200
        b"".join(answer)
    hands = b"".join(client.get(links[0].address)).decode()
    assert "2025-03-01" in hands
    assert "2025-06-01" not in hands
    assert not any("since" in link.address for link in export_links(all_time(cast.club)))


def test_rates_of_few_hands_are_not_told(cast: Cast, page_of: PageOf) -> None:
    played(cast.ann, DAY, knock(ANN, 4, 24), gin(BEN, 30), won(BEN, 80), names=("Ann", "Ben"))
    page = text_of(page_of(cast.ann, "all"))
    assert "too few" in page
    assert "±" not in page.split("Order:")[0]


def test_the_gin_rate_has_half_its_interval() -> None:
    low, high = wilson(45, 250)
    assert Rate(45, 250).about == f"18 % ± {round(50 * (high - low))}" == "18 % ± 5"
    assert Rate(0, FEW).about == "0 % ± 8"


def test_the_gin_rate_stands_in_the_table(cast: Cast, page_of: PageOf) -> None:
    for day in range(12):
        hands = (gin(ANN, 10), knock(BEN, 3, 9), gin(ANN, 90))
        played(cast.ann, DAY + timedelta(days=day), *hands, names=("Ann", "Ben"))
    page = text_of(page_of(cast.ann, "all"))
    assert "Ann 12 12–0" in page
    assert Rate(24, 36).about in page
    assert Rate(0, 36).about in page


@pytest.fixture
def owing(cast: Cast) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"), stake=DOLLAR)


@pytest.mark.usefixtures("owing")
def test_what_evens_the_club_is_paid_from_here_as_from_the_page_to_settle(
    cast: Cast, page_of: PageOf
) -> None:
    page = page_of(cast.ben, "2024")
    assert "To even" not in text_of(page)  # nothing was played in these days
    page = page_of(cast.ann, "all")
    assert "Ben pays Ann $45.00" in text_of(page)
    assert "As of now" in text_of(page)
    form = PAGE.search(page.content.decode())
    assert form is not None
    said = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    assert set(said) >= {"debtor", "creditor", "amount", "currency", "once_key"}
    client = Client()
    client.force_login(cast.ann)
    for _ in range(2):  # a second tap is the same payment
        assert client.post(form[1], said).status_code == 302
    payment = Entry.objects.get(kind=Kind.PAYMENT)
    assert (payment.amount, payment.currency) == (4500, "USD")
    assert "To even" not in text_of(page_of(cast.ann, "all"))


@pytest.mark.usefixtures("owing")
def test_viewers_see_what_evens_the_club_and_cannot_pay(cast: Cast, page_of: PageOf) -> None:
    page = page_of(cast.cleo, "all")
    assert "Ben pays Ann" in text_of(page)
    assert PAGE.search(page.content.decode()) is None


def test_without_money_there_is_nothing_to_even(cast: Cast, page_of: PageOf) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    assert "To even" not in text_of(page_of(cast.ann, "all"))


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=x>", "O'Hara", 'A"B', "{{x}}", "</script>", "W" * 60]
)
def test_names_are_shown_as_they_were_typed(
    cast: Cast, spring: Season, page_of: PageOf, name: str
) -> None:
    for day in range(2):
        played(
            cast.ann, DAY + timedelta(days=day), knock(ANN, 3, 9), gin(ANN, 90),
            names=(name, "Ben"), stake=DOLLAR,
        )  # fmt: skip
    close(cast, spring)
    page = page_of(cast.ann, spring.key)
    assert f"{name} wins the season" in text_of(page)
    assert page.content.count(b"<img") == 0
    assert page.content.count(b"</svg>") == 3  # the race twice, and one bar
    client = Client()
    client.force_login(cast.ann)
    people = {player.name: player.key for player in cast.club.players.all()}
    asked = {"one": people[name], "other": people["Ben"]}
    address = reverse("statistics", args=[cast.club.key, spring.key])
    compared = client.get(address, asked)
    assert f"above 0 {name} is ahead, below it Ben" in text_of(compared)
    assert compared.content.count(b"<img") == 0


def test_two_who_played_on_one_day_have_no_race(cast: Cast) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    client = Client()
    client.force_login(cast.ann)
    people = {player.name: player.key for player in cast.club.players.all()}
    address = reverse("statistics", args=[cast.club.key, "all"])
    page = client.get(address, {"one": people["Ann"], "other": people["Ben"]})
    assert "The race of the two" not in text_of(page)


@pytest.mark.usefixtures("owing")
def test_queries_do_not_grow_where_money_is_owed(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    client = Client()
    client.force_login(cast.ann)
    for more in (20, 400):
        fill(cast.club, more)
        # Two more than without money for what evens the club, two for what the matches came to.
        with django_assert_num_queries(14):
            client.get(reverse("season", args=[cast.club.key, "all"]))
