"""``manage.py tally``: everything that seasons keep of the matches, worked out anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches.book import load_book
from ginledger.matches.models import Match
from ginledger.seasons import results
from ginledger.seasons.filling import count_again


class Command(BaseCommand):
    help = (
        "Work out anew what standings, statistics, ratings, balances and tables of hands are made "
        "from, match by match: after an update that counts something more, or when the audit "
        "finds a difference there."
    )

    def handle(self, **options: Any) -> None:
        for match in Match.objects.order_by("pk").iterator(chunk_size=200):
            _keep_results(match.pk)
        count = 0
        for club in Club.objects.order_by("pk").iterator():
            with transaction.atomic():
                count += count_again(club)
        self.stdout.write(f"{count} matches counted.")


def _keep_results(key: int) -> None:
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=key)
        try:
            results.post(match, load_book(match).sheet)
        except (GinError, LookupError, TypeError, ValueError):
            # The audit tells of a book that does not replay.
            return
