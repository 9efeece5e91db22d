"""Undo, redo, and that whatever is done to a book, what is stored is a replay of its rows."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ginledger.gin.bookfile import write_book
from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand
from ginledger.matches import services
from ginledger.matches.errors import WrongState
from ginledger.matches.files import book_file, import_match, read_file
from ginledger.matches.management.commands.audit import differences
from ginledger.matches.models import Match, Row
from tests.cast import (
    ANN,
    BEN,
    CLEO,
    Cast,
    adjust,
    book_of,
    dead,
    enter,
    fresh,
    gin,
    knock,
    make_cast,
    make_match,
    stored,
    won,
)

DERIVED = ("over", "winner", "net", "totals", "hand_count")


def derived(match: Match) -> dict[str, Any]:
    return Match.objects.filter(pk=match.pk).values(*DERIVED).get()


def standing(match: Match) -> list[tuple[str, Any]]:
    return [(line.row.key, line.row.fact) for line in book_of(match).lines if not line.row.void]


def undo(cast: Cast, match: Match) -> services.Written:
    return services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)


def redo(cast: Cast, match: Match) -> services.Written:
    return services.redo(user=cast.ann, match_key=match.key, version=fresh(match).version)


def test_undo_reaches_back_through_the_hand_that_ended_the_match_and_out_again(cast: Cast) -> None:
    match = make_match(cast.ann)
    seen = [(derived(match), standing(match))]
    for hand in (knock(ANN, 6, 21), gin(BEN, 33), won(ANN, 90)):
        enter(cast.ann, match, hand)
        seen.append((derived(match), standing(match)))
    assert fresh(match).over
    for state in reversed(seen[:-1]):
        undo(cast, match)
        assert (derived(match), standing(match)) == state
    with pytest.raises(WrongState) as refusal:
        undo(cast, match)
    assert refusal.value.code == "nothing-to-undo"
    for state in seen[1:]:
        redo(cast, match)
        assert (derived(match), standing(match)) == state
    with pytest.raises(WrongState) as refusal:
        redo(cast, match)
    assert refusal.value.code == "nothing-to-redo"
    assert match.rows.count() == 3


def test_every_kind_of_act_is_taken_back(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    first, second = (row.key for row in book_of(match).rows)
    seen = [standing(match)]

    def act(service: Any, **asked: Any) -> None:
        service(user=cast.ann, version=fresh(match).version, **asked)
        seen.append(standing(match))

    act(services.amend_row, row_key=first, hand=won(BEN, 11), why="it was Ben")
    act(services.void_row, row_key=second)
    act(services.restore_row, row_key=second)
    act(
        services.insert_row,
        match_key=match.key,
        hand=adjust(ANN, -5),
        once_key="i",
        before=second,
    )
    act(services.correct_dealer, row_key=first, dealer=BEN)
    for state in reversed(seen[:-1]):
        undo(cast, match)
        assert standing(match) == state
    for state in seen[1:]:
        redo(cast, match)
        assert standing(match) == state


def test_a_new_act_ends_what_could_be_redone(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    undo(cast, match)
    enter(cast.ann, match, won(BEN, 30))
    with pytest.raises(WrongState):
        redo(cast, match)
    undo(cast, match)
    undo(cast, match)
    assert derived(match)["totals"] == [[0, 0]]
    redo(cast, match)
    redo(cast, match)
    assert derived(match)["totals"] == [[10, 30]]


def test_undo_is_an_amendment_and_the_history_says_what_was_taken_back(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    services.undo(user=cast.ben, match_key=match.key, version=1)
    book = book_of(match)
    entry, taken_back = book.changes()
    assert (entry.amendment.action, entry.stands) == ("enter", False)
    assert (taken_back.amendment.action, taken_back.amendment.who) == ("undo", cast.ben)
    assert (taken_back.was_void, taken_back.is_void, taken_back.stands) == (False, True, True)
    assert book.lines[0].row.void
    assert book.act(book.acts.next) == (entry,)
    assert book.acts.last is None


def test_the_book_knows_what_undo_would_take_back(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    book = book_of(match)
    (change,) = book.act(book.acts.last)
    assert change.after == won(BEN, 20)


def test_undo_twice_from_one_page_takes_back_once(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    services.undo(user=cast.ann, match_key=match.key, version=2)
    with pytest.raises(Exception, match="meanwhile"):
        services.undo(user=cast.ann, match_key=match.key, version=2)
    assert derived(match)["totals"] == [[10, 0]]


def test_amending_hand_two_of_a_finished_hollywood_match_moves_everything(cast: Cast) -> None:
    hands = [won(ANN, 60), won(ANN, 45), won(BEN, 50), won(ANN, 40), won(ANN, 70), won(ANN, 30)]
    match = make_match(cast.ann, *hands[:5], rules="hollywood-100")
    before = derived(match)
    key = book_of(match).rows[1].key
    services.amend_row(user=cast.ann, row_key=key, hand=won(BEN, 45), version=5, why="Ben's")
    same = make_match(
        cast.ann, hands[0], won(BEN, 45), *hands[2:5], rules="hollywood-100", names=("Ann", "Ben")
    )
    assert derived(match) == derived(same) != before
    assert book_of(match).sheet.columns == book_of(same).sheet.columns
    assert book_of(match).sheet.next_dealers == book_of(same).sheet.next_dealers


# --- any sequence of acts ---------------------------------------------------------------------

HANDS: list[AnyHand] = [
    knock(ANN, 6, 21),
    knock(BEN, 9, 9),
    gin(ANN, 33),
    gin(BEN, 48),
    won(ANN, 60),
    won(BEN, 70, opponent=ANN),
    dead(),
    adjust(ANN, -15),
    adjust(BEN, 40, note="odd"),
    knock(ANN, 3, 40, dealer=BEN),
]
THREE: list[AnyHand] = [
    gin(ANN, 20, opponent=BEN),
    gin(CLEO, 31, opponent=ANN),
    knock(BEN, 4, 30, opponent=CLEO),
    won(CLEO, 44),
    dead(),
    adjust(BEN, 9),
]
ACTS = (
    *("enter", "amend", "void", "restore", "insert", "dealer", "swap"),
    *("undo", "undo", "undo", "redo", "redo"),
)
RULES: list[dict[str, Any]] = [
    {"preset": "house-modern"},
    {"preset": "house-modern", "target": 250},
    {"preset": "hollywood-100"},
]
Step = tuple[str, int, bool]
STEPS = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 10_000), st.booleans()), max_size=10
)


def perform(cast: Cast, match: Match, hands: list[AnyHand], step: Step) -> None:
    """One act chosen by a number; what the book refuses is no act."""
    name, number, void_rest = step
    chance = random.Random(number)
    rows = list(match.rows.order_by("position"))
    asked: dict[str, Any] = {"user": cast.ann, "version": fresh(match).version}
    if name in ("amend", "void", "restore", "dealer"):
        # Mostly a row that the act fits.
        fitting = [row for row in rows if row.void == (name == "restore") or number % 8 == 0]
        if not fitting:
            return
        asked |= {"row_key": chance.choice(fitting).key, "void_rest": void_rest}
    else:
        asked |= {"match_key": match.key}
    if name in ("enter", "insert"):
        asked["once_key"] = str(asked["version"])
    if name in ("enter", "amend", "insert"):
        asked["hand"] = chance.choice(hands)
    if name == "insert":
        if not rows:
            return
        asked |= {
            chance.choice(["before", "after"]): chance.choice(rows).key,
            "void_rest": void_rest,
        }
    if name == "dealer":
        asked["dealer"] = chance.choice([ANN, BEN, None])
    service = {
        "enter": services.enter_row,
        "amend": services.amend_row,
        "void": services.void_row,
        "restore": services.restore_row,
        "insert": services.insert_row,
        "undo": services.undo,
        "redo": services.redo,
        "dealer": services.correct_dealer,
        "swap": services.swap_sides,
    }[name]
    before = stored(match)
    try:
        service(**asked)
    except (GinError, WrongState):
        assert stored(match) == before


def assert_a_replay(match: Match) -> None:
    """What is stored equals a match of another club into which the standing rows are entered."""
    assert list(differences(fresh(match))) == []
    book = book_of(match)
    assert [row.position for row in book.rows] == list(range(1, len(book.rows) + 1))
    other = make_cast().ann
    copy = make_match(
        other,
        *book.gin_match.hands,
        rules=book.rules,
        names=book.table.names,
        first_dealer=book.terms.first_dealer,
    )
    assert derived(copy) == derived(match)
    assert book_of(copy).sheet == book.sheet


def assert_survives_a_file(match: Match) -> None:
    """Downloaded and uploaded elsewhere it is the same book, and so is its file."""
    book = book_of(match)
    text = json.dumps(write_book(book_file(book)))
    copy = import_match(user=make_cast().ann, file=read_file(text.encode()), once_key="")
    assert json.dumps(write_book(book_file(book_of(copy)))) == text
    assert derived(copy) == derived(match)
    assert book_of(copy).sheet == book.sheet
    assert book_of(copy).acts == book.acts
    assert list(differences(copy)) == []


class AnySequence(TestCase):
    @given(steps=STEPS, rules=st.sampled_from(RULES))
    def test_two_at_a_table(self, steps: list[Step], rules: dict[str, Any]) -> None:
        self.check(steps, HANDS, rules=rules)

    @given(steps=STEPS)
    def test_three_at_a_table(self, steps: list[Step]) -> None:
        self.check(steps, THREE, rules="three-handed", names=("Ann", "Ben", "Cleo"))

    @settings(max_examples=20)
    @given(steps=STEPS, rules=st.sampled_from(RULES))
    # A hand put in ends the match and the rest of it is struck out with it.
    @example(steps=[("enter", 0, False), ("insert", 1, True)], rules=RULES[0])
    def test_taken_along_as_a_file(self, steps: list[Step], rules: dict[str, Any]) -> None:
        cast = make_cast()
        match = make_match(cast.ann, *HANDS[:3], rules=rules)
        for step in steps:
            perform(cast, match, HANDS, step)
        assert_survives_a_file(match)

    def check(self, steps: list[Step], hands: list[AnyHand], **terms: Any) -> None:
        cast = make_cast()
        match = make_match(cast.ann, *hands[:3], **terms)
        log: list[Any] = []
        for step in steps:
            perform(cast, match, hands, step)
            # In ink: nothing that was written down is ever gone or other than it was.
            before, log = log, stored(match)["log"]
            assert log[: len(before)] == before
        assert_a_replay(match)
        self.undo_and_redo_all(cast, match)

    def undo_and_redo_all(self, cast: Cast, match: Match) -> None:
        end = (derived(match), standing(match))
        acts = len(book_of(match).acts.standing)
        for _ in range(acts):
            undo(cast, match)
        assert list(differences(fresh(match))) == []
        assert standing(match) == []
        assert derived(match)["hand_count"] == 0
        assert not derived(match)["over"]
        with pytest.raises(WrongState):
            undo(cast, match)
        for _ in range(acts):
            redo(cast, match)
        assert (derived(match), standing(match)) == end


# --- audit ------------------------------------------------------------------------------------


def test_the_audit_finds_nothing_in_a_book_as_it_was_written(
    cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    undo(cast, match)
    services.rematch(user=cast.ann, match_key=make_match(cast.ann, won(ANN, 100)).key)
    call_command("audit")
    assert "3 matches, every figure as its rows say." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("over", True),
        ("net", [3, -3]),
        ("totals", [[15, 1]]),
        ("hand_count", 7),
        ("last_at", "2020-01-01T00:00:00Z"),
    ],
)
def test_the_audit_reports_each_stored_figure_that_differs(
    cast: Cast, capsys: pytest.CaptureFixture[str], field: str, wrong: object
) -> None:
    match, other = (make_match(cast.ann, knock(ANN, 6, 21)) for _ in range(2))
    Match.objects.filter(pk=match.pk).update(**{field: wrong})
    with pytest.raises(CommandError) as refusal:
        call_command("audit")
    assert refusal.value.returncode == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.startswith(f"match {match.key}: {field} is ") for line in told] == [True]
    assert other.key not in told[0]


def test_the_audit_reports_a_winner_that_is_not_the_rows(
    cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    Match.objects.filter(pk=match.pk).update(winner=BEN)
    with pytest.raises(CommandError):
        call_command("audit")
    assert "winner is 1, its rows say 0" in capsys.readouterr().out


def test_the_audit_reports_a_row_changed_past_the_log_and_one_that_is_no_hand(
    cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    altered, broken = (make_match(cast.ann, knock(ANN, 6, 21)) for _ in range(2))
    row = altered.rows.get()
    Row.objects.filter(pk=row.pk).update(fact={**row.fact, "note": "later"})
    broken.rows.update(fact={"kind": "knock"})
    with pytest.raises(CommandError, match="3 differences in 2 matches"):
        call_command("audit")
    told = capsys.readouterr().out
    assert f"match {altered.key}: row 1 ({row.key}) is not as its last amendment left it" in told
    assert f"match {broken.key}: its rows cannot be replayed" in told
