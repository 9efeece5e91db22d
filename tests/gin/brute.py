"""A second card engine: slow, plain, and sharing nothing with the first but the text of cards.

It knows what a meld is and nothing else. Whatever is asked is answered by trying every set of
disjoint melds and, for lay-offs, every card on every meld in every order. ``replay`` checks an
answer of the engine by playing it out card by card. ``hard_deal`` makes the deals to try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from random import Random

from ginledger.gin.cards import cards_text, parse_cards
from ginledger.gin.layoffs import Reply

RANKS = "A23456789TJQK"
SUITS = "CDHS"
# Rank by rank here, where the engine goes suit by suit.
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
BIT = {card: 1 << place for place, card in enumerate(PACK)}
WORTH = {card: min(RANKS.index(card[0]) + 1, 10) for card in PACK}


def bits(cards: Iterable[str]) -> int:
    return sum(BIT[card] for card in cards)


def names(cards: int) -> list[str]:
    return [card for card in PACK if BIT[card] & cards]


def _every_meld() -> tuple[int, ...]:
    sets = [
        bits(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]
    runs = [
        bits(rank + suit for rank in RANKS[low:high])
        for suit in SUITS
        for low in range(13)
        for high in range(low + 3, 14)
    ]
    return tuple(sets + runs)


MELDS = _every_meld()
_IS_MELD = frozenset(MELDS)


@cache
def worth(cards: int) -> int:
    return sum(WORTH[card] for card in names(cards))


def arrangements(hand: int) -> list[tuple[int, ...]]:
    """Every set of disjoint melds of a hand, the empty one too."""
    held = [meld for meld in MELDS if meld & hand == meld]

    def after(start: int, free: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = [()]
        for place in range(start, len(held)):
            meld = held[place]
            if meld & free == meld:
                found += [(meld, *more) for more in after(place + 1, free ^ meld)]
        return found

    return after(0, hand)


def least(hand: int) -> int:
    return min(worth(hand & ~sum(melds)) for melds in arrangements(hand))


def least_after_layoffs(laid: tuple[int, ...], loose: int) -> int:
    """The least that stays loose, over every order of putting loose cards on what is laid."""
    seen: dict[tuple[tuple[int, ...], int], int] = {}

    def after(laid: tuple[int, ...], loose: int) -> int:
        key = (laid, loose)
        if key not in seen:
            best = worth(loose)
            rest = loose
            while rest:
                card = rest & -rest
                rest ^= card
                for place, meld in enumerate(laid):
                    if meld | card in _IS_MELD:
                        grown = (*laid[:place], meld | card, *laid[place + 1 :])
                        best = min(best, after(grown, loose ^ card))
            seen[key] = best
        return seen[key]

    return after(laid, loose)


def least_against(laid: Sequence[int], rests: Iterable[int]) -> int:
    """The least reply; rests: what each way to lay out the defender's hand leaves loose."""
    laid = tuple(laid)
    return min(least_after_layoffs(laid, loose) for loose in rests)


def rests(hand: int) -> set[int]:
    return {hand & ~sum(melds) for melds in arrangements(hand)}


def best_knock(knocker: int, defender: int, limit: int) -> tuple[int, int] | None:
    """Both counts under the layout of largest difference; of several the least own count."""
    left = rests(defender)
    found: list[tuple[int, int]] = []
    for melds in arrangements(knocker):
        own = worth(knocker & ~sum(melds))
        if own == 0:
            return 0, min(map(worth, left))
        if own <= limit:
            count = least_against(melds, left)
            found.append((own - count, own))
    if not found:
        return None
    difference, own = min(found)
    return own, own - difference


def from_engine(mask: int) -> int:
    return bits(cards_text(mask).split())


def to_engine(cards: int) -> int:
    return parse_cards(" ".join(names(cards)))


def replay(melds: Sequence[int], defender: int, reply: Reply) -> None:
    """Play an engine's reply out: every step must be legal and the counts must add up."""
    table = {meld: from_engine(meld) for meld in melds}
    hand = from_engine(defender)
    for own in map(from_engine, reply.melds):
        assert own in _IS_MELD
        assert own & hand == own
        hand ^= own
    for layoff in reply.layoffs:
        card = from_engine(1 << layoff.card)
        assert card & hand
        hand ^= card
        assert table[layoff.meld] | card in _IS_MELD
        table[layoff.meld] |= card
    assert hand == from_engine(reply.loose)
    assert worth(hand) == reply.deadwood


# Deals


def _from_a_few_ranks(random: Random) -> list[int]:
    """Eight runs and sets that share cards: four or five ranks of every suit."""
    low = random.randrange(10)
    ranks = RANKS[low : low + random.choice((4, 5))]
    return [meld for meld in MELDS if all(card[0] in ranks for card in names(meld))]


def _from_one_suit(random: Random) -> list[int]:
    """Two runs in one suit with one to four cards between, beside any set."""
    suit = random.choice(SUITS)
    low = random.randrange(8)
    gap = random.randint(1, 4)
    first = RANKS[low : low + 3]
    second = RANKS[low + 3 + gap : low + 6 + gap]
    runs = [bits(rank + suit for rank in part) for part in (first, second) if len(part) > 2]
    return runs + random.sample([meld for meld in MELDS if meld.bit_count() <= 4], 6)


def _from_sets(random: Random) -> list[int]:
    """Sets of three whose fourth card is somebody's, and runs across their ranks."""
    low = random.randrange(11)
    ranks = RANKS[low : low + 3]
    sets = [bits(rank + suit for suit in random.sample(SUITS, 3)) for rank in ranks]
    runs = [bits(rank + suit for rank in ranks) for suit in SUITS]
    return sets + sets + runs


def _anything(random: Random) -> list[int]:
    return random.sample(MELDS, 12)


_KINDS: tuple[Callable[[Random], list[int]], ...] = (
    _from_a_few_ranks,
    _from_one_suit,
    _from_sets,
    _anything,
)


def _is_near(card: str, other: str) -> bool:
    apart = abs(RANKS.index(card[0]) - RANKS.index(other[0]))
    return apart == 0 or (apart <= 4 and card[1] == other[1])


_NEAR = {other: [card for card in PACK if _is_near(card, other)] for other in PACK}


def near(cards: int) -> list[str]:
    """The cards of the same rank, and those up to four places away in the suit."""
    return sorted({card for other in names(cards) for card in _NEAR[other]})


def hard_hand(random: Random, size: int = 10) -> int:
    """A hand of melds that lie close together, and what is near them."""
    hand = 0
    pool = random.choice(_KINDS)(random)
    random.shuffle(pool)
    for meld in pool:
        if not meld & hand and (hand | meld).bit_count() <= size:
            hand |= meld
    if hand.bit_count() > 3 and random.random() < 0.7:
        hand ^= BIT[random.choice(names(hand))]
    return _filled(random, hand, PACK, size)


def _filled(random: Random, hand: int, pool: Iterable[str], size: int) -> int:
    """A hand filled up from a pool, small cards rather than large ones."""
    free = sorted((card for card in pool if not BIT[card] & hand), key=WORTH.__getitem__)
    while hand.bit_count() < size and free:
        hand |= BIT[free.pop(int(len(free) * random.random() ** 2))]
    return hand


def hard_deal(random: Random) -> tuple[int, int]:
    """Two hands of ten: melds that share cards, and a defender whose cards fit them."""
    knocker = hard_hand(random)
    taken = set(names(knocker))
    close = [card for card in near(knocker) if card not in taken]
    random.shuffle(close)
    defender = bits(close[: random.randint(3, 9)])
    for meld in random.choice(_KINDS)(random):
        if not meld & (knocker | defender) and (defender | meld).bit_count() <= 10:
            defender |= meld
    return knocker, _filled(random, defender, [card for card in PACK if card not in taken], 10)
