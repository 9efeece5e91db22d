"""Rows in between, signed points, dealers, redo and the history: the pages of the ink."""

import re
from typing import Any

import pytest
from django.test import Client

from ginledger.matches import services
from ginledger.matches.models import Match, Row
from tests.cast import (
    ANN,
    BEN,
    Cast,
    adjust,
    book_of,
    dead,
    enter,
    fresh,
    gin,
    knock,
    make_match,
    won,
)
from tests.web.page import HTMX, address, counts, filled, state_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 33), dead(), won(BEN, 12))


def row_of(match: Match, number: int) -> Row:
    return match.rows.get(position=number)


def inserted(client: Client, match: Match, number: int, **changes: Any) -> Any:
    asked = counts(match, ANN, 6, 21) | {"place": "after", **changes}
    return client.post(address("insert", match, row_of(match, number)), asked)


def adjusted(match: Match, **changes: Any) -> dict[str, Any]:
    return {
        "side": "1",
        "sign": "minus",
        "points": "10",
        "note": "exposed a card",
        "place": "end",
        "once_key": "adjust",
        "version": fresh(match).version,
        **changes,
    }


def replayed(match: Match, client: Client, name: str) -> Any:
    return client.post(address(name, match), {"version": fresh(match).version})


# B113: a forgotten hand


def test_b113_inserted_after_a_row_everything_behind_follows(client: Client, match: Match) -> None:
    before = [scored.dealers for scored in book_of(match).sheet.hands]
    assert before == [(ANN,), (BEN,), (ANN,), (ANN,)]
    answer = inserted(client, match, 1, why="it was on the napkin")
    assert answer.status_code == 302
    book = book_of(match)
    assert [(line.hand, line.row.void) for line in book.lines][:3] == [
        (knock(ANN, 6, 21, opponent=BEN), False),
        (knock(ANN, 6, 21, opponent=BEN), False),
        (gin(BEN, 33, opponent=ANN), False),
    ]
    assert [hand.dealers for hand in book.sheet.hands] == [(ANN,), (BEN,), (BEN,), (ANN,), (ANN,)]
    assert [side.points for side in book.sheet.columns[0].sides] == [30, 70]
    last = book.amendments[-1]
    assert (last.action, last.why) == ("insert", "it was on the napkin")
    assert "Undo inserting hand 2" in text_of(client.get(address("pad", match)))


def test_inserted_before_the_first_row(client: Client, match: Match) -> None:
    assert inserted(client, match, 1, place="before", who="dead").status_code == 302
    assert book_of(match).sheet.hands[0].kind == "dead"


def test_the_same_insert_twice_is_one_row(client: Client, match: Match) -> None:
    row, asked = row_of(match, 2), counts(match, ANN, 6, 21) | {"place": "after"}
    for _ in range(2):
        assert client.post(address("insert", match, row), asked).status_code == 302
    assert match.rows.count() == 5


def test_the_insert_page_says_what_would_come_of_it(client: Client, match: Match) -> None:
    row = row_of(match, 2)
    page = client.get(address("insert", match, row))
    assert "Before hand 2" in text_of(page)
    assert "After hand 2" in text_of(page)
    assert filled(page)["place"] == "after"
    asked = counts(match, ANN, 6, 21)
    where = address("insert_preview", match, row)
    assert text_of(client.post(where, asked | {"place": "before"}, headers=HTMX)) == "Ann +15 → 30"
    asked |= {"knocker_deadwood": "2", "opponent_deadwood": "90"}
    part = client.post(where, asked | {"place": "after"}, headers=HTMX)
    assert "The match ended with hand 3" in part.content.decode()
    assert match.rows.count() == 4


def test_rows_left_over_by_an_insert_are_a_choice(client: Client, match: Match) -> None:
    before = state_of(match)
    answer = inserted(client, match, 1, knocker_deadwood="2", opponent_deadwood="90")
    assert answer.status_code == 422
    words = text_of(answer)
    assert "Void hands 3, 4, 5 too" in words
    assert state_of(match) == before
    chosen = filled(answer) | {"void_rest": "1"}
    assert client.post(address("insert", match, row_of(match, 1)), chosen).status_code == 302
    book = book_of(match)
    assert [line.row.void for line in book.lines] == [False, False, True, True, True]
    assert book.sheet.over
    replayed(match, client, "undo")
    assert [line.row.void for line in book_of(match).lines] == [False, True, False, False, False]


def test_an_insert_that_is_refused_keeps_what_was_typed(
    client: Client, match: Match, cast: Cast
) -> None:
    before = state_of(match)
    answer = inserted(client, match, 1, knocker_deadwood="11", why="forgot")
    assert answer.status_code == 422
    assert "Ann cannot knock with 11" in text_of(answer)
    assert filled(answer)["why"] == "forgot"
    assert state_of(match) == before
    asked = counts(match, ANN, 6, 21) | {"place": "before"}
    enter(cast.ben, match, dead())
    stale = client.post(address("insert", match, row_of(match, 1)), asked)
    assert stale.status_code == 409
    assert "Somebody else wrote" in text_of(stale)
    kept = filled(stale)
    assert (kept["place"], kept["opponent_deadwood"]) == ("before", "21")
    assert client.post(address("insert", match, row_of(match, 1)), kept).status_code == 302
    assert book_of(match).lines[0].hand == knock(ANN, 6, 21, opponent=BEN)


def test_inserted_among_three_those_play_whose_turn_it_was(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, rules="three-handed", names=("Ann", "Ben", "Cleo"))
    first, second = sorted(book_of(match).sheet.next_players)
    enter(cast.ann, match, won(first, 20))
    rows = {"place": "before", "how": "gin", "own": ""}
    asked = counts(match, second, "", 30) | rows
    assert client.post(address("insert", match, row_of(match, 1)), asked).status_code == 422
    # Had the second won, the first would have sat out: so his win is no longer there to be.
    asked |= {"who": first, "once_key": "again"}
    assert client.post(address("insert", match, row_of(match, 1)), asked).status_code == 302
    book = book_of(match)
    assert [hand.side for hand in book.sheet.hands] == [first, first]
    assert sorted(book.sheet.hands[0].players) == [first, second]


# B105: signed points


def test_b105_points_are_taken_off_with_a_reason(client: Client, match: Match) -> None:
    page = client.get(address("adjust", match))
    assert {"sign": "minus", "points": "", "note": ""}.items() <= filled(page).items()
    assert client.post(address("adjust", match), adjusted(match)).status_code == 302
    book = book_of(match)
    assert book.lines[-1].hand == adjust(BEN, -10, note="exposed a card")
    assert book.sheet.columns[0].sides[BEN].points == 60
    assert book.sheet.columns[0].sides[BEN].boxes == 2
    pad = text_of(client.get(address("pad", match)))
    assert "Adjustment" in pad
    assert "exposed a card" in pad
    assert "−10" in pad


def test_an_adjustment_before_a_row(client: Client, match: Match) -> None:
    asked = adjusted(match, side="0", sign="plus", points="90", place=row_of(match, 2).key)
    refused = client.post(address("adjust", match), asked)
    assert refused.status_code == 422
    assert "Void hands 3, 4, 5 too" in text_of(refused)
    asked |= {"points": "5"}
    assert client.post(address("adjust", match), asked).status_code == 302
    assert book_of(match).lines[1].hand == adjust(ANN, 5, note="exposed a card")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"points": "-10"}, "digits only"),
        ({"points": "1e3"}, "digits only"),
        ({"points": "1.5"}, "digits only"),
        ({"points": ""}, "How many points?"),
        ({"note": "  "}, "Say what it is for."),
        ({"side": ""}, "Whose points are they?"),
        ({"side": "7"}, "not one of the available choices"),
        ({"place": "nowhere"}, "not one of the available choices"),
    ],
)
def test_b105_what_an_adjustment_cannot_be(
    client: Client, match: Match, changes: dict[str, str], words: str
) -> None:
    before = state_of(match)
    answer = client.post(address("adjust", match), adjusted(match, **changes))
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert state_of(match) == before


def test_the_adjust_page_says_what_would_come_of_it(client: Client, match: Match) -> None:
    where = address("adjust_preview", match)
    part = client.post(where, adjusted(match, note=""), headers=HTMX)
    assert text_of(part) == "Ben −10 → 60"
    part = client.post(where, adjusted(match, sign="plus", points="30"), headers=HTMX)
    assert text_of(part) == "Ben +30 → 100, wins the game"
    part = client.post(where, adjusted(match, points="x"), headers=HTMX)
    assert "digits only" in part.content.decode()


def test_an_adjustment_is_amended(client: Client, match: Match) -> None:
    client.post(address("adjust", match), adjusted(match))
    row = row_of(match, 5)
    page = client.get(address("row_adjust", match, row))
    kept = filled(page)
    assert (kept["side"], kept["sign"], kept["points"]) == ("1", "minus", "10")
    assert kept["note"] == "exposed a card"
    before = state_of(match)
    assert client.post(address("row_adjust", match, row), kept).status_code == 302
    assert state_of(match) == before, "B45"
    part = client.post(address("row_adjust_preview", match, row), kept | {"points": "20"})
    assert text_of(part) == "Ben −20 → 50"
    kept |= {"points": "20", "why": "two cards"}
    client.post(address("row_adjust", match, row), kept)
    assert book_of(match).lines[-1].hand == adjust(BEN, -20, note="exposed a card")
    words = text_of(client.get(address("history", match)))
    assert "Amended by Ann" in words
    assert "Why: two cards" in words
    assert client.get(address("row_adjust", match, row_of(match, 1))).status_code == 404


# Who dealt


def test_b92_the_deal_goes_on_from_the_dealer_that_was_corrected(
    client: Client, match: Match
) -> None:
    row = row_of(match, 3)
    page = client.get(address("dealer", match, row))
    assert "Who dealt hand 3?" in text_of(page)
    assert [hand.dealers for hand in book_of(match).sheet.hands][2:] == [(ANN,), (ANN,)]
    asked = {"dealer": str(BEN), "version": fresh(match).version, "why": "Ben shuffled"}
    assert client.post(address("dealer", match, row), asked).status_code == 302
    assert [hand.dealers for hand in book_of(match).sheet.hands][2:] == [(BEN,), (BEN,)]
    words = text_of(client.get(address("row", match, row)))
    assert "Dealt by Ben, whatever the rule says." in words
    assert "Why: Ben shuffled" in words
    back = {"dealer": "", "version": fresh(match).version}
    client.post(address("dealer", match, row), back)
    assert book_of(match).lines[2].hand.dealer is None
    assert "Dealt by whom the rule names." in text_of(client.get(address("history", match)))


def test_the_dealer_of_a_void_row_waits(client: Client, match: Match, cast: Cast) -> None:
    row = row_of(match, 3)
    services.void_row(user=cast.ann, row_key=row.key, version=4)
    asked = {"dealer": "1", "version": 5}
    answer = client.post(address("dealer", match, row), asked)
    assert answer.status_code == 409
    assert "restore it first" in text_of(answer)
    odd = client.post(address("dealer", match, row), {"dealer": "9", "version": 5})
    assert odd.status_code == 422


# Undo, redo and the history


def test_undo_and_redo_through_the_end_of_the_match(client: Client, match: Match) -> None:
    assert "Redo" not in text_of(client.get(address("pad", match)))
    client.post(address("enter", match), counts(match, ANN, "", 60, how="gin"))
    assert fresh(match).winner == ANN
    over = text_of(client.get(address("sheet", match)))
    replayed(match, client, "undo")
    assert (fresh(match).over, fresh(match).net) == (False, None)
    page = client.get(address("pad", match))
    assert "Taken back: hand 5. Redo hand 5" in text_of(page)
    part = client.post(address("redo", match), filled(page, "redo"), headers=HTMX)
    assert part.content.lstrip().startswith(b'<div id="pad"')
    assert fresh(match).winner == ANN
    assert text_of(client.get(address("sheet", match))) == over
    again = replayed(match, client, "redo")
    assert again.status_code == 409
    assert "There is nothing to redo." in text_of(again)


def test_a_stale_redo_changes_nothing(client: Client, match: Match, cast: Cast) -> None:
    replayed(match, client, "undo")
    page = client.get(address("pad", match))
    enter(cast.ben, match, dead())
    before = state_of(match)
    for version in (filled(page, "redo")["version"], "", "x", "9" * 5000):
        assert client.post(address("redo", match), {"version": version}).status_code == 409
    assert state_of(match) == before


def test_the_history_tells_every_act_newest_first(
    client: Client, match: Match, cast: Cast, browser_of
) -> None:
    services.amend_row(
        user=cast.ben,
        row_key=row_of(match, 1).key,
        hand=knock(ANN, 6, 25),
        version=4,
        why="<b>counted</b> again",
    )
    replayed(match, client, "undo")
    services.void_row(user=cast.ann, row_key=row_of(match, 2).key, version=6)
    services.swap_sides(user=cast.ann, match_key=match.key, version=7)
    page = browser_of(cast.cleo).get(address("history", match))
    words = text_of(page)
    assert "8 changes, the newest first" in words
    acts = [
        "Sides swapped by Ann",
        "Struck out by Ann",
        "Undone by Ann",
        "Amended taken back by Ben",
    ]
    places = [words.index(act) for act in acts]
    assert places == sorted(places)
    assert "Hand 1Before: Ann, knock: knocks with 6, Ben has 21, +15" in words
    assert "After: Ann, knock: knocks with 6, Ben has 25, +19" in words
    assert "Why: <b>counted</b> again" in words
    assert "A void rowIt no longer counts." in words
    assert "<b>counted" not in page.content.decode()


def test_a_long_history_has_pages(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 1))
    key = match.rows.get().key
    for version in range(1, 90, 2):
        services.void_row(user=cast.ann, row_key=key, version=version)
        services.restore_row(user=cast.ann, row_key=key, version=version + 1)
    seen = []
    for number in ("1", "2", "3"):
        page = client.get(address("history", match), {"page": number})
        seen += re.findall(r"<li>\s*<p><strong>(\w+ ?\w*)", page.content.decode())
    assert len(seen) == 91
    assert seen[-1] == "Entered"
    for odd in ("0", "x", str(10**20), "-1"):
        assert client.get(address("history", match), {"page": odd}).status_code == 200


@pytest.mark.parametrize("name", ["history", "adjust", "insert", "dealer"])
def test_queries_do_not_grow_with_the_book(
    client: Client, cast: Cast, name: str, django_assert_max_num_queries
) -> None:
    match = make_match(cast.ann, *[won(ANN, 1) for _ in range(30)])
    row = row_of(match, 3) if name in ("insert", "dealer") else None
    with django_assert_max_num_queries(7):
        assert client.get(address(name, match, row)).status_code == 200


@pytest.mark.parametrize("name", ["insert", "adjust"])
def test_b22_what_was_typed_is_there_after_a_login(match: Match, cast: Cast, name: str) -> None:
    stranger, before = Client(), state_of(match)
    where = address(name, match, row_of(match, 1) if name == "insert" else None)
    typed = counts(match, ANN, 6, 21) if name == "insert" else adjusted(match, side="0")
    answer = stranger.post(where, typed | {"place": "before" if name == "insert" else "end"})
    assert "login" in answer.headers["Location"]
    # The same browser, logged in: what lies in its session goes along.
    session = stranger.session
    kept = dict(session.items())
    stranger.force_login(cast.ann)
    session = stranger.session
    session.update({key: value for key, value in kept.items() if key not in session})
    session.save()
    page = stranger.get(where)
    assert "Not stored yet" in text_of(page)
    shown = filled(page)
    wanted = (
        {"opponent_deadwood": "21", "place": "before"} if name == "insert" else {"points": "10"}
    )
    assert wanted.items() <= shown.items()
    assert state_of(match) == before


# Who may

PAGES = ("adjust", "insert", "dealer", "row_adjust")
POSTS = ("redo", "adjust", "adjust_preview")
ROW_POSTS = ("insert", "insert_preview", "dealer", "row_adjust", "row_adjust_preview")


@pytest.fixture
def adjusted_match(cast: Cast) -> Match:
    return make_match(cast.ann, adjust(BEN, -10, note="late"))


def place(name: str, match: Match) -> str:
    return address(name, match, match.rows.get() if name in ROW_POSTS else None)


@pytest.mark.parametrize("who", ["dev", "guest", None])
def test_a_stranger_finds_nothing(cast: Cast, adjusted_match: Match, browser_of, who: str) -> None:
    client, before = browser_of(getattr(cast, who) if who else None), state_of(adjusted_match)
    for name in (*PAGES, "history"):
        assert client.get(place(name, adjusted_match)).status_code == 404
    for name in (*POSTS, *ROW_POSTS):
        answer = client.post(place(name, adjusted_match), adjusted(adjusted_match))
        assert answer.status_code == (404 if who else 302)
    assert state_of(adjusted_match) == before


def test_a_viewer_looks_and_writes_nothing(cast: Cast, adjusted_match: Match, browser_of) -> None:
    client, before = browser_of(cast.cleo), state_of(adjusted_match)
    assert client.get(place("history", adjusted_match)).status_code == 200
    for name in PAGES:
        assert client.get(place(name, adjusted_match)).status_code == 403
    for name in (*POSTS, *ROW_POSTS):
        answer = client.post(place(name, adjusted_match), adjusted(adjusted_match))
        assert answer.status_code == 403
    assert state_of(adjusted_match) == before


def test_a_row_of_another_match_is_not_here(client: Client, match: Match, cast: Cast) -> None:
    other = make_match(cast.ann, adjust(ANN, 5)).rows.get()
    for name in ROW_POSTS:
        assert client.post(address(name, match, other), adjusted(match)).status_code == 404


def test_b94_names_as_typed(cast: Cast, client: Client) -> None:
    names = ('A"B</script><img src=x onerror=x>', "O'Hara {{x}} \\")
    match = make_match(cast.ann, knock(ANN, 6, 21), adjust(BEN, -5, note="<i>x</i>"), names=names)
    for name in (*PAGES, "history"):
        row = row_of(match, 2 if name == "row_adjust" else 1) if name in ROW_POSTS else None
        page = client.get(address(name, match, row))
        assert page.status_code == 200
        body = page.content.decode()
        assert "<img src=x" not in body
        assert "<i>x" not in body
        assert names[0] in text_of(page)
