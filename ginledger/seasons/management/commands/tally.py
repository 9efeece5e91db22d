from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from ginledger.matches.book import load_book
from ginledger.matches.models import Match
from ginledger.seasons.tally import post


class Command(BaseCommand):
    help = (
        "Work out anew what standings and statistics are made of, match by match: after an "
        "update that counts something more, or when the audit finds a difference there."
    )

    def handle(self, **options: Any) -> None:
        count = 0
        for key in Match.objects.filter(over=True).order_by("pk").values_list("pk", flat=True):
            with transaction.atomic():
                match = Match.objects.select_for_update().get(pk=key)
                post(match, load_book(match).sheet)
            count += 1
        self.stdout.write(f"{count} matches counted.")
