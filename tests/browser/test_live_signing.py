"""Both sides sign on their own phones: one by an account, the other by a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ginledger.clubs.models import Player
from ginledger.matches import services
from ginledger.money import signing
from tests.browser.conftest import OpenPage
from tests.browser.test_live import SECONDS
from tests.browser.test_live import cast as cast
from tests.browser.test_live import pad_of as pad_of
from tests.cast import ANN, Cast, fresh, knock, make_match, won


def test_both_agree_and_an_amendment_asks_again(cast: Cast, pad_of, open_page, axe) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(ANN, 90))
    Player.objects.filter(seats__match=match, seats__number=ANN).update(user=cast.ann)
    pad = pad_of(cast.ann, match)
    sign = pad.locator("#sign")
    expect(sign.locator("h2")).to_have_text("Does everybody agree?")
    axe(pad)
    pad.get_by_role("button", name="I agree").click()
    expect(sign).to_contain_text("✓ agrees")

    pad.get_by_role("link", name="Ask Ben by a link").click()
    pad.get_by_role("button", name="Make the link").click()
    axe(pad)
    address = pad.locator(".address a").get_attribute("href")
    assert address
    ben = open_page("phone")
    ben.goto(address)
    axe(ben)
    ben.get_by_label("A word with it").fill("well played")
    ben.get_by_role("button", name="I agree").click()
    expect(ben.locator("#sign h2")).to_have_text("Both sides agree")

    # The pad hears of it by itself, and so it does of an amendment.
    pad.goto(f"/m/{match.key}/")
    expect(sign.locator("h2")).to_have_text("Both sides agree")
    row = match.rows.earliest("pk")
    version = fresh(match).version
    services.amend_row(
        user=cast.ben, row_key=row.key, hand=knock(ANN, 5, 21), version=version, why=""
    )
    expect(sign).to_contain_text("Hand 1 was Ann +15 (knock)", timeout=SECONDS)
    expect(sign).to_contain_text("asked again")
    axe(pad)


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_of_a_link_fits(cast: Cast, open_page: OpenPage, axe, dark: bool) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(ANN, 90), names=("W" * 60, "Ben"))
    link = signing.open_link(user=cast.ann, match_key=match.key, seat=ANN)
    for screen in ("phone", "laptop"):
        page = open_page(screen, dark=dark)
        page.goto(f"/sign/{link.token}/")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        verdict, head = (page.locator(one).bounding_box() for one in (".log", "#sign h2"))
        assert verdict and head and verdict["y"] + verdict["height"] <= head["y"]
        axe(page)
