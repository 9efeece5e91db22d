"""Forms: the strings of a request become values of the game, and problems find their field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from ginledger.gin.cards import RANKS, SUITS, parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import AnyHand, CountsHand, DeadHand, PointsHand, Round, Table, TableHand
from ginledger.gin.ruleset import RuleSet

from .models import KEY_LONGEST, WHY_LONGEST

MOST_VERSION = 2**31 - 1
_DIGITS = re.compile(r"[0-9]{1,6}")

HOWS = (("knock", "Knock"), ("gin", "Gin"), ("big_gin", "Big gin"))
KINDS = (*HOWS, ("undercut", "Undercut"))

Pair = tuple[int, int]


class WholeNumber(forms.Field):
    """Points as digits alone: no sign, point or exponent, at most six of them."""

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").strip()
        if not text:
            return None
        if not _DIGITS.fullmatch(text):
            long = text.isascii() and text.isdecimal()
            words = "six digits at most" if long else "digits only"
            raise ValidationError(f"Points are whole numbers, {words}.")
        return int(text)


def posted_version(posted: Mapping[str, str]) -> int:
    """The version of the match that a page was made of; one that never was when damaged."""
    text = str(posted.get("version", ""))
    return int(text) if len(text) <= 10 and text.isdecimal() else -1


class RowFields(forms.Form):
    """What the form of any row carries beside its hand."""

    note = forms.CharField(required=False, max_length=MOST_NOTE)
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST)
    version = forms.IntegerField(required=False, min_value=0, max_value=MOST_VERSION)
    why = forms.CharField(required=False, max_length=WHY_LONGEST)
    void_rest = forms.BooleanField(required=False)

    @property
    def seen_version(self) -> int:
        """The version of the match that the page was made of; one that never was when damaged."""
        version = self.cleaned_data.get("version")
        return -1 if version is None else version


class TableForm(forms.Form):
    """What happened at one table, by counts or by the points as written.

    ``hand`` is the value when it is valid. pairs: the seats who can have met here, those whose
    turn it is first; keep: the present hand when it is amended: what the form has no field for
    stays.
    """

    mode = forms.ChoiceField(choices=[("counts", ""), ("points", "")], required=False)
    pair = forms.ChoiceField(required=False)
    who = forms.ChoiceField(required=False)
    how = forms.ChoiceField(choices=HOWS, required=False)
    knocker_deadwood = WholeNumber(required=False)
    opponent_deadwood = WholeNumber(required=False)
    winner = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(choices=KINDS, required=False)
    points = WholeNumber(required=False)
    upcard_rank = forms.ChoiceField(choices=[(rank, rank) for rank in RANKS], required=False)
    upcard_suit = forms.ChoiceField(choices=[(suit, suit) for suit in SUITS], required=False)

    hand: TableHand

    def __init__(
        self,
        *args: Any,
        table: Table,
        rules: RuleSet,
        pairs: Sequence[Pair] = ((0, 1),),
        keep: AnyHand | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.rules = rules
        self.keep = keep
        self.pairs = {pair_value(pair): pair for pair in pairs}
        self.turn = pairs[0]
        seats = [(str(seat), table.names[seat]) for seat in self.seats]
        choices = {
            "pair": [(value, "") for value in self.pairs],
            "who": [*seats, ("dead", "Dead")],
            "winner": seats,
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody who can have played here."""
        return tuple(sorted({seat for pair in self.pairs.values() for seat in pair}))

    @property
    def chosen_pair(self) -> Pair:
        """Who met by what the form shows."""
        return self.pairs.get(str(self["pair"].value() or ""), self.turn)

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
        common: dict[str, Any] = {}
        if keep is not None:
            common = {
                "note": keep.note,
                "played_at": keep.played_at,
                "dealer": keep.dealer,
                "upcard": keep.upcard,
            }
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

    def _named(self) -> bool:
        """Whether a hand without counts names who met: not where the seating says it for ever."""
        keep = self.keep
        if keep is not None and self.rules.play != "partners" and self.chosen_pair == self.turn:
            return _names_players(keep)
        return self.rules.play != "two"

    def _other(self, seat: int, field: str) -> int:
        """Whom somebody of the pair met; an error at the field for somebody who did not play."""
        pair = self.chosen_pair
        if seat not in pair:
            name = self.table.names[seat]
            self.add_error(field, f"{name} did not play in this hand.")
        return pair[0] if seat == pair[1] else pair[1]

    def _by_counts(self, cleaned: dict[str, Any], common: dict[str, Any]) -> TableHand | None:
        if not cleaned["who"]:
            self.add_error("who", "Who knocked? Or was the hand dead?")
            return None
        if cleaned["who"] == "dead":
            return DeadHand(players=self.chosen_pair if self._named() else (), **common)
        knocker = int(cleaned["who"])
        opponent = self._other(knocker, "who")
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

    def _by_points(self, cleaned: dict[str, Any], common: dict[str, Any]) -> TableHand | None:
        if not cleaned["winner"]:
            self.add_error("winner", "Who won the hand?")
        if cleaned["points"] is None:
            self.add_error("points", "How many points was it?")
        if self.errors:
            return None
        winner = int(cleaned["winner"])
        kind = cleaned["kind"] or ("knock" if self.rules.knock_limit else "gin")
        other = self._other(winner, "winner")
        return PointsHand(
            kind=kind,
            winner=winner,
            points=cleaned["points"],
            opponent=other if self._named() else None,
            **common,
        )

    def add_problem(self, field: str, message: str) -> None:
        """Show a problem of gin's with the hand beside the field it belongs to."""
        points = self.cleaned_data.get("mode") == "points"
        places = {
            "deadwood.knocker": "knocker_deadwood",
            "deadwood.defender": "opponent_deadwood",
            "knocker": "who",
            "winner": "winner",
            "kind": "kind" if points else "how",
            "points": "points",
            "upcard": "upcard_rank",
            "opponent": "pair",
            "players": "pair",
        }
        self.add_error(places.get(field), message)


class EntryForm(TableForm, RowFields):
    """One hand of two players as a row of its own."""

    @property
    def tables(self) -> tuple[TableForm, ...]:
        """The forms of the tables: this one."""
        return (self,)

    def _common(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        return super()._common(cleaned) | {"note": cleaned["note"]}

    def add_problems(self, error: GinError) -> None:
        """Show gin's problems with the hand beside the fields they belong to."""
        for problem in error.problems:
            if problem.field == "why":
                self.add_error("why", problem.message)
            else:
                self.add_problem(problem.field, problem.message)


def pair_value(pair: Pair) -> str:
    """Two seats as the form sends them."""
    return f"{pair[0]}-{pair[1]}"


def _names_players(hand: AnyHand) -> bool:
    if isinstance(hand, DeadHand):
        return bool(hand.players)
    return not isinstance(hand, CountsHand | PointsHand) or hand.opponent is not None


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
    elif not isinstance(hand, Round) or any(initial_of(one) is None for one in hand.tables):
        return None
    return initial
