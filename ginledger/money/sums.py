"""What one owes another by the entries of each day and each month that count: kept, never patched.

Where an entry is posted or struck, or a match is disputed or agreed, the sums of its day are
written whole from the entries, and those of its month from the days, in the same transaction.
Balances and standings read the months, so that they take as long in a club's tenth year as in
its first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date

from django.db.models import BooleanField, Case, Q, Sum, Value, When
from django.db.models.functions import TruncMonth

from ginledger.clubs.models import Club
from ginledger.matches import posters
from ginledger.spans import Span, last_of_month, month_of

from .models import Entry, Kind, Subtotal

# A line of the sums: day, currency, debtor, creditor, whether of matches, amount.
Line = tuple[date, str, int, int, bool, int]
_KEYS = ("currency", "debtor_id", "creditor_id", "of_matches")


def follow(club_id: int, *days: date) -> None:
    """Have the sums of these days be right at the end of the act that runs."""
    for day in days:
        posters.follow(rewrite, (club_id, day))


def rewrite(days: Collection[tuple[int, date]]) -> None:
    """Write the sums of these days of clubs (by their ids) whole, and of their months."""
    for club_id in sorted({club_id for club_id, _ in days}):
        own = {day for club, day in days if club == club_id}
        _replace(club_id, Span.DAY, own, _of_days(club_id, Q(on__in=own)))
        months = {month_of(day) for day in own}
        _replace(club_id, Span.MONTH, months, _of_months(club_id, months))


def _replace(club_id: int, span: Span, days: Collection[date], lines: Iterable[Line]) -> None:
    Subtotal.objects.filter(club=club_id, span=span, day__in=days).delete()
    Subtotal.objects.bulk_create(_stored(club_id, span, lines))


def _stored(club_id: int, span: Span, lines: Iterable[Line]) -> Iterator[Subtotal]:
    for day, currency, debtor, creditor, of_matches, amount in lines:
        yield Subtotal(
            club_id=club_id,
            span=span,
            day=day,
            currency=currency,
            debtor_id=debtor,
            creditor_id=creditor,
            of_matches=of_matches,
            amount=amount,
        )


def _of_days(club_id: int, which: Q) -> Iterator[Line]:
    """The sums of the club's days, from the entries that count; one query."""
    kind = Case(
        When(kind=Kind.MATCH, then=Value(True)), default=Value(False), output_field=BooleanField()
    )
    entries = Entry.objects.filter(which, club=club_id).settling().order_by()
    found = entries.annotate(of_matches=kind).values_list("on", *_KEYS).annotate(all=Sum("amount"))
    yield from found.order_by("on", *_KEYS)


def _of_months(club_id: int, months: Iterable[date]) -> Iterator[Line]:
    """The sums of these months, from those of their days."""
    for month in sorted(months):
        days = Subtotal.objects.filter(
            club=club_id, span=Span.DAY, day__gte=month, day__lte=last_of_month(month)
        )
        sums = days.order_by().values_list(*_KEYS).annotate(all=Sum("amount"))
        for currency, debtor, creditor, of_matches, amount in sums.order_by(*_KEYS):
            yield month, currency, debtor, creditor, of_matches, amount


def remake(club: Club) -> None:
    """Every sum of the club anew, from its entries; a remaker of ``matches.posters``."""
    Subtotal.objects.filter(club=club).delete()
    Subtotal.objects.bulk_create(_stored(club.pk, Span.DAY, _of_days(club.pk, Q())))
    days = Subtotal.objects.filter(club=club, span=Span.DAY).order_by()
    months = days.annotate(month=TruncMonth("day")).values_list("month", flat=True).distinct()
    Subtotal.objects.bulk_create(
        _stored(club.pk, Span.MONTH, list(_of_months(club.pk, list(months))))
    )


def check(club: Club) -> Iterator[str]:
    """Sums of the club that are not what its entries come to, a sentence each; for the audit."""
    right: dict[tuple[str, date], dict[tuple[object, ...], int]] = {}
    for day, *key, amount in _of_days(club.pk, Q()):
        for span in ((Span.DAY.value, day), (Span.MONTH.value, month_of(day))):
            sums = right.setdefault(span, {})
            sums[tuple(key)] = sums.get(tuple(key), 0) + amount
    kept: dict[tuple[str, date], dict[tuple[object, ...], int]] = {}
    rows = Subtotal.objects.filter(club=club).values_list("span", "day", *_KEYS, "amount")
    for span_name, day, *key, amount in rows:
        kept.setdefault((span_name, day), {})[tuple(key)] = amount
    for span_name, day in sorted(right.keys() | kept.keys()):
        if right.get((span_name, day)) != kept.get((span_name, day)):
            yield f"the sums of the {Span(span_name).label} {day} differ from its entries"
