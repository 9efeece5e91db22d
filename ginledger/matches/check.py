"""What two entered spreads come to: every problem at once, or the ruling and its alternatives."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from ginledger.gin.alternatives import (
    Slip,
    no_meld_words,
    other_knocks,
    said_other,
    said_own,
    slips,
)
from ginledger.gin.cards import parse_card, parse_cards, points
from ginledger.gin.dealt import rule_claimed
from ginledger.gin.errors import AgainstRules, Ambiguous, GinError
from ginledger.gin.hands import CardsHand
from ginledger.gin.melds import Layout, best_discard, best_layout
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import Ruling, rule_cards

from .spreads import FULL, Spreads, read_melds, spaced

T = TypeVar("T")
_TURNS = frozenset(["R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "RLI", "LRI", "FSI"])
TEXT_LONGEST = 400
# What is only missing yet while cards are still being tapped.
_LATER = frozenset({"knocker-missing", "upcard-missing"})
_OF_CARDS = frozenset({"card-count", "card-in-both"})


@dataclass(frozen=True, slots=True)
class Claims:
    """What was said beside the cards, by place; stands: "cards" or "claim"."""

    kind: str | None = None
    counts: tuple[int | None, int | None] = (None, None)
    stands: str = "cards"


@dataclass(frozen=True, slots=True)
class Check:
    """Two spreads by the rules of a table.

    names: of the two players by place; hands: their readable cards as masks; knocker: a place;
    problems: all there are, with the fields "hand.0", "hand.1", "who", "melds", "upcard",
    "said"; ruling: by the cards and the layout as stated, None when they cannot be ruled;
    standing: what is scored, which is the ruling unless the counts said stand.
    """

    rules: RuleSet
    names: tuple[str, str]
    hands: tuple[int, int]
    knocker: int
    melds: tuple[int, ...] | None
    upcard: int | None
    claims: Claims
    problems: tuple[GinError, ...]
    ruling: Ruling | None
    standing: Ruling | None = None

    @property
    def roles(self) -> tuple[str, str]:
        """The names of the knocker and of the defender, fit for a sentence."""
        return isolated(self.names[self.knocker]), isolated(self.names[1 - self.knocker])

    @property
    def knocker_cards(self) -> int:
        return self.hands[self.knocker]

    @property
    def defender_cards(self) -> int:
        return self.hands[1 - self.knocker]

    @property
    def claimed(self) -> tuple[int | None, int | None]:
        """The counts said for the knocker and for the defender."""
        counts = self.claims.counts
        return counts[self.knocker], counts[1 - self.knocker]

    def layout(self) -> Layout | None:
        """The knocker's cards as they lie: as ruled, as stated though refused, or at their best."""
        if self.ruling is not None:
            return self.ruling.layout
        cards = self.knocker_cards
        if cards.bit_count() not in (FULL, FULL + 1):
            return None
        if self.melds is None:
            return best_layout(cards)
        laid = 0
        for meld in self.melds:
            laid |= meld
        return Layout(self.melds, cards & ~laid, points(cards & ~laid))

    def pressing(self) -> tuple[GinError, ...]:
        """The problems that are there already before everything is entered."""
        return tuple(one for one in self.problems if not self._later(one))

    def _later(self, problem: GinError) -> bool:
        if problem.code == "card-count":
            return self.hands[int(problem.field[-1])].bit_count() < FULL
        return problem.code in _LATER

    def knocks(self) -> tuple[Ruling, ...]:
        """The knocker's layouts, ruled; none while a hand is not whole."""
        if self.knocker_cards.bit_count() not in (FULL, FULL + 1) or self.knocker_cards & (
            self.defender_cards
        ):
            return ()
        if self.defender_cards.bit_count() != FULL:
            return ()
        return other_knocks(
            self.rules, self.knocker_cards, self.defender_cards, upcard=self.upcard,
            names=self.roles,
        )  # fmt: skip

    def slips(self) -> tuple[Slip, ...]:
        """What other replies would have left the defender."""
        ruling = self.ruling
        if ruling is None or ruling.layout is None or ruling.reply is None:
            return ()
        melds = ruling.layout.melds if ruling.own else ()
        return slips(melds, self.defender_cards, ruling.reply)

    def discard(self) -> tuple[int, int] | None:
        """With eleven cards that do not all meld: the best card to throw and what it leaves."""
        if any(problem.code == "eleven-cards" for problem in self.problems):
            return best_discard(self.knocker_cards)
        return None

    def notes(self) -> tuple[str, ...]:
        """A sentence for each count that was said and that the cards do not bear out."""
        if self.ruling is None:
            return ()
        own, other = self.claimed
        knocker, defender = self.roles
        found = (
            "" if own is None else said_own(self.ruling, own, knocker),
            "" if other is None else said_other(self.ruling, other, defender),
        )
        return tuple(note for note in found if note)

    def hand(self, seats: tuple[int, int], **common: object) -> CardsHand:
        """The row to store; seats: of the two players by place. Only without problems."""
        own, other = self.claimed
        return CardsHand(
            knocker=seats[self.knocker],
            opponent=seats[1 - self.knocker],
            knocker_cards=self.knocker_cards,
            opponent_cards=self.defender_cards,
            melds=self.melds,
            claim_kind=self.claims.kind,
            claim_own=own,
            claim_other=other,
            stands=self.claims.stands,
            upcard=self.upcard,
            **common,  # type: ignore[arg-type]
        )


def isolated(name: str) -> str:
    """A name that turns no sentence around: set apart where it is written from right to left."""
    if any(unicodedata.bidirectional(letter) in _TURNS for letter in name):
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    return name


class _Finder:
    """Reads the texts of a check and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[GinError] = []

    def read(self, reader: Callable[[str], T], text: str, field: str, prefix: str = "") -> T | None:
        """What the reader makes of the text; None when it refuses, which is kept."""
        try:
            if len(text) > TEXT_LONGEST:
                raise AgainstRules(
                    "text-long", f"That is too long: {TEXT_LONGEST} characters at most."
                )
            return reader(text)
        except GinError as error:
            for one in error.problems:
                self.problems.append(type(one)(one.code, f"{prefix}{one.message}", field))
            return None


def check(
    rules: RuleSet, spreads: Spreads, names: tuple[str, str], claims: Claims | None = None
) -> Check:
    """Rule the spreads; names: of the two players by place."""
    claims = claims or Claims()
    found = _Finder()
    first, second = (
        found.read(
            lambda text: parse_cards(spaced(text)), text, f"hand.{place}", f"{isolated(name)}: "
        )
        for place, (text, name) in enumerate(zip(spreads.hands, names, strict=True))
    )
    if spreads.who is None:
        found.problems.append(Ambiguous("knocker-missing", "Who knocked?", "who"))
    upcard = None
    if rules.needs_upcard:
        if spreads.upcard.strip():
            upcard = found.read(parse_card, spreads.upcard, "upcard", "Upcard: ")
        else:
            found.problems.append(
                Ambiguous("upcard-missing", "Which card was turned up first?", "upcard")
            )
    melds = _melds(found, spreads.melds)
    knocker = spreads.who or 0
    hands = (spreads.held(0), spreads.held(1))
    roles = (isolated(names[knocker]), isolated(names[1 - knocker]))
    ruling = None
    try:
        ruling = rule_cards(
            rules, hands[knocker], hands[1 - knocker], melds=melds, upcard=upcard, names=roles
        )
    except GinError as error:
        read = (first is not None, second is not None)
        found.problems += _placed(error, knocker, read, found.problems, melds)
    made = Check(
        rules, names, hands, knocker, melds, upcard, claims, tuple(found.problems),
        None if found.problems else ruling,
    )  # fmt: skip
    return _standing(made)


def _standing(made: Check) -> Check:
    """The check with what is scored, or with why the counts said cannot stand."""
    if made.ruling is None or made.claims.stands == "cards":
        return replace(made, standing=made.ruling)
    try:
        stands, _ = rule_claimed(made.rules, made.hand((0, 1)), made.roles)
    except GinError as error:
        refused = [type(one)(one.code, one.message, "said") for one in error.problems]
        return replace(made, problems=tuple(refused))
    return replace(made, standing=stands)


def _melds(found: _Finder, text: str) -> tuple[int, ...] | None:
    """The stated melds as masks; None when none is stated or one of them is no cards."""
    parts = read_melds(text)
    if not parts:
        return None
    melds = [found.read(lambda part: parse_cards(spaced(part)), part, "melds") for part in parts]
    known = [meld for meld in melds if meld is not None]
    return tuple(known) if len(known) == len(melds) else None


def _placed(
    error: GinError,
    knocker: int,
    read: tuple[bool, bool],
    before: list[GinError],
    melds: tuple[int, ...] | None,
) -> list[GinError]:
    """gin's problems with the fields of the page.

    Where a text could not be read or the upcard is not known, nothing is said that hangs on it.
    """
    places = {
        "cards.knocker": f"hand.{knocker}",
        "cards.defender": f"hand.{1 - knocker}",
        "upcard": "upcard",
    }
    known = {(one.code, one.field) for one in before}
    placed = []
    for one in error.problems:
        field = places.get(one.field, "melds" if one.field.startswith("melds") else one.field)
        if one.code == "card-count" and not read[int(field[-1])]:
            continue
        if before and one.code not in _OF_CARDS and _hangs_on(before):
            continue
        message = one.message
        if one.code == "not-a-meld" and melds:
            message = no_meld_words(melds[int(one.field.split(".")[1]) - 1])
        if (one.code, field) not in known:
            placed.append(type(one)(one.code, message, field))
    return placed


def _hangs_on(before: list[GinError]) -> bool:
    """Whether what came before leaves a ruling without ground."""
    return any(one.field.startswith(("hand", "upcard")) or one.code == "knocker-missing"
               for one in before)  # fmt: skip
