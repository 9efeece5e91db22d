"""Forms of a match's life: its note and the day it was played."""

from __future__ import annotations

from typing import Any

from django import forms

from ginledger.gin.errors import GinError

from .forms import MOST_VERSION
from .models import NOTE_LONGEST, Match


class DescribeForm(forms.Form):
    """The note on a match and the day of play, one way of writing a date alone."""

    note = forms.CharField(
        required=False,
        max_length=NOTE_LONGEST,
        error_messages={"max_length": f"A note has up to {NOTE_LONGEST} characters."},
    )
    played_on = forms.DateField(
        input_formats=["%Y-%m-%d"],
        error_messages={
            "required": "On which day was it played?",
            "invalid": "A day is written year, month, day: 2026-03-31.",
        },
    )
    version = forms.IntegerField(required=False, min_value=0, max_value=MOST_VERSION)

    @property
    def seen_version(self) -> int:
        """The version of the match that the page was made of; one that never was when damaged."""
        version = self.cleaned_data.get("version")
        return -1 if version is None else version

    def add_problems(self, error: GinError) -> None:
        """Show the problems beside the fields they belong to."""
        for problem in error.problems:
            self.add_error(problem.field if problem.field in self.fields else None, problem.message)


def description_of(match: Match) -> dict[str, Any]:
    """What the form shows at first."""
    return {"note": match.note, "played_on": match.played_on.isoformat()}
