"""Forms of the ink: a row in between, signed points with their reason, who really dealt."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms

from ginledger.gin.errors import GinError
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import Adjustment, AnyHand

from .book import Book, Line
from .forms import MOST_VERSION, WholeNumber
from .models import KEY_LONGEST, WHY_LONGEST, Row

END = "end"


class InkForm(forms.Form):
    """What every change of a book carries: the version seen, why, and what to do with the rest."""

    version = forms.IntegerField(required=False, min_value=0, max_value=MOST_VERSION)
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST)
    why = forms.CharField(required=False, max_length=WHY_LONGEST)
    void_rest = forms.BooleanField(required=False)

    def __init__(self, *args: Any, book: Book, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.book = book

    @property
    def seen_version(self) -> int:
        """The version of the match that the page was made of; one that never was when damaged."""
        version = self.cleaned_data.get("version")
        return -1 if version is None else version

    def hidden(self) -> dict[str, str]:
        """The one-time key and the version to send with the form as it is shown."""
        return {
            "once_key": str(self["once_key"].value() or secrets.token_urlsafe(16)),
            "version": str(self.book.match.version),
        }


class AdjustForm(InkForm):
    """Signed points for a side, with the reason; the sign is a choice, for phones without one."""

    side = forms.ChoiceField(error_messages={"required": "Whose points are they?"})
    sign = forms.ChoiceField(
        choices=[("minus", "−"), ("plus", "+")],
        error_messages={"required": "Are they added or taken off?"},
    )
    points = WholeNumber(error_messages={"required": "How many points?"})
    note = forms.CharField(max_length=MOST_NOTE, error_messages={"required": "Say what it is for."})
    place = forms.ChoiceField(required=False)

    hand: AnyHand

    def __init__(self, *args: Any, line: Line | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.line = line
        table = self.book.table
        self._choices("side", [(str(at), table.side_name(at)) for at in range(len(table.sides))])
        self._choices("place", [] if line else places(self.book))

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        points, seats = cleaned["points"], self.book.table.seats(int(cleaned["side"]))
        kept: dict[str, Any] = {}
        if self.line is not None and isinstance(self.line.hand, Adjustment):
            hand = self.line.hand
            kept = {"played_at": hand.played_at, "dealer": hand.dealer, "upcard": hand.upcard}
            seats = (hand.player,) if hand.player in seats else seats
        self.hand = Adjustment(
            player=seats[0],
            points=points if cleaned["sign"] == "plus" else -points,
            note=" ".join(cleaned["note"].split()),
            **kept,
        )
        return cleaned

    @property
    def before(self) -> Row | None:
        """The row that the new one comes before; None for the end."""
        line = self.book.line(self.cleaned_data.get("place", ""))
        return line.row if line else None

    def add_problems(self, error: GinError) -> None:
        """Show gin's problems with the row beside the fields they belong to."""
        for problem in error.problems:
            name = {"player": "side"}.get(problem.field, problem.field)
            self.add_error(name if name in self.fields else None, problem.message)


def places(book: Book) -> list[tuple[str, str]]:
    """Where a row can be put: at the end, or before any row that counts."""
    end = [] if book.sheet.over else [(END, "At the end")]
    rows = [
        (line.row.key, f"Before hand {line.scored.number}")
        for line in reversed(book.lines)
        if line.scored
    ]
    return [*end, *rows]


def adjustment_initial(book: Book, line: Line | None) -> dict[str, Any]:
    """What the form shows at first: a penalty at the end, or what the row says."""
    if line is None or not isinstance(line.hand, Adjustment):
        offered = places(book)
        return {"sign": "minus", "place": offered[0][0] if offered else END}
    hand = line.hand
    return {
        "side": str(book.table.side_of(hand.player)),
        "sign": "minus" if hand.points < 0 else "plus",
        "points": str(abs(hand.points)),
        "note": hand.note,
    }


class DealerForm(InkForm):
    """Who really dealt a hand: a seat, or nothing for the one whom the rule names."""

    dealer = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["dealer"]
        assert isinstance(field, forms.ChoiceField)
        names = self.book.table.names
        field.choices = [("", ""), *((str(at), name) for at, name in enumerate(names))]

    @property
    def dealer_seat(self) -> int | None:
        """The seat said, None for the rule's."""
        said = self.cleaned_data["dealer"]
        return int(said) if said else None
