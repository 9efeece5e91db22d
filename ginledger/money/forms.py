"""Forms of the ledger: strings become values; what the services refuse finds its field."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms

from ginledger.clubs.club_forms import ServiceForm
from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches.cash import read_amount
from ginledger.matches.models import KEY_LONGEST

from .ledger import Deal
from .models import NOTE_LONGEST, Kind


def player_choices(club: Club) -> list[tuple[str, str]]:
    """Everybody of the club by key, archived ones too: who left may still have a balance."""
    players = club.players.filter(merged_into=None).order_by("archived_at", "folded")
    return [(one.key, f"{one.name} (archived)" if one.archived_at else one.name) for one in players]


def _day(label: str, required: bool = False) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=required,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as in 2026-05-31."},
    )


class DealForm(ServiceForm):
    """An amount between two players; ``deal`` is the value when it is valid.

    currencies: those that can be chosen, the club's own first.
    """

    debtor = forms.ChoiceField(label="Who owes")
    creditor = forms.ChoiceField(label="Whom")
    amount = forms.CharField(
        label="Amount", max_length=40, widget=forms.TextInput(attrs={"inputmode": "decimal"})
    )
    currency = forms.ChoiceField(label="Currency")
    on = _day("Day, if not today")
    note = forms.CharField(
        label="Note", required=False, max_length=NOTE_LONGEST * 2,
        widget=forms.TextInput(attrs={"dir": "auto", "maxlength": str(NOTE_LONGEST)}),
    )  # fmt: skip
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST, widget=forms.HiddenInput)

    deal: Deal

    def __init__(self, *args: Any, club: Club, currencies: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": False, **kwargs})
        choices = [("", "Choose…"), *player_choices(club)]
        for name in ("debtor", "creditor"):
            self._field(name).choices = choices
        self._field("currency").choices = [(one, one) for one in currencies]
        for field in self.fields.values():
            field.widget.attrs.setdefault("autocomplete", "off")
        if len(currencies) == 1:
            self.fields["currency"].widget = forms.HiddenInput()
            self.initial.setdefault("currency", currencies[0])

    def _field(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "amount" in cleaned and "currency" in cleaned:
            try:
                cleaned["amount"] = read_amount(cleaned["amount"], cleaned["currency"])
            except GinError as error:
                self.add_problems(error)
        if not self.errors:
            self.deal = Deal(**{name: cleaned[name] for name in Deal._fields})
        return cleaned


class PaymentForm(DealForm):
    """Who paid whom; over_ok: that it is more than is owed is known and meant."""

    over_ok = forms.BooleanField(required=False, label="Record it all the same, as a credit")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["debtor"].label = "Who paid"
        self._field("debtor").error_messages["required"] = "Who paid?"
        self._field("creditor").error_messages["required"] = "Whom?"


class RecordForm(DealForm):
    """An opening balance or a correction."""

    kind = forms.ChoiceField(
        label="What it is",
        choices=[
            (Kind.OPENING.value, "Carried over from a paper book"),
            (Kind.CORRECTION.value, "A correction (say why in the note)"),
        ],
    )
    field_order = ("kind",)


class DaysForm(forms.Form):
    """From one day to another, both counted; either may stay open."""

    since = _day("From")
    until = _day("To")

    @property
    def days(self) -> tuple[date | None, date | None]:
        """The days asked for; both None when they cannot be read."""
        if not self.is_valid():
            return None, None
        return self.cleaned_data["since"], self.cleaned_data["until"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", "The last day comes before the first.")
        return cleaned
