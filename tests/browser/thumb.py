"""A player's thumb: it starts matches and enters hands by tapping only, and counts the taps."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

LABELS = {"knock": "Knock", "gin": "Gin", "big_gin": "Big gin", "undercut": "Undercut"}


class Thumb:
    """Taps on one page; ``taps`` is how many there were."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, place: Locator) -> None:
        place.tap()
        self.taps += 1

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name))

    def choose(self, name: str, *, group: str | None = None) -> None:
        where = self.page.get_by_role("group", name=group) if group else self.page
        self.tap(where.get_by_role("radio", name=name, exact=True))

    def digits(self, number: int) -> None:
        pad = self.page.get_by_role("group", name="Number pad")
        for digit in str(number):
            self.tap(pad.get_by_role("button", name=digit, exact=True))

    def start(self, first: str, second: str, *choices: str) -> None:
        """Type two names, tap these choices, start."""
        self.page.goto("/")
        self.page.locator("[name=first]").fill(first)
        self.page.locator("[name=second]").fill(second)
        for choice in choices:
            self.tap(self.page.get_by_role("radio", name=choice))
        self.button("Start the match")
        expect(self.page.get_by_role("heading", name="Hand 1", exact=True)).to_be_visible()

    def by_counts(self, hand: dict[str, Any]) -> int:
        """Enter a hand by its counts; the taps it took."""
        before = self.taps
        self.counts(hand)
        self.enter()
        return self.taps - before

    def counts(self, hand: dict[str, Any]) -> None:
        """Tap a hand by its counts, without entering it."""
        if hand["kind"] == "dead":
            self.choose("Dead", group="Who knocked?")
            return
        knocker = hand["knocker"]
        (other,) = hand["deadwood"].keys() - {knocker}
        self.choose(f"{knocker} knocked", group="Who knocked?")
        if hand["kind"] != "knock":
            self.tap(
                self._shown("How?").get_by_role("radio", name=LABELS[hand["kind"]], exact=True)
            )
        else:
            self.digits(hand["deadwood"][knocker])
            if hand["deadwood"][knocker] == 1:
                self.button("Next field")
        self.digits(hand["deadwood"][other])

    def by_points(self, hand: dict[str, Any]) -> int:
        """Enter a hand as its points stand on paper; the taps it took."""
        before = self.taps
        if hand["kind"] == "dead":
            self.choose("Dead", group="Who knocked?")
        else:
            self.tap(self.page.get_by_text("As points ›"))
            self.choose(f"{hand['winner']} won", group="Who won?")
            kind = LABELS[hand["kind"]]
            self.tap(self._shown("How?").get_by_role("radio", name=kind, exact=True))
            self.digits(hand["points"])
        self.enter()
        return self.taps - before

    def enter(self) -> None:
        """Tap the action and wait for the pad that comes of it."""
        number = self.page.locator("#entry h2").inner_text()
        self.tap(self.page.get_by_role("button", name=f"Enter {number.lower()}"))
        expect(self.page.locator(f"h2:text-is('{number}')")).to_have_count(0)

    def _shown(self, group: str) -> Locator:
        return self.page.get_by_role("group", name=group).locator("visible=true")
