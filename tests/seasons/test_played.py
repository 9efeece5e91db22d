"""The matches of a season: those of its days that count, the latest first, page by page."""

from __future__ import annotations

import html
from datetime import date, timedelta
from urllib.parse import quote

import pytest
from django.urls import reverse

from ginledger.matches import life
from ginledger.matches.models import Match
from ginledger.seasons import played_views
from ginledger.seasons.models import Season
from tests.cast import ANN, Cast, make_match, won
from tests.seasons.tables import fill, played
from tests.seasons.test_standings import BrowserOf

pytestmark = pytest.mark.django_db
MARCH = date(2025, 3, 31)


@pytest.fixture
def spring(cast: Cast) -> Season:
    return Season.objects.create(
        club=cast.club, name="Spring", begins=date(2025, 3, 1), ends=date(2025, 3, 31)
    )


def match_version(match: Match) -> int:
    return Match.objects.get(pk=match.pk).version


def shown(page) -> list[str]:
    return [match.key for match, _ in page.context["matches"]]


def test_the_matches_of_its_days_that_count_and_a_new_day_moves_one(
    cast: Cast, spring: Season, browser_of: BrowserOf
) -> None:
    first = played(cast.ann, MARCH, won(ANN, 100), names=("Ann", "Ben"))
    second = played(cast.ann, MARCH, won(ANN, 100), names=("Ann", "Cleo"))
    later = played(cast.ann, MARCH + timedelta(days=1), won(ANN, 100), names=("Ann", "Ben"))
    make_match(cast.ann, won(ANN, 1))
    gone = played(cast.ann, MARCH, won(ANN, 100), names=("Ann", "Ben"))
    life.delete_match(user=cast.ann, match_key=gone.key, version=gone.version)
    ann = browser_of(cast.ann)
    address = reverse("played", args=[cast.club.key, spring.key])
    assert shown(ann.get(address)) == [second.key, first.key]
    life.describe_match(
        user=cast.ann, match_key=later.key, version=later.version, note="", played_on=MARCH
    )
    page = ann.get(address)
    assert shown(page) == [later.key, second.key, first.key]
    assert reverse("about", args=[later.key]) in page.content.decode()
    # There and back: whoever moves several finds his list again, and goes nowhere else.
    about = f"{reverse('about', args=[later.key])}?next={quote(address, safe='')}"
    assert html.escape(about) in page.content.decode()
    said = {"version": match_version(later), "played_on": "2025-03-30", "note": ""}
    shown_next = ann.get(about).context["next"]
    assert shown_next == address
    moved = ann.post(reverse("about", args=[later.key]), said | {"next": shown_next})
    assert (moved.status_code, moved["Location"]) == (302, address)
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"):
        said["version"] = match_version(later)
        page = ann.get(reverse("about", args=[later.key]), {"next": elsewhere})
        assert page.context["next"] == ""
        moved = ann.post(reverse("about", args=[later.key]), said | {"next": elsewhere})
        assert moved["Location"] == reverse("about", args=[later.key])
    # Who only looks is offered no way to change a day.
    assert (
        reverse("about", args=[later.key])
        not in browser_of(cast.cleo).get(address).content.decode()
    )


def test_pages_are_whole_and_queries_do_not_grow(
    cast: Cast, browser_of: BrowserOf, django_assert_num_queries, monkeypatch
) -> None:
    monkeypatch.setattr(played_views, "A_PAGE", 7)
    ann = browser_of(cast.ann)
    address = reverse("played", args=[cast.club.key, "all"])
    for more, total in ((20, 20), (80, 100)):
        fill(cast.club, more)
        with django_assert_num_queries(10):
            page = ann.get(address)
        pages = page.context["pages"].paginator
        assert (pages.count, pages.num_pages) == (total, -(-total // 7))
    found = [
        key for number in pages.page_range for key in shown(ann.get(f"{address}?page={number}"))
    ]
    assert found == list(
        cast.club.matches.order_by("-played_on", "-pk").values_list("key", flat=True)
    )
    assert ann.get(f"{address}?page=99999999999999999999").status_code == 200
