"""Entering, amending, voiding, restoring and inserting rows, one write at a time."""

from __future__ import annotations

from typing import Any

import pytest

from ginledger.gin.errors import GinError
from ginledger.matches import services
from ginledger.matches.errors import LeftOver, StaleMatch, WrongState
from ginledger.matches.models import Amendment, Match
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
    make_match,
    stored,
    won,
)


def keys(match: Match) -> list[str]:
    return [row.key for row in book_of(match).rows]


def points(match: Match) -> list[int]:
    return [hand.points for hand in book_of(match).sheet.hands]


def test_a_hand_is_stored_as_a_fact_with_its_amendment(cast: Cast) -> None:
    match = make_match(cast.ann)
    written = enter(cast.ben, match, knock(ANN, 6, 21, note="quick"))
    row = match.rows.get()
    assert row.fact == {
        "kind": "knock",
        "knocker": "0",
        "deadwood": {"0": 6, "1": 21},
        "note": "quick",
    }
    assert (row.entered_by, row.position, row.void) == (cast.ben, 1, False)
    amendment = match.amendments.get()
    assert (amendment.row, amendment.action, amendment.who) == (row, "enter", cast.ben)
    assert (amendment.before, amendment.after) == (None, {"fact": row.fact, "void": False})
    assert (written.row_key, written.version, written.new) == (row.key, 1, True)
    assert written.sheet == book_of(match).sheet
    assert (fresh(match).version, fresh(match).totals, fresh(match).hand_count) == (1, [[15, 0]], 1)


def test_what_gin_refuses_is_told_by_field_and_stores_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    before = stored(match)
    with pytest.raises(GinError) as refusal:
        enter(cast.ann, match, knock(ANN, 12, 500))
    assert {problem.field for problem in refusal.value.problems} == {"deadwood.defender"}
    with pytest.raises(GinError) as refusal:
        enter(cast.ann, match, knock(ANN, 12, 50))
    assert [problem.field for problem in refusal.value.problems] == ["deadwood.knocker"]
    assert stored(match) == before


@pytest.mark.parametrize("huge", [10**20, -(10**20), 2**63])
def test_b81_b116_a_huge_figure_is_a_problem_and_no_crash(cast: Cast, huge: int) -> None:
    match = make_match(cast.ann)
    before = stored(match)
    for hand in (knock(ANN, 6, huge), knock(ANN, huge, 6), won(ANN, huge), adjust(ANN, huge)):
        with pytest.raises(GinError):
            enter(cast.ann, match, hand)
    with pytest.raises(StaleMatch):
        enter(cast.ann, match, gin(ANN, 9), version=huge)
    assert stored(match) == before


def test_a_hand_after_the_end_is_refused(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    before = stored(match)
    with pytest.raises(GinError) as refusal:
        enter(cast.ann, match, gin(BEN, 9))
    assert refusal.value.code == "after-the-end"
    assert not isinstance(refusal.value, LeftOver)
    assert stored(match) == before


def test_b45_saving_an_edit_again_or_back_changes_no_total(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 20), won(BEN, 7))
    key = keys(match)[0]
    before = stored(match)
    written = services.amend_row(user=cast.ann, row_key=key, hand=won(ANN, 20), version=2)
    assert not written.new
    assert stored(match) == before
    for value in (25, 20):
        services.amend_row(
            user=cast.ann, row_key=key, hand=won(ANN, value), version=fresh(match).version
        )
        assert fresh(match).totals == [[value, 7]]
    assert [change.amendment.action for change in book_of(match).changes()] == [
        "enter",
        "enter",
        "amend",
        "amend",
    ]


def test_an_amendment_keeps_before_after_who_when_and_why(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 20))
    row = match.rows.get()
    services.amend_row(
        user=cast.ben, row_key=row.key, hand=won(BEN, 25), version=1, why=" wrong \n name "
    )
    change = book_of(match).changes(row)[-1]
    assert (change.before, change.after) == (won(ANN, 20), won(BEN, 25))
    assert (change.amendment.who, change.amendment.why) == (cast.ben, "wrong name")
    assert change.amendment.at >= change.amendment.match.created_at
    with pytest.raises(GinError) as refusal:
        services.amend_row(
            user=cast.ben, row_key=row.key, hand=won(ANN, 25), version=2, why="x" * 201
        )
    assert refusal.value.field == "why"


def test_b34_asking_what_an_edit_would_do_changes_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(ANN, 20), won(BEN, 30))
    before = stored(match)
    seen = services.preview(fresh(match), won(BEN, 90), replacing=keys(match)[1])
    assert [side.points for side in seen.columns[0].sides] == [10, 120]
    assert seen.over
    assert [hand.points for hand in services.preview(fresh(match), gin(ANN, 9)).hands][-1] == 34
    inserted = services.preview(fresh(match), won(BEN, 5), before=keys(match)[0])
    assert [hand.points for hand in inserted.hands] == [5, 10, 20, 30]
    with pytest.raises(GinError):
        services.preview(fresh(match), knock(ANN, 11, 20))
    assert stored(match) == before


def test_a_preview_says_what_the_write_then_does(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    seen = services.preview(fresh(match), knock(ANN, 9, 3))
    assert enter(cast.ann, match, knock(ANN, 9, 3)).sheet == seen


def test_a_void_row_stays_and_counts_no_more(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20), won(ANN, 30))
    key = keys(match)[1]
    services.void_row(user=cast.ben, row_key=key, version=3, why="not ours")
    book = book_of(match)
    assert [line.row.void for line in book.lines] == [False, True, False]
    assert book.lines[1].scored is None
    assert [line.scored.number for line in book.lines if line.scored] == [1, 2]
    assert (fresh(match).totals, fresh(match).hand_count) == ([[40, 0]], 2)
    services.restore_row(user=cast.ann, row_key=key, version=4)
    assert fresh(match).totals == [[40, 20]]
    assert [change.amendment.action for change in book_of(match).changes(book.rows[1])] == [
        "enter",
        "void",
        "restore",
    ]


def test_b37_voiding_twice_says_it_is_gone_and_moves_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    key = keys(match)[0]
    services.void_row(user=cast.ann, row_key=key, version=2)
    before = stored(match)
    for version in (2, 3):
        with pytest.raises(WrongState) as refusal:
            services.void_row(user=cast.ann, row_key=key, version=version)
        assert refusal.value.code == "already-void"
    with pytest.raises(WrongState) as refusal:
        services.amend_row(user=cast.ann, row_key=key, hand=won(ANN, 9), version=3)
    assert refusal.value.code == "row-void"
    with pytest.raises(WrongState) as refusal:
        services.restore_row(user=cast.ann, row_key=keys(match)[1], version=3)
    assert refusal.value.code == "not-void"
    assert stored(match) == before


def test_b113_a_forgotten_hand_goes_between_and_everything_follows(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20), won(ANN, 30), won(BEN, 40))
    before = book_of(match)
    written = services.insert_row(
        user=cast.ann,
        match_key=match.key,
        hand=won(BEN, 50),
        once_key="i",
        version=4,
        after=keys(match)[2],
    )
    book = book_of(match)
    assert points(match) == [10, 20, 30, 50, 40]
    assert [row.position for row in book.rows] == [1, 2, 3, 4, 5]
    assert book.rows[3].key == written.row_key
    # The loser of each hand deals the next: rows behind the new one follow it.
    assert [hand.dealers for hand in book.sheet.hands] == [
        (ANN,),
        (BEN,),
        (ANN,),
        (BEN,),
        (ANN,),
    ]
    assert [hand.dealers for hand in before.sheet.hands][3] == (BEN,)
    assert book.sheet.over
    assert fresh(match).winner == BEN


def test_a_hand_can_be_inserted_before_the_first_one(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    services.insert_row(
        user=cast.ann,
        match_key=match.key,
        hand=won(BEN, 1),
        once_key="i",
        version=2,
        before=keys(match)[0],
    )
    enter(cast.ann, match, won(ANN, 2))
    assert points(match) == [1, 10, 20, 2]


def test_an_insert_beside_a_row_of_another_match_is_refused(cast: Cast) -> None:
    match, other = (make_match(cast.ann, won(ANN, 10)) for _ in range(2))
    before = stored(match), stored(other)
    with pytest.raises(WrongState):
        services.insert_row(
            user=cast.ann,
            match_key=match.key,
            hand=won(BEN, 1),
            once_key="i",
            version=1,
            before=keys(other)[0],
        )
    with pytest.raises(WrongState):
        services.preview(fresh(match), won(BEN, 1), replacing=keys(other)[0])
    assert (stored(match), stored(other)) == before


def test_an_adjustment_is_a_row_without_a_box(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 30), adjust(BEN, -10, note="exposed a card"))
    assert (fresh(match).totals, fresh(match).hand_count) == ([[30, -10]], 1)
    assert book_of(match).sheet.columns[0].sides[BEN].boxes == 0


def test_the_dealer_of_a_row_can_be_corrected(cast: Cast) -> None:
    match = make_match(cast.ann, dead(), dead())
    assert book_of(match).sheet.next_dealers == (ANN,)
    key = keys(match)[0]
    services.correct_dealer(user=cast.ann, row_key=key, dealer=BEN, version=2, why="Ben dealt")
    book = book_of(match)
    assert [hand.dealers for hand in book.sheet.hands] == [(BEN,), (BEN,)]
    assert book.sheet.next_dealers == (BEN,)
    services.correct_dealer(user=cast.ann, row_key=key, dealer=None, version=3)
    assert book_of(match).sheet.next_dealers == (ANN,)


def test_b92_the_dealer_follows_the_hands_that_stand(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 1), won(BEN, 2), won(BEN, 3), won(ANN, 4))
    assert book_of(match).sheet.next_dealers == (BEN,)
    enter(cast.ann, match, won(BEN, 5))
    services.undo(user=cast.ann, match_key=match.key, version=5)
    assert book_of(match).sheet.next_dealers == (BEN,)
    enter(cast.ann, match, won(BEN, 6))
    assert book_of(match).sheet.next_dealers == (ANN,)
    services.void_row(user=cast.ann, row_key=keys(match)[1], version=7)
    assert [hand.dealers for hand in book_of(match).sheet.hands] == [
        (ANN,),
        (BEN,),
        (ANN,),
        (BEN,),
    ]


def test_b82_a_dead_hand_scores_nothing_and_is_listed(cast: Cast) -> None:
    match = make_match(cast.ann, won(BEN, 10), dead(), won(ANN, 20), dead())
    book = book_of(match)
    assert [hand.kind for hand in book.sheet.hands] == ["knock", "dead", "knock", "dead"]
    assert (fresh(match).totals, fresh(match).hand_count) == ([[20, 10]], 4)
    assert [side.boxes for side in book.sheet.columns[0].sides] == [1, 1]
    assert book.sheet.hands[1].dealers == book.sheet.hands[2].dealers == (ANN,)
    assert book.sheet.next_dealers == book.sheet.hands[3].dealers


def test_b13_striking_the_last_hand_opens_the_match_again(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80), won(ANN, 30))
    assert (match.over, match.winner) == (True, ANN)
    services.void_row(user=cast.ann, row_key=keys(match)[1], version=2)
    after = fresh(match)
    assert (after.over, after.winner, after.net, after.totals) == (False, None, None, [[80, 0]])
    assert book_of(match).sheet.columns[0].sides[ANN].game_bonus == 0
    enter(cast.ann, match, won(BEN, 3))
    assert fresh(match).totals == [[80, 3]]


def test_b73_level_totals_go_to_the_side_that_reached_the_target(cast: Cast) -> None:
    rules = {"preset": "house-modern", "game_bonus": 0, "box_bonus": 10, "undercut_bonus": 0}
    match = make_match(
        cast.ann,
        *(won(BEN, points) for points in (30, 30, 30)),
        adjust(ANN, 30),
        won(ANN, 80),
        rules=rules,
    )
    assert match.totals == [[120, 120]]
    assert (match.over, match.winner, match.net) == (True, ANN, [0, 0])


@pytest.mark.parametrize(("act", "first_left"), [("amend", 3), ("insert", 3), ("restore", 2)])
def test_rows_left_over_after_an_earlier_end_are_shown_and_settled_as_one_act(
    cast: Cast, act: str, first_left: int
) -> None:
    match = make_match(cast.ann, won(ANN, 60), won(ANN, 40))
    rows = keys(match)
    services.void_row(user=cast.ann, row_key=rows[1], version=2)
    for hand in (won(BEN, 20), won(ANN, 10), dead()):
        enter(cast.ann, match, hand)
    rows = keys(match)
    before = stored(match)

    def write(**more: Any) -> services.Written:
        asked: dict[str, Any] = {"user": cast.ann, "version": 6, **more}
        if act == "amend":
            return services.amend_row(row_key=rows[2], hand=won(ANN, 40), **asked)
        if act == "restore":
            return services.restore_row(row_key=rows[1], **asked)
        return services.insert_row(
            match_key=match.key, hand=won(ANN, 40), once_key="i", before=rows[3], **asked
        )

    with pytest.raises(LeftOver) as refusal:
        write()
    assert refusal.value.code == "after-the-end"
    assert [row.key for row in refusal.value.rows] == rows[first_left:]
    assert stored(match) == before

    written = write(void_rest=True, why="it was over")
    assert (fresh(match).over, fresh(match).version) == (True, 7)
    log = Amendment.objects.filter(match=match, version=7).select_related("row")
    assert {line.row.key for line in log if line.row} == {written.row_key, *rows[first_left:]}
    assert {line.why for line in log} == {"it was over"}
    services.undo(user=cast.ann, match_key=match.key, version=7)
    assert fresh(match).totals == [[70, 20]]
    voids = {row.key for row in book_of(match).rows if row.void}
    assert voids == {rows[1]} | ({written.row_key} if act == "insert" else set())


def test_void_rest_never_strikes_out_the_very_row_it_adds(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    before = stored(match)
    with pytest.raises(GinError) as refusal:
        services.insert_row(
            user=cast.ann, match_key=match.key, hand=won(BEN, 5), once_key="i",
            version=1, after=keys(match)[0], void_rest=True,
        )  # fmt: skip
    assert refusal.value.code == "after-the-end"
    assert stored(match) == before


def test_a_change_that_makes_a_later_row_impossible_names_that_row(cast: Cast) -> None:
    match = make_match(
        cast.ann, won(ANN, 10), won(CLEO, 10), names=("Ann", "Ben", "Cleo"), rules="three-handed"
    )
    before = stored(match)
    with pytest.raises(GinError) as refusal:
        services.void_row(user=cast.ann, row_key=keys(match)[0], version=2)
    assert refusal.value.field.startswith("hands.1")
    assert stored(match) == before
