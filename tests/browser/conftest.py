"""Browser tests: the system's Chromium on pytest-django's live server.

    def test_pad(phone, axe):              # 390 x 844, touch; `laptop` is 1280 x 800
        phone.goto("/")
        axe(phone)

    def test_dark(open_page):              # any mixture
        page = open_page("laptop", dark=True, javascript=False)

A test also fails by what the browser has to say: an error in the console, a violation of the
content security policy, an exception in a script. What a test provokes on purpose it announces:

    noise.allow(r"status of 409")
"""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol
from unittest import mock

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError
from pytest_django.live_server_helper import LiveServer

from tests.conftest import NO_CHROMIUM, find_chromium

# Playwright's synchronous interface keeps an event loop in the test's thread, where Django would
# refuse to touch the database. Nothing asynchronous of ours runs there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

SCREENS: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
    "laptop": {"viewport": {"width": 1280, "height": 800}},
}
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},  # WCAG 2.2 AA, off by default
}


class Noise:
    """What the browser complained about, and what the test said to expect (patterns)."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.allowed: list[str] = []

    def allow(self, pattern: str) -> None:
        self.allowed.append(pattern)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", self._error)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"{message.text} ({message.location.get('url', '')})")

    def _error(self, error: WebError) -> None:
        self.heard.append(str(error.error))

    def unexpected(self) -> list[str]:
        return [text for text in self.heard if not any(re.search(p, text) for p in self.allowed)]


class OpenPage(Protocol):
    def __call__(
        self,
        screen: Literal["phone", "laptop"] = "phone",
        *,
        dark: bool = False,
        javascript: bool = True,
        **context: Any,
    ) -> Page: ...


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = find_chromium()
    if chromium is None:
        pytest.fail(NO_CHROMIUM)
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    """pytest-django's live server, with static files from whitenoise as in production."""
    with mock.patch("django.contrib.staticfiles.handlers.StaticFilesHandler", lambda app: app):
        server = LiveServer("localhost")
    yield server
    server.stop()


@pytest.fixture
def noise() -> Noise:
    return Noise()


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], noise: Noise
) -> Iterator[Callable[..., BrowserContext]]:
    """pytest-playwright's, with an ear on every context: `page` and `context` come from here."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = new_context(**options)
        noise.listen(context)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        for page in context.pages:
            page.title()  # a round trip, after which every earlier message has arrived
    assert noise.unexpected() == []


@pytest.fixture
def open_page(live_server: LiveServer, new_context: Callable[..., BrowserContext]) -> OpenPage:
    """A function that opens a blank page in a browser of its own (own cookies)."""

    def open_(
        screen: Literal["phone", "laptop"] = "phone",
        *,
        dark: bool = False,
        javascript: bool = True,
        **context: Any,
    ) -> Page:
        options = {
            "base_url": live_server.url,
            "color_scheme": "dark" if dark else "light",
            "java_script_enabled": javascript,
            **SCREENS[screen],
            **context,
        }
        page = new_context(**options).new_page()
        page.set_default_timeout(10_000)
        return page

    return open_


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page("phone")


@pytest.fixture
def laptop(open_page: OpenPage) -> Page:
    return open_page("laptop")


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Asserts that axe-core finds no violation on the page as it stands."""

    def check(page: Page) -> None:
        results = Axe().run(page, options=AXE_OPTIONS)
        assert results.violations_count == 0, results.generate_report()

    return check
