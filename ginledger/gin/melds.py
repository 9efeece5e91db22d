"""Melds: the least deadwood of a hand, and every way to lay it out.

Once the sets are chosen, the runs are no choice: in what is left of a suit, every stretch of
three or more neighbours is one run, and nothing else can be. So the least deadwood is the least,
over the few choices of sets, of four look-ups: per suit, the points outside such stretches.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from ginledger.gin.cards import SUIT_POINTS, iterate, points
from ginledger.gin.errors import AgainstRules

# A named tuple made without the detour over its own constructor, which takes twice as long.
new_tuple = tuple.__new__
_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
# Cards that have a neighbour on both sides: neither ace nor king.
_INNER = 0x0FFE * _ACES
# By the bit length of a card: its whole suit.
_SUIT_OF = (0, *(8191 << 13 * suit for suit in range(4) for _ in range(13)))


def _stretches(suit: int) -> int:
    """The cards of one suit (13 bits) that lie in a stretch of three or more."""
    middle = suit & (suit << 1) & (suit >> 1)
    return middle | (middle << 1) | (middle >> 1)


# For every holding of one suit: the cards in its runs, and the points of the others.
_IN_RUNS = [_stretches(suit) for suit in range(8192)]
_LOOSE = [SUIT_POINTS[suit ^ runs] for suit, runs in enumerate(_IN_RUNS)]

SETS = tuple(
    sum(chosen)
    for rank in range(13)
    for size in (3, 4)
    for chosen in combinations([1 << 13 * suit + rank for suit in range(4)], size)
)
"""Every set: 13 ranks, three or four of the four suits."""

RUNS = tuple(
    ((1 << length) - 1) << 13 * suit + low
    for suit in range(4)
    for low in range(11)
    for length in range(3, 14 - low)
)
"""Every run: three or more neighbours of one suit, the ace low."""

_MELDS = frozenset(SETS + RUNS)


class Layout(NamedTuple):
    """One way to lay a hand out: disjoint melds, the loose cards, and what these count.

    The sets come first by rank, then the runs by suit and rank.
    """

    melds: tuple[int, ...]
    loose: int
    deadwood: int


def is_meld(mask: int) -> bool:
    """Whether the cards are one meld: a set of three or four, or a run of three or more."""
    return mask in _MELDS


def least_deadwood(mask: int) -> int:
    """The fewest points a hand of up to 11 cards leaves outside its melds."""
    low = mask & 0x3FFFFFF
    high = mask >> 26
    clubs = low & 8191
    diamonds = low >> 13
    hearts = high & 8191
    spades = high >> 13
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if ranks:
        return _least(clubs, diamonds, hearts, spades, ranks)
    return _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]


def _least(clubs: int, diamonds: int, hearts: int, spades: int, ranks: int) -> int:
    """The least deadwood where the cards of ``ranks`` may be laid as sets.

    Suits and ranks are 13 bits each; each of ``ranks`` is held three or four times.
    """
    wanted = ranks & (_IN_RUNS[clubs] | _IN_RUNS[diamonds] | _IN_RUNS[hearts] | _IN_RUNS[spades])
    # A set none of whose cards can be in a run is worth laying whole, whatever else is laid.
    keep = ~(ranks ^ wanted)
    clubs &= keep
    diamonds &= keep
    hearts &= keep
    spades &= keep
    if not wanted:
        return _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]
    rank = wanted & -wanted
    others = wanted ^ rank
    keep = ~rank
    if others:
        best = _least(clubs, diamonds, hearts, spades, others)
        laid = _least(clubs & keep, diamonds & keep, hearts & keep, spades & keep, others)
    else:
        best = _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]
        laid = (
            _LOOSE[clubs & keep]
            + _LOOSE[diamonds & keep]
            + _LOOSE[hearts & keep]
            + _LOOSE[spades & keep]
        )
    if laid < best:
        best = laid
    if rank & clubs & diamonds & hearts & spades:
        # Four held: three may be the set while the fourth stays for a run of its suit.
        for suits in (
            (clubs, diamonds & keep, hearts & keep, spades & keep),
            (clubs & keep, diamonds, hearts & keep, spades & keep),
            (clubs & keep, diamonds & keep, hearts, spades & keep),
            (clubs & keep, diamonds & keep, hearts & keep, spades),
        ):
            laid = _least(*suits, others)
            if laid < best:
                best = laid
    return best


def ranks_held_thrice(mask: int) -> int:
    """The ranks (13 bits) of which a hand holds three or four cards."""
    clubs = mask & 8191
    diamonds = mask >> 13 & 8191
    hearts = mask >> 26 & 8191
    spades = mask >> 39
    return clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)


def ranks_of(mask: int) -> int:
    """The ranks (13 bits) that stand in a mask."""
    mask |= mask >> 26
    return (mask | mask >> 13) & 8191


def set_choices(mask: int, ranks: int, useful: int) -> list[tuple[tuple[int, ...], int]]:
    """Every choice of disjoint sets that can matter: the sets by rank, and what is left.

    mask: the hand; ranks: 13 bits, each held three or four times; useful: the cards that may have
    better to do than to be in a set. A rank with none of these is laid whole, and out of four
    cards only one of these stays behind: any other choice only leaves more cards loose.
    """
    choices: list[tuple[tuple[int, ...], int]] = [((), mask)]
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        held = mask & rank * _ACES
        if not held & useful:
            for place, (laid, left) in enumerate(choices):
                choices[place] = (*laid, held), left ^ held
            continue
        sets = [held]
        if held == rank * _ACES:
            sets += [held ^ bit for bit in _bits(held & useful)]
        choices += [((*laid, one), left ^ one) for laid, left in choices for one in sets]
    return choices


def cards_in_runs(mask: int) -> int:
    """The cards of a hand that lie in a stretch of three or more of their suit."""
    middle = mask & mask << 1 & mask >> 1 & _INNER
    return middle | middle << 1 | middle >> 1


def split_runs(runs: int) -> tuple[int, ...]:
    """Whole stretches, as ``cards_in_runs`` gives them, one by one by suit and rank."""
    found = []
    while runs:
        low = runs & -runs
        # The carry stops at the end of the stretch; the suit keeps it off the next suit's ace.
        run = runs & ~(runs + low) & _SUIT_OF[low.bit_length()]
        found.append(run)
        runs ^= run
    return tuple(found)


def lay_out(sets: tuple[int, ...], left: int) -> Layout:
    """The layout of these sets and of all runs in the cards that are left."""
    runs = cards_in_runs(left)
    if not runs:
        return new_tuple(Layout, (sets, left, points(left)))
    loose = left ^ runs
    return new_tuple(Layout, (sets + split_runs(runs), loose, points(loose)))


def _order(layout: Layout) -> tuple[int, int, tuple[int, ...]]:
    return layout.deadwood, len(layout.melds), layout.melds


def best_layout(mask: int) -> Layout:
    """One layout of least deadwood: of several the fewest melds, then the lowest masks."""
    ranks = ranks_held_thrice(mask)
    if not ranks:
        return lay_out((), mask)
    choices = set_choices(mask, ranks, cards_in_runs(mask))
    if len(choices) == 1:
        return lay_out(*choices[0])
    return min([lay_out(sets, left) for sets, left in choices], key=_order)


def layouts(mask: int, limit: int | None = None) -> tuple[Layout, ...]:
    """Every full arrangement of a hand, the least deadwood first.

    An arrangement is full when no loose card could still be laid, neither on a meld nor as a meld
    of loose cards, and no two runs of it are one longer run. limit: points of deadwood that may
    be left, None for any. Ordered by deadwood, number of melds, masks: ``best_layout`` is first.
    """
    choices = set_choices(mask, ranks_held_thrice(mask), cards_in_runs(mask))
    found = [lay_out(sets, left) for sets, left in choices]
    full = [
        layout
        for layout in found
        if (limit is None or layout.deadwood <= limit) and _no_set_left(layout)
    ]
    return tuple(sorted(full, key=_order))


def _no_set_left(layout: Layout) -> bool:
    """Whether the loose cards hold no set and no fourth card of a set that is laid."""
    if ranks_held_thrice(layout.loose):
        return False
    loose = _bits(layout.loose)
    return not any(meld | card in _MELDS for meld in layout.melds for card in loose)


def _bits(mask: int) -> list[int]:
    return [1 << card for card in iterate(mask)]


def best_discard(mask: int) -> tuple[int, int]:
    """The discard from eleven cards that leaves the least deadwood: its card, that deadwood.

    Of several the one worth most points, then the lowest card. Raises ``AgainstRules``
    ("card-count") when there are not eleven.
    """
    if mask.bit_count() != 11:
        raise AgainstRules(
            "card-count", f"A discard is made from eleven cards, not {mask.bit_count()}."
        )
    choices = [(least_deadwood(mask ^ bit), -points(bit), bit) for bit in _bits(mask)]
    deadwood, _, bit = min(choices)
    return bit.bit_length() - 1, deadwood
