"""A match's note, day and life on its page, and the lists of matches."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ginledger.matches import life, services
from ginledger.matches.models import Match
from tests.cast import ANN, BEN, Cast, book_of, enter, fresh, knock, make_match, won
from tests.web.page import address, filled, state_of, text_of

pytestmark = pytest.mark.django_db

ACTS = ("stop", "reopen", "swap", "archive", "unarchive", "delete")


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, knock(ANN, 6, 21), won(BEN, 40))


def act(client: Client, match: Match, name: str, **more: Any) -> Any:
    return client.post(address(name, match), {"version": fresh(match).version, **more})


def shelf(client: Client, name: str, page: str = "") -> str:
    return text_of(client.get(reverse("matches"), {"show": name, "page": page}))


def test_a_sheet_entered_later_gets_its_day_and_a_note(client: Client, match: Match) -> None:
    page = client.get(address("about", match))
    asked = filled(page, "describe") | {"played_on": "2026-02-28", "note": "At <Ben's>\r\nrain"}
    assert client.post(address("about", match), asked).status_code == 302
    after = fresh(match)
    assert (after.played_on, after.note) == (date(2026, 2, 28), "At <Ben's>\nrain")
    page = client.get(address("about", match))
    assert "Kept." in text_of(page)
    assert 'value="2026-02-28"' in page.content.decode()
    assert "At &lt;Ben" in page.content.decode()
    sheet = client.get(address("sheet", match))
    assert "28 February 2026" in text_of(sheet)
    assert "At &lt;Ben&#x27;s&gt;<br>rain" in sheet.content.decode()
    words = text_of(client.get(address("history", match)))
    assert "Note or date changed by Ann" in words
    assert "Played on 28 February 2026, not" in words
    assert "Note: At <Ben's>" in words


@pytest.mark.parametrize("day", ["", "28/02/2026", "2026-02-30", "1/2/26", "9999-01-01", "x" * 99])
def test_b23_one_way_of_writing_a_day(client: Client, match: Match, day: str) -> None:
    before = state_of(match)
    asked = {"version": match.version, "played_on": day, "note": "kept typed"}
    answer = client.post(address("about", match), asked)
    assert answer.status_code == 422
    assert "kept typed" in text_of(answer)
    assert state_of(match) == before


def test_described_on_an_old_page(client: Client, match: Match, cast: Cast) -> None:
    asked = {"version": match.version, "played_on": "2026-02-28", "note": "typed"}
    enter(cast.ben, match, won(BEN, 1))
    answer = client.post(address("about", match), asked)
    assert answer.status_code == 409
    assert "Somebody else wrote" in text_of(answer)
    again = filled(answer, "describe")
    assert again["played_on"] == "2026-02-28"
    assert "typed" in text_of(answer)


def test_b73_stopped_and_taken_up_again(client: Client, match: Match) -> None:
    assert act(client, match, "stop", why="the last train").status_code == 302
    assert fresh(match).stopped
    assert "stopped unfinished: no winner, no margin" in text_of(client.get(address("pad", match)))
    assert "Ann v Ben" in shelf(client, "stopped")
    assert "Nothing here." in shelf(client, "running")
    assert "Why: the last train" in text_of(client.get(address("history", match)))
    assert act(client, match, "stop").status_code == 409
    assert act(client, match, "reopen").headers["Location"] == address("pad", match)
    assert 'id="entry"' in client.get(address("pad", match)).content.decode()
    assert act(client, match, "reopen").status_code == 409


def test_b106_swapped_sides_keep_every_hand_with_its_person(client: Client, match: Match) -> None:
    act(client, match, "swap")
    book = book_of(match)
    assert book.table.names == ("Ben", "Ann")
    assert [side.points for side in book.sheet.columns[0].sides] == [40, 15]
    assert "Ben v Ann" in text_of(client.get(address("pad", match)))


def test_archived_out_of_the_usual_lists(client: Client, match: Match) -> None:
    act(client, match, "archive")
    assert "Ann v Ben" not in text_of(client.get("/"))
    assert "Ann v Ben" not in shelf(client, "running")
    assert "Ann v Ben" in shelf(client, "archived")
    assert client.get(address("pad", match)).status_code == 200
    act(client, match, "unarchive")
    assert "Ann v Ben" in text_of(client.get("/"))


def test_b37_in_the_bin_and_out_of_it(client: Client, match: Match, cast: Cast, browser_of) -> None:
    seen, version = state_of(match)[1], fresh(match).version
    gone = act(client, match, "delete", why="twice")
    assert gone.headers["Location"] == "/matches/?show=bin"
    for _ in range(2):
        again = client.post(address("delete", match), {"version": version})
        assert again.status_code == 404, "the second call says that it is gone"
    for name in ("pad", "sheet", "about", "history", "pad_now"):
        assert client.get(address(name, match)).status_code == 404
    assert "Ann v Ben" not in text_of(client.get("/"))
    for name in ("running", "finished", "stopped", "archived"):
        assert "Nothing here." in shelf(client, name)
    assert "Take it out" in shelf(client, "bin")
    looking = shelf(browser_of(cast.cleo), "bin")
    assert "Ann v Ben" in looking
    assert "Take it out" not in looking
    assert "Nothing here." in shelf(browser_of(cast.dev), "bin")
    assert act(client, match, "undelete").headers["Location"] == address("about", match)
    assert state_of(match)[1] == seen
    assert act(client, match, "undelete").status_code == 404
    assert "Ann v Ben" in shelf(client, "running")


def test_resumed_on_another_day(client: Client, match: Match) -> None:
    assert "Laid aside" not in text_of(client.get(address("pad", match)))
    then = timezone.now() - timedelta(days=3)
    match.amendments.update(at=then)
    Match.objects.filter(pk=match.pk).update(last_at=then)
    day = f"{then.day} {then:%B %Y}"
    assert f"Laid aside on {day}; go on where it was." in text_of(client.get(address("pad", match)))
    assert f"{then.day} {then:%b %Y}" in shelf(client, "running")


def test_b126_lists_are_in_recorded_order_and_paged(client: Client, cast: Cast) -> None:
    names = [f"Player {number:02}" for number in range(35)]
    made = [make_match(cast.ann, won(ANN, 100), names=(name, "Ben")) for name in names]
    now = timezone.now()
    Match.objects.update(last_at=now, created_at=now, played_on=date(2026, 3, 1))
    pages = [shelf(client, "finished", page) for page in ("1", "2")]
    shown = [re.findall(r"(Player \d\d) v", page) for page in pages]
    assert [len(one) for one in shown] == [30, 5]
    assert shown[0] + shown[1] == names[::-1]
    assert "1 of 2" in pages[0]
    Match.objects.filter(pk=made[3].pk).update(played_on=date(2026, 3, 2))
    assert re.findall(r"(Player \d\d) v", shelf(client, "finished"))[0] == "Player 03"
    for odd in ("x", "0", "-1", str(10**20)):
        assert "Player 03" in shelf(client, "finished", "1") and shelf(client, "finished", odd)
    assert "Nothing here." in shelf(client, "no such shelf")


@pytest.mark.parametrize("name", ["running", "finished", "bin"])
def test_a_list_costs_the_same_however_long(
    client: Client, cast: Cast, name: str, django_assert_max_num_queries
) -> None:
    for _ in range(10):
        match = make_match(cast.ann, won(ANN, 100 if name == "finished" else 10))
        if name == "bin":
            life.delete_match(user=cast.ann, match_key=match.key, version=match.version)
    with django_assert_max_num_queries(7):
        client.get(reverse("matches"), {"show": name})


@pytest.mark.parametrize("who", ["dev", "guest", None])
def test_a_stranger_finds_nothing(cast: Cast, match: Match, browser_of, who: str | None) -> None:
    client, before = browser_of(getattr(cast, who) if who else None), state_of(match)
    assert client.get(address("about", match)).status_code == 404
    assert "Nothing here." in shelf(client, "running")
    for name in ("about", *ACTS, "undelete"):
        assert act(client, match, name).status_code == (404 if who else 302)
    assert state_of(match) == before


def test_a_viewer_looks_and_changes_nothing(cast: Cast, match: Match, browser_of) -> None:
    client, before = browser_of(cast.cleo), state_of(match)
    page = client.get(address("about", match))
    assert page.status_code == 200
    assert "<form" not in re.sub(r"(?s)<header.*?</header>", "", page.content.decode())
    for name in ("about", *ACTS):
        assert act(client, match, name).status_code == 403
    assert state_of(match) == before
    life.delete_match(user=cast.ann, match_key=match.key, version=match.version)
    assert act(client, match, "undelete").status_code == 403


@pytest.mark.parametrize("name", [*ACTS, "undelete"])
def test_a_link_changes_nothing(client: Client, match: Match, name: str) -> None:
    assert client.get(address(name, match)).status_code == 405


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 5000, "1"])
def test_a_stale_or_damaged_page_changes_nothing(
    client: Client, match: Match, version: str
) -> None:
    before = state_of(match)
    for name in ("stop", "swap", "archive", "delete"):
        assert client.post(address(name, match), {"version": version}).status_code == 409
    assert state_of(match) == before


def test_an_over_match_is_not_stopped(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    assert "Stop it unfinished" not in text_of(client.get(address("about", match)))
    answer = act(client, match, "stop")
    assert answer.status_code == 409
    assert "This match is not being played." in text_of(answer)


def test_too_long_a_reason_is_told(client: Client, match: Match) -> None:
    answer = act(client, match, "stop", why="x" * 201)
    assert answer.status_code == 422
    assert "up to 200 characters" in text_of(answer)
    assert not fresh(match).stopped


def test_a_running_match_comes_back_after_being_stopped_and_undone(
    client: Client, cast: Cast, match: Match
) -> None:
    services.stop_match(user=cast.ann, match_key=match.key, version=match.version)
    assert act(client, match, "undo").status_code == 302
    assert fresh(match).stopped
    assert fresh(match).hand_count == 1
