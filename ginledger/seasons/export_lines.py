"""A match as one line of a table, and moments as a spreadsheet has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo


def local(moment: datetime, zone: ZoneInfo) -> datetime:
    """A moment in the time of the club, to the second and without a zone, which no cell holds."""
    return moment.astimezone(zone).replace(tzinfo=None, microsecond=0)


def local_reader(zone: ZoneInfo) -> Callable[[str], datetime]:
    """``local`` for thousands of moments as the database writes them: "2026-03-31 20:15:04.5".

    The zone is asked once a day, and for each moment only on a day whose clocks are changed.
    """
    offsets: dict[str, timedelta | None] = {}

    def of_day(day: str) -> timedelta | None:
        begins = datetime.fromisoformat(day).replace(tzinfo=UTC)
        first, last = (
            (begins + timedelta(days=days)).astimezone(zone).utcoffset() for days in (0, 1)
        )
        return first if first == last else None

    def read(text: str) -> datetime:
        day = text[:10]
        moment = datetime.fromisoformat(text[:19])
        if day not in offsets:
            offsets[day] = of_day(day)
        offset = offsets[day]
        return local(moment.replace(tzinfo=UTC), zone) if offset is None else moment + offset

    return read


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
