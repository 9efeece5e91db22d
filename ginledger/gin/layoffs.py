"""Lay-offs: the defender's best reply to a layout, and the knocker's best layout against it.

Why a few look-ups are exact. Once the defender's own sets are chosen, nothing else is a choice.
In what is left of a suit take a stretch of neighbours, as long as it goes. Three cards or more
are a run and count nothing, so nothing can be better. One or two cards can be no run: they go
off whole when the stretch lies at an end of a knocker's run of that suit, each card resting on
the one before; and any of them goes off that is the fourth card of a knocker's set of three.
Neither takes a card away from another stretch. A chain of three is thus never laid off (it is a
run of the defender's own), and of a run's ends only the nearest two cards either way matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ginledger.gin.cards import PACK, cards_text, points
from ginledger.gin.errors import AgainstRules
from ginledger.gin.melds import (
    RUNS,
    SETS,
    Layout,
    best_layout,
    cards_in_runs,
    lay_out,
    least_deadwood,
    new_tuple,
    ranks_held_thrice,
    ranks_of,
    set_choices,
    split_runs,
)

_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_NOT_ACES = 0x1FFE * _ACES
_NOT_KINGS = 0x0FFF * _ACES
_INNER = _NOT_ACES & _NOT_KINGS


class LayOff(NamedTuple):
    """One card (bit index) put on a meld of the knocker, named as it was laid down."""

    card: int
    meld: int


class Reply(NamedTuple):
    """What the defender does: his count in points, own melds, lay-offs, the loose rest.

    The lay-offs stand in an order in which they can be played.
    """

    deadwood: int
    melds: tuple[int, ...]
    layoffs: tuple[LayOff, ...]
    loose: int


_LayOffs = tuple[LayOff, ...]
# One side of a meld: the card it takes, with the lay-off; the next card, which rests on that,
# with both lay-offs in order. Cards are masks, 0 for none.
_Side = tuple[int, _LayOffs, int, _LayOffs]


def _side(meld: int, card: int, beyond: int) -> _Side:
    one = LayOff(card.bit_length() - 1, meld)
    return card, (one,), beyond, (one, LayOff(beyond.bit_length() - 1, meld))


def _sides_of_run(run: int) -> tuple[_Side, ...]:
    low = run & -run
    suit = 8191 << (low.bit_length() - 1) // 13 * 13
    above = run + low
    pairs = (above & suit, above << 1 & suit), (low >> 1 & suit, low >> 2 & suit)
    return tuple(_side(run, card, beyond) for card, beyond in pairs if card)


def _sides_of_set(cards: int) -> tuple[_Side, ...]:
    """A set of three takes its fourth card, a set of four nothing."""
    fourth = _ACES << ((cards & -cards).bit_length() - 1) % 13 ^ cards
    return (_side(cards, fourth, 0),) if fourth else ()


_SIDES = {run: _sides_of_run(run) for run in RUNS} | {cards: _sides_of_set(cards) for cards in SETS}
# By meld: the cards that go straight on it. A set's are moved up by the 52 bits of the pack, as
# no other card can rest on them.
_TAKES = {
    meld: sum(side[0] for side in sides) << (0 if meld & meld << 1 else 52)
    for meld, sides in _SIDES.items()
}


def _beyond(hand: int, near: int) -> int:
    """The cards of a hand next to those that can go on a run."""
    return hand & (near << 1 & _NOT_ACES | near >> 1 & _NOT_KINGS)


def least_reply(melds: Sequence[int], defender: int) -> int:
    """The defender's least count in points after own melds and lay-offs, as ``best_reply``."""
    takes = 0
    try:
        for meld in melds:
            takes |= _TAKES[meld]
    except KeyError:
        raise _not_a_meld(melds) from None
    near = defender & takes
    gone = near | defender & takes >> 52
    if not gone:
        return least_deadwood(defender)
    runs = cards_in_runs(defender)
    beyond = _beyond(defender, near) if near else 0
    ranks = ranks_held_thrice(defender)
    if ranks:
        useful = runs | near if beyond else runs
        if useful and ranks & ranks_of(useful):
            return best_reply(melds, defender).deadwood
        gone |= ranks * _ACES
    return points(defender & ~(gone | beyond | runs))


def best_reply(melds: Sequence[int], defender: int) -> Reply:  # noqa: C901 - one hot path
    """The defender's melds and lay-offs together that leave the least count.

    melds: the knocker's melds as laid, disjoint; defender: his cards. Of several replies the one
    with the fewest lay-offs, then the fewest own melds, then the lowest masks. A card that fits
    a run and a set of the knocker's goes on the run. Raises ``AgainstRules`` ("not-a-meld").
    """
    own: tuple[int, ...] = ()
    loose = defender
    clubs = defender & 8191
    diamonds = defender >> 13 & 8191
    high = defender >> 26
    hearts = high & 8191
    spades = high >> 13
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    layoffs: _LayOffs = ()
    fourths = 0
    try:
        if ranks:
            own, loose = _best_sets(melds, defender, ranks)
        runs = loose & loose << 1 & loose >> 1 & _INNER
        if runs:
            runs |= runs << 1 | runs >> 1
            loose ^= runs
            own += split_runs(runs)
        # Now no stretch of three is loose, so what goes off at an end of a run goes off whole.
        for meld in melds:
            takes = _TAKES[meld]
            if loose & takes:
                for card, one, beyond, both in _SIDES[meld]:
                    if loose & card:
                        if loose & beyond:
                            loose ^= card | beyond
                            layoffs += both
                        else:
                            loose ^= card
                            layoffs += one
            elif takes > PACK:
                fourths |= takes >> 52
    except KeyError:
        raise _not_a_meld(melds) from None
    # Sets come last: a fourth card may be one on which the next card of a run rests.
    if loose & fourths:
        for meld in melds:
            if loose & _TAKES[meld] >> 52:
                card, one, _, _ = _SIDES[meld][0]
                layoffs += one
                loose ^= card
    return new_tuple(Reply, (points(loose), own, layoffs, loose))


def _best_sets(melds: Sequence[int], hand: int, ranks: int) -> tuple[tuple[int, ...], int]:
    """The defender's sets in his best reply, and the cards that are left.

    Only cards in his own runs, and those on which another card of his can rest, have better to
    do than to be in a set: taking any other leaves no card loose that could have gone.
    """
    takes = 0
    for meld in melds:
        takes |= _TAKES[meld]
    near = hand & takes
    useful = cards_in_runs(hand)
    if near and _beyond(hand, near):
        useful |= near
    held = hand & ranks * _ACES
    if not held & useful and not ranks & ranks - 1:
        return (held,), hand ^ held
    choices = set_choices(hand, ranks, useful)
    if len(choices) == 1:
        return choices[0]

    def order(choice: tuple[tuple[int, ...], int]) -> tuple[int, int, int, tuple[int, ...]]:
        sets, left = choice
        runs = cards_in_runs(left)
        near = left & takes
        off = (near | _beyond(left, near) | left & takes >> 52) & ~runs
        own = sets + split_runs(runs)
        return points(left & ~(runs | off)), off.bit_count(), len(own), own

    return min(choices, key=order)


def _not_a_meld(melds: Sequence[int]) -> AgainstRules:
    wrong = next(meld for meld in melds if meld not in _TAKES)
    return AgainstRules("not-a-meld", f"{cards_text(wrong) or 'No card'} is not a meld.")


def best_knock(knocker: int, defender: int, limit: int) -> tuple[Layout, Reply] | None:
    """The knocker's layout with the largest difference after the best reply, and that reply.

    knocker: his ten cards, or eleven that all meld; limit: the points he may keep. Of several
    layouts the one with least own deadwood, then the fewest melds, then the lowest masks. Gin is
    always taken, and nothing is laid off on it. None when no layout is within the limit.
    """
    least = least_deadwood(knocker)
    if least > limit:
        return None
    if least == 0:
        own = best_layout(defender)
        return best_layout(knocker), Reply(own.deadwood, own.melds, (), own.loose)
    # Lay-offs can only lower the defender's count, so his bare count bounds every difference.
    bare = least_deadwood(defender)
    found = _knocks(knocker, defender, limit)
    chosen = found[0]
    best = _knock_order(chosen, defender)
    for layout in found[1:]:
        if (layout.deadwood - bare, layout.deadwood) > best[:2]:
            break
        order = _knock_order(layout, defender)
        if order < best:
            best, chosen = order, layout
    return chosen, best_reply(chosen.melds, defender)


def _knock_order(layout: Layout, defender: int) -> tuple[int, int, int, tuple[int, ...]]:
    melds, _, deadwood = layout
    return deadwood - least_reply(melds, defender), deadwood, len(melds), melds


def _knocks(knocker: int, defender: int, limit: int) -> list[Layout]:
    """The layouts within the limit that can be best against the defender, least deadwood first.

    Any set of disjoint melds is legal. Every one left out leaves strictly more deadwood than one
    returned which takes the same lay-offs or fewer, or has more melds and is equal in both:
    * Cards outside the chosen sets lie in stretches of a suit. Runs within one stretch are as
      good as one run from the lowest card laid to the highest: what is between is the knocker's
      own, so no lay-off rests there.
    * An end of a run that the defender's card touches can be closed by keeping back its last
      card; keeping back more closes nothing else. Where no card of his touches, keeping back is
      vain.
    * A stretch not laid at all closes both ends, which costs less by keeping back two cards once
      there are five.
    * A set with no card in a stretch, whose fourth card the defender has not, takes nothing.
    """
    ranks = ranks_held_thrice(knocker)
    useful = cards_in_runs(knocker)
    # Where the defender has the fourth card, the knocker may do without the set.
    useful |= knocker & (ranks & ranks_of(defender)) * _ACES
    found: list[Layout] = []
    for sets, left in set_choices(knocker, ranks, useful):
        layout = lay_out(sets, left)
        if layout.deadwood > limit:
            continue
        variants: list[tuple[int, ...]] = [sets]
        for run in layout.melds[len(sets) :]:
            kept = _ways_to_lay(run, defender)
            variants = [melds + way for melds in variants for way in kept]
        for melds in variants:
            if melds == layout.melds:
                found.append(layout)
                continue
            loose = knocker & ~sum(melds)
            deadwood = points(loose)
            if deadwood <= limit:
                found.append(Layout(melds, loose, deadwood))
    return sorted(found, key=_by_deadwood)


def _ways_to_lay(run: int, defender: int) -> list[tuple[int, ...]]:
    """A stretch laid whole, without an end that the defender could play on, or not at all."""
    touched = _TAKES[run] & defender
    if not touched:
        return [(run,)]
    low = run & -run
    at_foot, at_top = touched & low >> 1, touched & run + low
    ways: list[tuple[int, ...]] = [(run,)]
    length = run.bit_count()
    high = 1 << run.bit_length() - 1
    if length == 3:
        return [(run,), ()]
    if at_top:
        ways.append((run ^ high,))
    if at_foot:
        ways.append((run ^ low,))
    if at_top and at_foot:
        ways.append((run ^ low ^ high,) if length > 4 else ())
    return ways


def _by_deadwood(layout: Layout) -> int:
    return layout.deadwood
