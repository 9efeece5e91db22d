"""Melds: the least deadwood and every layout, against a brute force and the golden spreads."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginledger.gin.cards import PACK, card_text, cards_text, iterate, parse_cards, points
from ginledger.gin.errors import AgainstRules
from ginledger.gin.melds import (
    RUNS,
    SETS,
    Layout,
    best_discard,
    best_layout,
    is_meld,
    layouts,
    least_deadwood,
)
from tests.gin import brute
from tests.gin.vectors import load

MANY = max(1000, settings().max_examples)


@st.composite
def hands(draw: st.DrawFn, size: int = 10) -> int:
    """A hand as the engine holds it: plain random cards, or melds that share cards."""
    random = Random(draw(st.integers(0, 2**32)))
    if draw(st.integers(0, 3)) == 0:
        return sum(1 << card for card in random.sample(range(52), size))
    return brute.to_engine(brute.hard_hand(random, size))


def check(hand: int, layout: Layout) -> None:
    """A layout is disjoint melds of the hand, and its counts add up."""
    assert all(brute.from_engine(meld) in brute.MELDS for meld in layout.melds)
    assert sum(layout.melds) | layout.loose == hand
    assert sum(map(int.bit_count, layout.melds)) + layout.loose.bit_count() == hand.bit_count()
    assert layout.deadwood == brute.worth(brute.from_engine(layout.loose)) == points(layout.loose)


def test_every_meld_and_nothing_else_is_a_meld() -> None:
    assert sorted(map(brute.from_engine, SETS + RUNS)) == sorted(brute.MELDS)
    assert len(SETS) == 13 * 5
    assert all(map(is_meld, SETS + RUNS))


@pytest.mark.parametrize(
    "text", ["", "7C", "7C 8C", "QC KC AC", "9C JC QC KC", "8C 8D 9H", "8C 8D", "QC KC AD 2D"]
)
def test_b127_what_is_no_meld(text: str) -> None:
    assert not is_meld(parse_cards(text))


def test_least_deadwood_of_the_golden_spreads() -> None:
    for spread in load("spreads"):
        for who in ("knocker", "defender"):
            hand = parse_cards(spread[who])
            assert least_deadwood(hand) == spread[f"{who}_least"], spread


@settings(max_examples=MANY)
@given(st.integers(0, 11).flatmap(hands) | hands() | hands(11))
def test_least_deadwood_equals_brute_force(hand: int) -> None:
    least = brute.least(brute.from_engine(hand))
    assert least_deadwood(hand) == least, cards_text(hand)
    layout = best_layout(hand)
    check(hand, layout)
    assert layout.deadwood == least


@settings(max_examples=MANY // 2)
@given(hands() | hands(11))
def test_layouts_are_all_full_arrangements(hand: int) -> None:
    """Full: no meld can be added or grown by loose cards, and no two runs are one."""
    laid = {frozenset(melds) for melds in brute.arrangements(brute.from_engine(hand))}
    full = {
        melds
        for melds in laid
        if not any(_is_longer(melds, more) for more in laid)
        and not any(one | other in brute.MELDS for one in melds for other in melds - {one})
    }
    found = layouts(hand)
    for layout in found:
        check(hand, layout)
    assert {frozenset(map(brute.from_engine, layout.melds)) for layout in found} == full
    assert len(found) == len(full)
    assert found[0] == best_layout(hand)
    assert [layout.deadwood for layout in found] == sorted(layout.deadwood for layout in found)
    assert layouts(hand, 10) == tuple(layout for layout in found if layout.deadwood <= 10)


def _is_longer(melds: frozenset[int], more: frozenset[int]) -> bool:
    """Whether ``more`` is the same melds with one grown by loose cards, or one more meld."""
    gone, new = melds - more, more - melds
    if len(new) != 1 or len(gone) > 1:
        return False
    (meld,) = new
    return not gone or next(iter(gone)) & meld == next(iter(gone))


@given(hands() | hands(11), st.sampled_from(list(permutations(range(4)))))
def test_relabelling_suits_changes_no_count(hand: int, suits: tuple[int, ...]) -> None:
    other = relabel(hand, suits)
    assert least_deadwood(other) == least_deadwood(hand)
    counts = [layout.deadwood for layout in layouts(hand)]
    assert [layout.deadwood for layout in layouts(other)] == counts


def relabel(mask: int, suits: tuple[int, ...]) -> int:
    return sum((mask >> 13 * old & 8191) << 13 * new for old, new in enumerate(suits))


def test_b29_three_runs_or_three_sets_are_both_listed() -> None:
    hand = parse_cards("8C 9C TC 8H 9H TH 8S 9S TS JD")
    listed = [[cards_text(meld) for meld in layout.melds] for layout in layouts(hand)]
    assert sorted(listed) == [
        ["8C 8H 8S", "9C 9H 9S", "TC TH TS"],
        ["8C 9C TC", "8H 9H TH", "8S 9S TS"],
    ]


def test_the_ace_is_low_only() -> None:
    assert least_deadwood(parse_cards("QC KC AC")) == 21
    assert least_deadwood(parse_cards("AC 2C 3C")) == 0
    # A king and the next suit's ace and two are neighbours as bits, not as cards.
    assert least_deadwood(parse_cards("QC KC AD 2D")) == 23


@settings(max_examples=200)
@given(hands(11))
def test_best_discard_equals_trying_each(hand: int) -> None:
    card, deadwood = best_discard(hand)
    whole = brute.from_engine(hand)
    each = {name: brute.least(whole ^ brute.BIT[name]) for name in brute.names(whole)}
    assert each[card_text(card)] == deadwood == min(each.values())
    equals = [name for name in each if each[name] == deadwood]
    assert brute.WORTH[card_text(card)] == max(brute.WORTH[name] for name in equals)


def test_b99_the_discard_that_leaves_one() -> None:
    card, deadwood = best_discard(parse_cards("3C 4C 5C 8D 8H 8S JD JH JS 9C AC"))
    assert (card_text(card), deadwood) == ("9C", 1)


def test_b99_eleven_melded_cards_leave_nothing_with_any_spare_card_thrown() -> None:
    hand = parse_cards("3C 4C 5C 6C 8D 8H 8S JC JD JH JS")
    assert least_deadwood(hand) == 0
    card, deadwood = best_discard(hand)
    assert (card_text(card), deadwood) == ("JC", 0)


@pytest.mark.parametrize("size", [0, 10, 12])
def test_a_discard_needs_eleven_cards(size: int) -> None:
    with pytest.raises(AgainstRules) as caught:
        best_discard(sum(1 << card for card in iterate(PACK)[:size]))
    assert caught.value.code == "card-count"
    assert str(size) in caught.value.message
