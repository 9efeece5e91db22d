"""Forms of seasons: strings become values; what the services refuse finds its field."""

from __future__ import annotations

from django import forms

from ginledger.clubs.club_forms import ServiceForm

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
