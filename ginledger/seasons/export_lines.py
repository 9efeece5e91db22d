"""A match as one line of a table, and moments as a spreadsheet has them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo


def local(moment: datetime, zone: ZoneInfo) -> datetime:
    """A moment in the time of the club, to the second and without a zone, which no cell holds."""
    return moment.astimezone(zone).replace(tzinfo=None, microsecond=0)


class MatchLine(NamedTuple):
    """A match; its fields are the columns of the table.

    total_: a side's points with bonuses, all columns together; margin_: signed, None while it is
    open; amount_: what the side has coming by the match, None without money; counts: yes,
    disputed, or "" without money.
    """

    day: date
    match: str
    state: str
    rules: str
    hands: int
    winner: str
    side_1: str = ""
    side_2: str = ""
    side_3: str = ""
    total_1: int | None = None
    total_2: int | None = None
    total_3: int | None = None
    margin_1: int | None = None
    margin_2: int | None = None
    margin_3: int | None = None
    amount_1: Decimal | None = None
    amount_2: Decimal | None = None
    amount_3: Decimal | None = None
    currency: str = ""
    counts: str = ""
    stake: str = ""
    last_change: datetime | None = None
    note: str = ""

    def of_sides(
        self,
        names: Sequence[str],
        totals: Sequence[int],
        margins: Sequence[int],
        amounts: Sequence[Decimal],
    ) -> MatchLine:
        """The same with the figures of its two or three sides."""
        figures: dict[str, Any] = dict(
            chain(_numbered("side", names), _numbered("total", totals),
                  _numbered("margin", margins), _numbered("amount", amounts))
        )  # fmt: skip
        return self._replace(**figures)


def _numbered(name: str, values: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(f"{name}_{number}", value) for number, value in enumerate(values, 1)]
