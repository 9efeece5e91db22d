"""Every page looked over by axe in both schemes, on 320 pixels, on paper; names of any kind."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ginledger.matches.models import Match
from tests.browser.conftest import Noise, OpenPage
from tests.cast import ANN, BEN, dead, enter, fresh, gin, knock, make_match, make_user, won

LONG = ("W" * 60, "Maximiliane-Leutheusser-Schnarrenberger" + "i" * 21)
ODD = ("</script><b>x</b>", 'A"B \\ {{ x }} שרה')
SMALL = {"viewport": {"width": 320, "height": 640}}
FINISHED = "finished Hollywood"
ARABIC = "عبد الرحمن بن محمد الطويل"


@pytest.fixture
def user(live_server: LiveServer):
    from ginledger.clubs.services import home_club

    user = make_user("", is_guest=True)
    home_club(user)
    return user


@pytest.fixture
def as_user(open_page: OpenPage, user, client) -> Callable[..., Page]:
    """Opens pages in a browser that holds this user's matches."""
    client.force_login(user)
    session = client.cookies["ginledger_session"].value

    def open_(*args, **options) -> Page:
        page = open_page(*args, **options)
        base = options.get("base_url") or page.evaluate("location.origin")
        del base
        page.context.add_cookies(
            [{"name": "ginledger_session", "value": session, "domain": "localhost", "path": "/"}]
        )
        return page

    return open_


def matches_of(user, names: tuple[str, str]) -> dict[str, Match]:
    """A match of every kind, with rows of every kind."""
    rows = (knock(ANN, 6, 21), gin(BEN, 19), dead(), knock(ANN, 9, 7), won(ANN, 31, "big_gin"))
    plain = make_match(user, *rows, names=names)
    from ginledger.matches import services

    services.void_row(user=user, row_key=plain.rows.get(position=2).key, version=5)
    columns = make_match(
        user,
        *(won(place % 2, 20 + place) for place in range(6)),
        rules="hollywood-100",
        names=names,
    )
    over = make_match(
        user, *(won(ANN if place % 3 else BEN, 20) for place in range(15)),
        rules={"preset": "hollywood-100", "target": 160}, names=names,
    )  # fmt: skip
    upcard = make_match(user, knock(ANN, 3, 20, upcard=41), rules="oklahoma-150", names=names)
    return {"running": plain, "Hollywood": columns, FINISHED: over, "Oklahoma": upcard}


def addresses_of(user, names: tuple[str, str]) -> dict[str, str]:
    found = {"start": "/", "nothing": "/no-such-page", "blank": "/blank/"}
    for kind, match in matches_of(user, names).items():
        found[f"pad {kind}"] = f"/m/{match.key}/"
        found[f"sheet {kind}"] = f"/m/{match.key}/sheet/"
    match = Match.objects.filter(rules__columns=1).first()
    assert match
    for row in match.rows.order_by("position")[:2]:
        found[f"row {row.position}"] = f"/m/{match.key}/row/{row.key}/"
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["paper", "lamp"])
@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_axe_finds_nothing(as_user, user, axe, noise: Noise, screen, dark: bool) -> None:
    noise.allow("status of 404")
    page = as_user(screen, dark=dark)
    for name, address in addresses_of(user, ("Ann", "Ben")).items():
        page.goto(address)
        for details in page.locator("main details").all():
            details.evaluate("element => { element.open = true }")
        try:
            axe(page)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
        if name.startswith("pad") and page.locator("#entry").count():
            page.get_by_text("As points ›").click()
            axe(page)


@pytest.mark.parametrize("names", [("Ann", "Ben"), LONG, ODD], ids=["short", "long", "odd"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_b121_nothing_leaves_the_page(as_user, user, noise: Noise, names, width: int) -> None:
    noise.allow("status of 404")
    page = as_user("laptop" if width > 400 else "phone", viewport={"width": width, "height": 700})
    for name, address in addresses_of(user, names).items():
        page.goto(address)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} wide"
        for figure in page.locator(".big, .columns .figure, .points, .action").all():
            if figure.is_visible():
                fits = figure.evaluate("e => e.scrollWidth <= e.clientWidth + 1 || !e.clientWidth")
                assert fits, f"{name}: {figure.inner_text()} is cut off"
        for link in page.locator(".sign .link").all():
            box = link.bounding_box()
            assert box and box["height"] <= 48, f"{name}: {link.inner_text()} is broken into lines"
        if name.startswith("sheet"):
            if (
                page.locator(".ledger .edge").count()
                and not page.locator(".ledger .columns").count()
            ):
                table = page.locator(".scroll")
                assert table.evaluate("e => e.scrollWidth <= e.clientWidth"), f"{name} is cut off"
            title = page.locator(".people")
            for whole in names:
                expect(title).to_contain_text(whole)


def test_b94_buttons_work_whatever_the_names_are(as_user, user) -> None:
    page = as_user("phone")
    match = make_match(user, names=ODD)
    page.goto(f"/m/{match.key}/")
    page.get_by_role("radio", name=f"{ODD[0]} knocked").tap()
    for digit in "621":
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.locator(".action")).to_contain_text(f"{ODD[0]} +15")
    page.locator(".action").tap()
    expect(page.locator(".hands")).to_contain_text(f"{ODD[0]} Knock")
    page.locator(".hands li a").first.tap()
    page.get_by_role("button", name="Void this row").tap()
    expect(page.locator(".hands")).to_contain_text("Void")
    page.get_by_role("button", name="Undo voiding a hand").tap()
    expect(page.locator(".big").first).to_have_text("15")
    page.get_by_role("link", name="Sheet", exact=True).tap()
    page.locator(".hand summary").first.tap()
    expect(page.locator(".hand .why").first).to_contain_text(f"{ODD[0]} knocks with 6")


def test_targets_are_large_enough_for_a_thumb(as_user, user) -> None:
    page = as_user("phone")
    for name, address in addresses_of(user, ("Ann", "Ben")).items():
        if name == "nothing":
            continue
        page.goto(address)
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, a, summary, label, select, .choice')]
                .filter((e) => e.checkVisibility() && !e.closest('.vh'))
                .filter((e) => !e.matches('.skip, .chip'))
                .map((e) => [e.innerText, e.getBoundingClientRect()])
                .filter(([, box]) => box.width > 1 && (box.height < 44 || box.width < 44))
                .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
        )
        assert not small, f"{name}: {small}"


def test_hollywood_of_fifteen_hands_prints_on_one_page(as_user, user) -> None:
    matches = matches_of(user, ("Ann", "Ben"))
    page = as_user("laptop")
    for match in (matches[FINISHED], matches["running"]):
        page.goto(f"/m/{match.key}/sheet/")
        paper = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert fresh(matches[FINISHED]).hand_count == 15


@pytest.mark.parametrize("columns", [3, 6])
def test_a_pad_of_columns_fits_the_narrowest_phone(as_user, user, axe, columns: int) -> None:
    rules = {"preset": "hollywood-100", "columns": columns}
    match = make_match(user, won(ANN, 20), won(BEN, 30), names=("Ann", ARABIC), rules=rules)
    page = as_user("phone", **SMALL)
    page.goto(f"/m/{match.key}/")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for side in page.locator(".columns").all():
        scrolls = side.evaluate("e => e.scrollWidth > e.clientWidth")
        assert scrolls == (columns == 6)
        assert side.evaluate("e => e.tabIndex") == (0 if columns == 6 else -1)


def begins_in_sight(page: Page, selector: str) -> bool:
    """Whether the first letter of the name in this element is not cut off."""
    return page.locator(selector).first.evaluate(
        """(e) => {
            const range = document.createRange();
            range.setStart(e.firstChild, 0);
            range.setEnd(e.firstChild, 1);
            const [letter, box] = [range.getBoundingClientRect(), e.getBoundingClientRect()];
            const bar = (e.closest(".bar .title") ?? e).getBoundingClientRect();
            return letter.width > 0 && letter.left >= Math.max(box.left, bar.left) - 1
                && letter.right <= Math.min(box.right, bar.right) + 1;
        }"""
    )


def test_a_long_name_from_right_to_left_keeps_its_beginning(as_user, user) -> None:
    page = as_user("phone")
    match = make_match(user, names=(ARABIC, "Bartholomaeus"))
    page.goto(f"/m/{match.key}/")
    page.get_by_role("radio", name=f"{ARABIC} knocked").tap()
    for digit in "621":
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.locator(".action")).to_contain_text(f"{ARABIC} +15")
    assert begins_in_sight(page, "#entry-action bdi")
    assert begins_in_sight(page, ".bar .title bdi")
    expect(page.locator(".bar .title")).to_have_text(f"{ARABIC} v Bartholomaeus")
    match.club.name = f"{ARABIC}، {ARABIC}"
    match.club.save(update_fields=["name"])
    page.goto(f"/club/{match.club.key}/")
    assert begins_in_sight(page, ".bar .title bdi")


def test_the_blank_sheet_prints_a_line_below_every_sum(laptop: Page) -> None:
    laptop.goto("/blank/")
    laptop.emulate_media(media="print")
    table = laptop.locator(".blank")
    assert table.evaluate("e => getComputedStyle(e).borderCollapse") == "collapse"
    below = "cells => cells.map((e) => getComputedStyle(e).borderBottomWidth)"
    assert "0px" not in laptop.locator(".blank tfoot :is(th, td)").evaluate_all(below)
    paper = laptop.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_the_sheet_scrolls_in_its_own_place(as_user, user) -> None:
    page = as_user("phone", **SMALL)
    match = matches_of(user, LONG)[FINISHED]
    page.goto(f"/m/{match.key}/sheet/")
    region = page.get_by_role("region", name="The sheet, hand by hand")
    region.focus()
    page.keyboard.press("End")
    assert region.evaluate("e => e.scrollWidth > e.clientWidth")
    region.evaluate("e => { e.scrollLeft = e.scrollWidth }")
    last = page.locator("tfoot .total td").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollLeft") == 0


def test_the_deal_buttons_carry_the_names(phone: Page) -> None:
    phone.goto("/")
    phone.locator("[name=first]").fill("O'Hara")
    phone.locator("[name=second]").fill("<b>")
    deals = phone.get_by_role("group", name="Who deals first?")
    expect(deals.get_by_role("radio", name="O'Hara")).to_be_checked()
    deals.get_by_role("radio", name="<b>").tap()
    phone.get_by_role("button", name="Start the match").tap()
    expect(phone.locator(".side", has_text="<b>")).to_contain_text("deals")


def test_the_cut_is_said_and_the_match_is_found_again(phone: Page) -> None:
    phone.goto("/")
    phone.locator("[name=first]").fill("Ann")
    phone.locator("[name=second]").fill("Ben")
    phone.get_by_role("radio", name="Cut for it").tap()
    phone.get_by_role("button", name="Start the match").tap()
    expect(phone.get_by_text(re.compile("The cut: (Ann|Ben) deals first."))).to_be_visible()
    phone.get_by_role("link", name="All matches").tap()
    phone.get_by_role("link", name="Ann v Ben").tap()
    expect(phone.get_by_role("heading", name="Hand 1", exact=True)).to_be_visible()


def test_another_hand_elsewhere_shows_after_a_wake(as_user, user) -> None:
    """B84: a phone that comes back to the page finds the same match with its score."""
    page = as_user("phone")
    match = make_match(user, knock(ANN, 6, 21))
    page.goto(f"/m/{match.key}/")
    enter(user, match, gin(BEN, 19))
    page.reload()
    expect(page.locator(".big")).to_have_text(["15", "44"])
    assert Match.objects.count() == 1
