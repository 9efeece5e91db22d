"""Forms of seasons: strings become values; what the services refuse finds its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from ginledger.clubs.club_forms import ServiceForm
from ginledger.clubs.models import Player

from .models import NAME_LONGEST
from .seasons import SeasonTerms


def _day(label: str) -> forms.DateField:
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as in 2026-05-31."},
    )


class SeasonForm(ServiceForm):
    """A season's name and days; ``terms`` is the value when it is valid."""

    name = forms.CharField(
        label="Name of the season",
        max_length=NAME_LONGEST * 2,
        widget=forms.TextInput(
            attrs={"dir": "auto", "maxlength": str(NAME_LONGEST), "autocomplete": "off"}
        ),
    )
    begins = _day("First day")
    ends = _day("Last day")

    @property
    def terms(self) -> SeasonTerms:
        """What was typed."""
        return SeasonTerms(**self.cleaned_data)


class MeetingForm(forms.Form):
    """Two players to compare, by their keys."""

    one = forms.ChoiceField(label="One")
    other = forms.ChoiceField(label="The other")

    def __init__(self, *args: Any, players: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "Choose…"), *((player.key, player.name) for player in players)]
        for field in self.fields.values():
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", "Choose two different players.")
        return cleaned
