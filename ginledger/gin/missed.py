"""What a better layout, or the lay-offs that were there, would have won in a hand of cards.

Points are a swing: what one side would have had more, or the other less. The rules of layouts and
lay-offs are those of ``ruling`` (docs/rules.md, How a hand ends).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ginledger.gin.alternatives import worth
from ginledger.gin.dealt import rule_claimed
from ginledger.gin.errors import GinError
from ginledger.gin.hands import CardsHand
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import ROLES, Ruling, rule_cards


class Missed(NamedTuple):
    """What each of the two gave away, in points, as (knocker, defender).

    lost: by the layout that was stated, or by a count that stands against the cards; put_right:
    what a count that was said would have cost, where the cards stand.
    """

    lost: tuple[int, int] = (0, 0)
    put_right: tuple[int, int] = (0, 0)


def missed(rules: RuleSet, hand: CardsHand) -> Missed:
    """What was given away in a hand that these rules can rule; raises as ``rule_cards`` does."""
    laid = _by_cards(rules, hand, hand.melds)
    layout = 0
    if hand.melds is not None:
        layout = max(worth(_by_cards(rules, hand, None)) - worth(laid), 0)
    by_count = _by_count(rules, hand, laid)
    if hand.stands == "claim":
        return Missed((layout + by_count[0], by_count[1]))
    return Missed((layout, 0), by_count)


def _by_cards(rules: RuleSet, hand: CardsHand, melds: tuple[int, ...] | None) -> Ruling:
    return rule_cards(
        rules, hand.knocker_cards, hand.opponent_cards, melds=melds, upcard=hand.upcard
    )


def _by_count(rules: RuleSet, hand: CardsHand, laid: Ruling) -> tuple[int, int]:
    """What the counts that were said give away against the cards as they lie."""
    if (hand.claim_kind, hand.claim_own, hand.claim_other) == (None, None, None):
        return 0, 0
    try:
        said, _ = rule_claimed(rules, replace(hand, stands="claim"), ROLES)
    except GinError:
        # Counts that no hand of these rules can have: nobody would have let them stand.
        return 0, 0
    gained = worth(said) - worth(laid)
    return max(-gained, 0), max(gained, 0)
