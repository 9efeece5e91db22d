"""Two golden matches played on a phone by tapping only, every total read on pad and sheet."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.thumb import Thumb

VECTORS = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "vectors" / "matches.json").read_text())
}
FULL = VECTORS["a full game: 275 v 133, margin 142"]
HOLLYWOOD = VECTORS["Hollywood with a late starter and a shut-out column: +709"]
MOST_TAPS = {"knock": 6, "gin": 5, "big_gin": 5, "dead": 2}


def pad_points(page: Page) -> list[list[int]]:
    """The points on the pad: a list of columns a side."""
    return [
        [int(text) for text in side.locator(".figure").all_inner_texts()]
        for side in page.locator(".scores .side").all()
    ]


def running(case: dict[str, Any], after: int) -> list[list[int]]:
    """The points a side has in each column after so many hands, by the golden file."""
    points = []
    for side in (0, 1):
        points.append([])
        for column in case["sheet"]["columns"]:
            entered = [entry for entry in column["entries"] if entry["hand"] <= after]
            points[side].append(entered[-1]["running"][side] if entered else 0)
    return points


def foot(page: Page) -> dict[str, list[int]]:
    """The lines below the hands of the sheet, by their label."""
    lines = {}
    for row in page.locator("tfoot tr").all():
        label, *cells = row.locator("th, td").all_inner_texts()
        lines[label.split()[0]] = [int(cell) if cell else 0 for cell in cells]
    return lines


def check_sheet(page: Page, case: dict[str, Any]) -> None:
    """Every figure of a finished golden match on its sheet."""
    page.wait_for_url("**/sheet/")
    columns = case["sheet"]["columns"]
    shown = foot(page)
    for label, name in (
        ("Boxes", "box_bonus"),
        ("Game", "game_bonus"),
        ("Shutout", "shutout_bonus"),
        ("Total", "total"),
    ):
        wanted = [side[name] for column in columns for side in column["sides"]]
        assert shown.get(label, [0] * len(wanted)) == wanted, label
    games = page.locator(".game .figure").all_inner_texts()
    assert games == [f"{'AB'[column['winner']]} +{max(column['net'])}" for column in columns]
    for entry_column, column in enumerate(columns):
        for entry in column["entries"]:
            cell = page.locator(f"tbody tr:nth-child({entry['hand']}) td.num").nth(
                1 + 2 * entry_column + entry["side"]
            )
            expect(cell).to_contain_text(str(entry["running"][entry["side"]]))


@pytest.mark.parametrize("dark", [False, True])
def test_a_full_game_by_counts(open_page, dark: bool) -> None:
    page = open_page("phone", dark=dark)
    thumb = Thumb(page)
    thumb.start("A", "B")
    assert thumb.taps == 1
    for number, hand in enumerate(FULL["match"]["hands"], 1):
        taps = thumb.by_counts(hand)
        assert taps <= MOST_TAPS[hand["kind"]], hand
        assert pad_points(page) == running(FULL, number)
    expect(page.get_by_role("heading", name="A wins by 142.")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    thumb.tap(page.get_by_role("link", name="The sheet"))
    expect(page.get_by_text("A wins by 142.")).to_be_visible()
    check_sheet(page, FULL)


def test_hollywood_by_points(phone: Page) -> None:
    thumb = Thumb(phone)
    thumb.start("A", "B", "Hollywood")
    assert thumb.taps == 2
    for number, hand in enumerate(HOLLYWOOD["match"]["hands"], 1):
        thumb.by_points(hand)
        assert pad_points(phone) == running(HOLLYWOOD, number)
    expect(phone.get_by_role("heading", name="A wins by 709.")).to_be_visible()
    thumb.tap(phone.get_by_role("link", name="The sheet"))
    check_sheet(phone, HOLLYWOOD)
    expect(phone.get_by_text("A: 632 + 216 − 139 = +709.")).to_be_visible()


@pytest.mark.parametrize(
    ("deadwood", "most"), [((10, 25), 6), ((1, 25), 6), ((6, 21), 5), ((10, 7), 5)]
)
def test_taps_for_a_knock(phone: Page, deadwood: tuple[int, int], most: int) -> None:
    thumb = Thumb(phone)
    thumb.start("Ann", "Ben")
    own, other = deadwood
    taps = thumb.by_counts(
        {"kind": "knock", "knocker": "Ben", "deadwood": {"Ben": own, "Ann": other}}
    )
    assert taps <= most
    said = f"knocks with {own}, Ann has {other}" if other > own else f"held {other} against"
    expect(phone.locator(".hands")).to_contain_text(said)


def test_the_entry_fits_the_screen_without_scrolling(phone: Page) -> None:
    thumb = Thumb(phone)
    thumb.start("Ann", "Ben")
    for _ in range(8):
        thumb.by_counts({"kind": "dead"})
    assert phone.evaluate("document.documentElement.scrollHeight") <= 844
    box = phone.get_by_role("button", name=re.compile("Enter hand 9")).bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844
    expect(phone.locator(".hands li").first).to_be_in_viewport()


def test_oklahoma_two_taps_for_the_upcard(phone: Page) -> None:
    thumb = Thumb(phone)
    thumb.start("Ann", "Ben", "Oklahoma")
    assert phone.evaluate("document.documentElement.scrollHeight") <= 844
    thumb.choose("four")
    thumb.choose("spades")
    expect(phone.get_by_text("knock with 4 or less, counts double")).to_be_visible()
    thumb.choose("Ann knocked", group="Who knocked?")
    thumb.digits(521)
    expect(phone.get_by_role("status")).to_contain_text("the limit is 4 (the upcard was 4♠)")
    phone.get_by_label("Ann’s deadwood").fill("4")
    expect(phone.get_by_role("button", name="Enter hand 1")).to_contain_text("Ann +34 → 34")
    thumb.enter()
    assert pad_points(phone) == [[34], [0]]
