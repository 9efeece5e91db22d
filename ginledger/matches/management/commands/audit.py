from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches import posters
from ginledger.matches.book import altered_rows, load_book
from ginledger.matches.derived import derive
from ginledger.matches.models import Match


class Command(BaseCommand):
    help = (
        "Replay every match and compare what is stored: its derived figures with those of its "
        "rows, and each row with its last amendment. Every difference is a line; exit status 1 "
        "when there is one."
    )

    def handle(self, **options: Any) -> None:
        matches = wrong = 0
        for club in Club.objects.order_by("pk").iterator(chunk_size=500):
            for line in posters.club_differences(club):
                wrong += 1
                self.stdout.write(f"club {club.key}: {line}")
        for match in Match.objects.order_by("pk").iterator(chunk_size=500):
            matches += 1
            for line in differences(match):
                wrong += 1
                self.stdout.write(f"match {match.key}: {line}")
        if wrong:
            raise CommandError(f"{wrong} differences in {matches} matches.", returncode=1)
        self.stdout.write(f"{matches} matches, every figure as its rows say.")


def differences(match: Match) -> Iterator[str]:
    """What is stored for a match otherwise than its rows and its log say, a sentence each."""
    try:
        book = load_book(match)
    except (GinError, LookupError, TypeError, ValueError) as error:
        yield f"its rows cannot be replayed: {error}"
        return
    for name, value in derive(match, book.sheet, book.amendments).items():
        stored = getattr(match, name)
        if stored != value:
            yield f"{name} is {stored!r}, its rows say {value!r}"
    yield from altered_rows(book)
    yield from posters.differences(match, book.sheet)
