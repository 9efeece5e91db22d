"""Lay-offs: the best reply and the best knock, against a brute force, replayed card by card."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ginledger.gin.cards import card_text, cards_text, iterate, parse_cards, points
from ginledger.gin.errors import AgainstRules
from ginledger.gin.layoffs import Reply, best_knock, best_reply, least_reply
from ginledger.gin.melds import best_layout, is_meld, least_deadwood
from tests.gin import brute
from tests.gin.test_melds import check, relabel
from tests.gin.vectors import load

PAIRS = max(2000, settings().max_examples)
seeds = st.integers(0, 2**32)


def masks(*texts: str) -> tuple[int, ...]:
    return tuple(map(parse_cards, texts))


def laid_off(reply: Reply) -> list[str]:
    return [f"{card_text(card)} on {cards_text(meld)}" for card, meld in reply.layoffs]


@settings(max_examples=PAIRS)
@given(seeds)
def test_best_reply_equals_brute_force(seed: int) -> None:
    """Against any layout of the knocker's hand, not only those he would choose."""
    random = Random(seed)
    knocker, defender = brute.hard_deal(random)
    melds = random.choice([melds for melds in brute.arrangements(knocker) if melds] or [()])
    least = brute.least_against(melds, brute.rests(defender))
    laid, hand = [brute.to_engine(meld) for meld in melds], brute.to_engine(defender)
    random.shuffle(laid)
    reply = best_reply(laid, hand)
    told = f"{[*map(cards_text, laid)]} against {cards_text(hand)}"
    assert reply.deadwood == least, told
    assert least_reply(laid, hand) == least, told
    brute.replay(laid, hand, reply)


@settings(max_examples=PAIRS)
@given(seeds, st.sampled_from([10, 10, 10, 5, 25, 40]))
def test_best_knock_equals_brute_force(seed: int, limit: int) -> None:
    """Over every set of disjoint melds within the limit; high limits leave more to choose."""
    knocker, defender = brute.hard_deal(Random(seed))
    own, other = brute.to_engine(knocker), brute.to_engine(defender)
    found = best_knock(own, other, limit)
    best = brute.best_knock(knocker, defender, limit)
    told = f"{cards_text(own)} against {cards_text(other)}, limit {limit}"
    if found is None:
        assert best is None, told
        return
    layout, reply = found
    assert (layout.deadwood, reply.deadwood) == best, told
    check(own, layout)
    brute.replay(layout.melds, other, reply)
    assert layout.deadwood or not reply.layoffs


def test_the_deals_are_hard() -> None:
    """The two tests above meet, many times over, what simple solvers get wrong."""
    random = Random(1)
    met: Counter[str] = Counter()
    for _ in range(1500):
        own, other = map(brute.to_engine, brute.hard_deal(random))
        found = best_knock(own, other, 10)
        if found is None or found[0].deadwood == 0:
            continue
        layout, reply = found
        first, bare = best_layout(own), best_layout(other)
        runs = [meld for meld in layout.melds if meld & meld << 1]
        sets = [meld for meld in layout.melds if meld not in runs]
        on_sets = {card for card, meld in reply.layoffs if meld in sets}
        on_runs = [meld for _, meld in reply.layoffs if meld in runs]
        own_cards = sum(reply.melds)
        met["three laid off"] += len(reply.layoffs) >= 3
        met["two on one run"] += len(on_runs) > len(set(on_runs))
        met["own meld broken"] += reply.melds != bare.melds
        met["two runs in a suit"] += len(runs) > len({(run.bit_length() - 1) // 13 for run in runs})
        met["laid on a set"] += bool(on_sets)
        met["fourth card melded"] += any(
            is_meld(one | 1 << card) for one in sets for card in iterate(own_cards)
        )
        met["another layout"] += layout.melds != first.melds
        met["kept back"] += layout.loose.bit_count() > first.loose.bit_count()
    assert min(met.values()) >= 5, met


@given(seeds, st.sampled_from(list(permutations(range(4)))))
def test_relabelling_suits_changes_no_count(seed: int, suits: tuple[int, ...]) -> None:
    own, other = map(brute.to_engine, brute.hard_deal(Random(seed)))
    found = best_knock(own, other, 20)
    again = best_knock(relabel(own, suits), relabel(other, suits), 20)
    assert (found is None) == (again is None)
    if found and again:
        assert [part.deadwood for part in found] == [part.deadwood for part in again]
        melds = [relabel(meld, suits) for meld in found[0].melds]
        assert least_reply(melds, relabel(other, suits)) == least_reply(found[0].melds, other)


@given(seeds)
@example(0)
def test_more_melds_to_play_on_never_help_the_knocker(seed: int) -> None:
    own, other = map(brute.to_engine, brute.hard_deal(Random(seed)))
    melds = best_layout(own).melds
    counts = [least_reply(melds[:number], other) for number in range(len(melds) + 1)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == least_deadwood(other)


def test_the_golden_spreads() -> None:
    for spread in load("spreads"):
        knocker, defender = masks(spread["knocker"], spread["defender"])
        found = best_knock(knocker, defender, 10)
        assert found is not None
        layout, reply = found
        best = spread["best"]
        assert (layout.deadwood == 0) == best["gin"], spread
        assert (layout.deadwood, reply.deadwood) == (best["knocker"], best["defender"]), spread
        check(knocker, layout)
        brute.replay(layout.melds, defender, reply)


def test_the_golden_spreads_as_declared() -> None:
    for spread in load("spreads"):
        knocker, defender = masks(spread["knocker"], spread["defender"])
        melds = masks(*spread["declared"]["melds"])
        own = points(knocker & ~sum(melds))
        assert own == spread["declared"]["knocker"]
        if own:
            reply = best_reply(melds, defender)
            brute.replay(melds, defender, reply)
            assert reply.deadwood == spread["declared"]["defender"], spread
        else:
            assert least_deadwood(defender) == spread["declared"]["defender"], spread


def test_b04_a_second_card_goes_below_the_first() -> None:
    knocker, defender = masks("5H 6H 7H QC QD QS 2C 2D 2S 9S", "3H 4H 8H QH JC JD JS AC AD 5C")
    found = best_knock(knocker, defender, 10)
    assert found is not None
    layout, reply = found
    assert (layout.deadwood, reply.deadwood) == (9, 7)
    assert laid_off(reply) == [
        "8H on 5H 6H 7H",
        "4H on 5H 6H 7H",
        "3H on 5H 6H 7H",
        "QH on QC QD QS",
    ]


def test_b04_nothing_is_laid_off_on_gin() -> None:
    knocker, defender = masks("4C 5C 6C 7C 9D 9H 9S KC KD KH", "8C 9C KS 3C AD 2D 4H 6S JS JH")
    found = best_knock(knocker, defender, 10)
    assert found is not None
    assert (found[0].deadwood, found[1].deadwood, found[1].layoffs) == (0, 63, ())


def test_b11_a_card_goes_where_a_second_can_follow() -> None:
    melds = masks("TC TD TH", "JS QS KS", "2C 2D 2H")
    reply = best_reply(melds, parse_cards("TS 9S 3C 3D 3H 5C 6C 7C KD KH"))
    assert reply.deadwood == 20
    assert laid_off(reply) == ["TS on JS QS KS", "9S on JS QS KS"]


def test_b15_an_own_set_is_broken_for_lay_offs() -> None:
    melds = masks("QC QD QS", "2C 2D 2S", "5H 6H 7H")
    reply = best_reply(melds, parse_cards("8C 8H 8S 6S 7S 9H 3D 4D 5D AC"))
    assert reply.deadwood == 9
    assert [cards_text(meld) for meld in reply.melds] == ["3D 4D 5D", "6S 7S 8S"]
    assert laid_off(reply) == ["8H on 5H 6H 7H", "9H on 5H 6H 7H"]
    assert cards_text(reply.loose) == "AC 8C"


def test_b29_the_stated_layout_decides_and_the_best_is_the_runs() -> None:
    knocker, defender = masks("8C 9C TC 8H 9H TH 8S 9S TS JD", "2C 5C QC AD 3D 8D 9D 5H 4S 5S")
    runs, sets = masks("8C 9C TC", "8H 9H TH", "8S 9S TS"), masks("8C 8H 8S", "9C 9H 9S")
    assert least_reply(runs, defender) == 37
    assert least_reply((*sets, parse_cards("TC TH TS")), defender) == 20
    found = best_knock(knocker, defender, 10)
    assert found is not None
    assert found[0].melds == runs
    assert found[1].deadwood == 37


def test_keeping_a_small_run_back_can_be_worth_its_points() -> None:
    """A-2-3 laid gives away 4-5; kept back it costs 6 and saves 9."""
    knocker, defender = masks("AC AH 2H 3H KC KD KH QC QD QS", "4H 5H 8C 9D 7S JC TD 6D 3C 2C")
    assert least_deadwood(knocker) == 1
    assert least_reply(best_layout(knocker).melds, defender) == 55
    found = best_knock(knocker, defender, 10)
    assert found is not None
    layout, reply = found
    assert [cards_text(meld) for meld in layout.melds] == ["QC QD QS", "KC KD KH"]
    assert (layout.deadwood, reply.deadwood) == (7, 64)
    strict = best_knock(knocker, defender, 6)
    assert strict is not None
    assert (strict[0].deadwood, strict[1].deadwood) == (1, 55)


def test_the_end_of_a_run_can_be_kept_back() -> None:
    """With 4-5-6-7 laid, 8 and 9 go off; the 7 kept back costs 7 and saves 17."""
    knocker, defender = masks("AC 4H 5H 6H 7H KC KD KH KS AD", "8H 9H 2C 2D TS 5S 7S 9C QD JC")
    found = best_knock(knocker, defender, 10)
    assert found is not None
    layout, reply = found
    assert cards_text(layout.loose) == "AC AD 7H"
    assert (layout.deadwood, reply.deadwood) == (9, 72)


def test_two_runs_meet_at_the_same_card_which_goes_off_once() -> None:
    melds = masks("3H 4H 5H", "8H 9H TH")
    reply = best_reply(melds, parse_cards("6H 7H 2H JH"))
    assert reply.deadwood == 0
    assert laid_off(reply) == [
        "6H on 3H 4H 5H",
        "7H on 3H 4H 5H",
        "2H on 3H 4H 5H",
        "JH on 8H 9H TH",
    ]
    alone = best_reply(melds, parse_cards("7H"))
    assert laid_off(alone) == ["7H on 8H 9H TH"]


@pytest.mark.parametrize("meld", ["JC QC KC", "AD 2D 3D"])
def test_a_run_does_not_go_on_round_the_corner(meld: str) -> None:
    hand = parse_cards("AC AD KC KS 2D") & ~parse_cards(meld)
    assert best_reply(masks(meld), hand).layoffs == ()


def test_a_set_of_four_takes_nothing_and_a_set_of_three_its_fourth_card_only() -> None:
    assert laid_off(best_reply(masks("KC KD KH"), parse_cards("KS QS AS"))) == ["KS on KC KD KH"]
    assert best_reply(masks("KC KD KH KS"), parse_cards("QS AS")).layoffs == ()


def test_of_equal_replies_the_one_with_the_fewest_lay_offs() -> None:
    """8-9-T could all go on the run; they stay a run of the defender's own."""
    reply = best_reply(masks("5H 6H 7H"), parse_cards("8H 9H TH"))
    assert reply == Reply(0, masks("8H 9H TH"), (), 0)


def test_over_the_limit_there_is_no_knock() -> None:
    knocker = parse_cards("5H 6H 7H QC QD QS 2C 2D 2S 9S")
    defender = parse_cards("3H 4H 8H QH JC JD JS AC AD 5C")
    assert best_knock(knocker, defender, 8) is None
    assert best_knock(knocker, defender, 9) is not None


@pytest.mark.parametrize("wrong", ["", "8C 8D 9H", "9C JC QC KC", "8C 9C"])
def test_b127_what_is_no_meld_is_refused_by_name(wrong: str) -> None:
    melds, hand = masks("2C 2D 2S", wrong), parse_cards("2H TC 8S 8H")
    for ask in (best_reply, least_reply):
        with pytest.raises(AgainstRules) as caught:
            ask(melds, hand)
        assert caught.value.code == "not-a-meld"
        assert wrong in caught.value.message
