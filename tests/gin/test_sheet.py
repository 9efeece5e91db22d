"""The sheet, rule by rule (rules.md, The sheet), and what must hold for every match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.errors import GinError
from ginledger.gin.hands import PointsHand, Table
from ginledger.gin.matchfile import read_match, write_match
from ginledger.gin.ruleset import read_rules
from ginledger.gin.sheet import Match, Sheet, round_margin, score
from tests.gin.deals import matches


def sheet_of(hands: list[dict[str, Any]], rules: Any = "house-modern", **more: Any) -> Sheet:
    """The sheet of Ana v Ben (or ``sides``) with these hands."""
    document = {
        "format": "ginledger/match/1",
        "rules": rules,
        "sides": [["Ana"], ["Ben"]],
        "first_dealer": "Ana",
        "hands": hands,
        **more,
    }
    return score(read_match(document))


def won(name: str, points: int, kind: str = "knock") -> dict[str, Any]:
    return {"winner": name, "kind": kind, "points": points}


DEAD = {"kind": "dead"}


# What holds for every match.


@given(matches())
def test_a_match_file_round_trips(match: Match) -> None:
    written = write_match(match)
    assert read_match(written) == match
    assert score(read_match(written)).to_json() == score(match).to_json()


@given(matches(), st.data())
def test_prefix_plus_rest_equals_whole(match: Match, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(match.hands)))
    prefix = score(replace(match, hands=match.hands[:cut]))
    whole = score(match)
    assert prefix.hands == whole.hands[:cut]
    for begun, finished in zip(prefix.columns, whole.columns, strict=True):
        assert finished.entries[: len(begun.entries)] == begun.entries
        if not begun.is_open:
            assert begun == finished


@given(matches())
def test_net_sums_to_zero(match: Match) -> None:
    sheet = score(match)
    for column in sheet.columns:
        assert column.net is None or sum(column.net) == 0
    assert sheet.net is None or sum(sheet.net) == 0
    assert (sheet.net is not None) == sheet.over


@given(matches(play="two"))
def test_swapping_the_sides_mirrors_the_sheet(match: Match) -> None:
    """Ben sits where Ann sat: the same people, the same facts, the figures change places."""
    written = write_match(match)
    written["sides"] = written["sides"][::-1]
    one, other = score(match), score(read_match(written))
    assert [hand.points for hand in one.hands] == [hand.points for hand in other.hands]
    for mine, theirs in zip(one.columns, other.columns, strict=True):
        assert mine.sides == theirs.sides[::-1]
        assert (mine.net or ())[::-1] == (theirs.net or ())
    assert (one.net or ())[::-1] == (other.net or ())
    assert [1 - seat for seat in one.next_dealers] == list(other.next_dealers)


@given(matches())
def test_every_figure_can_be_explained(match: Match) -> None:
    sheet = score(match)
    for at, column in enumerate(sheet.columns):
        for side, figures in enumerate(column.sides):
            lines = sheet.explain(at, side)
            assert sum(line.points for line in lines) == figures.total
    for hand in sheet.hands:
        assert all(hand.reasons)
        assert hand.reasons


@given(matches())
def test_running_points_add_up(match: Match) -> None:
    for column in score(match).columns:
        running = [0] * len(column.sides)
        for entry in column.entries:
            running[entry.side] += entry.points
            assert list(entry.running) == running
        assert [side.points for side in column.sides] == running


@given(st.integers(-10_000, 10_000), st.sampled_from([1, 5, 10, 50, 100, 500]))
def test_margins_round_half_away_from_zero(margin: int, step: int) -> None:
    rounded = round_margin(margin, step)
    assert rounded % step == 0
    assert abs(rounded - margin) * 2 <= step
    assert rounded == -round_margin(-margin, step)
    if abs(rounded - margin) * 2 == step:
        assert abs(rounded) > abs(margin)


# Rule by rule. The rows B.. are faults that other score keepers had.


def test_b01_the_bonuses_go_to_the_side_that_crosses_by_an_undercut() -> None:
    sheet = sheet_of(
        [
            won("Ana", 95),
            won("Ben", 90),
            {"kind": "knock", "knocker": "Ana", "deadwood": {"Ana": 8, "Ben": 3}},
        ]
    )
    column = sheet.columns[0]
    assert [side.points for side in column.sides] == [95, 120]
    assert (column.first_over, sheet.winner) == (1, 1)
    assert [side.game_bonus for side in column.sides] == [0, 100]
    assert [side.boxes for side in column.sides] == [1, 2]


def test_b21_who_is_blanked_in_a_closed_column_starts_in_the_next() -> None:
    hands = [won("Ana", 60), won("Ana", 45), won("Ana", 20)]
    after = sheet_of([*hands, won("Ben", 50), won("Ben", 30)], "hollywood-100")
    assert [hand.columns for hand in after.hands[3:]] == [(2,), (2, 3)]
    assert [side.points for side in after.columns[1].sides] == [65, 80]
    assert [side.points for side in after.columns[2].sides] == [20, 30]
    assert not after.over
    assert after.columns[0].sides[0].shutout_bonus == after.columns[0].sides[0].total // 2


@pytest.mark.parametrize("columns", [1, 3, 4])
def test_a_front_never_enters_a_closed_column(columns: int) -> None:
    rules = {"preset": "house-modern", "columns": columns}
    sheet = sheet_of([won("Ana", 99)] * columns, rules)
    for hand in sheet.hands:
        for place in hand.columns:
            closed_by = sheet.columns[place - 1].closed_by_hand
            assert closed_by is None or closed_by >= hand.number


@pytest.mark.parametrize(
    ("shutout", "extra"),
    [
        ("double-total", 100 + 25 + 100),
        ("double-hand-points", 100),
        ("double-game-bonus", 100),
        ("double-difference", 100 + 25 + 100),
        ("flat", 60),
        ("none", 0),
    ],
)
def test_b40_a_shutout_adds_what_the_rule_names_to_the_winner_only(
    shutout: str, extra: int
) -> None:
    rules = {"preset": "house-modern", "shutout": shutout, "shutout_bonus": 60}
    sheet = sheet_of([won("Ana", 100)], rules)
    ana, ben = sheet.columns[0].sides
    assert ana.shutout_bonus == extra
    assert ana.total == 225 + extra
    assert (ben.total, ben.shutout_bonus) == (0, 0)
    assert sheet.net == (225 + extra, -225 - extra)


def test_a_shutout_by_points_differs_from_one_by_hands() -> None:
    tie = {"kind": "knock", "knocker": "Ana", "deadwood": {"Ana": 5, "Ben": 5}}
    rules = {"preset": "house-modern", "tie": "undercut-no-bonus", "shutout": "flat"}
    rules["shutout_bonus"] = 60  # type: ignore[assignment]
    by_hand = sheet_of([tie, won("Ana", 100)], rules)
    assert by_hand.columns[0].sides[0].shutout_bonus == 0
    by_point = sheet_of([tie, won("Ana", 100)], {**rules, "shutout_when": "no-point"})
    assert by_point.columns[0].sides[0].shutout_bonus == 60


def test_b73_level_totals_give_no_margin_and_go_to_the_side_that_reached_the_target() -> None:
    # 100 + 100 + 25 against 100 in four boxes and 125 points... level at 225 a side.
    rules = {"preset": "house-modern", "game_bonus": 25}
    level = sheet_of([won("Ben", 25), won("Ben", 25), won("Ben", 25), won("Ana", 100)], rules)
    totals = [side.total for side in level.columns[0].sides]
    assert totals == [150, 150]
    assert level.net == (0, 0)
    assert level.winner == 0


def test_b82_a_dead_hand_scores_nothing_and_keeps_the_dealer() -> None:
    before = sheet_of([won("Ana", 40)])
    after = sheet_of([won("Ana", 40), DEAD])
    assert after.columns == before.columns
    assert after.next_dealers == before.next_dealers
    assert [hand.kind for hand in after.hands] == ["knock", "dead"]
    assert after.hands[1].side is None
    assert not sheet_of([DEAD], "one-deal").over


def test_b92_the_dealer_follows_from_the_rows_that_are_left() -> None:
    hands = [won("Ana", 10), won("Ben", 10), DEAD, won("Ana", 10)]
    assert [hand.dealers for hand in sheet_of(hands).hands] == [(0,), (1,), (0,), (0,)]
    assert [hand.dealers for hand in sheet_of(hands[:1] + hands[2:]).hands] == [(0,), (1,), (1,)]


def test_a_dealer_said_to_be_another_is_believed_and_the_rule_goes_on_from_there() -> None:
    rules = {"preset": "house-modern", "next_dealer": "alternate"}
    sheet = sheet_of([{**won("Ana", 10), "dealer": "Ben"}, won("Ana", 10)], rules)
    assert [hand.dealers for hand in sheet.hands] == [(1,), (0,)]
    assert sheet.next_dealers == (1,)


def test_an_adjustment_counts_to_the_target_and_makes_no_box() -> None:
    note = {"kind": "adjustment", "player": "Ben", "points": 100, "note": "by agreement"}
    sheet = sheet_of([won("Ana", 40), note])
    ben = sheet.columns[0].sides[1]
    assert (ben.points, ben.wins, ben.boxes, ben.game_bonus) == (100, 0, 0, 100)
    assert sheet.over
    assert sheet.hands[1].kind == "adjustment"


def test_an_adjustment_does_not_decide_a_single_deal() -> None:
    note = {"kind": "adjustment", "player": "Ben", "points": 5}
    assert not sheet_of([note], "one-deal").over
    assert sheet_of([note, won("Ana", 9)], "one-deal").winner == 0


def three(hands: list[dict[str, Any]], **rules: Any) -> Sheet:
    sides = [["Ana"], ["Ben"], ["Cleo"]]
    return sheet_of(hands, {"preset": "three-handed", **rules}, sides=sides)


def test_the_winner_stays_and_the_loser_sits_out() -> None:
    sheet = three([won("Ana", 10), won("Cleo", 10), DEAD, won("Ben", 10)])
    assert [hand.players for hand in sheet.hands] == [(0, 1), (0, 2), (1, 2), (1, 2)]
    assert sheet.next_players == (0, 1)
    assert [hand.dealers for hand in sheet.hands] == [(0,), (2,), (1,), (1,)]


def test_who_sits_out_cannot_win_unless_the_table_says_so() -> None:
    with pytest.raises(GinError) as refused:
        three([won("Cleo", 10)])
    assert refused.value.code == "sits-out"
    sheet = three([{**won("Cleo", 10), "opponent": "Ben"}, won("Ana", 10)])
    assert [hand.players for hand in sheet.hands] == [(1, 2), (0, 2)]
    assert sheet.hands[0].dealers == (2,)


def test_everything_wrong_in_a_match_is_told_at_once() -> None:
    over = {"kind": "knock", "knocker": "Ana", "deadwood": {"Ana": 12, "Ben": 101}}
    with pytest.raises(GinError) as refused:
        sheet_of([over, won("Ana", 1, "gin"), DEAD])
    assert [one.field for one in refused.value.problems] == [
        "hands.1.deadwood.defender",
        "hands.2.points",
    ]


def test_b106_a_stored_hand_stays_with_the_person_when_players_swap() -> None:
    match = Match(
        read_rules("house-modern"),
        Table((("Ana",), ("Ben",))),
        0,
        (PointsHand(kind="knock", winner=0, points=30),),
    )
    swapped = replace(match, table=Table((("Ben",), ("Ana",))))
    assert score(match).columns == score(swapped).columns
    assert write_match(swapped)["hands"][0]["winner"] == "Ben"
