"""``manage.py tally``: everything that seasons keep of the matches, worked out anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from ginledger.clubs.models import Club
from ginledger.matches import posters
from ginledger.matches.book import load_book
from ginledger.matches.models import Match
from ginledger.seasons.tally import write


class Command(BaseCommand):
    help = (
        "Work out anew what standings, statistics and balances are added up from, match by "
        "match: after an update that counts something more, or when the audit finds a "
        "difference there."
    )

    def handle(self, **options: Any) -> None:
        count = 0
        for key in Match.objects.order_by("pk").values_list("pk", flat=True).iterator():
            with transaction.atomic():
                match = Match.objects.select_for_update().get(pk=key)
                write(match, load_book(match).sheet)
            count += match.counts
        for club in Club.objects.order_by("pk").iterator():
            with transaction.atomic():
                posters.remake(club)
        self.stdout.write(f"{count} matches counted.")
