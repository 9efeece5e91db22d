"""A whole paper sheet as a form: twenty rows, each by its points as written or by its counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from ginledger.gin.cards import parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import AnyHand, CountsHand, DeadHand, PointsHand

from .book import Book
from .forms import KINDS, WholeNumber

ROWS = 20
DEAD = "dead"
_TYPED = ("who", "points", "own", "other", "upcard", "note")


class PaperRow(forms.Form):
    """One line of the paper; ``hand`` is its value when it is valid and not blank."""

    who = forms.ChoiceField(required=False)
    how = forms.ChoiceField(choices=KINDS, required=False)
    points = WholeNumber(required=False)
    own = WholeNumber(required=False)
    other = WholeNumber(required=False)
    upcard = forms.CharField(required=False, max_length=3)
    note = forms.CharField(required=False, max_length=MOST_NOTE)

    hand: AnyHand

    def __init__(self, data: Mapping[str, Any] | None, *, book: Book, number: int) -> None:
        super().__init__(data, prefix=str(number))
        self.book = book
        self.number = number
        field = self.fields["who"]
        assert isinstance(field, forms.ChoiceField)
        names = book.table.names
        field.choices = [("", ""), *((str(at), name) for at, name in enumerate(names)), (DEAD, "")]

    @property
    def blank(self) -> bool:
        """Whether nothing is typed in it."""
        return not any(str(self[name].value() or "").strip() for name in _TYPED)

    @property
    def problems(self) -> list[str]:
        """What is wrong with it, as sentences."""
        return [str(error) for errors in self.errors.values() for error in errors]

    def clean_upcard(self) -> int | None:
        text = self.cleaned_data["upcard"]
        if not text:
            return None
        try:
            return parse_card(text)
        except GinError as error:
            raise ValidationError(error.message) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors or self.blank:
            return cleaned
        common = {"note": cleaned["note"], "upcard": cleaned["upcard"]}
        counted = cleaned["own"] is not None or cleaned["other"] is not None
        if not cleaned["who"]:
            self.add_error("who", "Who won or knocked? Or was the hand dead?")
        elif cleaned["who"] == DEAD:
            self._dead(cleaned, common, counted)
        elif cleaned["points"] is not None and counted:
            self.add_error("points", "Either the points as written or the counts.")
        elif cleaned["points"] is not None:
            kind = cleaned["how"] or "knock"
            winner = int(cleaned["who"])
            self.hand = PointsHand(kind=kind, winner=winner, points=cleaned["points"], **common)
        else:
            self._by_counts(cleaned, common)
        return cleaned

    def _dead(self, cleaned: dict[str, Any], common: dict[str, Any], counted: bool) -> None:
        if counted or cleaned["points"]:
            self.add_error("who", "In a dead hand nobody scores.")
        self.hand = DeadHand(**common)

    def _by_counts(self, cleaned: dict[str, Any], common: dict[str, Any]) -> None:
        how, own, other = cleaned["how"] or "knock", cleaned["own"], cleaned["other"]
        if how == "undercut":
            text = "By counts say who knocked, as a knock: the undercut is worked out."
            self.add_error("how", text)
        elif other is None:
            self.add_error("other", "What was it worth, or what were the counts?")
        elif how == "knock" and own is None:
            self.add_error("own", "How much deadwood was it knocked with?")
        elif self.book.rules.needs_upcard and cleaned["upcard"] is None:
            self.add_error("upcard", "Which card was turned up first?")
        else:
            knocker = int(cleaned["who"])
            self.hand = CountsHand(
                kind=how,
                knocker=knocker,
                own=own if how == "knock" else None,
                other=other,
                opponent=1 - knocker if len(self.book.table.names) == 2 else None,
                **common,
            )

    def add_problem(self, problem: GinError) -> None:
        """Show a problem of gin with this row."""
        self.add_error(None, problem.message)


class PaperForm:
    """The rows of the form; ``hands`` are the filled ones in order, once all are valid."""

    def __init__(self, book: Book, data: Mapping[str, Any] | None = None) -> None:
        self.book = book
        self.rows = [PaperRow(data, book=book, number=number) for number in range(1, ROWS + 1)]
        self.filled = [row for row in self.rows if data is not None and not row.blank]

    def is_valid(self) -> bool:
        """Whether every row that is not blank is a hand."""
        return self.wrong == 0

    @property
    def wrong(self) -> int:
        """How many rows have something wrong."""
        return sum(1 for row in self.filled if row.errors)

    def hands(self) -> list[AnyHand]:
        """The hands; at a table of three each counted one with whom it was played against."""
        hands = [row.hand for row in self.filled]
        return hands if len(self.book.table.names) == 2 else self._met(hands)

    def _met(self, hands: Iterable[AnyHand]) -> list[AnyHand]:
        before = [line.hand for line in self.book.lines if not line.row.void]
        met: list[AnyHand] = []
        for hand in hands:
            if isinstance(hand, CountsHand):
                hand = replace(hand, opponent=self._opponent(hand.knocker, [*before, *met]))
            met.append(hand)
        return met

    def _opponent(self, knocker: int, before: list[AnyHand]) -> int:
        """Who plays against the knocker by the rotation; anybody where the rows are wrong."""
        try:
            players = self.book.terms.score(before).next_players
        except GinError:
            players = ()
        others = [seat for seat in players if seat != knocker]
        anybody = (seat for seat in range(len(self.book.table.names)) if seat != knocker)
        return others[0] if others else next(anybody)

    def add_problems(self, error: GinError) -> None:
        """Show what gin says of the hands in their rows."""
        for problem in error.problems:
            number = int(problem.field.split(".")[1])
            self.filled[number - 1].add_problem(problem)
