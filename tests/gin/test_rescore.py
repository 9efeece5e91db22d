"""A match under other rules: hand-checked, nothing dropped silently, the match itself untouched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.errors import AgainstRules
from ginledger.gin.matchfile import read_match
from ginledger.gin.rescore import Rescored, rescore
from ginledger.gin.ruleset import ExtraBoxes, RuleSet, read_rules
from ginledger.gin.sheet import Match, score
from tests.gin.deals import matches, rule_sets

ANN, BEN = 0, 1


def match_of(hands: list[dict[str, Any]], rules: Any = "house-modern") -> Match:
    return read_match(
        {
            "format": "ginledger/match/1",
            "rules": rules,
            "sides": [["Ann"], ["Ben"]],
            "first_dealer": "Ann",
            "hands": hands,
        }
    )


def knock(name: str, own: int, other: int, **more: Any) -> dict[str, Any]:
    met = {"Ann": "Ben", "Ben": "Ann"}[name]
    return {"kind": "knock", "knocker": name, "deadwood": {name: own, met: other}, **more}


def gin(name: str, other: int, **more: Any) -> dict[str, Any]:
    met = {"Ann": "Ben", "Ben": "Ann"}[name]
    return {"kind": "gin", "knocker": name, "deadwood": {met: other}, **more}


def figures(rescored: Rescored) -> list[tuple[int, int | None, int | None]]:
    """Number, points before and after of every row."""
    return [
        (row.number, row.before.points, row.after.points if row.after else None)
        for row in rescored.rows
    ]


@given(matches())
def test_by_its_own_rules_a_match_is_what_it_is(match: Match) -> None:
    rescored = rescore(match, match.rules)
    assert rescored.after == rescored.before == score(match)
    assert not rescored.left_out


@given(matches(), st.data())
def test_every_row_is_counted_or_left_out_with_a_reason(match: Match, data: st.DataObject) -> None:
    rules = data.draw(rule_sets(play=match.rules.play))
    rescored = rescore(match, rules)
    assert [row.number for row in rescored.rows] == list(range(1, len(match.hands) + 1))
    assert rescored.before == score(match)
    for row in rescored.rows:
        assert bool(row.reason) == (row.after is None)
        assert row.after is None or row.after.number == row.number
        if row.ended:
            assert rescored.ended_by is not None and row.number > rescored.ended_by
    # What is kept is a match by the other rules, but for points that only stand on the paper.
    if not any(row.as_written for row in rescored.rows):
        again = score(rescored.after.match)
        assert again.net == rescored.after.net
        assert again.winner == rescored.after.winner
        assert [hand.points for hand in again.hands] == [
            row.after.points for row in rescored.rows if row.after
        ]


def test_counts_are_ruled_afresh() -> None:
    """Undercut 10 + 3 instead of 25 + 3, gin 20 + 30 instead of 25 + 30: by hand."""
    match = match_of([knock("Ann", 9, 6), gin("Ann", 30), knock("Ben", 5, 20)])
    rescored = rescore(match, read_rules("old-official"))
    assert figures(rescored) == [(1, 28, 13), (2, 55, 50), (3, 15, 15)]
    assert not rescored.after.over
    assert rescored.ended_by is None


def test_the_replay_stops_at_the_end_and_says_with_which_hand() -> None:
    """Short 50: 36 and 30 make 66 for Ann, two boxes and the game; Ben is shut out by then."""
    hands = [knock("Ann", 4, 40), knock("Ann", 5, 35), knock("Ben", 6, 31), knock("Ann", 1, 60)]
    rescored = rescore(match_of(hands), read_rules("short-50"))
    assert figures(rescored) == [(1, 36, 36), (2, 30, 30), (3, 25, None), (4, 59, None)]
    assert rescored.ended_by == 2
    assert [row.number for row in rescored.left_out] == [3, 4]
    assert all(row.ended for row in rescored.left_out)
    assert {row.reason for row in rescored.left_out} == {"The match ended with hand 2."}
    # 66 + 50 + 100, and the hand points once more.
    assert rescored.after.net == (282, -282)
    # The match itself: 125 + 75 + 100 against 25 + 25.
    assert rescored.before.net == (250, -250)


def test_a_hand_that_the_other_rules_refuse_is_listed_and_the_next_ones_count() -> None:
    hands = [knock("Ann", 9, 20), gin("Ben", 10), knock("Ann", 3, 30)]
    rescored = rescore(match_of(hands), RuleSet(knock_limit=7))
    assert figures(rescored) == [(1, 11, None), (2, 35, 35), (3, 27, 27)]
    (left,) = rescored.left_out
    assert left.reason == "Ann cannot knock with 9: the limit is 7."
    assert not left.ended
    straight = rescore(match_of(hands), read_rules("straight"))
    assert [row.number for row in straight.left_out] == [1, 3]


def test_an_oklahoma_knock_without_its_upcard_says_so() -> None:
    rescored = rescore(match_of([knock("Ann", 3, 20)]), read_rules("oklahoma-150"))
    assert "upcard" in rescored.left_out[0].reason
    noted = match_of([knock("Ann", 3, 20, upcard="7S")])
    assert figures(rescore(noted, read_rules("oklahoma-150"))) == [(1, 17, 34)]


def test_points_as_written_stand_and_their_boxes_follow_the_other_rules() -> None:
    hands = [
        {"kind": "undercut", "winner": "Ben", "points": 28},
        {"kind": "gin", "winner": "Ann", "points": 44},
    ]
    rules = RuleSet(undercut_bonus=10, gin_bonus=50, extra_boxes=ExtraBoxes(gin=2))
    rescored = rescore(match_of(hands), rules)
    assert figures(rescored) == [(1, 28, 28), (2, 44, 44)]
    assert [row.as_written for row in rescored.rows] == [True, True]
    assert [row.after.boxes for row in rescored.rows if row.after] == [1, 3]
    straight = rescore(match_of(hands), read_rules("straight"))
    assert [row.reason for row in straight.left_out] == ["Only gin ends this hand."]


def test_big_gin_is_gin_where_it_is_not_played() -> None:
    match = match_of([{"kind": "big_gin", "knocker": "Ann", "deadwood": {"Ben": 12}}])
    rescored = rescore(match, RuleSet(big_gin_bonus=None))
    assert figures(rescored) == [(1, 43, 37)]
    assert [row.after.kind for row in rescored.rows if row.after] == ["gin"]


def test_one_game_becomes_three() -> None:
    rescored = rescore(
        match_of([knock("Ann", 1, 61), knock("Ann", 1, 46)]), read_rules("hollywood-100")
    )
    assert rescored.before.over and not rescored.after.over
    assert [column.is_open for column in rescored.after.columns] == [False, True, True]


def test_other_seats_cannot_be_rescored() -> None:
    with pytest.raises(AgainstRules) as raised:
        rescore(match_of([]), read_rules("three-handed"))
    assert raised.value.code == "sides-wrong"


def test_the_match_is_untouched() -> None:
    match = match_of([knock("Ann", 9, 20)])
    before = replace(match)
    rescore(match, read_rules("straight"))
    assert match == before
