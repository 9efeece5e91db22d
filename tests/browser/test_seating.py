"""Three at a table and partners under the thumb: narrow, in the dark, and without a script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_full_games import pad_points
from tests.browser.test_presets import FOUR, NAME_FIELDS, THREE, AtTable, gin, knock
from tests.browser.thumb import Thumb


def sit_down(page: Page, seating: str, names: tuple[str, ...]) -> Thumb:
    thumb = Thumb(page)
    page.goto("/")
    thumb.choose(seating, group="How many play?")
    for field, name in zip(NAME_FIELDS, names, strict=False):
        page.locator(f"[name={field}]").fill(name)
    return thumb


def no_wider_than_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize(("seating", "names"), [("Three", THREE), ("Partners", FOUR)])
def test_it_fits_320_pixels_in_the_dark(
    open_page: Any, axe: Any, seating: str, names: tuple[str, ...]
) -> None:
    page = open_page("phone", dark=True, viewport={"width": 320, "height": 700})
    thumb = sit_down(page, seating, ("W" * 60, *names[1:]))
    expect(page.get_by_role("radio", name="Modern")).to_have_count(0)
    expect(page.locator("#start_agreed")).to_contain_text(
        {"Three": "Three at a table", "Partners": "Partners 125"}[seating]
    )
    assert no_wider_than_the_screen(page)
    axe(page)
    thumb.button("Start the match")
    page.wait_for_url("**/m/**")
    for summary in page.locator(".who-plays summary").all():
        summary.tap()
    assert no_wider_than_the_screen(page)
    # The keys lie over what is below them until one gets there.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    axe(page)


def test_somebody_else_played(phone: Page) -> None:
    thumb = sit_down(phone, "Three", THREE)
    thumb.button("Start the match")
    expect(phone.locator(".side", has_text="Cleo")).to_contain_text("sits out")
    thumb.choose("Ben knocked", group="Who knocked?")
    thumb.tap(phone.get_by_text("somebody else?"))
    thumb.choose("Ann v Cleo")
    # Ben did not play, so he did not knock.
    expect(phone.get_by_role("radio", name="Ben knocked")).to_have_count(0)
    assert phone.locator("[name=who]:checked").count() == 0
    thumb.counts(knock("Cleo", 6, "Ann", 21))
    expect(phone.get_by_role("textbox", name="Ann’s, after lay-offs")).to_have_value("21")
    thumb.enter()
    assert pad_points(phone) == [[0], [0], [15]]
    # Cleo won and stays, Ann sits out, Ben comes in and deals.
    expect(phone.locator(".side", has_text="Ann")).to_contain_text("sits out")
    expect(phone.locator(".side", has_text="Ben")).to_contain_text("deals")
    expect(phone.get_by_role("radio", name="Ann knocked")).to_have_count(0)


def test_a_round_in_few_taps(phone: Page) -> None:
    """Both tables without touching a field: the number pad goes on from one to the next."""
    thumb = sit_down(phone, "Partners", FOUR)
    thumb.button("Start the match")
    first, second = (
        AtTable(phone.get_by_role("region", name=f"Table {number}"), thumb) for number in (1, 2)
    )
    thumb.taps = 0
    first.counts(knock("Ann", 6, "Ben", 21))
    second.counts(gin("Dev", "Cleo", 19))
    expect(phone.locator("#entry-action")).to_contain_text("Ben & Dev +29")
    keys = phone.get_by_role("group", name="Number pad")
    expect(keys).to_be_in_viewport()
    expect(phone.get_by_role("button", name="Enter round 1")).to_be_in_viewport()
    thumb.enter()
    assert pad_points(phone) == [[0], [29]]
    assert thumb.taps + first.taps + second.taps <= 9


def test_a_round_without_a_script(open_page: Any) -> None:
    page = open_page("phone", javascript=False)
    page.goto("/?play=partners")
    for field, name in zip(NAME_FIELDS, FOUR, strict=True):
        page.locator(f"[name={field}]").fill(name)
    page.get_by_role("button", name="Start the match").click()
    table = page.get_by_role("region", name="Table 1")
    table.locator("summary").click()
    table.get_by_role("radio", name="Ann v Dev").check(force=True)
    table.get_by_role("radio", name="Dev knocked").check(force=True)
    table.get_by_role("textbox", name="Dev’s deadwood").fill("7")
    table.get_by_role("textbox", name="Ann’s, after lay-offs").fill("17")
    other = page.get_by_role("region", name="Table 2")
    other.locator("summary").click()
    other.get_by_role("radio", name="Cleo v Ben").check(force=True)
    other.get_by_role("radio", name="Dead").check(force=True)
    page.get_by_role("button", name="What would that be?").click()
    expect(page.locator("#entry-action")).to_contain_text("Ben & Dev +10")
    page.get_by_role("button", name="Enter round 1").click()
    assert pad_points(page) == [[0], [10]]
    expect(page.locator(".hands")).to_contain_text("Dev +10, dead")
