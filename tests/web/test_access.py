"""Who may see and who may write: strangers find nothing, viewers change nothing."""

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from tests.cast import ANN, Cast, knock, make_match, won
from tests.web.page import HTMX, address, counts, state_of, text_of

pytestmark = pytest.mark.django_db

READS = ("pad", "sheet")
WRITES = ("enter", "preview", "undo", "rematch")
ROW_WRITES = ("row", "row_preview", "row_void", "row_restore")


def test_every_address_is_in_these_lists() -> None:
    named = {pattern.name for pattern in _patterns(get_resolver().url_patterns)}
    assert {"start", *READS, *WRITES, *ROW_WRITES} <= named


def _patterns(patterns):
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from _patterns(pattern.url_patterns)
        else:
            yield pattern


@pytest.mark.parametrize("who", [None, "dev", "guest"])
def test_a_stranger_finds_nothing(cast: Cast, browser_of, who: str | None) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    row, before = match.rows.get(), state_of(match)
    client = browser_of(getattr(cast, who) if who else None)
    for name in READS:
        answer = client.get(address(name, match))
        assert answer.status_code == 404
        assert "this browser does not hold that match" in text_of(answer)
        assert "Ann" not in text_of(answer)
    posts = [client.post(address(name, match), counts(match, ANN, 6, 21)) for name in WRITES]
    assert client.get(address("row", match, row)).status_code == 404
    data = counts(match, ANN, 1, 90)
    posts += [client.post(address(name, match, row), data) for name in ROW_WRITES]
    for answer in posts:
        # Who has no session may have had one a while ago: he is asked to log in.
        assert answer.status_code == (404 if who else 302)
        assert who or "/login/?next=" in answer.headers["Location"]
    assert state_of(match) == before


def test_a_viewer_reads_and_does_not_write(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(ANN, 99))
    row, before = match.rows.first(), state_of(match)
    client = browser_of(cast.cleo)
    for name in READS:
        page = client.get(address(name, match))
        assert page.status_code == 200
        for button in ("Undo", "Rematch"):
            assert button not in text_of(page)
    page = client.get(address("row", match, row))
    assert page.status_code == 200
    assert "<form" not in page.content.decode().split("<main")[1]
    for name in WRITES:
        answer = client.post(address(name, match), counts(match, ANN, 6, 21))
        assert answer.status_code == 403
        assert "You may only look" in text_of(answer)
    for name in ROW_WRITES:
        assert client.post(address(name, match, row), counts(match, ANN, 1, 90)).status_code == 403
    assert state_of(match) == before


def test_a_scorer_writes(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann)
    answer = browser_of(cast.ben).post(address("enter", match), counts(match, ANN, 6, 21))
    assert answer.status_code == 302


@pytest.mark.parametrize("name", [*WRITES, "row_void", "row_restore", "row_preview"])
def test_a_link_writes_nothing(cast: Cast, browser_of, name: str) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    row = match.rows.get() if name.startswith("row") else None
    assert browser_of(cast.ann).get(address(name, match, row)).status_code == 405


def test_b09_b20_an_ended_session_is_told_by_the_whole_page(cast: Cast, browser_of) -> None:
    match = make_match(cast.guest, knock(ANN, 6, 21))
    before = state_of(match)
    client = browser_of(cast.guest)
    client.cookies.clear()
    for name in WRITES:
        answer = client.post(address(name, match), counts(match, ANN, 6, 21), headers=HTMX)
        assert answer.content == b""
        if name == "preview":  # the page asks this by itself, so it is told and not sent away
            assert "session-ended" in answer.headers["HX-Trigger"]
            continue
        assert answer.status_code == 401
        assert "/login/?next=" in answer.headers["HX-Redirect"]
    assert state_of(match) == before


def test_b09_a_lost_token_is_a_clear_refusal(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.ann)
    match = make_match(cast.ann)
    data = counts(match, ANN, 6, 21)
    answer = client.post(address("enter", match), data)
    assert answer.status_code == 403
    assert "Nothing was stored" in text_of(answer)
    part = client.post(address("enter", match), data, headers=HTMX)
    assert (part.status_code, part.headers["HX-Refresh"]) == (403, "true")
    assert match.rows.count() == 0


def test_private_answers_stay_in_no_cache(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    client = browser_of(cast.ann)
    addresses = ["/", *(address(name, match) for name in READS)]
    for asked in [*addresses, address("row", match, match.rows.get())]:
        for headers in ({}, HTMX):
            answer = client.get(asked, headers=headers)
            assert "no-store" in answer.headers["Cache-Control"]
            assert "HX-Request" in answer.headers["Vary"]


def test_fragment_for_htmx_page_for_a_history_restore(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    client = browser_of(cast.ann)
    part = client.get(address("pad", match), headers=HTMX)
    assert part.content.lstrip().startswith(b'<div id="pad"')
    restored = {**HTMX, "HX-History-Restore-Request": "true"}
    whole = client.get(address("pad", match), headers=restored)
    assert whole.content.startswith(b"<!doctype")


@pytest.mark.parametrize("key", ["9" * 40, "10e20", "-1", "x", "%00", "a b", "../etc"])
def test_b81_addresses_that_lead_nowhere(cast: Cast, browser_of, key: str) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    client = browser_of(cast.ann)
    for asked in (
        f"/m/{key}/",
        f"/m/{key}/sheet/",
        f"/m/{match.key}/row/{key}/",
        f"/matches/{key}/",
    ):
        assert client.get(asked).status_code == 404
    assert client.get(f"{reverse('start')}?page={10**20}").status_code == 200
