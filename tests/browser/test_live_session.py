"""B22: a session ends in another tab while a hand is typed; nothing of it is lost."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from ginledger.clubs.models import User
from ginledger.matches.models import Match
from tests.browser.conftest import Noise, OpenPage
from tests.browser.test_live import expect_points, press, store, tap
from tests.cast import ANN, knock, make_cast, make_match

PASSWORD = "walrus-and-carpenter"


@pytest.fixture
def ann(transactional_db: None) -> User:
    user = make_cast().ann
    User.objects.filter(pk=user.pk).update(password=make_password(PASSWORD))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def match(ann: User) -> Match:
    return make_match(ann, knock(ANN, 6, 21))


def log_in(page: Page, user: User) -> None:
    """Fill the login page that is open."""
    expect(page.locator("h1")).to_have_text("Log in")
    page.locator("[name=login]").fill(user.email)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form .primary").click()


def log_out_elsewhere(page: Page) -> None:
    """In a second tab of the same browser."""
    tab = page.context.new_page()
    tab.goto("/account/logout/")
    tab.locator("main form button").click()
    tab.wait_for_load_state()
    tab.close()


def test_b22_the_hand_is_there_after_the_login(
    open_page: OpenPage, ann: User, match: Match, noise: Noise
) -> None:
    noise.allow("status of 40[13]")
    page = open_page("phone")
    page.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(page, ann)
    tap(page, "Ann knocked")
    press(page, "4")
    log_out_elsewhere(page)
    # The page hears of it, says so, and leaves what is typed alone.
    expect(page.locator("#trouble")).to_contain_text("You are logged out", timeout=5_000)
    press(page, "30")
    expect(page.locator("[name=knocker_deadwood]")).to_have_value("4")
    store(page)
    log_in(page, ann)
    expect(page).to_have_url(re.compile(f"/m/{match.key}/$"))
    expect(page.locator(".notice")).to_contain_text(["Not stored yet"])
    expect(page.locator("[name=knocker_deadwood]")).to_have_value("4")
    expect(page.locator("[name=opponent_deadwood]")).to_have_value("30")
    assert match.rows.count() == 1
    store(page)
    expect_points(page, 41, 0)
    assert match.rows.count() == 2


def test_b22_without_a_script(open_page: OpenPage, ann: User, match: Match) -> None:
    page = open_page("laptop", javascript=False)
    page.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(page, ann)
    page.locator("#entry label", has_text="Ann knocked").click()
    page.locator("[name=knocker_deadwood]").fill("4")
    page.locator("[name=opponent_deadwood]").fill("30")
    log_out_elsewhere(page)
    store(page)
    log_in(page, ann)
    expect(page.locator("[name=knocker_deadwood]")).to_have_value("4")
    assert match.rows.count() == 1
    store(page)
    expect_points(page, 41, 0)
    assert match.rows.count() == 2


def test_b20_a_pad_with_nothing_typed_goes_to_the_login_and_back(
    open_page: OpenPage, ann: User, match: Match, noise: Noise
) -> None:
    """B87: what a shared phone showed is not left standing on it."""
    noise.allow("status of 404")
    page = open_page("phone")
    page.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(page, ann)
    expect_points(page, 15, 0)
    log_out_elsewhere(page)
    expect(page.locator("h1")).to_have_text("Log in", timeout=5_000)
    page.go_back()
    page.wait_for_load_state()
    expect(page.locator("body")).not_to_contain_text("needs")
    page.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(page, ann)
    expect_points(page, 15, 0)


def test_b70_a_login_in_another_tab_renews_the_token(
    open_page: OpenPage, ann: User, match: Match, noise: Noise
) -> None:
    noise.allow("status of 40[13]")
    page = open_page("phone")
    page.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(page, ann)
    tap(page, "Ann knocked")
    press(page, "4")
    old = page.locator("#entry [name=csrfmiddlewaretoken]").input_value()
    tab = page.context.new_page()
    tab.goto("/account/logout/")
    tab.locator("main form button").click()
    tab.goto(f"/account/login/?next=/m/{match.key}/")
    log_in(tab, ann)
    # Bringing the first tab to the front by the driver has hung; the page asks by itself.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#entry [name=csrfmiddlewaretoken]")).not_to_have_value(old, timeout=5_000)
    press(page, "30")
    store(page)
    expect_points(page, 41, 0)
    assert match.rows.count() == 2
