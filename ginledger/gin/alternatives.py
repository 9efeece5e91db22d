"""What else could have been laid, what it would have been worth, and what a count said overlooks.

A ruling follows the knocker's layout as stated and the defender's best reply. This module tells
the players about the other choices: the knocker's other layouts, the replies that are commonly
played instead of the best one, and which step is missing from a count that somebody said.
Counts and points are whole points; cards are 52-bit masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ginledger.gin.cards import card_symbol, iterate, points
from ginledger.gin.errors import GinError
from ginledger.gin.layoffs import LayOff, Reply, best_knock, best_reply
from ginledger.gin.melds import Layout, best_layout, is_meld, layouts, least_deadwood
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import KNOCKER, ROLES, Ruling, knock_limit, rule_cards

_NUMBERS = ("no", "a", "two", "three", "four")


class Slip(NamedTuple):
    """A reply that is not the best: the points it leaves, and how it comes about."""

    left: int
    words: str


def other_knocks(
    rules: RuleSet,
    knocker: int,
    defender: int,
    *,
    upcard: int | None = None,
    names: tuple[str, str] = ROLES,
) -> tuple[Ruling, ...]:
    """Every layout the knocker may end the hand with, ruled, the best for him first.

    They are the full arrangements within the knock limit (with eleven cards: of all eleven), and
    the one that serves him best where that keeps a card back. Empty when he cannot knock.
    """
    limit = 0 if knocker.bit_count() == 11 else knock_limit(rules, upcard)
    found = {layout.melds: layout for layout in layouts(knocker, limit)}
    best = best_knock(knocker, defender, limit)
    if best is not None:
        found.setdefault(best[0].melds, best[0])
    rulings = []
    for layout in found.values():
        try:
            ruling = rule_cards(
                rules, knocker, defender, melds=layout.melds, upcard=upcard, names=names
            )
        except GinError:
            continue
        rulings.append(ruling)
    return tuple(sorted(rulings, key=lambda ruling: (-worth(ruling), ruling.own or 0)))


def worth(ruling: Ruling) -> int:
    """The points of a ruling as the knocker sees them: the defender's are negative."""
    if ruling.winner is None:
        return 0
    return ruling.points if ruling.winner == KNOCKER else -ruling.points


def shape_words(layout: Layout) -> str:
    """The melds of a layout in words: "three runs", "a set and two runs", "no meld"."""
    sets = sum(1 for meld in layout.melds if _is_set(meld))
    runs = len(layout.melds) - sets
    parts = [
        f"{_NUMBERS[count]} {word}{'s' if count > 1 else ''}"
        for count, word in ((sets, "set"), (runs, "run"))
        if count
    ]
    return " and ".join(parts) or "no meld"


def _is_set(meld: int) -> bool:
    first, second, *_ = iterate(meld)
    return first % 13 == second % 13


def cards_words(cards: Sequence[int]) -> str:
    """Cards in a sentence: "the 5♦", "8♦ and 9♦", "9♠, 10♠ and 5♦"."""
    symbols = [card_symbol(card) for card in cards]
    if len(symbols) == 1:
        return f"the {symbols[0]}"
    return " and ".join([", ".join(symbols[:-1]), symbols[-1]])


def layoff_words(reply: Reply) -> str:
    """What is laid off: "no lay-off", "8♦ and 9♦ laid off"."""
    if not reply.layoffs:
        return "no lay-off"
    return f"{cards_words([one.card for one in reply.layoffs])} laid off"


def gain_words(ruling: Ruling, names: tuple[str, str] = ROLES) -> str:
    """Who gains what: "Ann +27", "Ben +27", "nobody scores"."""
    return "nobody scores" if ruling.winner is None else f"{names[ruling.winner]} +{ruling.points}"


def other_words(other: Ruling, stands: Ruling | None, names: tuple[str, str] = ROLES) -> str:
    """One sentence on another layout: "Three runs instead of three sets: no lay-off,
    Ann +27 instead of +10." Both rulings are of cards; without ``stands`` nothing is compared."""
    assert other.layout is not None and other.reply is not None
    head, tail = shape_words(other.layout), gain_words(other, names)
    if stands is not None and stands.layout is not None:
        instead, now = shape_words(stands.layout), gain_words(stands, names)
        head = head if head == instead else f"{head} instead of {instead}"
        if tail != now:
            same = other.winner == stands.winner
            tail = f"{tail} instead of {f'+{stands.points}' if same else now}"
    return f"{head[0].upper()}{head[1:]}: {layoff_words(other.reply)}, {tail}."


def slips(melds: Sequence[int], defender: int, reply: Reply) -> tuple[Slip, ...]:
    """Replies that leave the defender more than ``reply``, the best one: the higher count first.

    melds: the knocker's as laid; empty when it was gin, on which nothing is laid off.
    """
    found: dict[int, str] = {}
    if reply.layoffs:
        found[least_deadwood(defender)] = "with nothing laid off"
    own = best_layout(defender)
    kept = best_reply(melds, own.loose)
    own_first = kept.deadwood
    if own_first not in found:
        laid = ", ".join(_meld_words(meld) for meld in own.melds) or "nothing"
        then = [one.card for one in kept.layoffs]
        after = f" and {cards_words(then)} laid off" if then else ""
        found[own_first] = f"with {laid} laid{after}"
    worse = [Slip(count, words) for count, words in found.items() if count > reply.deadwood]
    return tuple(sorted(worse, reverse=True))


def _meld_words(meld: int) -> str:
    return " ".join(card_symbol(card) for card in iterate(meld))


def forgotten(melds: Sequence[int], reply: Reply, said: int) -> tuple[int, ...] | None:
    """The fewest cards of the reply's lay-offs that are missing from a count that was said.

    What is left of the lay-offs can be played without them. None when no choice of them explains
    the count.
    """
    missing = said - reply.deadwood
    for size in range(1, len(reply.layoffs) + 1):
        for chosen in combinations(reply.layoffs, size):
            if sum(points(1 << one.card) for one in chosen) != missing:
                continue
            if _playable(melds, [one for one in reply.layoffs if one not in chosen]):
                return tuple(one.card for one in chosen)
    return None


def _playable(melds: Sequence[int], layoffs: Sequence[LayOff]) -> bool:
    """Whether the cards can be laid off in this order on the melds as they grow."""
    grown = {meld: meld for meld in melds}
    for card, meld in layoffs:
        grown[meld] |= 1 << card
        if not is_meld(grown[meld]):
            return False
    return True


def said_own(ruling: Ruling, said: int, name: str) -> str:
    """What the cards say to the knocker's count that was said; "" when it is right."""
    assert ruling.layout is not None
    if said == ruling.layout.deadwood:
        return ""
    left = ruling.layout.deadwood
    if not left:
        return f"You said {said} for {name}: the cards as laid leave nothing, it is gin."
    loose = cards_words(iterate(ruling.layout.loose))
    verb = "leave" if ruling.layout.loose.bit_count() > 1 else "leaves"
    return f"You said {said} for {name}: {loose} {verb} {left}."


def said_other(ruling: Ruling, said: int, name: str) -> str:
    """What the cards say to the defender's count that was said; "" when it is right.

    "You said 27 for Ben: with the 5♦ laid off it is 22."
    """
    layout, reply = ruling.layout, ruling.reply
    assert layout is not None and reply is not None
    count = reply.deadwood
    if said == count:
        return ""
    head = f"You said {said} for {name}"
    if not layout.deadwood:
        melds = f"with {_laid_words(reply)} laid" if reply.melds else "with no meld"
        if said < count:
            return f"{head}: nothing is laid off on gin, it is {count}."
        return f"{head}: {melds} it is {count}."
    missed = forgotten(layout.melds, reply, said)
    if missed is not None:
        return f"{head}: with {cards_words(missed)} laid off it is {count}."
    steps = []
    if reply.melds:
        steps.append(f"{_laid_words(reply)} laid")
    if reply.layoffs:
        steps.append(layoff_words(reply))
    if said < count:
        return f"{head}: no way of laying and laying off leaves less than {count}."
    return f"{head}: with {' and '.join(steps) or 'no meld and no lay-off'} it is {count}."


def _laid_words(reply: Reply) -> str:
    return ", ".join(_meld_words(meld) for meld in reply.melds)


def slip_words(slip: Slip, name: str, reply: Reply) -> str:
    """A sentence on a reply that would have cost the defender points."""
    return f"{name} {slip.words} would have {slip.left}, not {reply.deadwood}."


def no_meld_words(cards: int) -> str:
    """Why cards that were laid together are no meld: "9♣ J♣ Q♣ is no run: the 10♣ is missing."."""
    held = iterate(cards)
    text = _meld_words(cards)
    if len({card // 13 for card in held}) == 1:
        gap = [card for card in range(held[0], held[-1]) if card not in held]
        if gap:
            verb = "is" if len(gap) == 1 else "are"
            return f"{text} is no run: {cards_words(gap)} {verb} missing."
    if len(held) < 3:
        return f"{text or 'Nothing'} is no meld: a meld has three cards or more."
    return f"{text} is no meld: neither of one rank nor a sequence in one suit."
