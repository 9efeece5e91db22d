"""Hands dealt and played card by card: always possible, and like gin in what comes of them."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.ruleset import RuleSet, presets
from ginledger.gin.ruling import rule_cards
from ginledger.gin.selfplay import Style, play_hand

TWO = [preset.rules for preset in presets().values()]


@given(st.integers(0, 2**32), st.sampled_from(TWO), st.integers(0, 1), st.floats(0, 1))
def test_every_hand_played_can_be_ruled(
    seed: int, rules: RuleSet, dealer: int, patience: float
) -> None:
    dealt = play_hand(rules, (Style(patience), Style()), dealer, Random(seed))
    assert dealt.hands[0] & dealt.hands[1] == 0
    if dealt.knocker is None:
        assert [hand.bit_count() for hand in dealt.hands] == [10, 10]
        return
    knocker, defender = dealt.hands[dealt.knocker], dealt.hands[1 - dealt.knocker]
    ruling = rule_cards(rules, knocker, defender, upcard=dealt.upcard)
    assert (knocker.bit_count() == 11) == (ruling.kind == "big_gin")
    again = play_hand(rules, (Style(patience), Style()), dealer, Random(seed))
    assert again == dealt


def test_what_comes_of_them_looks_like_gin() -> None:
    random, kinds = Random(7), Counter[str]()
    for turn in range(400):
        dealt = play_hand(RuleSet(), (Style(), Style()), turn % 2, random)
        if dealt.knocker is None:
            kinds["dead"] += 1
            continue
        knocker, defender = dealt.hands[dealt.knocker], dealt.hands[1 - dealt.knocker]
        kinds[rule_cards(RuleSet(), knocker, defender).kind] += 1
    assert kinds["knock"] > 240
    assert 20 <= kinds["gin"] <= 120
    assert 8 <= kinds["undercut"] <= 60
    assert kinds["dead"] <= 40
