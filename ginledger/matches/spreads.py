"""Two spreads while they are being entered: what is typed, whose turn the grid is, what a tap does.

Nothing is ruled here. A ``Spreads`` is what the fields of the page hold, text as it was typed, so
that nothing typed is ever lost; every tap of the page without a script is one ``press``.
static/js/cards.js does the same to the same fields before anything is sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ginledger.gin.cards import SUITS, card_symbol, card_text, cards_text, iterate, parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.melds import is_meld

FULL = 10
MOST = 11
UPCARD = "u"
_BETWEEN = re.compile(r"[\s,;]+")
_CARD = r"(?:10|[A2-9TJQK])[CDHS♣♦♥♠♧♢♡♤]"
_GLUED = re.compile(f"(?:{_CARD}){{2,}}", re.IGNORECASE)
_ACES = sum(1 << 13 * suit for suit in range(4))


@dataclass(frozen=True, slots=True)
class Spreads:
    """The fields of a card check.

    hands: the cards of the two players, as typed; who: the place (0 or 1) of the one who knocked,
    None while nobody said; active: whose cards the grid gives, "0", "1" or "u" for the upcard;
    mode: "run" or "set" when the next taps give a whole one; start: the first end of that run;
    melds: the knocker's layout as stated, melds set apart by "/", "" for none; upcard: as typed;
    said: what a press came to, for the eyes and ears of who pressed.
    """

    hands: tuple[str, str] = ("", "")
    who: int | None = None
    active: str = "0"
    mode: str = ""
    start: str = ""
    melds: str = ""
    upcard: str = ""
    said: str = ""

    def held(self, place: int) -> int:
        """The readable cards of one hand, as a mask."""
        return readable(self.hands[place])

    def count(self, place: int) -> int:
        return self.held(place).bit_count()

    def room(self, place: int) -> int:
        """How many cards the hand may have: eleven only for the one who knocked."""
        return MOST if place == self.who else FULL


def spaced(text: str) -> str:
    """The same text with a space between cards that are written together ("7s7h10c")."""
    return _GLUED.sub(lambda found: " ".join(re.findall(_CARD, found[0], re.IGNORECASE)), text)


def tokens(text: str) -> list[str]:
    """The words of a hand as typed."""
    return [token for token in _BETWEEN.split(spaced(text)) if token]


def card_of(token: str) -> int | None:
    """The card a word says, None when it says none."""
    try:
        return parse_card(token)
    except GinError:
        return None


def readable(text: str) -> int:
    """The mask of the words that are cards; the others are left to be refused."""
    mask = 0
    for token in tokens(text):
        card = card_of(token)
        if card is not None:
            mask |= 1 << card
    return mask


def press(spreads: Spreads, name: str, value: str, names: tuple[str, str]) -> Spreads:
    """What the fields hold after the button ``name`` with that value was pressed.

    names: of the two players, for what is said. An unknown button or value changes nothing.
    """
    spreads = replace(spreads, said="")
    card = card_of(value)
    if name == "tab" and value in ("0", "1", UPCARD):
        return _turn_to(spreads, value)
    if name == "tap" and card is not None:
        return _tap(spreads, card, names)
    if name == "rank" and card is not None:
        return _give(spreads, _ACES << card % 13, names)
    if name == "throw" and card is not None and spreads.who is not None:
        return _take_back(spreads, spreads.who, card)
    if name == "mode" and value in ("run", "set"):
        return replace(spreads, mode="" if spreads.mode == value else value, start="")
    if name == "swap" and spreads.who is not None:
        return replace(spreads, who=1 - spreads.who, melds="")
    if name == "clear":
        return _clear(spreads)
    return spreads


def _turn_to(spreads: Spreads, value: str) -> Spreads:
    """The first press of a player's tab says that he knocked; any makes it his turn."""
    if value == UPCARD or spreads.who is not None:
        return replace(spreads, active=value, mode="", start="")
    who = int(value)
    spreads = replace(spreads, who=who, active=value, melds="")
    return _onward(spreads) if spreads.count(who) >= FULL else spreads


def _clear(spreads: Spreads) -> Spreads:
    if spreads.active == UPCARD:
        return replace(spreads, upcard="", mode="", start="")
    place = int(spreads.active)
    return _with_hand(replace(spreads, mode="", start=""), place, "")


def _tap(spreads: Spreads, card: int, names: tuple[str, str]) -> Spreads:
    if spreads.active == UPCARD:
        return _onward(replace(spreads, upcard=card_text(card)), from_upcard=True)
    if spreads.mode == "set":
        return _give(spreads, _ACES << card % 13, names)
    if spreads.mode == "run":
        return _run(spreads, card, names)
    place = int(spreads.active)
    if spreads.held(place) >> card & 1:
        return _take_back(spreads, place, card)
    return _give(spreads, 1 << card, names)


def _run(spreads: Spreads, card: int, names: tuple[str, str]) -> Spreads:
    first = card_of(spreads.start)
    if first is None or first // 13 != card // 13:
        return replace(spreads, start=card_text(card))
    low, high = sorted((first, card))
    return _give(spreads, (1 << high + 1) - (1 << low), names)


def _give(spreads: Spreads, wanted: int, names: tuple[str, str]) -> Spreads:
    """Give the active hand those of the cards that nobody has, as far as it has room."""
    place = 0 if spreads.active == UPCARD else int(spreads.active)
    taken = wanted & spreads.held(1 - place)
    new = iterate(wanted & ~taken & ~spreads.held(place))
    room = spreads.room(place) - spreads.count(place)
    text = " ".join([*tokens(spreads.hands[place]), *(card_text(card) for card in new[:room])])
    said = []
    if taken and not new:
        said.append(f"{_symbols(taken)}: {names[1 - place]} has it.")
    if len(new) > max(room, 0):
        said.append(f"{names[place]} has {spreads.room(place)} cards: take one back first.")
    spreads = replace(spreads, mode="", start="", said=" ".join(said))
    if not new[:room] or room <= 0:
        return spreads
    spreads = _with_hand(spreads, place, text)
    return _onward(spreads) if spreads.count(place) >= FULL else spreads


def _take_back(spreads: Spreads, place: int, card: int) -> Spreads:
    kept = [token for token in tokens(spreads.hands[place]) if card_of(token) != card]
    return _with_hand(spreads, place, " ".join(kept))


def _with_hand(spreads: Spreads, place: int, text: str) -> Spreads:
    """The hand replaced; the layout stated for other cards goes when the knocker's change."""
    hands = (text, spreads.hands[1]) if place == 0 else (spreads.hands[0], text)
    return replace(spreads, hands=hands, melds="" if place == spreads.who else spreads.melds)


def _onward(spreads: Spreads, *, from_upcard: bool = False) -> Spreads:
    """The turn goes to the other hand when that is not full yet."""
    order = ("0", "1") if from_upcard else (str(1 - int(spreads.active)),)
    if from_upcard and spreads.who == 1:
        order = ("1", "0")
    for place in order:
        if spreads.count(int(place)) < FULL:
            return replace(spreads, active=place)
    return replace(spreads, active=order[0]) if from_upcard else spreads


def first_active(spreads: Spreads) -> str:
    """Whose turn the grid is when nobody said: the knocker's, unless only the other one waits."""
    knocker = spreads.who or 0
    waits = spreads.count(knocker) >= FULL > spreads.count(1 - knocker)
    return str(1 - knocker if waits else knocker)


def _symbols(mask: int) -> str:
    return " ".join(card_symbol(card) for card in iterate(mask))


def read_melds(text: str) -> tuple[str, ...]:
    """The stated melds as typed, one text each."""
    return tuple(part.strip() for part in text.split("/") if part.strip())


def melds_text(melds: tuple[int, ...]) -> str:
    """A layout as the field holds it: "7C 7H 7S / 9S TS JS"."""
    return " / ".join(cards_text(meld) for meld in melds)


def regroup(melds: tuple[int, ...], picked: int, *, meld: bool) -> tuple[int, ...]:
    """The layout after the picked cards were laid as one meld, or were taken out of theirs.

    What is left of a meld they came from stays when it is still one.
    """
    left = tuple(rest for one in melds if is_meld(rest := one & ~picked))
    return (*left, picked) if meld and picked else left


def suit_cards(suit: str) -> range:
    """The cards of a suit, ace first."""
    first = 13 * SUITS.index(suit)
    return range(first, first + 13)
