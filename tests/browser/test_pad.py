"""The pad in a browser: double taps, two tabs, Back, no script, a lost session, a lost network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from ginledger.matches.models import Match, Row
from tests.browser.conftest import Noise, OpenPage
from tests.browser.thumb import Thumb

KNOCK = {"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 6, "Ben": 21}}


@pytest.fixture
def thumb(phone: Page) -> Thumb:
    """A thumb on a running match of Ann and Ben."""
    thumb = Thumb(phone)
    thumb.start("Ann", "Ben")
    return thumb


def action(page: Page):
    return page.get_by_role("button", name=re.compile(r"^Enter hand \d+"))


def test_the_button_says_what_will_happen_as_one_taps(thumb: Thumb) -> None:
    page = thumb.page
    thumb.counts(KNOCK)
    expect(action(page)).to_have_text("Enter hand 1Ann +15 → 15")
    expect(page.get_by_role("status")).to_have_text("Ann +15, to 15")
    thumb.button("Take back a digit")
    thumb.button("Take back a digit")
    thumb.digits(4)
    expect(action(page)).to_contain_text("Undercut: Ben +27")
    thumb.choose("Dead", group="Who knocked?")
    expect(action(page)).to_contain_text("Dead hand: Ann deals again")
    assert Row.objects.count() == 0


def test_trouble_is_told_before_and_beside_the_field_after(thumb: Thumb, noise: Noise) -> None:
    noise.allow("status of 422")
    page = thumb.page
    thumb.choose("Ben knocked", group="Who knocked?")
    thumb.digits(115)
    expect(page.get_by_role("status")).to_have_text("Ben cannot knock with 11: the limit is 10.")
    action(page).tap()
    field = page.get_by_role("textbox", name="Ben’s deadwood")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Ben cannot knock with 11: the limit is 10.")
    expect(field).to_have_value("11")
    assert Row.objects.count() == 0
    thumb.button("Take back a digit")
    expect(action(page)).to_contain_text("Ben +4 → 4")


def test_a_double_tap_makes_one_hand(thumb: Thumb) -> None:
    page = thumb.page
    thumb.counts(KNOCK)
    expect(action(page)).to_contain_text("Ann +15")
    # Two taps in one task: the page has no time to turn the button off in between.
    page.evaluate("const b = document.querySelector('.action'); b.click(); b.click()")
    expect(page.get_by_role("heading", name="Hand 2", exact=True)).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator(".hands li")).to_have_count(1)
    assert Row.objects.count() == 1


def test_two_tabs_keep_what_was_typed(thumb: Thumb, noise: Noise) -> None:
    noise.allow("status of 409")
    one = thumb.page
    two = one.context.new_page()
    two.goto(one.url)
    thumb.by_counts(KNOCK)
    other = Thumb(two)
    other.counts({"kind": "gin", "knocker": "Ben", "deadwood": {"Ann": 19}})
    action(two).tap()
    expect(two.get_by_role("alert")).to_contain_text("nothing of yours was stored")
    expect(two.locator(".hands")).to_contain_text("knocks with 6, Ben has 21")
    expect(two.get_by_role("radio", name="Ben knocked")).to_be_checked()
    expect(two.get_by_role("radio", name="Gin", exact=True).first).to_be_checked()
    expect(two.get_by_role("textbox", name="Ann’s deadwood")).to_have_value("19")
    assert Row.objects.count() == 1
    expect(action(two)).to_have_text("Enter hand 2Ben +44 → 44")
    other.enter()
    assert Row.objects.count() == 2


def test_b39_back_shows_the_new_totals(thumb: Thumb) -> None:
    page = thumb.page
    thumb.by_counts(KNOCK)
    page.get_by_role("link", name=re.compile("knocks with 6")).tap()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    page.get_by_label("Ben’s, after lay-offs").fill("30")
    page.get_by_role("button", name="Save the change").tap()
    expect(page.locator(".big").first).to_have_text("24")
    page.go_back()
    page.go_back()
    expect(page.locator(".big").first).to_have_text("24")
    page.go_forward()
    expect(page.get_by_label("Ben’s, after lay-offs")).to_have_value("30")
    assert Match.objects.get().version == 2


def test_undo_and_the_end_of_the_match(thumb: Thumb) -> None:
    page = thumb.page
    thumb.by_counts({"kind": "gin", "knocker": "Ann", "deadwood": {"Ben": 75}})
    expect(page.get_by_role("heading", name="Ann wins by 450.")).to_be_visible()
    expect(page.locator("#entry")).to_have_count(0)
    thumb.button("Undo hand 1")
    expect(page.locator("#entry")).to_be_visible()
    expect(page.locator(".big")).to_have_text(["0", "0"])
    expect(page.locator(".hands")).to_contain_text("Void")
    stored = Match.objects.get()
    assert (stored.over, stored.winner, stored.net) == (False, None, None)


def test_b84_rematch_double_tap(thumb: Thumb) -> None:
    page = thumb.page
    thumb.by_counts({"kind": "gin", "knocker": "Ann", "deadwood": {"Ben": 75}})
    over = page.url
    page.evaluate(
        "const b = [...document.querySelectorAll('button')].find(b => b.innerText == 'Rematch');"
        "b.click(); b.click()"
    )
    expect(page.get_by_role("heading", name="Hand 1", exact=True)).to_be_visible()
    expect(page.locator(".side", has_text="Ben")).to_contain_text("deals")
    first = page.url
    assert Match.objects.count() == 2
    page.goto(over)
    page.get_by_role("button", name="Rematch").tap()
    expect(page).to_have_url(first)
    assert Match.objects.count() == 2


def test_b20_an_ended_session_shows_a_whole_page(thumb: Thumb, noise: Noise) -> None:
    noise.allow("status of 40[34]")
    page = thumb.page
    thumb.counts(KNOCK)
    expect(action(page)).to_contain_text("Ann +15")
    page.context.clear_cookies()
    action(page).tap()
    expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    expect(page.locator("#pad")).to_have_count(0)
    assert Row.objects.count() == 0


def test_b09_without_a_network_nothing_is_lost(thumb: Thumb, noise: Noise) -> None:
    noise.allow("ERR_|htmx:sendError|htmx:afterRequest")
    page = thumb.page
    thumb.counts(KNOCK)
    expect(action(page)).to_contain_text("Ann +15")

    def fail(route: Route) -> None:
        route.abort()

    page.route("**/enter/", fail)
    action(page).tap()
    expect(page.get_by_role("alert")).to_contain_text("Not stored: the server was not reached")
    expect(page.get_by_label("Ben’s, after lay-offs")).to_have_value("21")
    page.unroute("**/enter/", fail)
    thumb.enter()
    assert Row.objects.count() == 1


def test_a_whole_evening_without_a_script(open_page: OpenPage, noise: Noise) -> None:
    noise.allow("status of 422")
    page = open_page("phone", javascript=False)
    page.goto("/")
    page.locator("[name=first]").fill("O'Hara")
    page.locator("[name=second]").fill('A"B')
    page.get_by_text("All rule sets").tap()
    page.get_by_role("radio", name=re.compile("Straight")).tap()
    page.get_by_role("radio", name=re.compile("Modern")).tap()
    page.get_by_role("button", name="Start the match").tap()
    expect(page.get_by_role("group", name="Number pad")).to_have_count(0)

    def fill(own: str, other: str) -> None:
        page.get_by_role("radio", name="O'Hara knocked").tap()
        page.get_by_label("O'Hara’s deadwood").fill(own)
        page.get_by_label('A"B’s, after lay-offs').fill(other)

    fill("6", "21")
    page.get_by_role("button", name="What would that be?").tap()
    expect(action(page)).to_contain_text("O'Hara +15 → 15")
    action(page).tap()
    expect(page.locator(".big").first).to_have_text("15")
    fill("11", "21")
    action(page).tap()
    expect(page.get_by_text("cannot knock with 11")).to_be_visible()
    expect(page.get_by_label("O'Hara’s deadwood")).to_have_value("11")
    page.get_by_label("O'Hara’s deadwood").fill("1")
    action(page).tap()
    expect(page.locator(".big").first).to_have_text("35")
    page.get_by_text("As points ›").tap()
    page.get_by_role("radio", name='A"B won').tap()
    page.get_by_role("group", name="How?").locator("visible=true").get_by_text("Gin", exact=True)
    page.get_by_label("Points of the hand, bonuses included").fill("42")
    action(page).tap()
    expect(page.locator(".big")).to_have_text(["35", "42"])
    page.get_by_role("button", name="Undo hand 3").tap()
    expect(page.locator(".big")).to_have_text(["35", "0"])
    page.get_by_role("link", name=re.compile("knocks with 1,")).tap()
    page.get_by_label('A"B’s, after lay-offs').fill("99")
    page.get_by_role("button", name="Save the change").tap()
    expect(page.get_by_text("O'Hara wins by 526.")).to_be_visible()
    page.get_by_role("link", name="The sheet").tap()
    expect(page.get_by_text("O'Hara wins by 526.")).to_be_visible()
    page.get_by_role("button", name="Rematch").tap()
    expect(page.get_by_role("heading", name="Hand 1", exact=True)).to_be_visible()


def test_the_keyboard_alone(laptop: Page) -> None:
    laptop.goto("/")
    laptop.locator("[name=first]").focus()
    laptop.keyboard.type("Ann")
    laptop.keyboard.press("Tab")
    laptop.keyboard.type("Ben")
    laptop.keyboard.press("Enter")
    laptop.get_by_role("radio", name="Ann knocked").wait_for()
    # Digits go to their fields once the page's script is there.
    laptop.wait_for_load_state()
    laptop.get_by_role("radio", name="Ann knocked").focus()
    laptop.keyboard.press("ArrowRight")
    expect(laptop.get_by_role("radio", name="Ben knocked")).to_be_checked()
    laptop.keyboard.type("621")
    expect(laptop.get_by_label("Ben’s deadwood")).to_have_value("6")
    expect(laptop.get_by_label("Ann’s, after lay-offs")).to_have_value("21")
    laptop.get_by_label("Ann’s, after lay-offs").focus()
    laptop.keyboard.press("Backspace")
    laptop.keyboard.type("5")
    laptop.keyboard.press("Enter")
    expect(laptop.locator(".big")).to_have_text(["0", "19"])
    expect(laptop.locator(".sheet-below")).to_be_focused()


def test_b105_score_fields_open_the_number_pad_and_take_digits_only(
    open_page: OpenPage, noise: Noise
) -> None:
    noise.allow("status of 422")
    page = open_page("phone", javascript=False)
    page.goto("/")
    page.locator("[name=first]").fill("Ann")
    page.locator("[name=second]").fill("Ben")
    page.get_by_role("button", name="Start the match").tap()
    for field in page.locator(".fields input").all():
        expect(field).to_have_attribute("inputmode", "numeric")
    page.get_by_role("radio", name="Ann knocked").tap()
    for typed in ("1e1", "-6", "6."):
        page.get_by_role("textbox", name="Ann’s deadwood").fill(typed)
        page.get_by_label("Ben’s, after lay-offs").fill("21")
        action(page).tap()
        expect(page.get_by_text("digits only")).to_be_visible()
        expect(page.get_by_role("textbox", name="Ann’s deadwood")).to_have_value(typed)
    assert Row.objects.count() == 0


def test_no_word_is_broken_on_the_narrowest_phone(open_page: OpenPage) -> None:
    page = open_page("phone", viewport={"width": 320, "height": 640})
    Thumb(page).start("Ann", "Ben", "Oklahoma")
    page.get_by_text("As points ›").click()
    broken = page.evaluate(
        r"""() => [...document.querySelectorAll("#entry span, #entry button")]
            .filter((e) => e.checkVisibility() && !e.closest(".vh") && !e.children.length)
            .filter((e) => e.firstChild && !/\s/.test(e.textContent.trim()))
            .filter((e) => {
                const range = document.createRange();
                range.selectNodeContents(e);
                return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
            })
            .map((e) => e.textContent)"""
    )
    assert broken == []
