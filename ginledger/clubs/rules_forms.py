"""The form of an own rule set: every field of the rules, in words, and back into a ``RuleSet``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from ginledger.gin.errors import AgainstRules, GinError
from ginledger.gin.ruleset import AGREEMENTS, RULES, RuleSet, read_rules
from ginledger.gin.words import (
    GROUPS,
    NUMBERS,
    agreement_parts,
    choice_words,
    field_words,
    hint_words,
    sentence,
    value_of,
)

from .names import clean_name
from .rulebook import Choice

MOST_EXTRA_BOXES = 100
MOST_WEIGHT = 100
_DIGITS = re.compile(r"[0-9]{1,6}")
_WEIGHTS = re.compile(r"[0-9]{1,3}(?:[\s,;]+[0-9]{1,3}){0,11}")


class Points(forms.Field):
    """A whole number within bounds, digits alone; None when it is empty and may be."""

    def __init__(self, low: int, high: int, *, empty: bool = False) -> None:
        super().__init__(required=False)
        self.low, self.high, self.empty = low, high, empty

    def to_python(self, value: Any) -> int | None:
        text = "" if value is None else str(value).strip()
        if not text and self.empty:
            return None
        number = int(text) if _DIGITS.fullmatch(text) else -1
        if not self.low <= number <= self.high:
            raise ValidationError(f"A whole number from {self.low} to {self.high}.")
        return number


class Weights(forms.Field):
    """Weights of the games as "1, 1, 2"; empty: once each."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> tuple[int, ...]:
        text = str(value or "").strip()
        if not text:
            return ()
        weights = tuple(map(int, re.findall("[0-9]+", text))) if _WEIGHTS.fullmatch(text) else ()
        if not weights or not all(1 <= one <= MOST_WEIGHT for one in weights):
            raise ValidationError(f"Whole numbers from 1 to {MOST_WEIGHT}, such as 1, 1, 2.")
        return weights


def _offered(name: str) -> tuple[tuple[str, str], ...]:
    """The choices of a field as JSON and in words; empty for a number."""
    whole, _, part = name.partition(".")
    values = tuple(AGREEMENTS[part]) if whole == "agreements" else RULES[whole].choices
    return tuple((json.dumps(one), choice_words(name, one)) for one in values)


def _field(name: str) -> forms.Field:
    if name.startswith("extra_boxes."):
        return Points(0, MOST_EXTRA_BOXES)
    if name == "column_weights":
        return Weights()
    if offered := _offered(name):
        return forms.ChoiceField(choices=offered, error_messages={"required": "Choose one."})
    rule = RULES[name]
    assert rule.low is not None and rule.high is not None
    return Points(rule.low, rule.high, empty=name == "big_gin_bonus")


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field as its template shows it. kind: number, weights or choice."""

    name: str
    label: str
    hint: str
    kind: str
    value: Any
    options: tuple[tuple[str, str], ...]
    errors: tuple[str, ...]

    @property
    def id(self) -> str:
        """An id that a style or a script may name too."""
        return self.name.replace(".", "-")


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group of fields; says: what the rules it started from say."""

    title: str
    says: str
    fields: tuple[FieldView, ...]

    @property
    def wrong(self) -> bool:
        return any(field.errors for field in self.fields)


class RulesForm(forms.Form):
    """A name and every field of a rule set; ``rules`` is the value once the form is valid.

    base: the rules it started from.
    """

    name = forms.CharField(required=False)
    game_as_target = forms.BooleanField(required=False)

    rules: RuleSet

    def __init__(
        self, data: QueryDict | None = None, *, base: RuleSet, initial: dict[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=_initial(base) | (initial or {}))
        self.base = base
        for _, names in GROUPS:
            for name in names:
                self.fields[name] = _field(name)

    def clean_name(self) -> str:
        try:
            return clean_name(self.cleaned_data["name"])
        except AgainstRules as problem:
            raise ValidationError(problem.message) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("game_as_target"):
            # The number beside the tick is not asked for.
            self.errors.pop("game_bonus", None)
            cleaned["game_bonus"] = "target"
        weights, columns = cleaned.get("column_weights"), cleaned.get("columns")
        if weights and columns and len(weights) != columns:
            games = "game" if columns == 1 else "games"
            self.add_error(
                "column_weights",
                f"{len(weights)} for {NUMBERS[columns]} {games}: one for each, or none at all.",
            )
        if not self.errors:
            try:
                self.rules = read_rules(_plain(cleaned))
            except GinError as error:
                self.add_problems(error)
        return cleaned

    def add_problems(self, error: GinError) -> None:
        """Show the problems of the rules or of saving them beside their fields."""
        for problem in error.problems:
            field = problem.field if problem.field in self.fields else None
            self.add_error(field, problem.message)

    def groups(self) -> Iterator[GroupView]:
        """Every group with its fields, as they stand in the form."""
        said = {
            part.title: sentence(clause.text for clause in part.clauses)
            for part in agreement_parts(self.base)
        }
        for title, names in GROUPS:
            fields = tuple(self._view(name) for name in names)
            yield GroupView(title, said.get(title, "Nothing special."), fields)

    def _view(self, name: str) -> FieldView:
        field, bound = self.fields[name], self[name]
        kind, hint, value = "number", hint_words(name), bound.value()
        options: tuple[tuple[str, str], ...] = ()
        if isinstance(field, forms.ChoiceField):
            kind, options = "choice", _offered(name)
        elif isinstance(field, Weights):
            kind = "weights"
        elif isinstance(field, Points):
            hint = f"{hint} From {field.low} to {field.high}."
        value = "" if value is None else value
        return FieldView(
            name, field_words(name), hint, kind, value, options, tuple(map(str, bound.errors))
        )


def _initial(rules: RuleSet) -> dict[str, Any]:
    """A rule set as the form shows it."""
    initial: dict[str, Any] = {"game_as_target": rules.game_bonus == "target"}
    for _, names in GROUPS:
        for name in names:
            value = value_of(rules, name)
            if name == "column_weights":
                initial[name] = ", ".join(map(str, value))
            elif name == "game_bonus":
                initial[name] = rules.game_points
            elif _offered(name):
                initial[name] = json.dumps(value)
            else:
                initial[name] = value
    return initial


def _plain(cleaned: dict[str, Any]) -> dict[str, Any]:
    """The cleaned fields as the object that ``read_rules`` reads."""
    raw: dict[str, Any] = {}
    for _, names in GROUPS:
        for name in names:
            value = cleaned[name]
            if _offered(name):
                value = json.loads(value)
            whole, _, part = name.partition(".")
            if part:
                raw.setdefault(whole, {})[part] = value
            else:
                raw[name] = value
    return raw


class CompareForm(forms.Form):
    """Two rule sets to be laid side by side; an empty form is no question yet."""

    a = forms.ChoiceField(error_messages={"required": "Choose a rule set."})
    b = forms.ChoiceField(error_messages={"required": "Choose a rule set."})

    def __init__(self, *args: Any, offered: tuple[Choice, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = {one.slug: one for one in offered}
        for name in ("a", "b"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(one.slug, one.name) for one in offered]
            field.error_messages["invalid_choice"] = "There is no such rule set here."

    @property
    def pair(self) -> tuple[Choice, Choice]:
        """The two that were chosen."""
        return self.offered[self.cleaned_data["a"]], self.offered[self.cleaned_data["b"]]
