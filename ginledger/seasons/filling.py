"""What is derived and kept of matches, filled in where an older version did not keep it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches import posters
from ginledger.matches.book import load_book
from ginledger.matches.models import Match, Row, Seat
from ginledger.money.models import Entry, Subtotal
from ginledger.spans import Span

from .models import HandResult, Played, Rating, Tally
from .results import results_of_stored, stored
from .tally import write

MATCHES_AT_ONCE = 200


def fill_missing() -> int:
    """Fill in what is missing, some matches at a time; how many matches and clubs lacked something.

    Cheap where nothing is missing: six queries, which look once at each match and each entry.
    """
    return fill_results() + fill_sums()


def fill_sums() -> int:
    """Count the matches of clubs anew where something of them is not counted; how many clubs.

    What is asked for is what is missing, match by match and entry by entry: whatever was stored
    before the filling, or while it was broken off, hides nothing. A finished match that does not
    replay is missing at every time; the audit tells of it.
    """
    lacking = {club for found in _uncounted() for club in found.order_by().distinct()}
    clubs = list(Club.objects.filter(pk__in=lacking).order_by("pk"))
    for club in clubs:
        with transaction.atomic():
            count_again(club)
    return len(clubs)


def _uncounted() -> Iterator[QuerySet[Any, int]]:
    """The clubs of what is not counted, or was counted by a version that counted less."""
    this, day = OuterRef("pk"), {"club": OuterRef("club"), "span": Span.DAY}
    finished = Match.objects.filter(over=True, deleted_at=None, net__isnull=False)
    for model in (Tally, Rating):
        yield finished.exclude(Exists(model.objects.filter(match=this))).values_list(
            "club", flat=True
        )
    yield Tally.objects.filter(by_hands=0, hands__gt=0).values_list("club", flat=True)
    unsummed = ~Exists(Played.objects.filter(**day, day=OuterRef("played_on")))
    yield Tally.objects.filter(unsummed).values_list("club", flat=True)
    owed = ~Exists(Subtotal.objects.filter(**day, day=OuterRef("on")))
    yield Entry.objects.settling().filter(owed).values_list("club", flat=True)


def count_again(club: Club) -> int:
    """Write the tallies of a club and all that is added up from them; how many matches count.

    In a transaction. A book that does not replay is left out: the audit tells of it.
    """
    count = 0
    counted = Match.objects.filter(
        Q(over=True) | Exists(Tally.objects.filter(match=OuterRef("pk")))
    )
    for match in counted.filter(club=club).order_by("pk").iterator(chunk_size=MATCHES_AT_ONCE):
        try:
            sheet = load_book(match).sheet
        except (GinError, LookupError, TypeError, ValueError):
            continue
        write(match, sheet)
        count += match.counts
    posters.remake(club)
    return count


def fill_results() -> int:
    """Keep the results of matches that have rows and no results; how many there were."""
    lacking = list(
        Match.objects.filter(
            Exists(Row.objects.filter(match=OuterRef("pk"))),
            ~Exists(HandResult.objects.filter(match=OuterRef("pk"))),
        )
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    for start in range(0, len(lacking), MATCHES_AT_ONCE):
        _fill(lacking[start : start + MATCHES_AT_ONCE])
    return len(lacking)


def _fill(keys: list[int]) -> None:
    seats = Seat.objects.select_related("player").order_by("side", "number")
    rows = Row.objects.order_by("position")
    with transaction.atomic():
        # Whoever wrote one of them meanwhile has filled it in himself.
        found = Match.objects.filter(pk__in=keys, results=None).order_by("pk")
        found = found.prefetch_related(Prefetch("seats", seats), Prefetch("rows", rows))
        new = [one for match in found for one in stored(match.pk, results_of_stored(match))]
        HandResult.objects.bulk_create(new, batch_size=1000)


def fill_after_migrating(using: str = DEFAULT_DB_ALIAS, **asked: Any) -> None:
    """What ``manage.py migrate`` ends with, on a database that has every table of today."""
    # A database that was only emptied (``flush``) has no plan and nothing to fill in.
    if using != DEFAULT_DB_ALIAS or "plan" not in asked:
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    count = fill_missing()
    if count and asked["verbosity"] and asked["stdout"]:
        asked["stdout"].write(f"  Filled in what was missing of {count} matches and clubs.\n")
