"""A stake at the start, and settling up by one tap and its undo, on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.thumb import Thumb

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]


def narrow(page: Page) -> None:
    """The page fits 320 px, nothing beside it."""
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("dark", [False, True], ids=["paper", "lamp"])
def test_from_a_stake_to_even(open_page: OpenPage, axe: Axe, dark: bool) -> None:
    page = open_page("phone", dark=dark)
    thumb = Thumb(page)
    page.goto("/")
    page.get_by_text("Set a stake").tap()
    page.get_by_label("Money a point").fill("0.005")
    page.get_by_label("Currency").select_option("USD")
    axe(page)
    page.locator("[name=first]").fill("Ann")
    page.locator("[name=second]").fill("Ben")
    thumb.button("Start the match")
    expect(page.get_by_role("link", name="Stake: 0.5¢ a point")).to_be_visible()
    for points in (60, 44):
        thumb.by_points({"kind": "knock", "winner": "Ann", "points": points})
    # 104 + 50 + 100, doubled by the shutout: 508 points at half a cent.
    expect(page.get_by_text("Ben pays Ann $2.54")).to_be_visible()
    page.get_by_role("link", name="How it adds up").tap()
    expect(page.get_by_role("row", name="Amount $2.54")).to_be_visible()
    axe(page)
    narrow(page)
    page.get_by_role("link", name="Balances").tap()
    expect(page.get_by_role("row", name="Ann +$2.54")).to_be_visible()
    axe(page)
    narrow(page)
    page.get_by_role("button", name="Paid: Ben to Ann, $2.54").tap()
    expect(page.get_by_text("Everybody is even.")).to_be_visible()
    page.get_by_role("button", name="Undo: Ben paid Ann $2.54").tap()
    expect(page.get_by_role("button", name="Paid: Ben to Ann, $2.54")).to_be_visible()
    page.get_by_text("Record another payment").tap()
    axe(page)
    page.get_by_role("link", name="The ledger").tap()
    expect(page.get_by_text("Taken back.")).to_be_visible()
    axe(page)
    narrow(page)
    page.goto(page.url.replace("/ledger/", "/settle/"))
    page.get_by_role("link", name="Ben", exact=True).tap()
    expect(page.get_by_role("row", name="Balance −$2.54")).to_be_visible()
    axe(page)
    narrow(page)
    # On paper the balance stands once, at the end, and not at the foot of every page.
    page.emulate_media(media="print")
    foot = page.locator(".statement tfoot")
    assert foot.evaluate("one => getComputedStyle(one).display") == "table-row-group"
