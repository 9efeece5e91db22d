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

from ginledger.gin.cards import cards_text, points
from ginledger.gin.errors import AgainstRules
from ginledger.gin.melds import (
    RUNS,
    SETS,
    Layout,
    best_layout,
    cards_in_runs,
    lay_out,
    least_deadwood,
    ranks_held_thrice,
    set_choices,
    split_runs,
)

_new = tuple.__new__
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


def _sides(meld: int) -> list[tuple[int, int]]:
    """Per side where a meld takes a card: that card and, on a run, the next; as masks, 0 for none.

    A set of three takes its fourth card, a set of four nothing.
    """
    low = meld & -meld
    suit = 8191 << (low.bit_length() - 1) // 13 * 13
    if meld & suit == low:
        rank = _ACES << (low.bit_length() - 1) % 13
        sides = [(rank ^ meld, 0)]
    else:
        above = meld + low
        sides = [(above & suit, above << 1 & suit), (low >> 1 & suit, low >> 2 & suit)]
    return [side for side in sides if side[0]]


_LayOffs = tuple[LayOff, ...]


def _plays(meld: int) -> tuple[tuple[int, _LayOffs, int, _LayOffs], ...]:
    """Per side: the card, its lay-off, the next card, both lay-offs in order."""
    return tuple(
        (near, (_put(near, meld),), beyond, (_put(near, meld), _put(beyond, meld)))
        for near, beyond in _sides(meld)
    )


def _put(card: int, meld: int) -> LayOff:
    return LayOff(card.bit_length() - 1, meld)


# By meld: what it takes at the ends of a run, and what it takes as fourth card of a set.
_TAKES = {run: (sum(near for near, _ in _sides(run)), 0) for run in RUNS} | {
    cards: (0, sum(fourth for fourth, _ in _sides(cards))) for cards in SETS
}
_PLAYS = {meld: _plays(meld) for meld in _TAKES}


def _reach(melds: Sequence[int], hand: int) -> int:
    """The cards of a hand, no matter what else it lays, that could go off on the melds.

    Of a stretch of three or more, which is a run anyway, not all its cards.
    """
    ends = fourths = 0
    for meld in melds:
        nearest, fourth = _TAKES[meld]
        ends |= nearest
        fourths |= fourth
    near = hand & ends
    if near:
        return near | hand & (fourths | near << 1 & _NOT_ACES | near >> 1 & _NOT_KINGS)
    return hand & fourths


def _ranks_of(cards: int) -> int:
    """The ranks of a mask, as 13 bits."""
    cards |= cards >> 26
    return (cards | cards >> 13) & 8191


def least_reply(melds: Sequence[int], defender: int) -> int:
    """The defender's least count in points after own melds and lay-offs, as ``best_reply``."""
    try:
        reach = _reach(melds, defender)
    except KeyError:
        raise _not_a_meld(melds) from None
    if not reach:
        return least_deadwood(defender)
    ranks = ranks_held_thrice(defender)
    runs = defender & defender << 1 & defender >> 1 & _INNER
    runs |= runs << 1 | runs >> 1
    useful = reach | runs
    if ranks:
        if ranks & _ranks_of(useful):
            return min(
                [
                    points(left & ~(cards_in_runs(left) | _reach(melds, left)))
                    for _, left in set_choices(defender, ranks, useful)
                ]
            )
        # No card of these ranks has anything better than its set.
        useful |= ranks * _ACES
    return points(defender & ~useful)


def best_reply(melds: Sequence[int], defender: int) -> Reply:
    """The defender's melds and lay-offs together that leave the least count.

    melds: the knocker's melds as laid, disjoint; defender: his cards. Of several replies the one
    with the fewest lay-offs, then the fewest own melds, then the lowest masks. A card that fits
    a run and a set of the knocker's goes on the run. Raises ``AgainstRules`` ("not-a-meld").
    """
    try:
        ranks = ranks_held_thrice(defender)
        if not ranks:
            return _reply(melds, (), defender)
        useful = cards_in_runs(defender) | _reach(melds, defender)
        choices = set_choices(defender, ranks, useful)
        if len(choices) == 1:
            return _reply(melds, *choices[0])
        return min([_reply(melds, sets, left) for sets, left in choices], key=_order)
    except KeyError:
        raise _not_a_meld(melds) from None


def _not_a_meld(melds: Sequence[int]) -> AgainstRules:
    wrong = next(meld for meld in melds if meld not in _TAKES)
    return AgainstRules("not-a-meld", f"{cards_text(wrong) or 'No card'} is not a meld.")


def _order(reply: Reply) -> tuple[int, int, int, tuple[int, ...]]:
    return reply.deadwood, len(reply.layoffs), len(reply.melds), reply.melds


def _reply(melds: Sequence[int], sets: tuple[int, ...], left: int) -> Reply:
    """The reply when the defender lays these sets; left: his cards in none of them."""
    loose = left
    runs = left & left << 1 & left >> 1 & _INNER
    if runs:
        runs |= runs << 1 | runs >> 1
        loose ^= runs
        sets += split_runs(runs)
    layoffs: _LayOffs = ()
    set_takes = 0
    # ``loose`` has no stretch of three, so what goes off at an end of a run goes off whole.
    for meld in melds:
        ends, fourth = _TAKES[meld]
        set_takes |= fourth
        if loose & ends:
            for card, one, beyond, both in _PLAYS[meld]:
                if loose & card:
                    layoffs += both if loose & beyond else one
                    loose &= ~(card | beyond)
    # Sets come last: a fourth card may be one on which the next card of a run rests.
    if loose & set_takes:
        for meld in melds:
            if loose & _TAKES[meld][1]:
                card, one, _, _ = _PLAYS[meld][0]
                layoffs += one
                loose ^= card
    return _new(Reply, (points(loose), sets, layoffs, loose))


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
    useful |= knocker & (ranks & _ranks_of(defender)) * _ACES
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
    touched = _TAKES[run][0] & defender
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
