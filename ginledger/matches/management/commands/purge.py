"""``manage.py purge``: matches that lay long enough in the bin are ended for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from ginledger.matches.life import KEPT_FOR, purge


class Command(BaseCommand):
    help = "End the matches that have been in the bin for 30 days; run it once a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=KEPT_FOR.days, help="how long they had to be in the bin"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ended = purge(timezone.now() - timedelta(days=max(options["days"], 0)))
        self.stdout.write(f"{ended} {'match' if ended == 1 else 'matches'} ended.")
