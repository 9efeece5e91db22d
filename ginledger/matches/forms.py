"""Forms: the strings of a request become values of the game, and problems find their field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from ginledger.clubs.rulebook import Choice
from ginledger.gin.cards import RANKS, SUITS, parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand, CountsHand, DeadHand, PointsHand, Table
from ginledger.gin.matchfile import MOST_NOTE
from ginledger.gin.ruleset import DEFAULT_PRESET, Preset, RuleSet, presets

from .models import KEY_LONGEST, WHY_LONGEST
from .start_club import StartClub

NAME_LONGEST = 60
TARGETS = ("150", "250", "500")
MOST_VERSION = 2**31 - 1
_TERMS = ("rules", "target", "sheet")
_DIGITS = re.compile(r"[0-9]{1,6}")

HOWS = (("knock", "Knock"), ("gin", "Gin"), ("big_gin", "Big gin"))
KINDS = (*HOWS, ("undercut", "Undercut"))


class WholeNumber(forms.Field):
    """Points as digits alone: no sign, point or exponent, at most six of them."""

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").strip()
        if not text:
            return None
        if not _DIGITS.fullmatch(text):
            raise ValidationError("Points are whole numbers, digits only.")
        return int(text)


def posted_version(posted: Mapping[str, str]) -> int:
    """The version of the match that a page was made of; one that never was when damaged."""
    text = str(posted.get("version", ""))
    return int(text) if len(text) <= 10 and text.isdecimal() else -1


def playable() -> tuple[Preset, ...]:
    """The presets that the pad can play."""
    return tuple(preset for preset in presets().values() if preset.rules.play == "two")


class StartForm(forms.Form):
    """Two names, a rule set, the sheet and who deals first.

    own: the rule sets of the user's clubs, offered beside the presets; place: where it is opened.
    """

    first = forms.CharField(strip=True, required=False)
    second = forms.CharField(strip=True, required=False)
    rules = forms.ChoiceField(error_messages={"required": "Choose a rule set."})
    target = forms.ChoiceField(choices=[(one, one) for one in ("", *TARGETS)], required=False)
    sheet = forms.ChoiceField(choices=[("one", "One column"), ("hollywood", "Hollywood")])
    dealer = forms.ChoiceField(choices=[("0", ""), ("1", ""), ("cut", "")])
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
        self.own = [one for one in own if one.rules.play == "two"]
        offered: tuple[Preset | Choice, ...] = (*playable(), *self.own)
        self.presets = {one.slug: one for one in offered}
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(slug, preset.name) for slug, preset in self.presets.items()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        preset = self.presets.get(cleaned.get("rules", ""))
        if preset and cleaned.get("target") and not preset.rules.target:
            self.add_error("target", f"{preset.name} is decided by one hand: it has no target.")
        return cleaned

    @property
    def chosen_rules(self) -> tuple[RuleSet, str]:
        """The rule set with its target and columns, and the name the match is played under."""
        return self._terms(**{name: self.cleaned_data[name] for name in _TERMS})

    @property
    def shown_rules(self) -> tuple[RuleSet, str]:
        """The same for what the form shows, whatever else is missing or wrong in it."""
        shown = {name: self[name].value() or "" for name in _TERMS}
        if shown["rules"] not in self.presets:
            shown["rules"] = DEFAULT_PRESET
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
        places = {"names.0": "first", "names.1": "second", "first_dealer": "dealer"}
        for problem in error.problems:
            self.add_error(places.get(problem.field), problem.message)


class EntryForm(forms.Form):
    """One hand, by counts or by the points as written; ``hand`` is the value when it is valid.

    keep: the row's present hand when it is amended: what the form has no field for stays.
    """

    mode = forms.ChoiceField(choices=[("counts", ""), ("points", "")], required=False)
    who = forms.ChoiceField(required=False)
    how = forms.ChoiceField(choices=HOWS, required=False)
    knocker_deadwood = WholeNumber(required=False)
    opponent_deadwood = WholeNumber(required=False)
    winner = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(choices=KINDS, required=False)
    points = WholeNumber(required=False)
    upcard_rank = forms.ChoiceField(choices=[(rank, rank) for rank in RANKS], required=False)
    upcard_suit = forms.ChoiceField(choices=[(suit, suit) for suit in SUITS], required=False)
    note = forms.CharField(required=False, max_length=MOST_NOTE)
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST)
    version = forms.IntegerField(required=False, min_value=0, max_value=MOST_VERSION)
    why = forms.CharField(required=False, max_length=WHY_LONGEST)
    void_rest = forms.BooleanField(required=False)

    hand: AnyHand

    def __init__(
        self, *args: Any, table: Table, rules: RuleSet, keep: AnyHand | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.rules = rules
        self.keep = keep
        seats = [(str(seat), name) for seat, name in enumerate(table.names)]
        for field, more in (("who", [("dead", "Dead")]), ("winner", [])):
            found = self.fields[field]
            assert isinstance(found, forms.ChoiceField)
            found.choices = seats + more

    @property
    def seen_version(self) -> int:
        """The version of the match that the page was made of; one that never was when damaged."""
        version = self.cleaned_data.get("version")
        return -1 if version is None else version

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        common = self._common(cleaned)
        if cleaned["mode"] == "points":
            hand = self._by_points(cleaned, common)
        else:
            hand = self._by_counts(cleaned, common)
        if hand is not None and not self.errors:
            self.hand = hand
        return cleaned

    def _common(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """What every row may carry: from the form, and from the row that is amended."""
        keep = self.keep
        common: dict[str, Any] = {"note": cleaned["note"]}
        if keep is not None:
            common |= {"played_at": keep.played_at, "dealer": keep.dealer, "upcard": keep.upcard}
        rank, suit = cleaned["upcard_rank"], cleaned["upcard_suit"]
        if self.rules.needs_upcard:
            if bool(rank) != bool(suit):
                missing = "suit" if rank else "rank"
                self.add_error("upcard_rank", f"Say the {missing} of the upcard too.")
            common["upcard"] = parse_card(rank + suit) if rank and suit else None
        return common

    def _upcard_said(self, common: dict[str, Any]) -> None:
        if self.rules.needs_upcard and common["upcard"] is None and not self.errors:
            self.add_error("upcard_rank", "Which card was turned up first?")

    def _by_counts(self, cleaned: dict[str, Any], common: dict[str, Any]) -> AnyHand | None:
        if not cleaned["who"]:
            self.add_error("who", "Who knocked? Or was the hand dead?")
            return None
        if cleaned["who"] == "dead":
            return DeadHand(**common)
        knocker = int(cleaned["who"])
        opponent = 1 - knocker
        how = cleaned["how"] or ("knock" if self.rules.knock_limit else "gin")
        own, other = cleaned["knocker_deadwood"], cleaned["opponent_deadwood"]
        if how == "knock" and own is None:
            name = self.table.names[knocker]
            self.add_error("knocker_deadwood", f"How much deadwood did {name} knock with?")
        if other is None:
            name = self.table.names[opponent]
            self.add_error("opponent_deadwood", f"How much was {name} left with?")
        self._upcard_said(common)
        return CountsHand(
            kind=how,
            knocker=knocker,
            own=own if how == "knock" else None,
            other=other or 0,
            opponent=opponent,
            **common,
        )

    def _by_points(self, cleaned: dict[str, Any], common: dict[str, Any]) -> AnyHand | None:
        if not cleaned["winner"]:
            self.add_error("winner", "Who won the hand?")
        if cleaned["points"] is None:
            self.add_error("points", "How many points was it?")
        if self.errors:
            return None
        winner = int(cleaned["winner"])
        kind = cleaned["kind"] or ("knock" if self.rules.knock_limit else "gin")
        opponent = None
        if isinstance(self.keep, PointsHand) and self.keep.winner == winner:
            opponent = self.keep.opponent
        return PointsHand(
            kind=kind,
            winner=winner,
            points=cleaned["points"],
            opponent=opponent,
            **common,
        )

    def add_problems(self, error: GinError) -> None:
        """Show gin's problems with the hand beside the fields they belong to."""
        points = self.cleaned_data.get("mode") == "points"
        places = {
            "deadwood.knocker": "knocker_deadwood",
            "deadwood.defender": "opponent_deadwood",
            "knocker": "who",
            "winner": "winner",
            "kind": "kind" if points else "how",
            "points": "points",
            "upcard": "upcard_rank",
            "why": "why",
        }
        for problem in error.problems:
            self.add_error(places.get(problem.field), problem.message)


def initial_of(hand: AnyHand) -> dict[str, Any] | None:
    """A row's hand as the form shows it; None for a hand that has another form."""
    initial: dict[str, Any] = {"mode": "counts", "note": hand.note}
    if hand.upcard is not None:
        initial["upcard_suit"] = SUITS[hand.upcard // 13]
        initial["upcard_rank"] = RANKS[hand.upcard % 13]
    if isinstance(hand, CountsHand):
        initial |= {
            "who": str(hand.knocker),
            "how": hand.kind,
            "knocker_deadwood": "" if hand.own is None else str(hand.own),
            "opponent_deadwood": str(hand.other),
        }
    elif isinstance(hand, PointsHand):
        initial |= {
            "mode": "points",
            "winner": str(hand.winner),
            "kind": hand.kind,
            "points": str(hand.points),
        }
    elif isinstance(hand, DeadHand):
        initial["who"] = "dead"
    else:
        return None
    return initial
