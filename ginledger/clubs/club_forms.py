"""Forms of clubs: strings become values; what the services refuse finds its field."""

from __future__ import annotations

import functools
from typing import Any
from zoneinfo import available_timezones

from django import forms

from ginledger.gin.errors import GinError
from ginledger.gin.ruleset import presets

from .account_forms import NameField
from .club_services import ClubTerms
from .currencies import CURRENCIES
from .invitations import DAYS, USES
from .models import Club, Role

_AREAS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


@functools.cache
def zone_choices() -> list[tuple[str, str]]:
    """Every time zone that is named by a place, and UTC first."""
    places = sorted(zone for zone in available_timezones() if zone.split("/")[0] in _AREAS)
    return [("UTC", "UTC"), *((zone, zone.replace("_", " ")) for zone in places)]


class ServiceForm(forms.Form):
    """A form that takes a service's problems to the fields they belong to."""

    def add_problems(self, error: GinError) -> None:
        """Show every problem beside its field, or above all when it has none here."""
        for problem in error.problems:
            field = problem.field if problem.field in self.fields else None
            self.add_error(field, problem.message)


class ClubForm(ServiceForm):
    """The terms of a club."""

    name = NameField(label="Name of the club")
    usual_rules = forms.ChoiceField(label="Usual rules", required=False)
    currency = forms.ChoiceField(
        label="Currency",
        required=False,
        help_text="Without one, no money is spoken of.",
        choices=[("", "None"), *((code, code) for code in CURRENCIES)],
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=zone_choices)

    def __init__(self, *args: Any, club: Club | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        house = [(own.key, own.name) for own in club.house_rules.kept()] if club else []
        field = self.fields["usual_rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", "No favourite"),
            *((preset.slug, preset.name) for preset in presets().values()),
            *house,
        ]
        gone = club and club.usual_rules and club.usual_rules not in dict(field.choices)
        if gone:
            self.initial["usual_rules"] = ""

    @property
    def terms(self) -> ClubTerms:
        """The values of a valid form."""
        return ClubTerms(**{name: self.cleaned_data[name] for name in ClubTerms._fields})


def terms_of(club: Club) -> dict[str, str]:
    """A club's terms as the form shows them."""
    return {name: getattr(club, name) for name in ClubTerms._fields}


def _uses(value: int | None) -> tuple[str, str]:
    if value is None:
        return "", "As many as come"
    return str(value), "One person" if value == 1 else f"{value} people"


class InviteForm(ServiceForm):
    """Role, time and number of uses of an invitation."""

    role = forms.ChoiceField(
        label="They may",
        choices=[
            (Role.SCORER, "keep the score"),
            (Role.VIEWER, "only look"),
            (Role.OWNER, "do all that you may"),
        ],
    )
    days = forms.TypedChoiceField(
        label="The link is good for",
        coerce=int,
        initial=7,
        choices=[(day, "one day" if day == 1 else f"{day} days") for day in DAYS],
    )
    most_uses = forms.TypedChoiceField(
        label="It lets in",
        coerce=int,
        empty_value=None,
        required=False,
        initial="5",
        choices=[_uses(one) for one in USES],
    )


class JoinForm(ServiceForm):
    """What a newcomer without an account is called."""

    name = NameField(label="Your name")


class PlayerForm(ServiceForm):
    """The name of a player."""

    name = NameField(label="Name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "off"


class MergeForm(ServiceForm):
    """Which other player this one is; chosen among the players of the club."""

    gone = forms.ChoiceField(label="Same person as")

    def __init__(self, *args: Any, others: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["gone"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "Choose"), *others]
