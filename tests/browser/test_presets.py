"""Every preset played to its end on a phone by tapping; the figures are worked out by hand.

A hand is worth, for the one who knocked: a knock the difference of the counts, gin 25 and big gin
31 plus the other's count; an undercut is 25 plus the difference, for the other. Where a preset
says otherwise its case does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_full_games import foot, pad_points
from tests.browser.thumb import Thumb

TWO = ("Ann", "Ben")
THREE = ("Ann", "Ben", "Cleo")
FOUR = ("Ann", "Ben", "Cleo", "Dev")  # Ann & Cleo v Ben & Dev
NAME_FIELDS = ("first", "second", "third", "fourth")
RANKS = {"A": "ace", "2": "two", "4": "four", "Q": "queen", "K": "king"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds"}


def knock(knocker: str, own: int, other: str, left: int, upcard: str = "") -> dict[str, Any]:
    deadwood = {knocker: own, other: left}
    return {"kind": "knock", "knocker": knocker, "deadwood": deadwood, "upcard": upcard}


def gin(knocker: str, other: str, left: int, upcard: str = "", kind: str = "gin") -> dict[str, Any]:
    deadwood = {knocker: 0, other: left}
    return {"kind": kind, "knocker": knocker, "deadwood": deadwood, "upcard": upcard}


def big(knocker: str, other: str, left: int, upcard: str = "") -> dict[str, Any]:
    return gin(knocker, other, left, upcard, "big_gin")


DEAD: dict[str, Any] = {"kind": "dead"}


@dataclass(frozen=True)
class Case:
    """A preset, hands (of partners a list of tables each) and what they come to.

    points: on the pad after each hand that is given, by side and column; total: the last line of
    the sheet; foot: the other lines below its hands; unseen: a way to end a hand not offered.
    """

    slug: str
    hands: list[Any]
    points: dict[int, list[list[int]]]
    verdict: str
    total: list[int]
    foot: dict[str, list[int]]
    names: tuple[str, ...] = TWO
    target: str = ""
    unseen: str = ""


class AtTable(Thumb):
    """The thumb at one table of a round: its buttons are there, the number pad is below."""

    def __init__(self, section: Locator, pad: Thumb) -> None:
        self.page = section  # type: ignore[assignment]
        self.pad = pad
        self.taps = 0

    def digits(self, number: int) -> None:
        self.pad.digits(number)

    def button(self, name: str) -> None:
        self.pad.button(name)


def start(page: Page, case: Case) -> Thumb:
    thumb = Thumb(page)
    page.goto(f"/?rules={case.slug}")
    for field, name in zip(NAME_FIELDS, case.names, strict=False):
        page.locator(f"[name={field}]").fill(name)
    if case.target:
        thumb.tap(page.get_by_text("To 150, 250, 500"))
        thumb.choose(f"To {case.target}")
    thumb.button("Start the match")
    return thumb


def enter(thumb: Thumb, hand: Any) -> None:
    page = thumb.page
    if isinstance(hand, list):
        for number, table in enumerate(hand, 1):
            AtTable(page.get_by_role("region", name=f"Table {number}"), thumb).counts(table)
    else:
        if hand.get("upcard"):
            thumb.choose(RANKS[hand["upcard"][0]])
            thumb.choose(SUITS[hand["upcard"][1]])
        thumb.counts(hand)
    thumb.enter()


def play(page: Page, case: Case) -> None:
    thumb = start(page, case)
    if case.unseen:
        how = page.get_by_role("group", name="How?").first
        expect(how).to_be_visible()
        expect(how.get_by_role("radio", name=case.unseen, exact=True)).to_have_count(0)
    for number, hand in enumerate(case.hands, 1):
        enter(thumb, hand)
        if number in case.points:
            assert pad_points(page) == case.points[number], (case.slug, number)
    expect(page.get_by_role("heading", name=case.verdict)).to_be_visible()
    thumb.tap(page.get_by_role("link", name="The sheet"))
    page.wait_for_url("**/sheet/")
    shown = foot(page)
    assert shown.pop("Total") == case.total, case.slug
    assert shown == case.foot, case.slug


# The first scored hand decides; no boxes, no game bonus, no shutout.
ONE_DEAL = Case(
    "one-deal",
    [DEAD, knock("Ann", 4, "Ben", 30)],  # 30 − 4 = 26
    {1: [[0], [0]]},
    "Ann wins by 26.",
    [26, 0],
    {},
    unseen="Big gin",
)
FAST = Case(
    "fast-game",
    [big("Ben", "Ann", 20)],  # 31 + 20
    {},
    "Ben wins by 51.",
    [0, 51],
    {},
)
# Gin with 25: 50 points, a box, the game; the shutout doubles the 50 alone.
SHORT = Case(
    "short-50",
    [gin("Ann", "Ben", 25)],
    {},
    "Ann wins by 225.",
    [225, 0],
    {"Boxes": [25, 0], "Game": [100, 0], "Shutout": [50, 0]},
)
MODERN = Case(
    "house-modern",
    # 25 + 40 = 65; Ben 26 − 6 = 20; 38 − 3 = 35, which makes exactly 100
    [gin("Ann", "Ben", 40), knock("Ben", 6, "Ann", 26), knock("Ann", 3, "Ben", 38)],
    {2: [[65], [20]]},
    # 100 + 2 × 25 + 100 = 250 against 20 + 25 = 45
    "Ann wins by 205.",
    [250, 45],
    {"Boxes": [50, 25], "Game": [100, 0]},
)
HANDS_ONLY = Case(
    "playgridia-100",
    # 25 + 50 = 75; Ann knocks with 8 and Ben has 5: 25 + 3 for Ben; 25 + 10 = 35
    [gin("Ann", "Ben", 50), knock("Ann", 8, "Ben", 5), gin("Ann", "Ben", 10)],
    {2: [[75], [28]]},
    "Ann wins by 82.",
    [110, 28],
    {},
    unseen="Big gin",
)
HANDS_BIG = Case(
    "progames-100",
    # 31 + 40 = 71; 25 + 15 = 40; 31 + 12 = 43
    [big("Ann", "Ben", 40), gin("Ben", "Ann", 15), big("Ann", "Ben", 12)],
    {2: [[71], [40]]},
    "Ann wins by 74.",
    [114, 40],
    {},
)
OFFICIAL = Case(
    "old-official",
    # gin is 20 here: 20 + 45 = 65; an undercut 10: 10 + 3 = 13; 27 − 5 = 22
    [gin("Ann", "Ben", 45), knock("Ben", 7, "Ann", 4), knock("Ann", 5, "Ben", 27)],
    {2: [[78], [0]]},
    # 100 + 3 × 20 + 100, and the game bonus again as Ben has no point
    "Ann wins by 360.",
    [360, 0],
    {"Boxes": [60, 0], "Game": [100, 0], "Shutout": [100, 0]},
    unseen="Big gin",
)
STRAIGHT = Case(
    "straight",
    # 65, Ben 35, 55
    [gin("Ann", "Ben", 40), gin("Ben", "Ann", 10), gin("Ann", "Ben", 30)],
    {2: [[65], [35]]},
    # 120 + 50 + 100 = 270 against 35 + 25 = 60
    "Ann wins by 210.",
    [270, 60],
    {"Boxes": [50, 25], "Game": [100, 0]},
    unseen="Knock",
)
OKLAHOMA = Case(
    "oklahoma-150",
    [
        knock("Ann", 9, "Ben", 30, "KS"),  # 21, doubled by the spade: 42
        gin("Ben", "Ann", 18, "AD"),  # an ace: only gin; 43
        gin("Ann", "Ben", 26, "4S"),  # (25 + 26) × 2 = 102
        knock("Ben", 2, "Ann", 1, "2S"),  # an undercut for Ann: (25 + 1) × 2 = 52
    ],
    {3: [[144], [43]]},
    # 196 + 3 × 25 + 100 = 371 against 43 + 25 = 68
    "Ann wins by 303.",
    [371, 68],
    {"Boxes": [75, 25], "Game": [100, 0]},
)
HOLLYWOOD = Case(
    "hollywood-100",
    [
        gin("Ann", "Ben", 60),  # 85 in the first column
        gin("Ann", "Ben", 50),  # 75 in the first (160, closed) and second
        gin("Ann", "Ben", 40),  # 65 in the second (140, closed) and third
        gin("Ben", "Ann", 30),  # 55: Ben's first win, two columns are closed, so the third
        knock("Ann", 2, "Ben", 42),  # 40 in the third: 105
    ],
    {2: [[160, 75, 0], [0, 0, 0]], 4: [[160, 140, 65], [0, 0, 55]]},
    # (160 + 50 + 100) × 2 = 620, (140 + 50 + 100) × 2 = 580, 105 + 50 + 100 − (55 + 25) = 175
    "Ann wins by 1375.",
    [620, 0, 580, 0, 255, 80],
    {
        "Boxes": [50, 0, 50, 0, 50, 25],
        "Game": [100, 0, 100, 0, 100, 0],
        "Shutout": [310, 0, 290, 0, 0, 0],
    },
)
CLUB = Case(
    "club-hollywood-250",
    [
        big("Ann", "Ben", 69, "KH"),  # 100; a box and three more: 4
        big("Ann", "Ben", 69, "KS"),  # doubled: 200; its extra boxes too: 1 + 6 = 7
        big("Ann", "Ben", 69, "KS"),  # 200 and 7 boxes
        gin("Ben", "Ann", 15, "QH"),  # 40 in the third column; 1 + 2 boxes
        gin("Ann", "Ben", 35, "KH"),  # 60 and 3 boxes
    ],
    {3: [[300, 400, 200], [0, 0, 0]]},
    # First: 300 + 11 × 25 + 250 = 825, doubled 1650. Second: 400 + 14 × 25 + 250 = 1000, doubled
    # 2000. Third: 260 + 10 × 25 + 250 = 760 less 40 + 75 = 115: 645, counts twice: 1290.
    # Together 4940, to the nearest 500.
    "Ann wins by 5000.",
    [1650, 0, 2000, 0, 760, 115],
    {
        "Boxes": [275, 0, 350, 0, 250, 75],
        "Game": [250, 0, 250, 0, 250, 0],
        "Shutout": [825, 0, 1000, 0, 0, 0],
    },
)
PARTNERS = Case(
    "partners-125",
    [
        # Ann +15, Dev 25 + 22 = 47: net 32 for Ben & Dev
        [knock("Ann", 4, "Ben", 19), gin("Dev", "Cleo", 22)],
        # Everybody has moved on. Level counts are an undercut: Ann 25; the other table is dead
        [knock("Dev", 7, "Ann", 7), DEAD],
        # 20 each: level, nobody scores, no box
        [knock("Ben", 5, "Ann", 25), knock("Cleo", 2, "Dev", 22)],
        # 25 + 31 = 56 and 16: net 72
        [gin("Ann", "Dev", 31), knock("Cleo", 2, "Ben", 18)],
        # Ben 11, Cleo 25 + 29 = 54: net 43
        [knock("Ben", 3, "Ann", 14), gin("Cleo", "Dev", 29)],
    ],
    {1: [[0], [32]], 2: [[25], [32]], 3: [[25], [32]], 4: [[97], [32]]},
    # 140 + 3 × 25 + 100 = 315 against 32 + 25 = 57
    "Ann & Cleo win by 258.",
    [315, 57],
    {"Boxes": [75, 25], "Game": [100, 0]},
    names=FOUR,
)
THREE_HANDED = Case(
    "three-handed",
    [
        knock("Ann", 5, "Ben", 35),  # 30; Cleo comes in for Ben
        knock("Ann", 5, "Cleo", 35),  # 30
        knock("Ben", 10, "Ann", 30),  # 20
        knock("Ben", 4, "Cleo", 30),  # 26
        gin("Ann", "Ben", 19),  # 44: 104
    ],
    {2: [[60], [0], [0]], 4: [[60], [46], [0]]},
    # Ann 104 + 75 + 100 = 279, Ben 46 + 50 = 96, Cleo 0 and shut out: 100 more.
    # 279 − 96 = 183; 279 + 100 = 379; 96
    "Ann wins: Ann +562, Ben −87, Cleo −475.",
    [279, 96, 0],
    {"Boxes": [75, 50, 0], "Game": [100, 0, 0]},
    names=THREE,
)
# The same rules to another target: 100, 100 and 60, nobody else with a hand.
TO_250 = Case(
    "house-modern",
    [big("Ann", "Ben", 69), big("Ann", "Ben", 69), gin("Ann", "Ben", 35)],
    {2: [[200], [0]]},
    # (260 + 75 + 100) × 2
    "Ann wins by 870.",
    [870, 0],
    {"Boxes": [75, 0], "Game": [100, 0], "Shutout": [435, 0]},
    target="250",
)
TO_500 = Case(
    "house-modern",
    [*(big("Ann", "Ben", 69) for _ in range(4)), knock("Ben", 1, "Ann", 13), big("Ann", "Ben", 69)],
    {4: [[400], [0]]},
    # 500 + 5 × 25 + 100 = 725 against 12 + 25 = 37
    "Ann wins by 688.",
    [725, 37],
    {"Boxes": [125, 25], "Game": [100, 0]},
    target="500",
)


def test_the_short_games(phone: Page) -> None:
    for case in (ONE_DEAL, FAST, SHORT):
        play(phone, case)


@pytest.mark.parametrize(
    "case",
    [
        MODERN,
        HANDS_ONLY,
        HANDS_BIG,
        OFFICIAL,
        STRAIGHT,
        OKLAHOMA,
        HOLLYWOOD,
        CLUB,
        PARTNERS,
        THREE_HANDED,
        TO_250,
        TO_500,
    ],
    ids=lambda case: case.slug + case.target,
)
def test_to_its_end(phone: Page, case: Case) -> None:
    play(phone, case)
