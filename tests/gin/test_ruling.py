"""One hand ruled: limits, outcomes, doubling, stated layouts, and what is refused."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.cards import cards_text, parse_card, parse_cards
from ginledger.gin.errors import AgainstRules, Ambiguous, GinError
from ginledger.gin.ruleset import ExtraBoxes, RuleSet
from ginledger.gin.ruling import (
    DEFENDER,
    KNOCKER,
    Ruling,
    knock_limit,
    rule_cards,
    rule_counts,
    rule_points,
)

MODERN = RuleSet()
OKLAHOMA = RuleSet(oklahoma=True, spade_doubles=True)


def cards(
    knocker: str,
    defender: str,
    rules: RuleSet = MODERN,
    melds: list[str] | None = None,
    **more: Any,
) -> Ruling:
    stated = None if melds is None else [parse_cards(meld) for meld in melds]
    return rule_cards(rules, parse_cards(knocker), parse_cards(defender), melds=stated, **more)


# Limits.


@pytest.mark.parametrize(
    ("upcard", "ace", "limit"),
    [("7H", "gin-only", 7), ("KC", "one", 10), ("AD", "gin-only", 0), ("AD", "one", 1)],
)
def test_limit_of_an_oklahoma_hand(upcard: str, ace: str, limit: int) -> None:
    rules = RuleSet(oklahoma=True, oklahoma_ace=ace)
    assert knock_limit(rules, parse_card(upcard)) == limit


def test_limit_never_rises_above_the_rule_sets() -> None:
    rules = RuleSet(oklahoma=True, knock_limit=5)
    assert knock_limit(rules, parse_card("9C")) == 5
    assert knock_limit(RuleSet(knock_limit=0, oklahoma=True), parse_card("9C")) == 0
    assert knock_limit(MODERN, parse_card("2C")) == 10


# Outcomes by counts.


@pytest.mark.parametrize(
    ("kind", "own", "other", "ruled", "winner", "points"),
    [
        ("knock", 6, 21, "knock", KNOCKER, 15),
        ("knock", 9, 8, "undercut", DEFENDER, 26),
        ("knock", 9, 9, "undercut", DEFENDER, 25),
        ("knock", 9, 0, "undercut", DEFENDER, 34),
        ("gin", None, 33, "gin", KNOCKER, 58),
        ("gin", 0, 0, "gin", KNOCKER, 25),
        ("big_gin", None, 18, "big_gin", KNOCKER, 49),
    ],
)
def test_outcome_by_counts(
    kind: str, own: int | None, other: int, ruled: str, winner: int, points: int
) -> None:
    ruling = rule_counts(MODERN, kind=kind, own=own, other=other)
    assert (ruling.kind, ruling.winner, ruling.points, ruling.boxes) == (ruled, winner, points, 1)


@pytest.mark.parametrize(
    ("tie", "kind", "winner", "points", "boxes"),
    [
        ("undercut", "undercut", DEFENDER, 25, 1),
        ("undercut-no-bonus", "undercut", DEFENDER, 0, 1),
        ("no-score", "tie", None, 0, 0),
    ],
)
def test_outcome_of_equal_counts(
    tie: str, kind: str, winner: int | None, points: int, boxes: int
) -> None:
    ruling = rule_counts(RuleSet(tie=tie), kind="knock", own=8, other=8)
    assert ruling[:4] == (kind, winner, points, boxes)


def test_big_gin_where_it_is_not_played_is_gin() -> None:
    ruling = rule_counts(RuleSet(big_gin_bonus=None), kind="big_gin", own=None, other=12)
    assert (ruling.kind, ruling.points) == ("gin", 37)


def test_spade_doubles_points_and_boxes_as_the_rule_set_says() -> None:
    spade = parse_card("4S")
    rules = RuleSet(spade_doubles=True, extra_boxes=ExtraBoxes(gin=2))
    ruling = rule_counts(rules, kind="gin", own=None, other=26, upcard=spade)
    assert (ruling.points, ruling.boxes, ruling.doubled) == (102, 5, True)
    both = rules.replace(spade_doubles_box=True)
    assert rule_counts(both, kind="gin", own=None, other=26, upcard=spade).boxes == 6
    plain = rules.replace(spade_doubles_extra_boxes=False)
    assert rule_counts(plain, kind="gin", own=None, other=26, upcard=spade).boxes == 3
    heart = parse_card("4H")
    assert rule_counts(rules, kind="gin", own=None, other=26, upcard=heart).points == 51


@given(
    st.sampled_from(["knock", "gin", "big_gin"]),
    st.integers(1, 10),
    st.integers(0, 100),
    st.none() | st.integers(0, 51),
    st.sampled_from([MODERN, RuleSet(knock_bonus=15, tie="no-score"), RuleSet(spade_doubles=True)]),
)
def test_the_parts_of_a_ruling_add_up_to_its_points(
    kind: str, own: int, other: int, upcard: int | None, rules: RuleSet
) -> None:
    own_count = own if kind == "knock" else None
    ruling = rule_counts(rules, kind=kind, own=own_count, other=other, upcard=upcard)
    assert sum(part.points for part in ruling.parts) == ruling.points
    assert (ruling.winner is None) == (ruling.kind == "tie")
    said = " ".join(ruling.reasons(("Ann", "Ben")))
    assert "Ann" in said
    assert str(ruling.points) in said or ruling.winner is None


# Points as written.


@pytest.mark.parametrize(
    ("kind", "points", "rules", "upcard"),
    [
        ("gin", 24, MODERN, None),
        ("gin", 126, MODERN, None),
        ("undercut", 20, MODERN, None),
        ("undercut", 36, MODERN, None),
        ("knock", 0, MODERN, None),
        ("knock", 101, MODERN, None),
        ("knock", 10**20, MODERN, None),
        ("knock", True, MODERN, None),
        ("knock", 5.5, MODERN, None),
        ("gin", 51, RuleSet(spade_doubles=True), "4S"),
        ("undercut", 3, RuleSet(tie="undercut-no-bonus"), None),
        ("undercut", 25, RuleSet(tie="no-score"), None),
        ("big_gin", 30, MODERN, None),
    ],
)
def test_points_no_hand_can_be_worth_are_refused(
    kind: str, points: Any, rules: RuleSet, upcard: str | None
) -> None:
    card = None if upcard is None else parse_card(upcard)
    with pytest.raises(GinError) as refused:
        rule_points(rules, kind=kind, points=points, upcard=card)
    assert refused.value.field == "points"


def test_points_are_taken_as_written() -> None:
    assert rule_points(MODERN, kind="undercut", points=25).winner == DEFENDER
    assert rule_points(RuleSet(tie="undercut-no-bonus"), kind="undercut", points=0).points == 0
    doubled = rule_points(RuleSet(spade_doubles=True), kind="gin", points=52, upcard=None)
    assert doubled.points == 52
    with pytest.raises(AgainstRules):
        rule_points(RuleSet(knock_limit=0), kind="knock", points=9)


@given(
    st.sampled_from(["knock", "gin", "big_gin"]),
    st.integers(1, 10),
    st.integers(0, 100),
    st.none() | st.integers(0, 51),
    st.sampled_from(
        [MODERN, OKLAHOMA, RuleSet(tie="undercut-no-bonus"), RuleSet(spade_doubles=True)]
    ),
)
def test_points_of_any_hand_by_counts_may_be_written_down(
    kind: str, own: int, other: int, upcard: int | None, rules: RuleSet
) -> None:
    try:
        by_counts = rule_counts(
            rules, kind=kind, own=own if kind == "knock" else None, other=other, upcard=upcard
        )
    except GinError:
        return
    written = rule_points(rules, kind=by_counts.kind, points=by_counts.points, upcard=upcard)
    assert written[:4] == by_counts[:4]


# Both spreads.


def test_b04_lay_offs_follow_one_another_and_none_go_on_gin() -> None:
    ruling = cards("5H 6H 7H QC QD QS 2C 2D 2S 9S", "3H 4H 8H QH JC JD JS AC AD 5C")
    assert (ruling.kind, ruling.own, ruling.other, ruling.points) == ("undercut", 9, 7, 27)
    assert ruling.reply is not None
    laid = [cards_text(1 << one.card) for one in ruling.reply.layoffs]
    assert sorted(laid) == ["3H", "4H", "8H", "QH"]
    assert laid.index("4H") < laid.index("3H")
    gin = cards("4C 5C 6C 7C 9D 9H 9S KC KD KH", "8C 9C KS 3C AD 2D 4H 6S JS JH")
    assert (gin.kind, gin.points) == ("gin", 88)
    assert gin.reply is not None
    assert gin.reply.layoffs == ()


def test_b11_a_card_goes_where_a_second_one_can_follow() -> None:
    ruling = cards("TD TC TH JS QS KS 2C 2D 2H 4D", "TS 9S 3C 3D 3H 5C 6C 7C KD KH")
    assert (ruling.other, ruling.points) == (20, 16)


def test_b15_own_melds_and_lay_offs_are_one_decision() -> None:
    ruling = cards("5H 6H 7H QC QD QS 2C 2D 2S 9S", "8C 8H 8S 6S 7S 9H 3D 4D 5D AC")
    assert (ruling.kind, ruling.winner, ruling.points) == ("undercut", DEFENDER, 25)


def test_b29_the_stated_layout_decides() -> None:
    knocker, defender = "8C 9C TC 8H 9H TH 8S 9S TS JD", "2C 5C QC AD 3D 8D 9D 5H 4S 5S"
    runs = cards(knocker, defender, melds=["8C 9C TC", "8H 9H TH", "8S 9S TS"])
    assert (runs.other, runs.points) == (37, 27)
    sets = cards(knocker, defender, melds=["8C 8H 8S", "9C 9H 9S", "TC TH TS"])
    assert (sets.other, sets.points) == (20, 10)
    # Where none is stated, the layout that leaves the largest difference.
    assert cards(knocker, defender).points == 27


def test_b68_cards_that_cannot_be_are_all_named() -> None:
    with pytest.raises(GinError) as refused:
        cards("QH 2C 3C 4C 5C 6C 7C 8C 9C", "QH 2C 3D 4D 5D 6D 7D 8D 9D")
    told = {(one.code, one.field) for one in refused.value.problems}
    assert told == {
        ("card-count", "cards.knocker"),
        ("card-count", "cards.defender"),
        ("card-in-both", "cards.defender"),
    }
    assert sum(one.code == "card-in-both" for one in refused.value.problems) == 2


def test_b99_eleven_cards_are_big_gin_or_a_discard_is_offered() -> None:
    defender = "2C 2D 5D 6D 9D TH QH KS 7S AS"
    with pytest.raises(Ambiguous) as offered:
        cards("3C 4C 5C 8D 8H 8S JD JH JS 9C AC", defender)
    assert "9♣" in str(offered.value)
    assert "1 is left" in str(offered.value)
    eleven = "3C 4C 5C 6C 8D 8H 8S JC JD JH JS"
    big = cards(eleven, defender)
    assert (big.kind, big.winner) == ("big_gin", KNOCKER)
    assert big.points == 31 + (big.other or 0)
    assert cards(eleven, defender, RuleSet(big_gin_bonus=None)).kind == "gin"


def test_b127_melds_that_are_none_are_all_named() -> None:
    with pytest.raises(GinError) as refused:
        cards(
            "9C JC 8C 8D 9H 2H 2D 2S AC 3C",
            "TD TS KH KD QH QD 7H 7D 6S 6D",
            melds=["9C TC JC", "8C 8D 9H", "2H 2D 2S", "2H 2D 2S"],
        )
    told = [(one.code, one.field) for one in refused.value.problems]
    assert told == [
        ("meld-not-held", "melds.1"),
        ("not-a-meld", "melds.2"),
        ("card-in-two-melds", "melds.4"),
    ]


def test_a_stated_layout_over_the_limit_is_refused() -> None:
    with pytest.raises(AgainstRules) as refused:
        cards("7S 7H 7C JS QS KS 2D 3D 4D 6C", "TS 9S 8H 8D 8C 5D KH AH 2C 9H", melds=["7S 7H 7C"])
    assert refused.value.code == "knock-over-limit"


def test_an_oklahoma_knock_by_cards_needs_its_upcard_and_its_limit() -> None:
    hand = ("7S 7H 7C JS QS KS 2D 3D 4D 6C", "TS 9S 8H 8D 8C 5D KH AH 2C 9H")
    assert cards(*hand, OKLAHOMA, upcard=parse_card("6D")).points == 16
    for upcard, code in (
        (None, "upcard-missing"),
        ("5H", "knock-over-limit"),
        ("AC", "knock-on-ace"),
    ):
        card = None if upcard is None else parse_card(upcard)
        with pytest.raises(AgainstRules) as refused:
            cards(*hand, OKLAHOMA, upcard=card)
        assert refused.value.code == code


@given(st.permutations(range(52)), st.sampled_from(list(permutations(range(4)))))
def test_relabelling_suits_never_changes_a_ruling(pack: list[int], suits: tuple[int, ...]) -> None:
    def mask(hand: list[int], relabel: bool) -> int:
        return sum(1 << (13 * suits[card // 13] + card % 13 if relabel else card) for card in hand)

    rulings: list[tuple[object, ...]] = []
    for relabel in (False, True):
        try:
            ruling = rule_cards(MODERN, mask(pack[:10], relabel), mask(pack[10:20], relabel))
            rulings.append(ruling[:7])
        except GinError as error:
            rulings.append((error.code,))
    assert rulings[0] == rulings[1]
