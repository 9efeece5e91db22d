"""The form of a new match: who plays, by which rules, and who deals first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from ginledger.clubs.rulebook import Choice
from ginledger.gin.errors import GinError
from ginledger.gin.ruleset import DEFAULT_PRESET, Preset, RuleSet, presets

from .models import KEY_LONGEST
from .start_club import StartClub

NAME_LONGEST = 60
TARGETS = ("150", "250", "500")
SEATINGS = {"two": "Two", "three": "Three", "partners": "Partners"}
# The rule set that a seating starts with.
USUAL_RULES = {"two": DEFAULT_PRESET, "three": "three-handed", "partners": "partners-125"}
# Partners sit across: the odd ones are one side, the even ones the other.
NAME_FIELDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_TERMS = ("rules", "target", "sheet")


def playable() -> tuple[Preset, ...]:
    """The presets that the pad can play."""
    return tuple(presets().values())


class StartForm(forms.Form):
    """Names, a rule set, the sheet and who deals first.

    own: the rule sets of the user's clubs, offered beside the presets; place: where it is opened.
    ``names`` are in the order of the sides, ``dealer`` counts sides: of partners all of one deal.
    """

    play = forms.ChoiceField(choices=list(SEATINGS.items()), required=False)
    rules = forms.ChoiceField(error_messages={"required": "Choose a rule set."})
    target = forms.ChoiceField(choices=[(one, one) for one in ("", *TARGETS)], required=False)
    sheet = forms.ChoiceField(choices=[("one", "One column"), ("hollywood", "Hollywood")])
    dealer = forms.ChoiceField(choices=[("0", ""), ("1", ""), ("2", ""), ("cut", "")])
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST)
    club = forms.CharField(required=False, max_length=KEY_LONGEST)

    def __init__(
        self,
        *args: Any,
        own: Sequence[Choice] = (),
        place: StartClub | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.place = place
        self.own = list(own)
        offered: tuple[Preset | Choice, ...] = (*playable(), *self.own)
        self.presets = {one.slug: one for one in offered}
        for name in NAME_FIELDS:
            self.fields[name] = forms.CharField(strip=True, required=False)
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(slug, preset.name) for slug, preset in self.presets.items()]

    @property
    def seating(self) -> str:
        """How many sit down, as shown: what was said, else what the rules are for."""
        said = str(self["play"].value() or "")
        if said in SEATINGS:
            return said
        chosen = self.presets.get(str(self["rules"].value() or ""))
        return chosen.rules.play if chosen else "two"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        preset = self.presets.get(cleaned.get("rules", ""))
        if preset and preset.rules.play != self.seating:
            who = "Two" if self.seating == "two" else SEATINGS[self.seating]
            self.add_error("rules", f"{who} do not play by {preset.name}: choose other rules.")
        if preset and cleaned.get("target") and not preset.rules.target:
            self.add_error("target", f"{preset.name} is decided by one hand: it has no target.")
        if cleaned.get("dealer") == "2" and self.seating != "three":
            self.add_error("dealer", "Say who deals first.")
        self._check_pairs(cleaned)
        return cleaned

    def _check_pairs(self, cleaned: dict[str, Any]) -> None:
        """Of partners beyond the second pair a single name is one too few."""
        if self.seating != "partners":
            return
        for one, other in zip(NAME_FIELDS[4::2], NAME_FIELDS[5::2], strict=True):
            if bool(cleaned.get(one)) != bool(cleaned.get(other)):
                missing = other if cleaned.get(one) else one
                self.add_error(missing, "Both sides have the same number of players.")

    @property
    def name_fields(self) -> tuple[str, ...]:
        """The fields of the names that count, in the order of the sides."""
        if self.seating != "partners":
            return NAME_FIELDS[: 3 if self.seating == "three" else 2]
        filled = max(
            [4, *(at + 1 for at, name in enumerate(NAME_FIELDS) if self.cleaned_data.get(name))]
        )
        return (*NAME_FIELDS[:filled:2], *NAME_FIELDS[1:filled:2])

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the sides."""
        return tuple(self.cleaned_data[name] for name in self.name_fields)

    def first_dealer(self, side: int) -> int:
        """The seat that deals first when a side does: of partners the first of it."""
        return side * (len(self.names) // 2) if self.seating == "partners" else side

    @property
    def sides(self) -> int:
        """How many sides there are: one of them is cut for the first deal."""
        return 3 if self.seating == "three" else 2

    @property
    def chosen_rules(self) -> tuple[RuleSet, str]:
        """The rule set with its target and columns, and the name the match is played under."""
        return self._terms(**{name: self.cleaned_data[name] for name in _TERMS})

    @property
    def shown_rules(self) -> tuple[RuleSet, str]:
        """The same for what the form shows, whatever else is missing or wrong in it."""
        shown = {name: self[name].value() or "" for name in _TERMS}
        known = self.presets.get(shown["rules"])
        if known is None or known.rules.play != self.seating:
            shown["rules"] = USUAL_RULES[self.seating]
        if shown["target"] not in TARGETS or not self.presets[shown["rules"]].rules.target:
            shown["target"] = ""
        return self._terms(**shown)

    def _terms(self, rules: str, target: str, sheet: str) -> tuple[RuleSet, str]:
        chosen = self.presets[rules]
        played, more = chosen.rules, []
        if sheet == "hollywood" and played.columns == 1:
            # Weights are one a column: those of a single one say nothing of three.
            played = played.replace(columns=3, column_weights=())
            more.append("Hollywood")
        if target:
            played = played.replace(target=int(target))
        if played.target and (target or isinstance(chosen, Preset)):
            more.append(str(played.target))
        room = NAME_LONGEST - len(" ".join(["", *more]))
        return played, " ".join([chosen.name[:room], *more])

    def add_problems(self, error: GinError) -> None:
        """Show the problems of starting a match beside the fields they belong to."""
        places = {f"names.{at}": name for at, name in enumerate(self.name_fields)}
        places["first_dealer"] = "dealer"
        for problem in error.problems:
            self.add_error(places.get(problem.field), problem.message)
