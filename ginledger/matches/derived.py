"""The figures of a match that are stored for lists: worked out whole, never added to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ginledger.gin.sheet import Sheet

from .ink import SHELF_ACTS
from .models import Amendment, Match

FIELDS = ("over", "winner", "net", "totals", "hand_count", "last_at")


def derive(match: Match, sheet: Sheet, log: Iterable[Amendment]) -> dict[str, Any]:
    """The value of every one of ``FIELDS`` by the sheet and the log of a match.

    An open match has neither winner nor net; ``totals`` are points, a list of sides a column.
    """
    return {
        "over": sheet.over,
        "winner": sheet.winner if sheet.over else None,
        "net": list(sheet.net) if sheet.over and sheet.net is not None else None,
        "totals": [[side.total for side in column.sides] for column in sheet.columns],
        "hand_count": sum(1 for hand in sheet.hands if hand.kind != "adjustment"),
        "last_at": max(
            (amendment.at for amendment in log if amendment.action not in SHELF_ACTS),
            default=match.created_at,
        ),
    }
