"""The fixtures themselves: what they must catch, and the frame of every page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Noise, OpenPage

ABSENT = r"status of 404"


def test_page_that_is_not_there(phone: Page, noise: Noise, axe) -> None:
    noise.allow(ABSENT)
    answer = phone.goto("/no-such-page")
    assert answer is not None
    assert answer.status == 404
    expect(phone.locator("h1")).to_have_text("Not here")
    assert "Inter" in phone.evaluate("getComputedStyle(document.body).fontFamily")
    axe(phone)


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_dark_scheme_is_another_paper(open_page: OpenPage, noise: Noise, screen, axe) -> None:
    noise.allow(ABSENT)
    papers = set()
    for dark in (False, True):
        page = open_page(screen, dark=dark)
        page.goto("/no-such-page")
        papers.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        axe(page)
    assert len(papers) == 2


def test_inline_style_and_script_are_refused_and_heard(phone: Page, noise: Noise) -> None:
    noise.allow(ABSENT)
    phone.goto("/no-such-page")
    assert noise.unexpected() == []
    phone.evaluate(
        """() => {
            const style = document.createElement('style');
            style.textContent = 'body { color: red }';
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.head.append(style, script);
        }"""
    )
    assert phone.evaluate("window.ran") is None
    assert len(noise.unexpected()) == 2
    assert all("Content Security Policy" in text for text in noise.unexpected())
    noise.allow("Content Security Policy")


def test_script_error_is_heard(phone: Page, noise: Noise) -> None:
    noise.allow(ABSENT)
    phone.goto("/no-such-page")
    phone.evaluate("setTimeout(() => { throw new Error('lost count') }, 0)")
    phone.wait_for_timeout(50)
    assert any("lost count" in text for text in noise.unexpected())
    noise.allow("lost count")
