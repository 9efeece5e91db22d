"""Cards as bits, their text, their points.

A *card* is a bit index 0..51, a *mask* an int of 52 bits: four suits of 13, clubs lowest, the ace
the lowest card of each (``bit = 13 * suit + rank``). Canonical order is ascending bit: AC .. KS.
"""

from __future__ import annotations

import re

from ginledger.gin.errors import AgainstRules, GinError, Unreadable, raise_all

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = (1 << 52) - 1
VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""Points of a card by its rank index, ace 1, picture cards 10."""

_SYMBOLS = "♣♦♥♠"
_TEXTS = tuple(rank + suit for suit in SUITS for rank in RANKS)
_SYMBOL_TEXTS = tuple(
    (rank if rank != "T" else "10") + symbol for symbol in _SYMBOLS for rank in RANKS
)
_READINGS = {
    text: 13 * suit + rank
    for rank, names in enumerate((name, "10") if name == "T" else (name,) for name in RANKS)
    for name in names
    for suit, marks in enumerate(zip(SUITS, _SYMBOLS, "♧♢♡♤", strict=True))
    for text in (name + mark for mark in marks)
}
# Phones add a variation selector to a suit symbol to choose its picture form.
_PICTURE_MARKS = str.maketrans("", "", "\ufe0e\ufe0f")
_BETWEEN = re.compile(r"[\s,;]+")


def _points_of_suits() -> list[int]:
    table = [0]
    for value in VALUES:
        table += [points + value for points in table]
    return table


SUIT_POINTS = _points_of_suits()
"""Points of every holding of one suit, by its 13 bits."""


def parse_card(text: str) -> int:
    """Read one card, "TH", "th", "10h", "10♥" or "10♡", as its bit index 0..51.

    Raises ``Unreadable`` ("card-unreadable") for anything else.
    """
    card = _READINGS.get(text.strip().translate(_PICTURE_MARKS).upper())
    if card is None:
        shown = text if len(text) <= 20 else text[:19] + "…"
        raise Unreadable(
            "card-unreadable",
            f"“{shown}” is not a card. Write the rank (A 2 … 9 T J Q K) and the suit (C D H S).",
        )
    return card


def parse_cards(text: str) -> int:
    """Read cards set apart by spaces, commas or semicolons as a mask; no text is no card.

    Raises ``Unreadable`` ("card-unreadable") for a token that is no card, ``AgainstRules``
    ("card-twice") for a card that stands there twice, ``Problems`` for several of these.
    """
    mask = 0
    told = 0
    problems: list[GinError] = []
    for token in _BETWEEN.split(text):
        if not token:
            continue
        try:
            bit = 1 << parse_card(token)
        except GinError as problem:
            problems.append(problem)
            continue
        if mask & bit & ~told:
            told |= bit
            name = card_text(bit.bit_length() - 1)
            problems.append(
                AgainstRules("card-twice", f"{name} is there twice; the pack has it once.")
            )
        mask |= bit
    raise_all(problems)
    return mask


def card_text(card: int) -> str:
    """The canonical text of a card, rank then suit: "TH"."""
    return _TEXTS[card]


def card_symbol(card: int) -> str:
    """A card as people read it: "10♥"."""
    return _SYMBOL_TEXTS[card]


def cards_text(mask: int) -> str:
    """The canonical text of a mask, in ascending order: "TH JH"; "" for no card."""
    return " ".join(_TEXTS[card] for card in iterate(mask))


def iterate(mask: int) -> tuple[int, ...]:
    """The cards of a mask, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def points(mask: int) -> int:
    """What the cards of a mask count: ace 1, two to ten their number, picture cards 10."""
    low = mask & 0x3FFFFFF
    high = mask >> 26
    table = SUIT_POINTS
    return table[low & 8191] + table[low >> 13] + table[high & 8191] + table[high >> 13]
