"""The form of a stake: shown when a match starts, and until its first hand is entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from ginledger.clubs.club_forms import ServiceForm
from ginledger.clubs.currencies import CURRENCIES
from ginledger.gin.errors import AgainstRules, GinError
from ginledger.gin.hands import Table

from .cash import plain, plain_rate, read_amount, read_rate
from .stake import PairStake, Stake, clean_words

_FIELDS = ("stake_rate", "stake_cap", "stake_words")


class StakeForm(ServiceForm):
    """Money a point with the most for a match, or words; ``stake`` is the value when it is valid.

    currency: of the club, "" where it keeps no money yet: then it is asked for.
    """

    stake_rate = forms.CharField(required=False, max_length=40)
    stake_currency = forms.ChoiceField(required=False)
    stake_cap = forms.CharField(required=False, max_length=40)
    stake_words = forms.CharField(required=False, max_length=500)

    stake: Stake

    def __init__(self, *args: Any, currency: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        field = self.fields["stake_currency"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "Choose…"), *((code, code) for code in CURRENCIES)]

    @property
    def filled(self) -> bool:
        """Whether there is anything in it, so that it is shown open."""
        return bool(self.errors) or any(self[name].value() for name in _FIELDS)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        code = self.currency or cleaned["stake_currency"]
        try:
            self.stake = self._read(cleaned, code)
        except GinError as error:
            self.add_problems(error)
        return cleaned

    def _read(self, cleaned: Mapping[str, str], code: str) -> Stake:
        words = clean_words(cleaned["stake_words"])
        if not cleaned["stake_rate"]:
            if cleaned["stake_cap"]:
                raise AgainstRules("rate-missing", "How much is a point?", "stake_rate")
            return Stake(words=words)
        if not code:
            raise AgainstRules("currency-missing", "In which currency?", "stake_currency")
        rate = read_rate(cleaned["stake_rate"], code, "stake_rate")
        cap = read_amount(cleaned["stake_cap"], code, "stake_cap") if cleaned["stake_cap"] else None
        return Stake(code, rate, cap, self._pairs(cleaned, code, rate), words)

    def _pairs(self, _cleaned: Mapping[str, str], _code: str, _rate: int) -> tuple[PairStake, ...]:
        """Who settles with whom; of two sides of one there is nothing to say."""
        return ()


class PartnersStakeForm(StakeForm):
    """The same for partners: for each of the first side whom he settles with, and at what rate."""

    def __init__(
        self, *args: Any, table: Table, numbers: Sequence[int], currency: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, currency=currency, **kwargs)
        self.ones, self.others = (
            [(numbers[seat], table.names[seat]) for seat in table.seats(side)] for side in (0, 1)
        )
        for place, (number, name) in enumerate(self.ones):
            self.fields[f"with_{number}"] = forms.ChoiceField(
                choices=[(str(other), other_name) for other, other_name in self.others],
                label=f"{name} settles with",
                initial=str(self.others[place][0]),
                required=False,
            )
            self.fields[f"rate_{number}"] = forms.CharField(
                required=False, max_length=40, label="At another rate"
            )

    @property
    def pair_fields(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The two fields of each of the first side."""
        return [(self[f"with_{number}"], self[f"rate_{number}"]) for number, _ in self.ones]

    def _pairs(self, cleaned: Mapping[str, str], code: str, rate: int) -> tuple[PairStake, ...]:
        pairs: list[PairStake] = []
        for place, (number, _) in enumerate(self.ones):
            field = f"rate_{number}"
            own = read_rate(cleaned[field], code, field) if cleaned[field] else rate
            other = int(cleaned[f"with_{number}"] or self.others[place][0])
            if other in [pair.other for pair in pairs]:
                raise AgainstRules(
                    "pairs-wrong", "Everybody settles with somebody else.", f"with_{number}"
                )
            pairs.append(PairStake(number, other, own))
        return tuple(pairs)


def initial_of(stake: Stake | None) -> dict[str, str]:
    """A stake as the form shows it."""
    if stake is None:
        return {}
    found = {"stake_words": stake.words}
    if stake.money:
        found["stake_rate"] = plain_rate(stake.rate, stake.currency)
        found["stake_currency"] = stake.currency
        if stake.cap is not None:
            found["stake_cap"] = plain(stake.cap, stake.currency)
        for pair in stake.pairs:
            found[f"with_{pair.one}"] = str(pair.other)
            if pair.rate != stake.rate:
                found[f"rate_{pair.one}"] = plain_rate(pair.rate, stake.currency)
    return found
