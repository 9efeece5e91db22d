"""Ratings along the days of a period, as a chart and its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.formats import date_format

from ginledger.clubs.models import Player
from ginledger.spans import ONE_DAY, last_of_month, month_of

from .charts import MOST_LINES, Chart
from .drawing import Line, line_charts
from .models import Rating
from .periods import Period
from .ratings import START, Standing

# A chart has no more points than this, and a query as many parts.
MOST_POINTS = 60


def rating_chart(period: Period, standings: Sequence[Standing]) -> Chart | None:
    """The ratings of the first six, at the ends of days, weeks or months; up to three queries.

    Who has few matches is left out. None where nobody is left, and before there are two points.
    """
    shown = [one.rated.player for one in standings if not one.few][:MOST_LINES]
    rows = Rating.objects.filter(period.days(), club=period.club)
    if not shown:
        return None
    first, last = (
        rows.order_by(order).values_list("played_on", flat=True)[0]
        for order in ("played_on", "-played_on")
    )
    step, ends = steps(first, last)
    if len(ends) < 2:
        return None
    lines = _lines(shown, [first - ONE_DAY, *ends])
    names = tuple(one.name for one in shown)
    labels = [date_format(day, "M Y" if step == "month" else "j M") for day in ends]
    drawing = line_charts(
        [Line(name, line) for name, line in zip(names, lines, strict=True)],
        labels,
        f"Ratings by {step}; the table has the numbers.",
    )
    numbers = tuple(
        (label, tuple(line[at] for line in lines)) for at, label in enumerate(labels, 1)
    )
    return Chart(drawing, names, names, numbers, step)


def steps(first: date, last: date) -> tuple[str, list[date]]:
    """What a step is ("day", "week", "month", "3 months"), and the days at whose ends there is a
    point, up to ``MOST_POINTS``, the last of them at or after the last day."""
    days = (last - first).days + 1
    for name, length in (("day", 1), ("week", 7)):
        if days <= length * MOST_POINTS:
            count = -(-days // length)
            return name, [last - timedelta(days=length * back) for back in reversed(range(count))]
    months = 12 * (last.year - first.year) + last.month - first.month + 1
    length = -(-months // MOST_POINTS)
    ends = [last_of_month(last)]
    while (before := _back(ends[0], length)) >= first:
        ends.insert(0, before)
    return "month" if length == 1 else f"{length} months", ends


def _back(end: date, months: int) -> date:
    for _ in range(months):
        end = month_of(end) - ONE_DAY
    return end


def _lines(players: Sequence[Player], days: Sequence[date]) -> list[list[int]]:
    """The rating of each player at the end of each day, 1500 before his first match; one query."""
    found = (
        Player.objects.filter(pk__in=[one.pk for one in players])
        .annotate(**{f"at_{place}": Subquery(_after(day)) for place, day in enumerate(days)})
        .values_list("pk", *(f"at_{place}" for place in range(len(days))))
    )
    lines = {pk: [round(START if one is None else one) for one in values] for pk, *values in found}
    return [lines[one.pk] for one in players]


def _after(day: date) -> QuerySet[Rating, float]:
    own = Rating.objects.filter(player=OuterRef("pk"), played_on__lte=day)
    return own.order_by("-played_on", "-match_id").values_list("after", flat=True)[:1]
