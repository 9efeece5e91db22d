"""What a match is played for: plain data on the match, frozen with its first hand.

Money is a rate a point; partners may have one for every pair of a winner and a loser. A stake
that is no money is a line of text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginledger.clubs.currencies import CURRENCIES
from ginledger.clubs.models import Club, Role
from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules

from .cash import MOST_AMOUNT, MOST_RATE, shown_rate

WORDS_LONGEST = 120


@dataclass(frozen=True, slots=True)
class PairStake:
    """Two partners' opponents who settle with each other: seat numbers, and their rate."""

    one: int
    other: int
    rate: int


@dataclass(frozen=True, slots=True)
class Stake:
    """What a match is for.

    rate: hundredths of a minor unit of the currency a point, 0 for no money; cap: the most that
    one player pays another for the match, in minor units; pairs: with partners who settles with
    whom, () for the two across the table; words: a stake that is no money.
    """

    currency: str = ""
    rate: int = 0
    cap: int | None = None
    pairs: tuple[PairStake, ...] = ()
    words: str = ""

    @property
    def money(self) -> bool:
        """Whether it is for money."""
        return self.rate > 0

    def to_json(self) -> dict[str, Any]:
        """The stake as ``Match.stake`` holds it."""
        found: dict[str, Any] = {"words": self.words} if self.words else {}
        if self.money:
            found |= {"currency": self.currency, "rate": self.rate, "cap": self.cap}
            found["pairs"] = [[pair.one, pair.other, pair.rate] for pair in self.pairs]
        return found


def read_stake(raw: Mapping[str, Any] | None) -> Stake | None:
    """The stake of a ``Match.stake``; None where the match is played for nothing."""
    if not raw:
        return None
    pairs = tuple(PairStake(*pair) for pair in raw.get("pairs", ()))
    return Stake(
        raw.get("currency", ""), raw.get("rate", 0), raw.get("cap"), pairs, raw.get("words", "")
    )


def stake_words(stake: Stake) -> str:
    """The stake in a few words: "10¢ a point", "10¢ and 25¢ a point", "loser cooks"."""
    if not stake.money:
        return stake.words
    rates = sorted({pair.rate for pair in stake.pairs} or {stake.rate})
    return f"{' and '.join(shown_rate(rate, stake.currency) for rate in rates)} a point"


def clean_words(text: str, field: str = "stake_words") -> str:
    """A stake in words as it is kept: one line, NFC, up to 120 characters.

    Raises AgainstRules ("stake-unreadable", "stake-long").
    """
    words = " ".join(unicodedata.normalize("NFC", text).split())
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in words):
        raise AgainstRules("stake-unreadable", "A stake is one line of plain text.", field)
    if len(words) > WORDS_LONGEST:
        raise AgainstRules(
            "stake-long", f"A stake in words has up to {WORDS_LONGEST} characters.", field
        )
    return words


def verify_stake(stake: Stake, sides: Sequence[Sequence[int]], play: str) -> None:
    """Raise AgainstRules where a match of these sides (of seat numbers) cannot have the stake.

    "currency-unknown", "rate-wrong", "cap-wrong", or "pairs-wrong" where not everybody of either
    side settles with exactly one of the other.
    """
    if not stake.money:
        return
    if stake.currency not in CURRENCIES:
        raise AgainstRules("currency-unknown", "Choose a currency.", "stake_currency")
    rates = [stake.rate, *(pair.rate for pair in stake.pairs)]
    if not all(1 <= rate <= MOST_RATE for rate in rates):
        raise AgainstRules("rate-wrong", "That rate cannot be kept.", "stake_rate")
    if stake.cap is not None and not 1 <= stake.cap <= MOST_AMOUNT:
        raise AgainstRules("cap-wrong", "That amount cannot be kept.", "stake_cap")
    if stake.pairs:
        ones = sorted(pair.one for pair in stake.pairs)
        others = sorted(pair.other for pair in stake.pairs)
        if play != "partners" or [ones, others] != [sorted(side) for side in sides]:
            raise AgainstRules(
                "pairs-wrong", "Everybody settles with one of the other side.", "stake_pairs"
            )


def keep_currency(club: Club, user: Asker, stake: Stake) -> None:
    """Have the club keep its money in the currency of a stake, if it keeps none yet.

    Raises AgainstRules: "currency-other" when the club has another one, "currency-owner" when an
    owner has not chosen one yet.
    """
    if not stake.money or club.currency == stake.currency:
        return
    if club.currency:
        raise AgainstRules(
            "currency-other", f"This club keeps its money in {club.currency}.", "stake_currency"
        )
    mine = club.memberships.filter(user_id=user.pk or 0, role=Role.OWNER)
    if not mine.exists():
        raise AgainstRules(
            "currency-owner", "An owner of the club chooses its currency first.", "stake_currency"
        )
    club.currency = stake.currency
    club.save(update_fields=["currency"])


def renumbered(raw: Mapping[str, Any] | None, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """A ``Match.stake`` for the same people on other seats; numbers: seat before -> after."""
    stake = read_stake(raw)
    if stake is None:
        return None
    pairs = (PairStake(numbers[pair.one], numbers[pair.other], pair.rate) for pair in stake.pairs)
    # After the sides were swapped the first of a pair is of the other side.
    half = len(numbers) // 2
    ordered = tuple(
        pair if pair.one < half else PairStake(pair.other, pair.one, pair.rate) for pair in pairs
    )
    return Stake(stake.currency, stake.rate, stake.cap, ordered, stake.words).to_json()
