"""A season on a phone and a laptop: made, read, compared, drawn, in both schemes, at 320 pixels."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from ginledger.matches.stake import Stake
from ginledger.seasons import seasons
from ginledger.seasons.models import Season
from ginledger.seasons.seasons import SeasonTerms
from tests.browser.conftest import OpenPage
from tests.cast import ANN, BEN, Cast, gin, knock, make_cast, won
from tests.seasons.tables import played

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]


def evenings(cast: Cast) -> None:
    """Six weeks, two matches each: enough for rates, too few for others."""
    for week in range(6):
        day = date(2025, 3, 3) + timedelta(days=7 * week)
        names = ("Ann", "Bartholomew the Patient")
        played(cast.ann, day, knock(ANN, 4, 24), gin(BEN, 30), won(BEN, 50), names=names)
        played(cast.ann, day, won(BEN, 30), knock(ANN, 2, 60), gin(ANN, 30), names=names)


def log_in(page: Page, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.ann)
    page.goto("/")
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": page.url}])


def fits(page: Page) -> None:
    """The page fits 320 px, nothing beside it."""
    before = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert before is not None
    page.set_viewport_size(before)


@pytest.mark.parametrize(("screen", "dark"), [("phone", False), ("laptop", True)])
def test_a_season_from_its_days_to_its_race(
    open_page: OpenPage, axe: Axe, screen: str, dark: bool
) -> None:
    cast = make_cast()
    evenings(cast)
    page = open_page(screen, dark=dark)  # type: ignore[arg-type]
    log_in(page, cast)
    page.goto(f"/club/{cast.club.key}/")
    page.get_by_role("link", name="Season", exact=True).click()
    page.get_by_role("link", name="Seasons").click()
    page.get_by_label("Name of the season").fill("Spring")
    page.get_by_label("First day").fill("2025-03-01")
    page.get_by_label("Last day").fill("2025-03-31")
    axe(page)
    fits(page)
    page.get_by_role("button", name="Add the season").click()
    expect(page.get_by_role("heading", name="Spring", level=1)).to_be_visible()
    expect(page.get_by_text("10 matches · 30 hands · two players")).to_be_visible()
    for numbers in page.get_by_text("The numbers").all():
        numbers.click()
    axe(page)
    fits(page)
    race = page.get_by_role("img", name="Net points added up, by day")
    assert race.locator(".series .line").count() == 2
    stroke = race.locator(".color-0 .line").evaluate("line => getComputedStyle(line).stroke")
    assert stroke == ("rgb(95, 191, 149)" if dark else "rgb(29, 90, 67)")

    page.get_by_role("link", name="Statistics").click()
    page.locator("select[name=one]").select_option("Ann")
    page.locator("select[name=other]").select_option("Bartholomew the Patient")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("row", name="Matches won 5 5")).to_be_visible()
    two = page.get_by_role("img", name="Net points of Ann against Bartholomew the Patient")
    assert two.locator(".series .line").count() == 1
    expect(page.get_by_text("too few").first).to_be_visible()
    axe(page)
    fits(page)


HOSTILE = ("W" * 60, "<img src=x onerror=x>", "O'Hara")


@pytest.mark.parametrize(("screen", "dark"), [("phone", True), ("laptop", False)])
def test_a_closed_season_with_money_and_any_names_fits_and_prints(
    open_page: OpenPage, axe: Axe, screen: str, dark: bool
) -> None:
    cast = make_cast()
    season = closed_season(cast)
    page = open_page(screen, dark=dark)  # type: ignore[arg-type]
    log_in(page, cast)
    page.goto(f"/club/{cast.club.key}/season/{season.key}/")
    expect(page.get_by_text(f"{HOSTILE[0]} wins the season with +900")).to_be_visible()
    axe(page)
    fits(page)
    names = page.locator(".standings tbody th")
    expect(names).to_have_text([f"1 {HOSTILE[0]}", f"2 {HOSTILE[2]}", f"3 {HOSTILE[1]}"])
    page.locator(".standings .scroll-x").evaluate("region => region.scrollBy(900, 0)")
    assert names.first.evaluate("name => name.getBoundingClientRect().left") >= 0

    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="To even")).to_be_visible()
    for hidden in (".tools", ".places", ".tabs", ".doors", ".to-even button", ".bar"):
        assert not page.locator(hidden).first.is_visible()
    line = page.locator(".race .color-0 .line:visible")
    assert line.evaluate("line => getComputedStyle(line).stroke") == "rgb(29, 90, 67)"


def closed_season(cast: Cast) -> Season:
    """Two days of matches for money, between people with the names that break pages."""
    terms = SeasonTerms("Spring", date(2025, 3, 1), date(2025, 5, 31))
    season = seasons.add_season(user=cast.ann, club_key=cast.club.key, terms=terms)
    stake = Stake("USD", 1000)
    for day, other in ((3, HOSTILE[1]), (4, HOSTILE[2]), (5, HOSTILE[1])):
        names = (HOSTILE[0], other)
        played(cast.ann, date(2025, 3, day), won(ANN, 100), names=names, stake=stake)
    played(cast.ann, date(2025, 3, 6), won(BEN, 100), names=(HOSTILE[0], HOSTILE[2]), stake=stake)
    seasons.close_season(user=cast.ann, club_key=cast.club.key, season_key=season.key, closed=True)
    return season


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_b121_two_are_compared_on_the_page_whatever_their_names_are(
    open_page: OpenPage, screen: str
) -> None:
    cast = make_cast()
    names = (HOSTILE[0], "Wolfeschlegelstein")
    for day in range(1, 4):
        hands = [knock(number % 2, 4, 10) for number in range(24)]
        played(cast.ann, date(2025, 3, day), *hands, won(ANN, 100), names=names)
    page = open_page(screen)  # type: ignore[arg-type]
    log_in(page, cast)
    page.goto(f"/club/{cast.club.key}/season/all/statistics/")
    page.locator("select[name=one]").select_option(names[0])
    page.locator("select[name=other]").select_option(names[1])
    page.get_by_role("button", name="Compare").click()
    card = page.locator("#meeting")
    expect(card.locator("thead").first).to_contain_text(names[0])
    assert card.evaluate("e => e.scrollWidth <= e.clientWidth")
    fits(page)
    page.set_viewport_size({"width": 320, "height": 700})
    wide = "cells => cells.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)"
    assert card.locator("> .lines :is(th, td)").evaluate_all(wide) == []


def test_what_is_printed_says_whose_it_is_and_leaves_no_page_or_heading_empty(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginledger.money.views.PAGE", 4)
    cast = make_cast()
    closed_season(cast)
    for number in range(20):
        played(cast.ann, date(2025, 4, 1), won(number % 2, 100), names=("Ann", "Ben"))
    page = open_page("laptop")
    log_in(page, cast)
    payer = cast.club.players.get(name=HOSTILE[1])

    def print_page(address: str) -> None:
        page.emulate_media(media="screen")
        page.goto(f"/club/{cast.club.key}/{address}")
        whose = page.locator("main").get_by_text(f"{cast.club.name} · ")
        expect(whose).to_be_hidden()
        page.emulate_media(media="print")
        expect(whose).to_be_visible()
        day = cast.club.today()
        expect(whose).to_have_text(f"{cast.club.name} · {day.day} {day:%B %Y}")

    print_page("season/all/")
    print_page("season/all/ratings/")
    print_page("season/all/statistics/")
    expect(page.get_by_role("heading", name="Player by player")).to_be_visible()
    expect(page.get_by_role("heading", name="Head to head")).to_be_hidden()
    print_page("season/all/matches/")  # 24: a page and a half, the first one filled
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 2
    print_page("settle/")
    expect(page.get_by_role("heading", name="To even")).to_be_visible()
    expect(page.get_by_text("Between any two")).to_be_hidden()
    print_page("ledger/")
    expect(page.get_by_text("Page 1 of 2")).to_be_visible()
    expect(page.get_by_text("Earlier")).to_be_hidden()
    print_page(f"player/{payer.key}/statement/")
    caption = page.locator(".statement caption")
    expect(caption).to_have_text("USD")
    assert caption.evaluate("e => e.getBoundingClientRect().height") > 10


def test_the_export_menu_opens_by_keyboard_and_without_a_script(
    open_page: OpenPage, axe: Axe
) -> None:
    cast = make_cast()
    season = closed_season(cast)
    page = open_page("phone", javascript=False)
    log_in(page, cast)
    page.goto(f"/club/{cast.club.key}/season/{season.key}/")
    link = page.get_by_role("link", name="Hands, CSV")
    expect(link).to_be_hidden()
    page.locator(".export summary").focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    fits(page)
    page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith("hands-2025-03-01-2025-05-31.csv")


def test_the_race_of_a_match_is_reached_from_its_sheet_without_a_script(
    open_page: OpenPage, axe: Axe
) -> None:
    cast = make_cast()
    evenings(cast)
    page = open_page("phone", javascript=False)
    log_in(page, cast)
    match = cast.club.matches.latest("pk")
    page.goto(f"/m/{match.key}/sheet/")
    page.get_by_role("link", name="The race").click()
    page.wait_for_url("**/race/")  # and the styles, which show one drawing of two
    expect(page.get_by_role("img", name="Points after each hand")).to_be_visible()
    expect(page.locator("text.end:visible")).to_have_text(["Ann", "Bartholome…", "Target 100"])
    expect(page.get_by_role("listitem").filter(has_text="Bartholomew the Patient")).to_be_visible()
    page.get_by_text("The numbers").click()
    expect(page.get_by_role("row", name="Hand 2 58 30")).to_be_visible()
