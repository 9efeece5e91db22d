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
)

_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39


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


def _ends_of_run(run: int) -> tuple[int, int, int, int]:
    low = run & -run
    suit = 8191 << (low.bit_length() - 1) // 13 * 13
    above = run + low
    return above & suit, above << 1 & suit, low >> 1 & suit, low >> 2 & suit


def _fourth_card(cards: int) -> int:
    rank = next(_ACES << shift for shift in range(13) if _ACES << shift & cards == cards)
    return rank ^ cards


# By meld: the card and the next card above it, the card and the next card below it, as masks, 0
# where there is none. A set of three has only its fourth card, a set of four nothing.
_ENDS = {run: _ends_of_run(run) for run in RUNS} | {
    cards: (_fourth_card(cards), 0, 0, 0) for cards in SETS
}
_IS_SET = frozenset(SETS)
_RANKS = tuple(_ACES << rank for rank in range(13))
_ANY = -1


def _reach(melds: Sequence[int], hand: int) -> int:
    """The cards of a hand that could be laid off on the melds if it laid nothing else."""
    reach = 0
    for meld in melds:
        above, above2, below, below2 = _ENDS[meld]
        if hand & above:
            reach |= above | hand & above2
        if hand & below:
            reach |= below | hand & below2
    return reach


def _checked(melds: Sequence[int]) -> None:
    for meld in melds:
        if meld not in _ENDS:
            raise AgainstRules("not-a-meld", f"{cards_text(meld) or 'No card'} is not a meld.")


def least_reply(melds: Sequence[int], defender: int) -> int:
    """The defender's least count in points after own melds and lay-offs, as ``best_reply``."""
    try:
        reach = _reach(melds, defender)
    except KeyError:
        _checked(melds)
        raise
    if not reach:
        return least_deadwood(defender)
    useful = reach | cards_in_runs(defender)
    ranks = ranks_held_thrice(defender)
    if not ranks:
        return points(defender & ~useful)
    return min(
        [
            points(left & ~(cards_in_runs(left) | _reach(melds, left)))
            for _, left in set_choices(defender, ranks, useful)
        ]
    )


def best_reply(melds: Sequence[int], defender: int) -> Reply:
    """The defender's melds and lay-offs together that leave the least count.

    melds: the knocker's melds as laid, disjoint; defender: his cards. Of several replies the one
    with the fewest lay-offs, then the fewest own melds, then the lowest masks. A card that fits
    a run and a set of the knocker's goes on the run. Raises ``AgainstRules`` ("not-a-meld").
    """
    try:
        reach = _reach(melds, defender)
    except KeyError:
        _checked(melds)
        raise
    ranks = ranks_held_thrice(defender)
    if not ranks:
        own = lay_out((), defender)
        if not own.loose & reach:
            return Reply(own.deadwood, own.melds, (), own.loose)
        return _lay_off(melds, own, defender)
    choices = set_choices(defender, ranks, reach | cards_in_runs(defender))
    replies = [_lay_off(melds, lay_out(sets, left), left) for sets, left in choices]
    return min(replies, key=_order)


def _order(reply: Reply) -> tuple[int, int, int, tuple[int, ...]]:
    return reply.deadwood, len(reply.layoffs), len(reply.melds), reply.melds


def _lay_off(melds: Sequence[int], own: Layout, left: int) -> Reply:
    """The reply when ``own`` is laid and ``left`` are the cards in none of its sets."""
    waiting = own.loose & _reach(melds, left)
    if not waiting:
        return Reply(own.deadwood, own.melds, (), own.loose)
    loose = own.loose ^ waiting
    layoffs: list[LayOff] = []
    # Runs first: a fourth card may be the one on which the next card of a run rests. Nothing of a
    # stretch at a run's end stays behind, so each card finds the one before it laid.
    for meld in sorted(melds, key=_IS_SET.__contains__):
        above, above2, below, below2 = _ENDS[meld]
        for end, rest in ((above, _ANY), (above2, above), (below, _ANY), (below2, below)):
            if waiting & end and left & rest:
                waiting ^= end
                layoffs.append(LayOff(end.bit_length() - 1, meld))
    return Reply(points(loose), own.melds, tuple(layoffs), loose)


def best_knock(knocker: int, defender: int, limit: int) -> tuple[Layout, Reply] | None:
    """The knocker's layout with the largest difference after the best reply, and that reply.

    knocker: his ten cards, or eleven that all meld; limit: the points he may keep. Of several
    layouts the one with least own deadwood, then the fewest melds, then the lowest masks. Gin is
    always taken, and nothing is laid off on it. None when no layout is within the limit.
    """
    least = least_deadwood(knocker)
    if least > limit:
        return None
    bare = best_layout(defender)
    if least == 0:
        return best_layout(knocker), Reply(bare.deadwood, bare.melds, (), bare.loose)
    best: tuple[int, int, int, tuple[int, ...]] | None = None
    chosen = None
    for layout in _knocks(knocker, defender, limit):
        own = layout.deadwood
        # Lay-offs can only lower the defender's count, so his bare count bounds the difference.
        if best is not None and (own - bare.deadwood, own) > best[:2]:
            break
        count = least_reply(layout.melds, defender)
        order = (own - count, own, len(layout.melds), layout.melds)
        if best is None or order < best:
            best, chosen = order, layout
    if chosen is None:
        return None
    return chosen, best_reply(chosen.melds, defender)


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
    for rank in _RANKS:
        if rank & defender and (rank & knocker).bit_count() == 3:
            useful |= rank & knocker
    found = []
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
    found.sort(key=_by_deadwood)
    return found


def _ways_to_lay(run: int, defender: int) -> list[tuple[int, ...]]:
    """A stretch laid whole, without an end that the defender could play on, or not at all."""
    above, _, below, _ = _ENDS[run]
    at_top, at_foot = above & defender, below & defender
    if not at_top and not at_foot:
        return [(run,)]
    ways: list[tuple[int, ...]] = [(run,)]
    length = run.bit_count()
    low = run & -run
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
