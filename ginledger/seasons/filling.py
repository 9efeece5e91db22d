"""What is derived and kept of matches, filled in where an older version did not keep it."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Exists, OuterRef, Prefetch, Q

from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches import posters
from ginledger.matches.book import load_book
from ginledger.matches.models import Match, Row, Seat
from ginledger.money.models import Entry, Subtotal

from .models import HandResult, Played, Tally
from .results import results_of_stored, stored
from .tally import write

MATCHES_AT_ONCE = 200


def fill_missing() -> int:
    """Fill in what is missing, some matches at a time; how many matches and clubs lacked something.

    Cheap where nothing is missing: two queries, which look once at each match and each club.
    """
    return fill_results() + fill_sums()


def fill_sums() -> int:
    """Count the matches of clubs anew that have finished ones, or a ledger, and no sums of them;
    how many clubs there were."""
    of_club = {"club": OuterRef("pk")}
    lacking = Club.objects.filter(
        Exists(Match.objects.filter(**of_club, over=True, deleted_at=None))
        & ~Exists(Played.objects.filter(**of_club))
        | Exists(Entry.objects.standing().filter(**of_club))
        & ~Exists(Subtotal.objects.filter(**of_club))
    )
    clubs = list(lacking.order_by("pk"))
    for club in clubs:
        with transaction.atomic():
            count_again(club)
    return len(clubs)


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
