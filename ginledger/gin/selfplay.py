"""Hands that are really dealt and played, card by card, for demonstrations and tests.

Two simple players draw, discard and knock by rules of thumb. They are no masters, but what they
leave behind looks like gin: knocks early and late, undercuts, gin after a long wait, dead hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ginledger.gin.cards import iterate, points
from ginledger.gin.melds import is_meld, least_deadwood
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import knock_limit

PACK = 52
LEFT_IN_STOCK = 2


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays.

    patience: the chance of playing on for gin where a knock is allowed, 0 to 1; care: how much a
    card that may still grow into a meld is worth keeping, in points of deadwood.
    """

    patience: float = 0.25
    care: float = 2.0


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand as it ended. knocker: 0 or 1, None for a dead hand; hands: both card masks, the
    knocker's with ten cards after his discard or all eleven for big gin; turns: how many were
    played; upcard: the card turned at the deal."""

    knocker: int | None
    hands: tuple[int, int]
    upcard: int
    turns: int


def play_hand(rules: RuleSet, styles: tuple[Style, Style], dealer: int, random: Random) -> Dealt:
    """Deal a pack and play one hand to its end; dealer is 0 or 1, the other one begins."""
    pack = list(range(PACK))
    random.shuffle(pack)
    hands = [sum(1 << card for card in pack[:10]), sum(1 << card for card in pack[10:20])]
    upcard, stock = pack[20], pack[21:]
    limit = knock_limit(rules, upcard)
    top: int | None = upcard
    player, turns = 1 - dealer, 0
    # The upcard is offered first to the one who begins, then to the dealer.
    if not _wants(hands[player], upcard) and _wants(hands[dealer], upcard):
        player = dealer
    while len(stock) > LEFT_IN_STOCK:
        turns += 1
        if top is not None and _wants(hands[player], top):
            taken: int | None = top
            hands[player] |= 1 << top
        else:
            taken = None
            hands[player] |= 1 << stock.pop()
        held = hands[player]
        if rules.big_gin_bonus is not None and least_deadwood(held) == 0:
            return Dealt(player, (hands[0], hands[1]), upcard, turns)
        top = _discard(held, taken, styles[player], limit)
        hands[player] = held ^ (1 << top)
        if _ends(hands[player], limit, styles[player], turns, random):
            return Dealt(player, (hands[0], hands[1]), upcard, turns)
        player = 1 - player
    return Dealt(None, (hands[0], hands[1]), upcard, turns)


def _wants(hand: int, card: int) -> bool:
    """Whether the card is worth taking: with it, and without the worst other one, less is left."""
    held = hand | 1 << card
    least = min(least_deadwood(held ^ (1 << other)) for other in iterate(hand))
    # Merely swapping a king for a three shows the other side one's hand; a new meld is worth it.
    return least < least_deadwood(hand) - 3 and least_deadwood(held) <= least_deadwood(hand)


def _discard(held: int, taken: int | None, style: Style, limit: int) -> int:
    """The card to throw from eleven: never the one just taken from the discards."""
    choices = [card for card in iterate(held) if card != taken]
    left = {card: least_deadwood(held ^ (1 << card)) for card in choices}
    if min(left.values()) <= limit:
        return min(choices, key=lambda card: (left[card], -points(1 << card), card))
    return min(choices, key=lambda card: (left[card] + style.care * _hopes(held, card), card))


def _hopes(held: int, card: int) -> int:
    """How many single cards would make a meld of this one and another that is held."""
    near = [
        other
        for other in iterate(held)
        if other != card
        and (other % 13 == card % 13 or (other // 13 == card // 13 and abs(other - card) <= 2))
    ]
    pack = range(PACK)
    return sum(
        is_meld(1 << card | 1 << other | 1 << third)
        for other in near
        for third in pack
        if not held >> third & 1
    )


def _ends(hand: int, limit: int, style: Style, turns: int, random: Random) -> bool:
    """Whether to knock (or show gin) with these ten cards."""
    left = least_deadwood(hand)
    if left == 0:
        return True
    if left > limit:
        return False
    # The longer it lasts the likelier the other side has less: only a low count is safe then.
    safe = turns <= 8 or left <= max(1, 10 - turns // 3)
    return safe and random.random() >= style.patience
