"""The count against ``score``: what is said to close a column does, one point less does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ginledger.gin.cards import parse_card
from ginledger.gin.count import Reach, SideCount, count
from ginledger.gin.hands import CountsHand, PointsHand
from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.gin.ruling import knock_limit, points_range
from ginledger.gin.sheet import Match, Sheet, score
from tests.gin.deals import SEATING, Table, matches


def hand_of(
    kind: str, winner: int, other: int, by: int, upcard: int | None, limit: int
) -> CountsHand:
    """A hand that the winner wins by so much: over a knock of 1, or by a knock that is undercut."""
    if kind == "undercut":
        return CountsHand(
            kind="knock", knocker=other, opponent=winner, own=limit, other=limit - by, upcard=upcard
        )
    own = 1 if kind == "knock" else None
    return CountsHand(
        kind=kind,
        knocker=winner,
        opponent=other,
        own=own,
        other=by + (own or 0),
        upcard=upcard,
    )


def closes(match: Match, hand: CountsHand, column: int) -> bool:
    """Whether entering the hand closes the column, by replaying the whole match."""
    return not score(replace(match, hands=(*match.hands, hand))).columns[column - 1].is_open


@given(matches(play="two") | matches(play="three"), st.none() | st.integers(0, 51), st.data())
def test_what_closes_a_column_is_what_score_says(
    match: Match, upcard: int | None, data: st.DataObject
) -> None:
    sheet = score(match)
    assume(not sheet.over)
    rules = match.rules
    assume(upcard is not None or not rules.oklahoma)
    limit = knock_limit(rules, upcard)
    column = data.draw(st.sampled_from(count(sheet, upcard)))
    one = data.draw(st.sampled_from(column.sides))
    winner = match.table.seats(one.side)[0]
    if one.side not in sheet.next_players:
        assert one.reach is None
        return
    (other,) = (seat for seat in sheet.next_players if seat != winner)
    reach = one.reach or Reach(None, None, None, None)
    kinds = {"gin": (0, 100)}
    if rules.big_gin_bonus is not None:
        kinds["big_gin"] = (0, 100)
    if limit:
        kinds["knock"] = (1, 99)
        # On a tie that is nobody's there is no winner at all.
        kinds["undercut"] = (0 if rules.tie != "no-score" else 1, limit)
    for kind in ("knock", "gin", "big_gin", "undercut"):
        least = getattr(reach, kind)
        if kind not in kinds:
            assert least is None
            continue
        low, high = kinds[kind]
        assert least is None or low <= least <= high
        tried = {low, high, data.draw(st.integers(low, high))}
        if least is not None:
            tried |= {least, max(least - 1, low)}
        for by in tried:
            hand = hand_of(kind, winner, other, by, upcard, limit)
            assert closes(match, hand, column.number) == (least is not None and by >= least)


@given(matches(play="two") | matches(play="three"), st.data())
def test_what_saves_from_a_shutout_is_what_score_says(match: Match, data: st.DataObject) -> None:
    sheet = score(match)
    assume(not sheet.over)
    column = data.draw(st.sampled_from(count(sheet)))
    one = data.draw(st.sampled_from(column.sides))
    figures = sheet.columns[column.number - 1].sides[one.side]
    if match.rules.shutout == "none":
        assert not one.shut_out
    elif match.rules.shutout_when == "no-hand":
        assert one.shut_out == (figures.wins == 0)
    else:
        assert one.shut_out == (figures.points <= 0)
    if one.saved_by is None:
        assert not one.shut_out or not one.enters
        return
    winner = match.table.seats(one.side)[0]
    kind = "knock" if match.rules.knock_limit else "gin"
    least, most = points_range(match.rules, kind)
    for points in {one.saved_by, one.saved_by - 1}:
        if not least <= points <= most:
            continue
        hand = PointsHand(kind=kind, winner=winner, points=points)
        after = score(replace(match, hands=(*match.hands, hand)))
        (again,) = [x for x in count(after) if x.number == column.number] or [None]
        if again is not None:
            assert again.sides[one.side].shut_out == (points < one.saved_by)


@given(matches())
def test_a_closed_column_is_not_counted_and_needs_are_to_the_target(match: Match) -> None:
    sheet = score(match)
    counted = count(sheet)
    assert [one.number for one in counted] == [
        number for number, column in enumerate(sheet.columns, 1) if column.is_open
    ]
    for one in counted:
        for side in one.sides:
            points = sheet.columns[one.number - 1].sides[side.side].points
            assert side.needs == max(match.rules.target - points, 0)
            assert match.rules.play != "partners" or side.reach is None


def counted(
    rules: RuleSet, *won: tuple[int, int], upcard: str = "", column: int = 1
) -> tuple[SideCount, ...]:
    """The sides of a column after hands of (winner, points)."""
    hands = tuple(PointsHand(kind="knock", winner=side, points=points) for side, points in won)
    sheet: Sheet = score(Match(rules, Table(SEATING["two"]), 0, hands))
    card = parse_card(upcard) if upcard else None
    (found,) = [one for one in count(sheet, card) if one.number == column]
    return found.sides


def test_the_picture_on_the_pad() -> None:
    """Ann 65, Ben 42 of 100: worked out by hand."""
    ann, ben = counted(RuleSet(), (0, 65), (1, 42))
    assert (ann.needs, ben.needs) == (35, 58)
    assert ann.reach == Reach(knock=35, gin=10, big_gin=4, undercut=10)
    # An undercut of 33 there is not: nobody knocks with more than 10.
    assert ben.reach == Reach(knock=58, gin=33, big_gin=27, undercut=None)
    assert not ann.shut_out and not ben.shut_out


def test_a_spade_halves_what_is_needed_rounded_up() -> None:
    rules = read_rules("oklahoma-150")
    ann, _ = counted(rules, (0, 65), upcard="7S")
    # 85 to go, 43 doubled are 86: gin with 18 left.
    assert ann.reach == Reach(knock=43, gin=18, big_gin=12, undercut=None)
    ann, _ = counted(rules, (0, 65), upcard="7H")
    assert ann.reach == Reach(knock=85, gin=60, big_gin=54, undercut=None)
    ann, _ = counted(rules, (0, 65), upcard="AH")
    assert ann.reach == Reach(knock=None, gin=60, big_gin=54, undercut=None)


def test_a_spade_of_unknown_rank() -> None:
    rules = read_rules("oklahoma-150")
    sheet = score(Match(rules, Table(SEATING["two"]), 0))
    assert count(sheet, spade=True) == count(sheet, parse_card("TS"))
    plain = score(Match(RuleSet(), Table(SEATING["two"]), 0))
    assert count(plain, spade=True) == count(plain)


def test_the_next_win_counts_where_it_is_entered() -> None:
    rules = read_rules("hollywood-100")
    first = counted(rules, (0, 60), (0, 45), (0, 20), column=2)
    # Ben's first win is in column 1 only, which is closed by now: so it goes to column 2.
    assert first[1].enters and first[1].saved_by == 0
    third = counted(rules, (0, 60), (0, 45), (0, 20), column=3)
    assert third[1] == SideCount(1, 100, False, None, shut_out=True, saved_by=None)
    assert third[0].reach == Reach(knock=80, gin=55, big_gin=49, undercut=None)


def test_one_hand_decides_whatever_it_is_worth() -> None:
    ann, _ = counted(read_rules("fast-game"))
    assert (ann.needs, ann.reach) == (0, Reach(knock=1, gin=0, big_gin=0, undercut=0))


@pytest.mark.parametrize(
    ("tie", "points", "undercut"),
    [
        ("undercut", 80, 0), ("undercut-no-bonus", 80, 1), ("no-score", 80, 1),
        ("undercut", 75, 0), ("undercut-no-bonus", 75, 1), ("undercut", 70, 5),
    ],
)  # fmt: skip
def test_a_tie_closes_only_where_it_brings_enough(tie: str, points: int, undercut: int) -> None:
    ann, _ = counted(RuleSet(tie=tie), (0, points))
    assert ann.reach is not None
    assert ann.reach.undercut == undercut


def test_who_has_points_by_a_penalty_of_the_other_alone_is_still_shut_out() -> None:
    _, ben = counted(RuleSet(shutout_when="no-point"), (0, 40))
    assert (ben.shut_out, ben.saved_by) == (True, 1)
    _, ben = counted(RuleSet(shutout="none"), (0, 40))
    assert (ben.shut_out, ben.saved_by) == (False, None)
