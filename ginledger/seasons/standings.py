"""The table of a club for some days: one line a player, summed in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Aggregate, Max, QuerySet, Sum

from ginledger.clubs.models import Player
from ginledger.money.models import Subtotal

from .models import MOST, SUMMED, Played, Total
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


def totals_of(period: Period) -> QuerySet[Total]:
    """The sums of months and days that make up these days, of every player's matches."""
    return Total.objects.filter(period.spans(opponent=None)).order_by()


def totals_of_two(period: Period, one: Player, other: Player) -> QuerySet[Total]:
    """The same of the matches that these two played alone with each other."""
    pair = [one.pk, other.pk]
    return Total.objects.filter(period.spans(player__in=pair, opponent__in=pair)).order_by()


def added_up(totals: QuerySet[Total]) -> dict[int, dict[str, int]]:
    """The figures of each player by his id, added up or the most of them; one query."""
    sums: dict[str, Aggregate] = {f"all_{name}": Sum(name) for name in SUMMED}
    sums |= {f"all_{name}": Max(name) for name in MOST}
    names = (*SUMMED, *MOST)
    return {
        player: dict(zip(names, values, strict=True))
        for player, *values in totals.values_list("player_id").annotate(**sums)
    }


def standings(period: Period) -> Standings:
    """The table of these days; five queries, however many matches there are."""
    sums = added_up(totals_of(period))
    amounts = _amounts(period)
    players = period.club.players.filter(pk__in=sums).order_by("folded")
    lines = [Line(one, sums[one.pk], amount=amounts.get(one.pk, 0)) for one in players]
    played = Played.objects.filter(period.spans()).aggregate(
        matches=Sum("matches"), hands=Sum("hands")
    )
    return Standings(
        period,
        tuple(_placed(lines)),
        played["matches"] or 0,
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
    sums = Subtotal.objects.filter(period.spans(of_matches=True, currency=period.club.currency))
    found: dict[int, int] = {}
    for side, sign in (("creditor_id", 1), ("debtor_id", -1)):
        for player, total in sums.order_by().values_list(side).annotate(total=Sum("amount")):
            found[player] = found.get(player, 0) + sign * total
    return found
