"""Net points along the days of a period, as charts add them up: by day, week or month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Max, Min, QuerySet, Sum
from django.db.models.functions import TruncDay, TruncMonth, TruncWeek

from ginledger.clubs.models import Player

from .models import Tally
from .periods import Period
from .standings import tallies_of


@dataclass(frozen=True, slots=True)
class Nets:
    """step: "day", "week" or "month"; sums: the first day of each step in which anybody played,
    in order, with the net points of that step by player id."""

    step: str
    sums: tuple[tuple[date, dict[int, int]], ...]


NOTHING = Nets("day", ())


def nets(period: Period) -> Nets:
    """The net points of every player in these days; two queries."""
    return _nets(tallies_of(period))


def pair_nets(period: Period, one: Player, other: Player) -> Nets:
    """The net points of one in the matches that the two played alone with each other; what is
    the other's is the same with its sign turned. Two queries."""
    return _nets(tallies_of(period).filter(player=one, opponent=other))


def _nets(tallies: QuerySet[Tally]) -> Nets:
    span = tallies.aggregate(first=Min("played_on"), last=Max("played_on"))
    if span["first"] is None:
        return NOTHING
    step, trunc = _step(span["last"] - span["first"])
    rows = tallies.annotate(bucket=trunc("played_on")).values_list("bucket", "player_id")
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
