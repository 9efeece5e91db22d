"""Net points along the days of a period, as charts add them up: by day, week or month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Max, Min, Sum
from django.db.models.functions import TruncDay, TruncMonth, TruncWeek

from ginledger.clubs.models import Player

from .models import Played, Total
from .periods import Period


@dataclass(frozen=True, slots=True)
class Nets:
    """step: "day", "week" or "month"; sums: the first day of each step in which anybody played,
    in order, with the net points of that step by player id."""

    step: str
    sums: tuple[tuple[date, dict[int, int]], ...]


NOTHING = Nets("day", ())


def nets(period: Period) -> Nets:
    """The net points of every player in these days; two queries."""
    return _nets(period, opponent=None)


def pair_nets(period: Period, one: Player, other: Player) -> Nets:
    """The net points of one in the matches that the two played alone with each other; what is
    the other's is the same with its sign turned. Two queries."""
    return _nets(period, player=one, opponent=other)


def _nets(period: Period, **whose: Any) -> Nets:
    played = Played.objects.filter(period.single_days())
    days = played.aggregate(first=Min("day"), last=Max("day"))
    if days["first"] is None:
        return NOTHING
    step, trunc = _step(days["last"] - days["first"])
    spans = period.spans if step == "month" else period.single_days
    totals = Total.objects.filter(spans(**whose)).order_by()
    rows = totals.annotate(bucket=trunc("day")).values_list("bucket", "player_id")
    found: dict[date, dict[int, int]] = {}
    for day, player, net in rows.annotate(all_net=Sum("net")).order_by("bucket"):
        found.setdefault(day, {})[player] = net
    return Nets(step, tuple(found.items()))


def _step(span: timedelta) -> tuple[str, Any]:
    if span.days <= 31:
        return "day", TruncDay
    if span.days <= 200:
        return "week", TruncWeek
    return "month", TruncMonth
