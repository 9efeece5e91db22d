"""Both spreads on a phone: few taps, one thumb, keyboard, reload, no script, every scheme."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Locator, Page, expect

from ginledger.gin.cards import parse_cards
from ginledger.matches.models import Match, Row
from tests.browser.conftest import Noise, OpenPage
from tests.browser.thumb import Thumb
from tests.cast import book_of

ANN = "7S 7H 7C JS QS KS 2D 3D 4D 6C"
BEN = "8H 8D 8C 9S TS 5D KH AH 2C 9H"
SETS = "8C 9C TC 8H 9H TH 8S 9S TS JD"  # or three runs
AGAINST = "2C 5C QC AD 3D 8D 9D 5H 4S 5S"
BUDGET = 26
SMALL = {"width": 320, "height": 640}


class Fingers:
    """Taps on the card check of a running match of Ann and Ben."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, place: Locator) -> None:
        place.tap()
        self.taps += 1

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name))

    def card(self, card: str) -> Locator:
        return self.page.locator(f".cell[value='{card}']")

    def cards(self, text: str) -> None:
        for card in text.split():
            self.tap(self.card(card))

    def stroke(self, first: str, last: str) -> None:
        """Press one card, draw to the other and let go, as a finger does: one touch."""
        ends = []
        for card in (first, last):
            box = self.card(card).bounding_box()
            assert box
            ends.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        touch = self.page.context.new_cdp_session(self.page)
        (x0, y0), (x1, y1) = ends

        def send(kind: str, *points: tuple[float, float]) -> None:
            where = [{"x": x, "y": y} for x, y in points]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

        send("touchStart", (x0, y0))
        for step in range(1, 9):
            self.page.wait_for_timeout(10)
            send("touchMove", (x0 + (x1 - x0) * step / 8, y0 + (y1 - y0) * step / 8))
        self.page.wait_for_timeout(50)
        send("touchEnd")
        self.taps += 1

    def owners(self) -> dict[str, set[str]]:
        """The cards that the grid shows as taken, by the place of who has them."""
        found = self.page.eval_on_selector_all(
            ".cell[aria-pressed=true]", "cells => cells.map(c => [c.dataset.owner, c.value])"
        )
        return {place: {card for owner, card in found if owner == place} for place in ("0", "1")}

    def enter(self) -> None:
        self.tap(self.page.get_by_role("button", name=re.compile("^Enter hand")))
        self.page.wait_for_url(re.compile(r"/m/[\w-]+/$"))


def start(page: Page, first: str = "Ann", second: str = "Ben") -> Thumb:
    """A match of two, on its pad."""
    page.goto("/")
    page.locator("[name=first]").fill(first)
    page.locator("[name=second]").fill(second)
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/m/**")
    return Thumb(page)


def open_cards(page: Page) -> Fingers:
    start(page)
    fingers = Fingers(page)
    fingers.tap(page.get_by_role("link", name="Check with cards"))
    expect(page.locator("#check")).to_be_visible()
    return fingers


@pytest.fixture
def fingers(phone: Page) -> Fingers:
    return open_cards(phone)


def verdict(page: Page) -> Locator:
    return page.locator(".verdict h2")


def action(page: Page) -> Locator:
    return page.locator("#check-action")


def test_two_spreads_card_by_card_are_within_the_taps(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards(ANN)
    expect(page.locator("#check-said")).to_have_text("Now Ben’s cards.")
    fingers.cards(BEN)
    expect(verdict(page)).to_have_text("Ann scores 16")
    expect(action(page)).to_have_text("Ann +16 → 16")
    fingers.enter()
    # The link on the pad, who knocked and Enter are counted too.
    assert fingers.taps == 23 <= BUDGET
    (scored,) = book_of(Match.objects.get()).sheet.hands
    assert (scored.points, scored.side) == (16, 0)
    expect(page.get_by_text("cards checked ✓")).to_be_visible()


def test_strokes_need_fewer_taps(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.stroke("JS", "KS")
    fingers.stroke("2D", "4D")
    fingers.cards("7S 7H 7C 6C")
    assert fingers.owners()["0"] == set(ANN.split())
    fingers.stroke("9S", "TS")
    fingers.cards("8H 8D 8C 5D KH AH 2C 9H")
    expect(verdict(page)).to_have_text("Ann scores 16")
    fingers.enter()
    assert fingers.taps == 18 < BUDGET
    assert Row.objects.count() == 1


def test_a_run_across_both_rows_of_its_suit(fingers: Fingers) -> None:
    """On a phone a suit has two rows: a stroke from the 6 to the 9 turns the corner."""
    fingers.button("Ben knocked")
    fingers.stroke("5H", "6H")
    fingers.button("Run")
    expect(fingers.page.locator("#check-said")).to_have_text("Tap both ends of the run.")
    fingers.cards("6S 9S")
    assert fingers.owners() == {"0": set(), "1": {"5H", "6H", "6S", "7S", "8S", "9S"}}
    fingers.stroke("7H", "9H")
    assert "9H" in fingers.owners()["1"]


def test_a_taken_card_is_told_by_name_mark_and_state(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards("7S")
    seven = page.get_by_role("button", name="7 of spades, Ann", pressed=True)
    expect(seven.locator(".mark")).to_have_text("A")
    fingers.tap(page.locator(".tab[data-place='1']"))
    fingers.cards("7S")
    expect(page.locator("#check-said")).to_have_text("7♠: Ann has it.")
    assert fingers.owners() == {"0": {"7S"}, "1": set()}
    page.locator(".tab[data-place='0']").tap()
    fingers.cards("7S")
    expect(page.get_by_role("button", name="7 of spades", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )


def test_who_knocked_is_put_right_and_the_cards_stay(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ben knocked")
    fingers.cards(BEN)
    fingers.cards(ANN)
    expect(page.locator("#problems")).to_contain_text("Ben cannot knock with")
    fingers.button("No, Ann knocked")
    expect(verdict(page)).to_have_text("Ann scores 16")
    expect(page.get_by_role("button", name="No, Ben knocked")).to_be_visible()


def test_a_half_entered_spread_outlives_a_reload(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards("7S 7H 7C")
    with page.expect_response(lambda answer: "JS" in (answer.request.post_data or "")):
        fingers.cards("JS")
    page.reload()
    assert fingers.owners()["0"] == {"7S", "7H", "7C", "JS"}
    fingers.cards("QS")
    page.goto("/")  # at once: what is not sent yet goes along
    wait_for(lambda: any("QS" in draft for draft in drafts()))
    page.go_back()
    expect(fingers.card("QS")).to_have_attribute("aria-pressed", "true")
    assert Row.objects.count() == 0


def drafts() -> list[str]:
    """The first hands of all drafts, as the sessions hold them."""
    sessions = [session.get_decoded() for session in Session.objects.all()]
    kept = [draft for session in sessions for draft in session.get("cards", {}).values()]
    return [draft["fields"].get("first", "") for draft in kept]


def wait_for(true: Callable[[], bool]) -> None:
    """Until it is true, five seconds at most."""
    until = time.monotonic() + 5
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_same_page_typed_and_pasted(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    page.get_by_text("Type or paste the cards").tap()
    first, second = page.locator("[data-hand='0']"), page.locator("[data-hand='1']")
    first.fill("7♠ 7h7c, js qs ks 2d 3d 4d 6c")
    second.fill(BEN.lower())
    expect(verdict(page)).to_have_text("Ann scores 16")
    assert fingers.owners() == {"0": set(ANN.split()), "1": set(BEN.split())}
    second.fill(BEN.replace("9H", "7S"))
    expect(page.locator("#problems")).to_contain_text("7♠ is in both hands.")


def test_regrouped_by_tapping_and_chosen_from_the_list(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards(SETS)
    fingers.cards(AGAINST)
    expect(verdict(page)).to_have_text("Ann scores 27")
    page.get_by_text("Ways to lay Ann’s cards: 2").tap()
    page.get_by_role("button", name="Laid so").tap()
    expect(verdict(page)).to_have_text("Ann scores 10")
    expect(page.locator("#ruling")).to_be_focused()
    expect(page.locator(".others")).to_contain_text("no lay-off, Ann +27 instead of +10.")
    for suit in "CHS":
        for rank in "89T":
            page.locator(f"[name=pick][value='{rank}{suit}']").check(force=True)
        page.get_by_role("button", name="Lay these together").tap()
        expect(page.locator("[name=pick]:checked")).to_have_count(0)
    expect(verdict(page)).to_have_text("Ann scores 27")
    expect(page.locator(".verdict")).to_contain_text("As Ann laid it out: three runs")
    fingers.enter()
    (line,) = book_of(Match.objects.get()).lines
    laid = tuple(parse_cards(text) for text in ("8C 9C TC", "8H 9H TH", "8S 9S TS"))
    assert set(line.hand.melds) == set(laid)


def test_a_fresh_ruling_keeps_what_is_open_and_chosen(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards(SETS)
    fingers.cards(AGAINST)
    expect(verdict(page)).to_have_text("Ann scores 27")
    page.get_by_text("Ways to lay Ann’s cards: 2").tap()
    page.locator("[name=pick][value='8C']").check(force=True)
    with page.expect_response(lambda answer: "5S" not in (answer.request.post_data or "5S")):
        fingers.cards("5S")
    expect(page.locator("[name=pick][value='8C']")).to_be_checked()
    with page.expect_response(lambda answer: "5S" in (answer.request.post_data or "")):
        fingers.cards("5S")
    expect(verdict(page)).to_have_text("Ann scores 27")
    expect(page.locator("[name=pick]:checked")).to_have_count(1)
    expect(page.get_by_role("button", name="Lay these together")).to_be_visible()


def test_cards_that_are_no_meld_are_told_and_taken_back(fingers: Fingers, noise: Noise) -> None:
    noise.allow("status of 422")
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards(SETS)
    fingers.cards(AGAINST)
    expect(verdict(page)).to_be_visible()
    for card in ("9C", "TC", "8H"):
        page.locator(f"[name=pick][value='{card}']").check(force=True)
    page.get_by_role("button", name="Lay these together").tap()
    expect(page.locator("#problems")).to_contain_text(
        "9♣ 10♣ 8♥ is no meld: neither of one rank nor a sequence in one suit."
    )
    page.get_by_role("button", name=re.compile("^Enter hand")).tap()
    expect(page.locator("#problems")).to_contain_text("is no meld")
    assert Row.objects.count() == 0
    page.get_by_role("button", name="take the best").tap()
    expect(verdict(page)).to_have_text("Ann scores 27")


def test_eleven_cards_and_the_best_discard(fingers: Fingers) -> None:
    page = fingers.page
    fingers.button("Ann knocked")
    fingers.cards("3C 4C 5C 8D 8H 8S JD JH JS 9C")
    fingers.cards("KC KD KH QC QD TS 2D 2S 6H 7H")
    fingers.tap(page.locator(".tab[data-place='0']"))
    fingers.cards("AC")
    expect(page.locator(".tab[data-place='0'] .many")).to_have_text(", 11 of 11")
    fingers.button("Throw the 9♣")
    expect(page.locator(".spread").first).to_contain_text("1 deadwood")
    fingers.cards("6C AC 9C")  # the eleventh, instead of the ace
    expect(page.locator("#problems")).to_have_count(1)
    fingers.cards("9C JC")
    expect(verdict(page)).to_have_text(re.compile("Big gin: Ann scores"))


def test_what_was_said_comes_from_the_pad_and_the_players_choose(phone: Page) -> None:
    thumb = start(phone)
    thumb.counts({"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 6, "Ben": 27}})
    phone.get_by_role("link", name="Check with cards").tap()
    fingers = Fingers(phone)
    fingers.cards(ANN)  # who knocked is known already
    fingers.cards(BEN)
    expect(phone.locator(".verdict .note")).to_have_text(
        "You said 27 for Ben: with the 5♦ laid off it is 22."
    )
    expect(action(phone)).to_have_text("Ann +16 → 16")
    phone.wait_for_load_state("networkidle")  # the last tap's answer would take the choice along
    phone.get_by_role("radio", name=re.compile("As it was said")).check(force=True)
    expect(action(phone)).to_have_text("Ann +21 → 21")
    fingers.enter()
    assert book_of(Match.objects.get()).sheet.hands[0].points == 21


def test_cards_are_added_to_a_hand_in_the_book(phone: Page) -> None:
    thumb = start(phone)
    thumb.by_counts({"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 6, "Ben": 27}})
    phone.locator(".hands li a").first.tap()
    phone.get_by_role("link", name="Check with cards").tap()
    fingers = Fingers(phone)
    fingers.cards(ANN)
    fingers.cards(BEN)
    expect(action(phone)).to_have_text("Ann +16 → 16")
    phone.get_by_role("button", name="Save the cards").tap()
    phone.wait_for_url(re.compile(r"/m/[\w-]+/$"))
    expect(phone.locator(".hands li").first).to_contain_text("cards checked ✓")
    phone.locator(".hands li a").first.tap()
    expect(phone.locator(".laid .verdict")).to_contain_text("Ann scores 16")


def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page("laptop")
    start(page)
    page.goto(f"{page.url}cards/")
    page.get_by_role("button", name="Ann knocked").focus()
    page.keyboard.press("Enter")
    order = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
    at = 0
    page.locator(".cell[tabindex='0']").focus()
    for card in [*ANN.split(), *BEN.split()]:
        row, column = divmod(order.index(card), 13)
        down, right = row - at // 13, column - at % 13
        for _ in range(abs(down)):
            page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
        for _ in range(abs(right)):
            page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
        at = order.index(card)
        expect(page.locator(f".cell[value='{card}']")).to_be_focused()
        page.keyboard.press("Space")
    expect(verdict(page)).to_have_text("Ann scores 16")
    expect(page.locator(".cell[tabindex='0']")).to_have_count(1)  # one stop in the order of tabs
    page.get_by_role("button", name=re.compile("^Enter hand")).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/m/[\w-]+/$"))
    assert Row.objects.count() == 1


def test_a_run_with_shift_and_a_set_by_its_rank_on_a_laptop(laptop: Page) -> None:
    laptop.goto("/judge/")
    laptop.locator(".cell[value='9S']").click()
    laptop.locator(".cell[value='QS']").click(modifiers=["Shift"])
    laptop.get_by_role("button", name="All fours").click()
    assert Fingers(laptop).owners()["0"] == {"9S", "TS", "JS", "QS", "4S", "4H", "4D", "4C"}
    laptop.locator(".cell[value='AD']").drag_to(laptop.locator(".cell[value='2D']"))
    assert {"AD", "2D"} <= Fingers(laptop).owners()["0"]


def test_without_a_script(open_page: OpenPage) -> None:
    page = open_page("phone", javascript=False)
    start(page)
    page.get_by_role("link", name="Check with cards").tap()
    for button in (
        "[name=tab][value='0']",
        "[value='7S'].cell",
        "[value='7H'].cell",
        "[value='7C'].cell",
        "[name=mode][value='run']",
        "[value='JS'].cell",
        "[value='KS'].cell",
        *(f"[value='{card}'].cell" for card in ("2D", "3D", "4D", "6C")),
    ):
        with page.expect_navigation():
            page.locator(button).tap()
    expect(page.locator(".cell[data-owner='0']")).to_have_count(10)
    assert Fingers(page).owners()["0"] == set(ANN.split())
    page.get_by_text("Type or paste the cards").tap()
    page.locator("[data-hand='1']").fill(BEN)
    page.locator("[data-hand='1']").press("Enter")
    expect(verdict(page)).to_have_text("Ann scores 16")
    page.get_by_role("button", name=re.compile("^Enter hand")).tap()
    page.wait_for_url(re.compile(r"/m/[\w-]+/$"))
    assert book_of(Match.objects.get()).sheet.hands[0].points == 16


# The page of its own


def test_the_judges_address_holds_the_ruling(phone: Page, open_page: OpenPage) -> None:
    phone.goto("/judge/")
    fingers = Fingers(phone)
    fingers.cards(SETS)
    fingers.cards(AGAINST)
    expect(verdict(phone)).to_have_text("Knocker scores 27")
    phone.get_by_text("Ways to lay Knocker’s cards: 2").tap()
    phone.get_by_role("button", name="Laid so").tap()
    expect(verdict(phone)).to_have_text("Knocker scores 10")
    link = phone.get_by_role("link", name="Link to this ruling").get_attribute("href")
    assert link == phone.url
    other = open_page("laptop", javascript=False)
    other.goto(link)
    expect(verdict(other)).to_have_text("Knocker scores 10")
    assert other.context.cookies() == []


def test_the_judge_takes_any_rules(laptop: Page) -> None:
    laptop.goto("/judge/")
    laptop.locator("[data-hand='0']").fill(ANN)
    laptop.locator("[data-hand='1']").fill(BEN)
    expect(verdict(laptop)).to_have_text("Knocker scores 16")
    laptop.get_by_text("Ruled by Modern").click()
    laptop.locator("[name=knock_limit]").fill("5")
    laptop.locator("[name=knock_limit]").press("Tab")
    expect(laptop.locator("#problems")).to_contain_text("cannot knock with 6: the limit is 5")
    expect(laptop.locator("#limit")).to_have_text("knock limit 5")
    assert "knock_limit=5" in laptop.url


# How it looks


def widths(page: Page) -> tuple[int, int]:
    return page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )


@pytest.mark.parametrize("size", [SMALL, {"width": 390, "height": 844}], ids=["320", "390"])
def test_targets_fit_a_thumb_and_the_page_fits_the_phone(
    open_page: OpenPage, size: dict[str, int]
) -> None:
    page = open_page("phone", viewport=size)
    fingers = open_cards(page)
    fingers.button("Ann knocked")
    fingers.cards(ANN)
    fingers.cards(BEN)
    expect(verdict(page)).to_be_visible()
    scroll, client = widths(page)
    assert scroll == client
    smallest = page.eval_on_selector_all(
        ".cell",
        """cells => cells.map(c => c.getBoundingClientRect())
            .reduce((a, r) => [Math.min(a[0], r.width), Math.min(a[1], r.height)], [999, 999])""",
    )
    assert smallest[0] >= 38
    assert smallest[1] >= 44
    low = page.eval_on_selector_all(
        "main button, main summary, main .choice",
        "all => all.filter(e => e.offsetParent && !e.closest('.vh'))"
        ".map(e => e.getBoundingClientRect().height)",
    )
    assert min(low) >= 44
    # The action stays where the thumb is, wherever the page is scrolled.
    for top in (0, 9999):
        page.evaluate(f"window.scrollTo(0, {top})")
        expect(page.get_by_role("button", name=re.compile("^Enter hand"))).to_be_in_viewport(
            ratio=1
        )


def test_long_names_break_nothing(open_page: OpenPage) -> None:
    page = open_page("phone", viewport=SMALL)
    start(page, "W" * 60, "Ben O'Hara \u202e <b>")
    page.get_by_role("link", name="Check with cards").tap()
    fingers = Fingers(page)
    fingers.tap(page.locator(".tab[data-place='0']"))
    fingers.cards(ANN)
    fingers.cards(BEN)
    expect(verdict(page)).to_contain_text("scores 16")
    scroll, client = widths(page)
    assert scroll == client
    fingers.enter()


@pytest.mark.parametrize("dark", [False, True], ids=["paper", "lamp"])
@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_axe_finds_nothing(
    open_page: OpenPage, axe: Callable[[Page], None], noise: Noise, screen: str, dark: bool
) -> None:
    noise.allow("status of 422")
    page = open_page(screen, dark=dark)  # type: ignore[arg-type]
    page.goto("/judge/")
    axe(page)
    query = {"k": SETS, "d": AGAINST, "m": "8C 8H 8S / 9C 9H 9S / TC TH TS"}
    page.goto("/judge/?" + "&".join(f"{name}={text}" for name, text in query.items()))
    axe(page)
    page.goto(f"/judge/?k={ANN} 7S xx&d={BEN}&rule=1&rules=oklahoma-150")
    page.eval_on_selector_all("main details", "all => all.forEach(d => { d.open = true })")
    axe(page)


@pytest.mark.parametrize("dark", [False, True], ids=["paper", "lamp"])
def test_axe_finds_nothing_in_a_match(
    open_page: OpenPage, axe: Callable[[Page], None], dark: bool
) -> None:
    page = open_page("phone", dark=dark)
    thumb = start(page)
    thumb.counts({"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 6, "Ben": 27}})
    with page.expect_navigation():
        page.get_by_role("link", name="Check with cards").tap()
    axe(page)
    fingers = Fingers(page)
    fingers.cards(ANN)
    fingers.cards(BEN)
    expect(verdict(page)).to_be_visible()
    page.locator("[name=pick]").first.check(force=True)
    axe(page)
    fingers.enter()
    with page.expect_navigation():
        page.locator(".hands li a").first.tap()
    axe(page)
