"""Two scorers and a live view, each in a browser of its own: what one enters the others see."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from ginledger.clubs.models import User
from ginledger.gin.ruleset import read_rules
from ginledger.matches import live, services
from ginledger.matches.models import Match
from tests.browser.conftest import Noise, OpenPage
from tests.cast import ANN, BEN, Cast, adjust, enter, fresh, gin, knock, make_cast, make_match, won

SECONDS = 3_000
TELEVISION = {"width": 1920, "height": 1080}
SMALL = {"width": 320, "height": 640}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


@pytest.fixture
def pad_of(open_page: OpenPage, live_server, cast: Cast) -> Callable[[User, Match], Page]:
    """A function that opens the pad of a match as this user, on a phone of his own."""

    def open_pad(user: User, match: Match) -> Page:
        page = open_page("phone")
        client = Client()
        client.force_login(user)
        page.context.add_cookies(
            [
                {"name": name, "value": morsel.value, "url": live_server.url}
                for name, morsel in client.cookies.items()
            ]
        )
        page.goto(f"/m/{match.key}/")
        return page

    return open_pad


@pytest.fixture
def watch(open_page: OpenPage, cast: Cast) -> Callable[..., Page]:
    """A function that opens the live view of a match in a browser without any cookie."""

    def open_live(match: Match, **options: object) -> Page:
        link = live.open_match_link(user=cast.ann, match_key=match.key)
        page = open_page(**options)
        page.goto(f"/live/{link.token}/")
        return page

    return open_live


def points(page: Page) -> list[str]:
    """The big figures of a page."""
    return page.locator(".scores .figure.big, .sides .huge").all_inner_texts()


def expect_points(page: Page, ann: int, ben: int, timeout: int = SECONDS) -> None:
    figures = page.locator(".scores .figure.big, .sides .huge")
    expect(figures).to_have_text([str(ann), str(ben)], timeout=timeout)


def tap(page: Page, *words: str) -> None:
    for word in words:
        page.locator("#entry label", has_text=re.compile(word)).first.click()


def press(page: Page, digits: str) -> None:
    for digit in digits:
        page.locator(f'[data-key="{digit}"]').click()


def store(page: Page) -> None:
    page.locator("#entry .primary").click()


def test_two_scorers_and_a_live_view(cast: Cast, pad_of, watch, noise: Noise) -> None:
    noise.allow("status of 409")
    match = make_match(cast.ann, knock(ANN, 6, 21))
    ann, ben = pad_of(cast.ann, match), pad_of(cast.ben, match)
    table = watch(match)
    for page in (ann, ben, table):
        expect_points(page, 15, 0)

    # Ann enters a hand: the other two have it within seconds.
    tap(ann, "Ann knocked", "^Gin$")
    press(ann, "19")
    store(ann)
    expect_points(ann, 59, 0)
    begun = monotonic()
    for page in (ben, table):
        expect_points(page, 59, 0)
    assert monotonic() - begun < 6
    expect(ben.locator("#entry h2")).to_have_text("Hand 3")

    # Ben is typing when Ann enters the next: his score follows, what he typed stays.
    tap(ben, "Ben knocked")
    press(ben, "5")
    tap(ann, "Dead")
    store(ann)
    expect(ben.locator(".hands li")).to_have_count(3, timeout=SECONDS)
    expect(ben.locator("#trouble")).to_contain_text("Somebody else wrote")
    expect(ben.locator("[name=knocker_deadwood]")).to_have_value("5")
    expect(ben.locator("[name=who]:checked")).to_have_value("1")

    # He enters it against the sheet as it was: nothing is stored, the form is still full.
    press(ben, "30")
    store(ben)
    expect(ben.locator(".notice.warn").last).to_contain_text("nothing of yours was stored")
    assert match.rows.count() == 3
    expect(ben.locator("[name=knocker_deadwood]")).to_have_value("5")
    expect(ben.locator("[name=opponent_deadwood]")).to_have_value("30")
    # Having seen that, he enters it once more, and it is stored once.
    store(ben)
    for page in (ben, ann, table):
        expect_points(page, 59, 25)
    assert match.rows.count() == 4
    expect(table.locator(".log li")).to_have_count(4)


def test_a_form_with_nothing_typed_follows_whole(cast: Cast, pad_of) -> None:
    """Which way of entering was chosen, and where the cursor stood, is not lost by it."""
    match = make_match(cast.ann, won(BEN, 5))
    page = pad_of(cast.ben, match)
    page.locator(".count-fold summary").click()
    page.locator("label.to-points").click()
    page.locator("[name=points]").focus()
    enter(cast.ann, match, won(ANN, 30))
    expect(page.locator("#entry h2")).to_have_text("Hand 3", timeout=SECONDS)
    expect(page.locator("[name=mode]:checked")).to_have_value("points")
    expect(page.locator("[name=points]")).to_be_focused()
    expect(page.locator(".count-fold")).to_have_attribute("open", "")
    tap(page, "Ann won")
    page.locator("[name=points]").fill("12")
    store(page)
    expect_points(page, 42, 5)


def test_the_end_and_its_undoing_reach_the_other_phone(cast: Cast, pad_of, watch) -> None:
    match = make_match(cast.ann, won(ANN, 90))
    ben, table = pad_of(cast.ben, match), watch(match)
    enter(cast.ann, match, won(ANN, 20))
    for page in (ben, table):
        expect(page.get_by_text("Ann wins by")).to_be_visible(timeout=SECONDS)
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    expect(ben.locator("#entry")).to_be_visible(timeout=SECONDS)
    expect_points(table, 90, 0)


def test_b53_it_catches_up_after_sleep_and_says_when_it_last_heard(
    cast: Cast, watch, noise: Noise
) -> None:
    noise.allow("ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:timeout")
    match = make_match(cast.ann, won(ANN, 10))
    page = watch(match)
    expect(page.locator("#heard")).to_have_text(re.compile(r"^Live, .*\d"))
    page.context.set_offline(True)
    expect(page.locator("#heard")).to_have_text(re.compile(r"^No connection\. This is from .*\d"))
    enter(cast.ann, match, won(BEN, 20))
    enter(cast.ann, match, won(BEN, 25))
    assert points(page) == ["10", "0"]
    page.context.set_offline(False)
    expect_points(page, 10, 45, timeout=2_000)
    expect(page.locator("#heard")).to_have_text(re.compile("^Live, "))
    expect(page.locator("#heard-said")).to_have_text("Live again.")


def test_b53_a_page_that_slept_asks_at_once(cast: Cast, watch) -> None:
    """The two hands were entered while the page was in the background and asked nothing."""
    match = make_match(cast.ann, won(ANN, 10))
    page = watch(match)
    hide = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s})"
    page.evaluate(hide % "true")
    page.wait_for_timeout(2_500)
    enter(cast.ann, match, won(BEN, 20))
    enter(cast.ann, match, won(BEN, 25))
    page.wait_for_timeout(2_500)
    assert points(page) == ["10", "0"]
    page.evaluate(hide % "false")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_points(page, 10, 45, timeout=1_500)


def test_an_unchanged_match_is_left_alone(cast: Cast, watch) -> None:
    """The answer is 304 and nothing on the page is touched."""
    page = watch(make_match(cast.ann, won(ANN, 10)))
    page.evaluate("document.getElementById('live').dataset.mine = 'yes'")
    with page.expect_response(lambda answer: "/live/" in answer.url) as heard:
        pass
    assert heard.value.status == 304
    page.wait_for_timeout(300)
    assert page.locator("#live").get_attribute("data-mine") == "yes"


def test_a_link_taken_back_ends_the_view(cast: Cast, watch, noise: Noise) -> None:
    noise.allow("status of 404")
    match = make_match(cast.ann, won(ANN, 10))
    page = watch(match)
    expect_points(page, 10, 0)
    live.close_match_link(user=cast.ann, match_key=match.key)
    expect(page.locator("h1")).to_have_text("Nothing to see here any more", timeout=SECONDS)
    expect(page.locator("body")).not_to_contain_text("Ann")


def test_the_qr_is_on_the_pad(cast: Cast, pad_of, open_page: OpenPage, axe, noise: Noise) -> None:
    noise.allow("status of 404")  # the other page asks once more after the link is taken back
    match = make_match(cast.ann, won(ANN, 10))
    pad = pad_of(cast.ann, match)
    pad.get_by_label("Show others").click()
    pad.get_by_role("button", name="Make the link").click()
    expect(pad.get_by_role("img", name="QR code of the live view")).to_be_visible()
    axe(pad)
    address = pad.locator("#show .address a").get_attribute("href")
    assert address
    other = open_page("laptop")
    other.goto(address)
    expect_points(other, 10, 0)
    # The panel stays open and what is entered below is followed all the same.
    enter(cast.ann, match, won(BEN, 5))
    expect_points(pad, 10, 5)
    expect(pad.get_by_role("img", name="QR code of the live view")).to_be_visible()
    pad.keyboard.press("Escape")
    expect(pad.get_by_role("img", name="QR code of the live view")).to_be_hidden()
    pad.get_by_label("Show others").click()
    pad.get_by_role("button", name="Take the link back").click()
    expect(pad.get_by_role("button", name="Make the link")).to_be_visible()


def test_it_goes_without_a_script(cast: Cast, watch) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    page = watch(match, javascript=False)
    expect_points(page, 10, 0)
    enter(cast.ann, match, won(BEN, 20))
    expect_points(page, 10, 20, timeout=6_000)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("rules", ["house-modern", "hollywood-100"])
@pytest.mark.parametrize("viewport", [SMALL, TELEVISION], ids=["small", "television"])
def test_it_fits_every_screen(cast: Cast, watch, axe, viewport, rules: str, dark: bool) -> None:
    hands = [won(ANN, 44, "gin"), won(BEN, 27, "undercut"), knock(ANN, 6, 21), gin(BEN, 3)]
    match = make_match(cast.ann, *hands, adjust(ANN, -10), rules=rules, names=("W" * 60, "Ben"))
    page = watch(match, screen="laptop", dark=dark, viewport=viewport)
    fits = "document.documentElement.scrollWidth <= window.innerWidth"
    assert page.evaluate(fits)
    if viewport is TELEVISION:
        assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
        big = page.locator(".huge, .columns .figure").first
        assert big.evaluate("it => parseFloat(getComputedStyle(it).fontSize)") >= 100
    axe(page)


@pytest.mark.parametrize("viewport", [SMALL, TELEVISION], ids=["small", "television"])
@pytest.mark.parametrize("target", [100, 50_000])
def test_figures_stay_in_their_place(cast: Cast, watch, axe, viewport, target: int) -> None:
    """Three sides, and figures of any length: none reaches into the next."""
    rules = read_rules({"preset": "three-handed", "target": target, "gin_bonus": 1200})
    match = make_match(cast.ann, rules=rules, names=("Ann", "Ben", "Cleo"))
    enter(cast.ann, match, gin(ANN, 90, opponent=BEN))
    page = watch(match, screen="laptop", viewport=viewport)
    expect(page.locator(".huge").first).to_have_text("1290")
    assert page.locator(".sides .side").evaluate_all(
        "all => all.every((side) => side.scrollWidth <= side.clientWidth)"
    )
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)


def test_a_club_on_the_television(cast: Cast, open_page: OpenPage, axe) -> None:
    matches = [make_match(cast.ann, won(ANN, 10 + n), names=(f"A{n}", f"B{n}")) for n in range(5)]
    link = live.open_club_link(user=cast.ann, club_key=cast.club.key)
    page = open_page("laptop", viewport=TELEVISION)
    page.goto(f"/live/{link.token}/")
    expect(page.locator(".tables li")).to_have_count(5)
    enter(cast.ann, matches[3], won(BEN, 33))
    expect(page.locator(".tables li").nth(3)).to_contain_text("33", timeout=SECONDS)
    axe(page)
