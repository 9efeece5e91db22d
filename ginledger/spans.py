"""Sums kept by day and by month, and which of them make up a stretch of days.

Pages that add up a season read the sums of whole months and, at its two ends, of days: how many
there are follows from the calendar and not from how much was played.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from django.db import models
from django.db.models import Q

ONE_DAY = timedelta(days=1)


class Span(models.TextChoices):
    DAY = "d", "day"
    MONTH = "m", "month"


class Spanned(models.Model):
    """A sum over a day or a month, which ``day`` is the first day of."""

    span = models.CharField(max_length=1, choices=Span.choices)
    day = models.DateField()

    class Meta:
        abstract = True


def month_of(day: date) -> date:
    """The first day of its month."""
    return day.replace(day=1)


def last_of_month(day: date) -> date:
    """The last day of its month."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def made_of(begins: date | None, ends: date | None, **of: Any) -> Q:
    """The filter of the ``Spanned`` rows that make up these days, each day in one of them.

    Both days count; None for both: all time. of: what else the rows are to be, the club above
    all. It stands beside every stretch, so that a database finds each by an index.
    """
    months = Q(span=Span.MONTH, **of)
    if begins is None or ends is None:
        return months
    whole_ends = begins.day == 1, ends == last_of_month(ends)
    if month_of(begins) == month_of(ends) and not all(whole_ends):
        return _days(begins, ends, of)
    first = begins if whole_ends[0] else last_of_month(begins) + ONE_DAY
    last = ends if whole_ends[1] else month_of(ends) - ONE_DAY
    if first > last:  # the ends of two months that follow each other
        return _days(begins, ends, of)
    found = months & Q(day__gte=first, day__lte=last)
    if begins < first:
        found |= _days(begins, first - ONE_DAY, of)
    if last < ends:
        found |= _days(last + ONE_DAY, ends, of)
    return found


def by_day(begins: date | None, ends: date | None, **of: Any) -> Q:
    """The filter of the rows of single days among these; of: as for ``made_of``."""
    if begins is None or ends is None:
        return Q(span=Span.DAY, **of)
    return _days(begins, ends, of)


def _days(first: date, last: date, of: dict[str, Any]) -> Q:
    return Q(span=Span.DAY, day__gte=first, day__lte=last, **of)
