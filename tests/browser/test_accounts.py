"""Accounts and clubs as people use them: by thumb, in the dark, with no script, after Back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from ginledger.clubs.models import Club, User
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "eleven-cards-27"
Axe = Callable[[Page], None]


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def press(page: Page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).click()


def start_match(page: Page, first: str = "Ann", second: str = "Ben") -> str:
    page.goto("/")
    page.get_by_label("First", exact=True).first.fill(first)
    page.get_by_label("Second", exact=True).first.fill(second)
    press(page, "Start the match")
    page.wait_for_url("**/m/**")
    return page.url


def sign_up(page: Page, name: str = "Ann", email: str = "ann@example.org") -> None:
    page.goto("/account/signup/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign up")
    expect(page.get_by_role("status")).to_contain_text("You are logged in")


def log_in(page: Page, email: str = "ann@example.org", password: str = PASSWORD) -> None:
    page.goto("/account/login/")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    press(page, "Log in")
    expect(page.get_by_role("status")).to_contain_text("You are logged in")


def log_out(page: Page) -> None:
    page.locator(".menu summary").click()
    page.locator(".menu").get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r"/$"))


@pytest.mark.parametrize("javascript", [True, False])
def test_a_guest_signs_up_and_finds_his_match_on_another_device(
    open_page: OpenPage, javascript: bool
) -> None:
    phone = open_page("phone", javascript=javascript)
    pad = start_match(phone)
    sign_up(phone)
    phone.goto(pad)
    expect(phone.locator("h1, .title").first).to_contain_text("Ann")
    laptop = open_page("laptop", javascript=javascript)
    log_in(laptop)
    laptop.goto("/")
    laptop.get_by_role("link", name="Ann v Ben").click()
    laptop.wait_for_url("**/m/**")
    assert laptop.url.split("?")[0] == pad.split("?")[0]


def test_b87_after_the_log_out_back_shows_nothing(open_page: OpenPage, noise: Any) -> None:
    noise.allow(r"status of 404")
    page = open_page("phone")
    pad = start_match(page, "Wilhelmina", "Bartholomew")
    sign_up(page)
    page.goto(pad)
    expect(page.locator("body")).to_contain_text("Wilhelmina")
    log_out(page)
    for _ in range(3):
        page.go_back()
        page.wait_for_load_state()
        expect(page.locator("body")).not_to_contain_text("Wilhelmina")
    kept = page.evaluate(
        """async () => JSON.stringify([
            {...localStorage}, {...sessionStorage}, await caches.keys(), document.cookie])"""
    )
    assert "Wilhelmina" not in kept
    assert kept.endswith('[],""]')


@pytest.mark.parametrize("javascript", [True, False])
def test_the_menu_logs_out_also_from_the_pad_of_a_phone(
    open_page: OpenPage, javascript: bool
) -> None:
    page = open_page("phone", javascript=javascript, viewport={"width": 320, "height": 640})
    pad = start_match(page)
    sign_up(page)
    page.goto(pad)
    log_out(page)
    assert "Log in" in page.locator(".bar").inner_text()


def test_a_forgotten_password_by_mail(phone: Page) -> None:
    sign_up(phone)
    log_out(phone)
    phone.goto("/account/login/")
    phone.get_by_role("link", name="Password forgotten?").click()
    phone.get_by_label("E-mail").fill("ann@example.org")
    press(phone, "Mail the link")
    expect(phone.locator("h1")).to_have_text("Look into your mail")
    link = re.search(r"http\S+/password/reset/\S+", mail.outbox[-1].body)
    assert link
    phone.goto(link[0])
    phone.get_by_label("New password").fill("another-deck-31")
    press(phone, "Set it and log in")
    expect(phone.get_by_role("status")).to_contain_text("You are logged in")
    log_out(phone)
    log_in(phone, password="another-deck-31")


def test_the_way_of_an_invitation(open_page: OpenPage, noise: Any) -> None:
    noise.allow(r"status of 410")
    owner, guest = open_page("laptop"), open_page("phone")
    sign_up(owner)
    owner.goto("/club/")
    owner.get_by_role("link", name="New club").click()
    owner.get_by_label("Name of the club").fill("Thursday <b>table</b>")
    press(owner, "Make the club")
    owner.get_by_label("They may").select_option("scorer")
    press(owner, "Make the link")
    link = owner.get_by_label("Link").input_value()
    guest.goto(link)
    expect(guest.locator("main")).to_contain_text("Thursday <b>table</b>")
    guest.get_by_label("Your name").fill("Ben")
    press(guest, "Join")
    expect(guest.get_by_role("status")).to_have_text("Welcome to Thursday <b>table</b>.")
    expect(guest.get_by_role("link", name="Start a match")).to_be_visible()
    owner.goto(f"{owner.url.split('/invitations/')[0]}/members/")
    owner.get_by_label("Change Ben").click()
    press(owner, "Remove from the club")
    expect(owner.locator("main")).not_to_contain_text("Ben")
    guest.goto(link)
    expect(guest.locator("h1")).to_have_text("This invitation is no longer good")


def test_a_new_club_takes_the_time_zone_of_the_browser(open_page: OpenPage) -> None:
    page = open_page("phone", timezone_id="Europe/Vienna")
    page.goto("/club/new/")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Vienna")
    page.get_by_label("Name of the club").fill("Kaffeehaus")
    press(page, "Make the club")
    page.wait_for_url("**/members/")
    assert Club.objects.get(name="Kaffeehaus").time_zone == "Europe/Vienna"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [320, 1280])
def test_every_page_of_people_fits_and_can_be_read(
    open_page: OpenPage, axe: Axe, dark: bool, width: int
) -> None:
    page = open_page(
        "laptop" if width > 600 else "phone", dark=dark, viewport={"width": width, "height": 700}
    )
    name = "W" * 60
    for path in ("/account/login/", "/account/signup/", "/account/password/reset/", "/club/"):
        _look(page, path, axe)
    start_match(page, name, "Ben")
    sign_up(page, name=name)
    user = User.objects.get()
    club = user.memberships.get().club
    Club.objects.filter(pk=club.pk).update(name=name)
    player = club.players.get(name=name)
    page.goto(f"/club/{club.key}/members/")
    press(page, "Make the link")
    invitation = page.url
    for path in (
        *(f"/account/{part}" for part in ("", "email/", "password/", "delete/")),
        *(f"/club/{part}" for part in ("", "new/", f"{club.key}/", f"{club.key}/members/")),
        *(f"/club/{club.key}/{part}" for part in ("settings/", "players/")),
        f"/club/{club.key}/player/{player.key}/",
        invitation,
    ):
        _look(page, path, axe)
    if width > 600:  # on a phone the open menu lies over the page
        page.locator(".menu summary").click()
        axe(page)
    link = page.get_by_label("Link").input_value()
    stranger = open_page(
        "laptop" if width > 600 else "phone", dark=dark, viewport={"width": width, "height": 700}
    )
    _look(stranger, link, axe)


def _look(page: Page, path: str, axe: Axe) -> None:
    page.goto(path)
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert over <= 0, f"{path} is {over} px too wide"
    axe(page)
