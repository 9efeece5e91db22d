"""``manage.py export``: a club or a match as tables, for whoever has the server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ginledger.clubs.models import Club
from ginledger.matches.models import Match
from ginledger.seasons.export_files import DELIMITERS, csv_text
from ginledger.seasons.export_rows import TOPICS, Scope

# An export that is done sooner shows no progress.
PATIENCE = 2.0


class Command(BaseCommand):
    help = "Write a club's or a match's hands, matches or ledger as CSV."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="of the club or the match, as in its address")
        parser.add_argument("--table", choices=TOPICS, default="hands")
        parser.add_argument("--since", type=date.fromisoformat, help="the first day, 2026-01-31")
        parser.add_argument("--until", type=date.fromisoformat, help="the last day")
        parser.add_argument("--delimiter", choices=DELIMITERS, default="comma")
        parser.add_argument("--output", "-o", default="-", help="a file; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        scope = _scope(options["key"], options["since"], options["until"])
        topic = TOPICS[options["table"]]
        pieces = csv_text(scope, topic, DELIMITERS[options["delimiter"]])
        try:
            self._write(_watched(pieces, topic.about(scope), self.stderr), options["output"])
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}.", returncode=2) from error

    def _write(self, pieces: Iterable[str], name: str) -> None:
        if name == "-":
            for piece in pieces:
                self.stdout.write(piece, ending="")
            return
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)


def _scope(key: str, since: date | None, until: date | None) -> Scope:
    """What a key asks for; raises CommandError where it is of nothing."""
    if (club := Club.objects.filter(key=key).first()) is not None:
        return Scope(club, since=since, until=until)
    match = Match.objects.select_related("club").filter(key=key, deleted_at=None).first()
    if match is None:
        raise CommandError(f"No club and no match has the key {key}.", returncode=2)
    return Scope(match.club, match, since, until)


def _watched(pieces: Iterator[str], about: int, screen: Any) -> Iterator[str]:
    """The same pieces; where it takes long a person sees how much of about so many lines is out."""
    begun = shown = time.monotonic()
    lines = 0
    for piece in pieces:
        yield piece
        lines += piece.count("\n")
        now = time.monotonic()
        if screen.isatty() and now - begun > PATIENCE and now - shown > PATIENCE / 10:
            done = min(lines / max(about, 1), 1)
            screen.write(f"\r[{'#' * round(30 * done):30}] {done:4.0%}", ending="")
            shown = now
    if shown != begun:
        screen.write(f"\r[{'#' * 30}] 100%")
