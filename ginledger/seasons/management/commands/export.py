"""``manage.py export``: a club or a match as tables, for whoever has the server."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.http import Http404

from ginledger.clubs.models import Club
from ginledger.csv_files import csv_chunks
from ginledger.matches.models import Match
from ginledger.seasons.backup import backup_text
from ginledger.seasons.export_files import DELIMITERS
from ginledger.seasons.export_json import json_chunks
from ginledger.seasons.export_rows import TOPICS, Scope, topics
from ginledger.seasons.export_xlsx import write_workbook
from ginledger.seasons.periods import find_period
from ginledger.snapshot import as_of_now, snapshot

R = TypeVar("R")
# An export that is done sooner shows no progress.
PATIENCE = 2.0


class Command(BaseCommand):
    help = (
        "Write hands, matches, standings, statistics and ledger as CSV or a workbook, or the "
        "backup of a club."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="of the club or the match, as in its address")
        parser.add_argument("--table", choices=TOPICS, default="hands")
        parser.add_argument("--season", help="the key of one, a year, or all; in place of days")
        parser.add_argument("--since", type=date.fromisoformat, help="the first day, 2026-01-31")
        parser.add_argument("--until", type=date.fromisoformat, help="the last day")
        parser.add_argument("--delimiter", choices=DELIMITERS, default="comma")
        parser.add_argument("--xlsx", action="store_true", help="every table in one workbook")
        parser.add_argument(
            "--json", action="store_true",
            help="a club's backup, for restore; of less than a club, every table",
        )  # fmt: skip
        parser.add_argument("--output", "-o", default="-", help="a file; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        scope = _scope(options)
        try:
            if options["json"]:
                self._json(scope, options["output"])
            elif options["xlsx"]:
                self._workbook(scope, options["output"])
            else:
                self._table(scope, options)
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}.", returncode=2) from error

    def _workbook(self, scope: Scope, name: str) -> None:
        if name == "-":
            raise CommandError("A workbook is no text: name a file with -o.", returncode=2)
        with replacing(name) as file, snapshot():
            write_workbook(scope, file, lambda rows, about: _watched(rows, about, self.stderr))

    def _json(self, scope: Scope, name: str) -> None:
        if scope != Scope(scope.club):
            pieces = json_chunks(scope, lambda rows, about: _watched(rows, about, self.stderr))
        else:
            about = scope.match_count() + scope.entry_count()
            pieces = _watched(backup_text(scope.club), about, self.stderr)
        self._text(pieces, name)

    def _table(self, scope: Scope, options: dict[str, Any]) -> None:
        topic = TOPICS[options["table"]]
        if topic not in topics(scope):
            raise CommandError(f"One match has no {topic.name}.", returncode=2)
        rows = _watched(topic.rows(scope), topic.about(scope), self.stderr)
        pieces = csv_chunks(topic.head, rows, DELIMITERS[options["delimiter"]])
        self._text(pieces, options["output"])

    def _text(self, pieces: Iterator[str], name: str) -> None:
        if name == "-":
            for piece in as_of_now(pieces):
                self.stdout.write(piece, ending="")
            return
        with replacing(name) as file:
            file.writelines(piece.encode() for piece in as_of_now(pieces))


@contextmanager
def replacing(name: str) -> Iterator[IO[bytes]]:
    """A file that takes the place of the one of this name when it is whole, and not before.

    What is no plain file, such as a pipe, is written into.
    """
    place = Path(name)
    if place.exists() and not place.is_file():
        with place.open("wb") as pipe:
            yield pipe
        return
    part = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            yield file
        os.replace(part, place.resolve())
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _scope(options: dict[str, Any]) -> Scope:
    """What is asked for; raises CommandError where there is no such thing."""
    key, season, since, until = (options[name] for name in ("key", "season", "since", "until"))
    if season and (since or until):
        raise CommandError("Say a season or days, not both.", returncode=2)
    if (club := Club.objects.filter(key=key).first()) is not None:
        if not season:
            return Scope(club, since=since, until=until)
        try:
            return Scope.of(find_period(club, season))
        except Http404 as error:
            raise CommandError(f"The club has no season {season}.", returncode=2) from error
    match = Match.objects.select_related("club").filter(key=key, deleted_at=None).first()
    if match is None:
        raise CommandError(f"No club and no match has the key {key}.", returncode=2)
    if season:
        raise CommandError("A season is of a club; this is the key of a match.", returncode=2)
    return Scope(match.club, match, since, until)


def _watched(rows: Iterator[R], about: int, screen: OutputWrapper) -> Iterator[R]:
    """The same rows; where it takes long a person sees how much of about so many is out."""
    return _barred(rows, about, screen) if screen.isatty() else rows


def _barred(rows: Iterator[R], about: int, screen: OutputWrapper) -> Iterator[R]:
    begun = shown = time.monotonic()
    for number, row in enumerate(rows, 1):
        yield row
        now = time.monotonic()
        if now - begun > PATIENCE and now - shown > PATIENCE / 10:
            done = min(number / max(about, 1), 1)
            _say(screen, f"\r[{'#' * round(30 * done):30}] {done:4.0%}", "")
            shown = now
    if shown != begun:
        _say(screen, f"\r[{'#' * 30}] 100%", "\n")


def _say(screen: OutputWrapper, text: str, ending: str) -> None:
    # What goes to standard error is red otherwise, and this is none.
    screen.write(text, style_func=str, ending=ending)
