"""The rules on a phone: a rule set of one's own is made, plays a match, and is compared."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Noise, OpenPage

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = (
    "/rules/",
    "/rules/club-hollywood-250/",
    "/rules/new/?from=oklahoma-150",
    "/rules/compare/?a=house-modern&b=club-hollywood-250",
)


def fits(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def begin(page: Page, first: str = "Ann") -> None:
    """Fill in the form of the first page as it stands and start the match."""
    page.locator("[name=first]").fill(first)
    page.locator("[name=second]").fill("Ben")
    page.get_by_role("button", name="Start the match").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]+/"))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [320, 390])
def test_the_pages_fit_and_everybody_can_use_them(
    open_page: OpenPage, axe, width: int, dark: bool
) -> None:
    page = open_page("phone", dark=dark, viewport={"width": width, "height": 640})
    for where in PAGES:
        page.goto(where)
        fits(page)
        axe(page)
    page.goto("/rules/new/")
    for group in page.locator("details.group").all():
        group.locator("summary").click()
    fits(page)
    axe(page)


@pytest.mark.parametrize("javascript", [True, False])
def test_a_rule_set_of_ones_own_plays_a_match(
    open_page: OpenPage, noise: Noise, axe, javascript: bool
) -> None:
    noise.allow("status of 422")
    page = open_page("phone", javascript=javascript)
    page.goto("/rules/short-50/")
    page.get_by_role("link", name="Make your own from these").click()
    page.get_by_label("Its name").fill("Friday")
    page.locator(".group-title", has_text="Bonuses").click()
    page.get_by_label("Gin", exact=True).fill("20x")
    page.locator(".group-title", has_text="How a hand ends").click()
    page.get_by_text("Nobody scores, no box").click()
    page.get_by_role("button", name="Keep these rules").click()

    # Refused beside the field, in its open group, with everything else as it was chosen.
    expect(page.locator("#wrong-gin_bonus")).to_contain_text("A whole number from 0 to 10000.")
    expect(page.get_by_label("Gin", exact=True)).to_have_value("20x")
    expect(page.locator("[name=tie][value='\"no-score\"']")).to_be_checked()
    if javascript:
        axe(page)
    page.get_by_label("Gin", exact=True).fill("20")
    page.get_by_role("button", name="Keep these rules").click()
    expect(page.locator("h1")).to_have_text("Friday")
    expect(page.locator(".special")).to_contain_text("Gin 20; undercut 25, on a tie nobody scores")

    page.get_by_role("link", name="Start a match with these rules").click()
    expect(page.locator("#start_agreed")).to_contain_text("Agreed: Friday")
    begin(page)
    expect(page).to_have_url(re.compile(r"/m/[\w-]+/"))
    expect(page.locator(".hands")).to_contain_text("A shutout adds at least 50.")
    page.locator(".menu summary").click()
    page.get_by_role("link", name="What was agreed").click()
    expect(page.locator("h1")).to_have_text("What was agreed")
    expect(page.locator(".agreement")).to_contain_text("Undercut 25, on a tie nobody scores.")


def test_the_card_at_the_start_follows_the_choice(phone: Page, axe) -> None:
    phone.goto("/")
    card = phone.locator("#start_agreed")
    expect(card).to_contain_text("Agreed: Modern 100")
    expect(card).to_contain_text("600 instead of 300")
    phone.locator("[name=rules][value=short-50]").check()
    expect(card).to_contain_text("250 instead of 200")
    phone.locator("[name=sheet][value=hollywood]").check()
    expect(card).to_contain_text("Agreed: Short Hollywood 50")
    expect(card).to_contain_text("Three games to 50")
    card.get_by_text("Everything that was agreed").click()
    expect(card).to_contain_text("No one may throw back the card just taken.")
    axe(phone)


def test_the_count_unfolds_on_the_pad(phone: Page, axe) -> None:
    phone.goto("/")
    begin(phone)
    phone.get_by_text("As points").click()
    phone.locator("[name=winner][value='0']").check()
    phone.locator("[name=points]").fill("65")
    phone.get_by_role("button", name="Enter hand 1").click()
    phone.get_by_text("The count", exact=True).click()
    count = phone.locator("#count")
    expect(count).to_contain_text("Ben would be shut out, until winning any hand.")
    expect(count.get_by_role("row", name="Gin 74 9", exact=True)).to_be_visible()
    fits(phone)
    axe(phone)


@pytest.mark.parametrize("dark", [False, True])
def test_a_match_under_other_rules(open_page: OpenPage, axe, dark: bool) -> None:
    page = open_page("phone", dark=dark, viewport={"width": 320, "height": 640})
    page.goto("/")
    begin(page, "A" * 60)
    pad = page.url
    for points in ("60", "45"):
        page.get_by_text("As points").click()
        page.locator("[name=winner][value='0']").check()
        page.locator("[name=points]").fill(points)
        page.locator("form#entry button.action").click()
        expect(page.locator(".hands, .result").first).to_contain_text(points)
    for name in ("under/?rules=short-50", "under/?rules=hollywood-100", "count/", "agreed/"):
        page.goto(pad.split("?")[0] + name)
        fits(page)
        axe(page)
    page.goto(pad.split("?")[0] + "under/")
    page.get_by_label("The other rules").select_option("Short")
    page.get_by_role("button", name="Score it").click()
    expect(page.locator("main")).to_contain_text("By these rules hand 1 ends the match.")
    expect(page.locator(".left-out")).to_contain_text("Hand 2")
