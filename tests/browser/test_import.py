"""A table and a backup brought in on a phone and a laptop, with a script and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from ginledger.clubs.models import Club, Membership, Player
from ginledger.matches.models import Match, Row
from ginledger.seasons.backup import backup_text
from tests.browser.conftest import OpenPage
from tests.cast import ANN, Cast, make_cast, make_match, make_user, won
from tests.seasons.desk import data_folder as data_folder

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]
TABLE = (
    "day,player_1,player_2,winner,points,kind,match\n"
    "2026-01-12,Mary Ann,José,Mary Ann,31,gin,1\n"
    "2026-01-12,Mary Ann,José,José,12,,1\n"
    "2026-01-13,Mary Ann,José,José,112,gin,2\n"
    "2026-01-14,Mary Ann,José,Nobody,112,gin,3\n"
)


def log_in(page: Page, user: object) -> None:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    page.goto("/")
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": page.url}])


def good(page: Page, axe: Axe) -> None:
    """No fault that axe finds, and the page fits 320 px."""
    axe(page)
    before = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert before is not None
    page.set_viewport_size(before)


def choose(page: Page, name: str, text: str) -> None:
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Look at it").click()


@pytest.mark.parametrize(
    ("screen", "dark", "javascript"), [("phone", False, True), ("laptop", True, False)]
)
def test_a_table_is_looked_at_stored_and_taken_back(
    open_page: OpenPage, axe: Axe, screen: str, dark: bool, javascript: bool
) -> None:
    cast: Cast = make_cast()
    page = open_page(screen, dark=dark, javascript=javascript)  # type: ignore[arg-type]
    check = axe if javascript else (lambda page: None)
    log_in(page, cast.ben)
    page.goto(f"/club/{cast.club.key}/")
    page.get_by_role("link", name="Bring in a table").click()
    expect(page.get_by_role("heading", name="Bring in matches")).to_be_visible()
    good(page, check)
    choose(page, "book.csv", TABLE)
    expect(page.get_by_text("2 of 3 matches can be stored")).to_be_visible()
    expect(page.get_by_text("Line 5, winner: 'Nobody' does not play")).to_be_visible()
    page.locator("summary").filter(has_text="12 Jan 2026").click()
    expect(page.get_by_role("row", name="2 Mary Ann gin 31")).to_be_visible()
    good(page, check)
    page.get_by_role("button", name="Store 2 matches").click()
    expect(page.get_by_text("Some of it is wrong: nothing was stored.")).to_be_visible()
    assert not Match.objects.exists()
    page.get_by_label("Store what is right").check()
    page.get_by_role("button", name="Store 2 matches").click()
    expect(page.get_by_role("heading", name="2 matches stored")).to_be_visible()
    good(page, check)
    page.go_back()
    expect(page.get_by_role("heading", name="2 matches stored")).to_be_visible()
    page.goto(f"/club/{cast.club.key}/import/")
    expect(page.get_by_text("Brought in of late")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("2 matches are in the bin.")).to_be_visible()
    good(page, check)
    assert not Match.objects.filter(deleted_at=None).exists()


def test_a_backup_becomes_a_club_and_is_taken_back(open_page: OpenPage, axe: Axe) -> None:
    cast = make_cast()
    make_match(cast.ann, won(ANN, 31))
    text = "".join(backup_text(cast.club))
    keys = [cast.club.key]
    for model in (Player, Membership, Match, Row):
        keys += model.objects.filter(club=cast.club).values_list("key", flat=True)
    for old in keys:
        text = text.replace(old, ("A" if old[0] != "A" else "B") + old[1:])
    page = open_page("phone", dark=True)
    log_in(page, make_user("Eva"))
    page.goto("/club/")
    page.get_by_role("link", name="Restore a club").tap()
    expect(page.get_by_role("heading", name="Restore a club")).to_be_visible()
    good(page, axe)
    choose(page, "club.json", text)
    expect(page.get_by_text("This is what is in it")).to_be_visible()
    good(page, axe)
    page.get_by_role("button", name="Store the club").tap()
    expect(page.get_by_role("heading", name="The club is restored")).to_be_visible()
    good(page, axe)
    page.go_back()
    expect(page.get_by_role("heading", name="The club is restored")).to_be_visible()
    assert Club.objects.filter(memberships__user__name="Eva").count() == 1
    page.get_by_role("button", name="Take this back").tap()
    expect(page.get_by_text("is removed, as if it had not been restored")).to_be_visible()
    assert not Club.objects.filter(memberships__user__name="Eva").exists()
