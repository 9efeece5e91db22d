"""The table of a club for some days: one line a player, summed in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Aggregate, Count, Max, QuerySet, Sum

from ginledger.clubs.models import Player
from ginledger.matches.models import Match
from ginledger.money.models import Entry, Kind

from .models import MOST, SUMMED, Tally
from .periods import Period

# How players level on points are put in order, as the page says it.
TIE_BREAK = (
    "Order: net points; then matches won, fewer matches lost, hands won. "
    "Who is level in all of these shares the place."
)


@dataclass(frozen=True, slots=True)
class Line:
    """A player's figures (``models.FIELDS``). place: from 1, shared where level in every point of
    the order; amount: what his matches came to, in minor units of the club's currency."""

    player: Player
    figures: dict[str, int]
    place: int = 0
    amount: int = 0

    @property
    def order(self) -> tuple[int, int, int, int]:
        """What decides the place, the smallest first."""
        own = self.figures
        return -own["net"], -own["won"], own["lost"], -own["hands_won"]


@dataclass(frozen=True, slots=True)
class Standings:
    """lines: best first; matches, hands: how many were played; with_money: amounts are shown."""

    period: Period
    lines: tuple[Line, ...]
    matches: int
    hands: int
    with_money: bool = False
    rule: str = field(default=TIE_BREAK)


def tallies_of(period: Period) -> QuerySet[Tally]:
    """The tallies of these days."""
    return Tally.objects.filter(period.days(), club=period.club).order_by()


def added_up(tallies: QuerySet[Tally], *keys: str) -> list[tuple[tuple[Any, ...], dict[str, int]]]:
    """The figures of each value of the keys, added up or the most of them; one query."""
    sums: dict[str, Aggregate] = {f"all_{name}": Sum(name) for name in SUMMED}
    sums |= {f"all_{name}": Max(name) for name in MOST}
    rows = tallies.values_list(*keys).annotate(**sums)
    names = (*SUMMED, *MOST)
    return [(row[: len(keys)], dict(zip(names, row[len(keys) :], strict=True))) for row in rows]


def standings(period: Period) -> Standings:
    """The table of these days; five queries, however many matches there are."""
    sums = {player: own for (player,), own in added_up(tallies_of(period), "player_id")}
    amounts = _amounts(period)
    players = period.club.players.filter(pk__in=sums).order_by("folded")
    lines = [Line(one, sums[one.pk], amount=amounts.get(one.pk, 0)) for one in players]
    played = Match.objects.filter(
        period.days(), club=period.club, over=True, deleted_at=None
    ).aggregate(matches=Count("pk"), hands=Sum("hand_count"))
    return Standings(
        period,
        tuple(_placed(lines)),
        played["matches"],
        played["hands"] or 0,
        bool(amounts),
    )


def _placed(lines: Iterable[Line]) -> Iterable[Line]:
    place, before = 0, None
    for number, line in enumerate(sorted(lines, key=lambda line: line.order), 1):
        if line.order != before:
            place, before = number, line.order
        yield Line(line.player, line.figures, place, line.amount)


def _amounts(period: Period) -> dict[int, int]:
    """What the matches of these days came to for each player; disputed ones do not count."""
    if not period.club.currency:
        return {}
    entries = Entry.objects.filter(
        period.days("on"), club=period.club, kind=Kind.MATCH, currency=period.club.currency
    )
    found: dict[int, int] = {}
    for side, sign in (("creditor_id", 1), ("debtor_id", -1)):
        for player, total in (
            entries.settling().order_by().values_list(side).annotate(total=Sum("amount"))
        ):
            found[player] = found.get(player, 0) + sign * total
    return found
