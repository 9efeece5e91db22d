"""One row: amended, struck out, restored, with its history; nothing before Save."""

import pytest
from django.test import Client

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
from tests.web.page import HTMX, address, filled, state_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 33), dead(), won(BEN, 12), won(ANN, 20))


def row_of(match: Match, number: int) -> Row:
    return match.rows.get(position=number)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (1, "counts who=0 how=knock knocker_deadwood=6 opponent_deadwood=21"),
        (2, "counts who=1 how=gin knocker_deadwood= opponent_deadwood=33"),
        (3, "counts who=dead"),
        (5, "points winner=0 kind=knock points=20"),
    ],
)
def test_the_form_holds_what_the_row_says(
    client: Client, cast: Cast, number: int, shown: str
) -> None:
    match = make_match(
        cast.ann, knock(ANN, 6, 21), gin(BEN, 33), dead(), knock(BEN, 1, 2), won(ANN, 20)
    )
    row = row_of(match, number)
    page = client.get(address("row", match, row))
    assert page.status_code == 200
    mode, *fields = shown.split()
    wanted = {"mode": mode} | dict(field.split("=") for field in fields)
    assert wanted.items() <= filled(page).items()
    before = state_of(match)
    saved = client.post(address("row", match, row), filled(page))
    assert saved.status_code == 302
    assert state_of(match) == before, "B45: saved without a change, nothing is stored"


def test_b34_a_look_changes_nothing(client: Client, match: Match, browser_of, cast: Cast) -> None:
    other = browser_of(cast.ben)
    before, sheet = state_of(match), text_of(other.get(address("sheet", match)))
    row = row_of(match, 2)
    page = client.get(address("row", match, row))
    asked = {**filled(page), "opponent_deadwood": "50"}
    part = client.post(address("row_preview", match, row), asked, headers=HTMX)
    assert text_of(part) == "Ben +75 → 75"
    assert "Ben +75" in text_of(client.post(address("row_preview", match, row), asked))
    assert text_of(other.get(address("sheet", match))) == sheet
    assert state_of(match) == before


def test_amended_with_its_history(client: Client, match: Match) -> None:
    row = row_of(match, 1)
    asked = {**filled(client.get(address("row", match, row))), "opponent_deadwood": "25"}
    answer = client.post(address("row", match, row), {**asked, "why": "counted again <b>"})
    assert answer.status_code == 302
    assert book_of(match).sheet.columns[0].sides[ANN].points == 39
    words = text_of(client.get(address("row", match, row)))
    assert "Amended by Ann" in words
    assert "Before: Ann, knock: knocks with 6, Ben has 21, +15" in words
    assert "After: Ann, knock: knocks with 6, Ben has 25, +19" in words
    assert "Why: counted again <b>" in words
    assert "Amended" in text_of(client.get(address("pad", match)))
    assert "Amended" in text_of(client.get(address("sheet", match)))


def test_from_counts_to_points_and_to_a_dead_hand(client: Client, match: Match) -> None:
    row = row_of(match, 1)
    asked = filled(client.get(address("row", match, row)))
    asked |= {"mode": "points", "winner": "1", "kind": "gin", "points": "29"}
    client.post(address("row", match, row), asked)
    assert book_of(match).sheet.columns[0].sides[BEN].points == 99
    asked = filled(client.get(address("row", match, row))) | {"mode": "counts", "who": "dead"}
    client.post(address("row", match, row), asked)
    assert book_of(match).sheet.hands[0].kind == "dead"


def test_what_the_form_has_no_field_for_stays(client: Client, cast: Cast) -> None:
    match = make_match(
        cast.ann, knock(ANN, 6, 21, dealer=BEN, played_at="2026-01-02T20:00:00", note="at home")
    )
    row = row_of(match, 1)
    asked = {**filled(client.get(address("row", match, row))), "opponent_deadwood": "22"}
    client.post(address("row", match, row), asked)
    hand = book_of(match).lines[0].hand
    assert (hand.dealer, hand.played_at, hand.note) == (BEN, "2026-01-02T20:00:00", "at home")


def test_refused_beside_the_field(client: Client, match: Match) -> None:
    row, before = row_of(match, 1), state_of(match)
    asked = {**filled(client.get(address("row", match, row))), "knocker_deadwood": "11"}
    answer = client.post(address("row", match, row), asked)
    assert answer.status_code == 422
    assert "Ann cannot knock with 11" in text_of(answer)
    assert filled(answer)["knocker_deadwood"] == "11"
    assert state_of(match) == before


def test_a_stale_change_keeps_what_was_typed(client: Client, match: Match, cast: Cast) -> None:
    row = row_of(match, 1)
    asked = {**filled(client.get(address("row", match, row))), "opponent_deadwood": "22"}
    enter(cast.ben, match, dead())
    before = state_of(match)
    answer = client.post(address("row", match, row), {**asked, "why": "a slip"})
    assert answer.status_code == 409
    assert "Somebody else wrote" in text_of(answer)
    assert state_of(match) == before
    kept = filled(answer)
    assert (kept["opponent_deadwood"], kept["why"]) == ("22", "a slip")
    assert client.post(address("row", match, row), kept).status_code == 302


def test_void_and_restore(client: Client, match: Match) -> None:
    row = row_of(match, 2)
    version = {"version": fresh(match).version, "why": "not played"}
    assert client.post(address("row_void", match, row), version).status_code == 302
    assert book_of(match).sheet.columns[0].sides[BEN].points == 12
    words = text_of(client.get(address("pad", match)))
    assert "Gin Void left Ann with 33" in words
    assert "Undo voiding a hand" in words
    page = text_of(client.get(address("row", match, row)))
    assert "This row is void" in page
    assert "Count this row again" in page
    assert "Why: not played" in page
    again = client.post(address("row_void", match, row), {"version": fresh(match).version})
    assert again.status_code == 409
    assert "already struck out" in text_of(again)
    restored = client.post(address("row_restore", match, row), {"version": fresh(match).version})
    assert restored.status_code == 302
    assert "Ben Gin left Ann with 33" in text_of(client.get(address("pad", match)))


def test_b13_the_hand_that_ended_the_match_is_voided(
    client: Client, match: Match, cast: Cast
) -> None:
    enter(cast.ann, match, gin(ANN, 60))
    assert fresh(match).over
    row = row_of(match, 6)
    client.post(address("row_void", match, row), {"version": fresh(match).version})
    stored = fresh(match)
    assert (stored.over, stored.winner, stored.net) == (False, None, None)
    assert 'id="entry"' in client.get(address("pad", match)).content.decode()


def test_rows_left_over_are_a_choice(client: Client, match: Match) -> None:
    row, before = row_of(match, 2), state_of(match)
    asked = {**filled(client.get(address("row", match, row))), "opponent_deadwood": "80"}
    answer = client.post(address("row", match, row), asked)
    assert answer.status_code == 422
    words = text_of(answer)
    assert "The match ended with hand 2" in words
    assert "Void hands 3, 4, 5 too: they would stand after the end of the match." in words
    assert state_of(match) == before
    chosen = filled(answer) | {"void_rest": "1"}
    assert client.post(address("row", match, row), chosen).status_code == 302
    assert [line.row.void for line in book_of(match).lines] == [False, False, True, True, True]
    assert fresh(match).over
    assert text_of(client.get(address("pad", match))).count("Amended") == 1
    client.post(address("undo", match), {"version": fresh(match).version})
    page = client.get(address("pad", match))
    assert "Amended" not in text_of(page), "every row says what it said at first"


def test_rows_left_over_by_a_restored_row_are_a_choice(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 76))
    row = row_of(match, 1)
    client.post(address("row_void", match, row), {"version": 1})
    enter(cast.ann, match, knock(BEN, 5, 25))
    answer = client.post(address("row_restore", match, row), {"version": 3})
    assert answer.status_code == 422
    assert "Void hand 2 too" in text_of(answer)
    chosen = {"version": 3, "void_rest": "1"}
    assert client.post(address("row_restore", match, row), chosen).status_code == 302
    assert fresh(match).over


def test_an_adjustment_has_another_form(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, adjust(BEN, -10, note="exposed a card"))
    page = client.get(address("row", match, row_of(match, 1)))
    assert 'id="entry"' not in page.content.decode()
    assert "Change the points" in text_of(page)
    assert "−10" in text_of(client.get(address("pad", match)))
    assert "exposed a card" in text_of(client.get(address("pad", match)))


def test_a_row_of_another_match_is_not_here(client: Client, match: Match, cast: Cast) -> None:
    other = make_match(cast.ann, won(ANN, 5))
    for name in ("row", "row_preview", "row_void", "row_restore"):
        assert client.post(address(name, match, row_of(other, 1))).status_code == 404
