"""What every test stands on: a database file of its own, collected static files, hypothesis."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import settings as hypothesis

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI", "") not in ("", "0", "false")
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = (
    "no Chromium found on PATH (tried chromium, chromium-browser, google-chrome): install it, "
    "or set GINLEDGER_CHROMIUM to the program"
)

hypothesis.register_profile("default", max_examples=60, deadline=None)
# The same examples in every run, so that a red run is red for the change it ran on.
hypothesis.register_profile("ci", max_examples=60, deadline=None, derandomize=True)
hypothesis.register_profile("thorough", max_examples=5000, deadline=None)
hypothesis.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if CI else "default"))


def find_chromium() -> str | None:
    """The browser to drive: GINLEDGER_CHROMIUM, else the first on PATH."""
    named = os.environ.get("GINLEDGER_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else CHROMIUMS)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in tests/browser; without a Chromium skip it, except in CI, where it fails."""
    missing = find_chromium() is None and not CI
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker(pytest.mark.browser)
            if missing:
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if find_chromium() is None:
        outcome = "FAILED" if CI else "SKIPPED"
        terminalreporter.write_line(f"BROWSER TESTS {outcome}: {NO_CHROMIUM}.", red=True, bold=True)


@pytest.fixture(scope="session", autouse=True)
def static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Static files as they are served in production, so that a missing one fails a test too."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder):
        call_command("collectstatic", verbosity=0, interactive=False)
        yield folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A database file (WAL, as in production) for this process alone.

    In memory, the live server and the test would share one connection, and with it one
    transaction; that hides every locking fault.
    """
    from django.db import connections

    test = connections["default"].settings_dict["TEST"]
    test["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture
def python() -> str:
    """The interpreter of this environment, for tests that start a process."""
    return sys.executable
