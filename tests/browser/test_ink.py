"""The pages of the ink on a phone, and a paper sheet copied in from the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ginledger.clubs.models import User
from ginledger.clubs.services import home_club
from ginledger.matches import life
from ginledger.matches.models import Match
from tests.browser.thumb import Thumb
from tests.cast import (
    ANN,
    BEN,
    adjust,
    book_of,
    dead,
    fresh,
    gin,
    knock,
    make_match,
    make_user,
    won,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ann(transactional_db: None) -> User:
    user = make_user("Ann")
    home_club(user)
    return user


@pytest.fixture
def match(ann: User) -> Match:
    return make_match(ann, knock(ANN, 6, 21), gin(BEN, 19), dead())


@pytest.fixture
def as_ann(open_page: Any, ann: User, live_server: LiveServer) -> Callable[..., Page]:
    """Opens a page of a browser that is logged in as Ann."""
    client = Client()
    client.force_login(ann)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}

    def open_(*args: Any, **options: Any) -> Page:
        page: Page = open_page(*args, **options)
        page.context.add_cookies([cookie])
        return page

    return open_


def test_a_hand_goes_in_between_is_taken_back_and_brought_back(
    as_ann: Callable[..., Page], match: Match
) -> None:
    page = as_ann("phone")
    thumb = Thumb(page)
    page.goto(f"/m/{match.key}/")
    thumb.tap(page.locator(".hands li a").nth(1))
    thumb.tap(page.get_by_role("link", name="Insert a hand beside it"))
    thumb.choose("Before hand 2")
    thumb.counts({"kind": "knock", "knocker": "Ben", "deadwood": {"Ben": 4, "Ann": 30}})
    expect(page.locator("#entry-action")).to_contain_text("Ben +26 → 26")
    thumb.button("Insert the hand")
    page.wait_for_url(f"**/m/{match.key}/")
    expect(page.locator(".hands li")).to_have_count(4)
    assert book_of(match).lines[1].hand == knock(BEN, 4, 30, opponent=ANN)
    thumb.button("Undo")
    expect(page.locator(".hands .redo")).to_contain_text("Taken back: inserting hand 2.")
    assert [row.void for row in book_of(match).rows] == [False, True, False, False]
    thumb.button("Redo")
    expect(page.locator(".hands .redo")).to_have_count(0)
    assert [row.void for row in book_of(match).rows] == [False] * 4


def test_b105_points_are_taken_off_by_a_sign_switch(
    as_ann: Callable[..., Page], match: Match, noise: Any
) -> None:
    noise.allow("status of 422")
    page = as_ann("phone")
    thumb = Thumb(page)
    page.goto(f"/m/{match.key}/")
    thumb.tap(page.locator(".menu summary"))
    thumb.tap(page.get_by_role("link", name="Adjust the score"))
    thumb.choose("Ben")
    expect(page.get_by_role("radio", name="Minus, taken off")).to_be_checked()
    thumb.digits(10)
    expect(page.locator("#entry-action")).to_have_text("Ben −10 → 34")
    thumb.tap(page.get_by_role("radio", name="Plus, added"))
    expect(page.locator("#entry-action")).to_have_text("Ben +10 → 54")
    thumb.tap(page.get_by_role("radio", name="Minus, taken off"))
    thumb.button("Adjust")
    expect(page.get_by_text("Say what it is for.")).to_be_visible()
    page.get_by_role("textbox", name="What for?").fill("exposed a card")
    thumb.button("Adjust")
    page.wait_for_url(f"**/m/{match.key}/")
    assert book_of(match).lines[-1].hand == adjust(BEN, -10, note="exposed a card")


# Four hands to 50: Ann knocks with 6 against 21: 15. Ben has gin against 19: 44. A dead hand.
# Ann wins 36 as written: 51. Boxes 50 and 25, game 100: 201 v 69, by 132.
KEYS: list[list[str]] = [
    ["A", "K", "", "6", "21", ""],
    ["B", "G", "", "", "19", ""],
    ["D", "", "", "", "", ""],
    ["A", "", "36", "", "", "the last one"],
]


def type_sheet(page: Page, rows: list[list[str]]) -> None:
    """Type rows, Enter going on from field to field."""
    page.locator("[name='1-who']").focus()
    for row in rows:
        for text in row:
            page.keyboard.type(text)
            page.keyboard.press("Enter")


def test_a_paper_sheet_from_the_keyboard_alone(as_ann: Callable[..., Page], ann: User) -> None:
    match = make_match(ann, rules={"preset": "house-modern", "target": 50})
    page = as_ann("laptop")
    page.goto(f"/m/{match.key}/paper/")
    type_sheet(page, KEYS)
    expect(page.locator("[name='5-who']")).to_be_focused()
    page.get_by_role("button", name="Check the sheet").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").last).to_contain_text("Ann 51, Ben 44. Ann wins by 132.")
    assert match.rows.count() == 0
    page.get_by_role("button", name="Enter all").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/m/{match.key}/")
    assert fresh(match).net == [132, -132]
    assert [line.hand for line in book_of(match).lines] == [
        knock(ANN, 6, 21, opponent=BEN),
        gin(BEN, 19, opponent=ANN),
        dead(),
        won(ANN, 36, note="the last one"),
    ]


def test_without_a_script_enter_only_checks_the_sheet(
    as_ann: Callable[..., Page], ann: User
) -> None:
    match = make_match(ann)
    page = as_ann("laptop", javascript=False)
    page.goto(f"/m/{match.key}/paper/")
    page.locator("[name='1-who']").select_option("0")
    page.locator("[name='1-points']").fill("12")
    page.keyboard.press("Enter")
    expect(page.get_by_text("So far nothing is stored.")).to_be_visible()
    assert match.rows.count() == 0
    page.get_by_role("button", name="Enter all").click()
    assert book_of(match).lines[0].hand == won(ANN, 12)


def test_every_page_holds_at_320_pixels_and_for_everybody(
    as_ann: Callable[..., Page], ann: User, axe: Callable[[Page], None], noise: Any
) -> None:
    noise.allow("status of 422")
    names = ("W" * 60, "Ben O'Hara <b>")
    rows = (knock(ANN, 6, 21), won(BEN, 5, note="x" * 200), adjust(BEN, -10, note="late"))
    match = make_match(ann, *rows, names=names)
    life.delete_match(user=ann, match_key=make_match(ann, names=names).key, version=0)
    upcard = make_match(ann, rules="oklahoma-150", names=names)
    base = f"/m/{match.key}/"
    first, last = (f"{base}row/{match.rows.get(position=place).key}/" for place in (1, 3))
    page = as_ann("phone", viewport={"width": 320, "height": 640})
    for address in (
        base + "history/",
        base + "about/",
        base + "adjust/",
        base + "paper/",
        f"/m/{upcard.key}/paper/",
        first + "insert/",
        first + "dealer/",
        last + "adjustment/",
        "/matches/",
        "/matches/?show=bin",
        "/matches/upload/",
    ):
        page.goto(address)
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{address} is {wider} px too wide"
        axe(page)
    page.goto(base + "paper/")
    page.locator("[name='1-points']").fill("x")
    page.get_by_role("button", name="Enter all").tap()
    expect(page.locator("#wrong-1")).to_be_visible()
    axe(page)
