"""Measure the export: python bench/export.py 1000 100000 (docs/export.md says what to expect).

For each number of hands a database of its own is filled; then the hands go out as CSV beside
``csv.writer`` over a raw cursor that joins the same tables and writes as many columns of the same
rows, in the same process, in turn; a fresh ``manage.py export`` of them tells its peak memory.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEOPLE = ("Ann", "Ben", "Cleo", "Dev", "Élodie", "Farid", "Grete", "Hiro", "Ines", "Jürgen")
FIRST_DAY = date(2016, 1, 1)
DAYS = 3650
ROUNDS = 5
# What ``export`` writes of a hand, as plain values of the tables it is read from.
PLAIN = """
    SELECT m.played_on, m.key, m.first_dealer, m.rules_name, h.position, h.number, h."table",
        h.state, h.kind, h.winner, h.points, h.boxes, h.entered, h.columns, h.knocker,
        h.knocker_deadwood, h.opponent, h.opponent_deadwood, h.upcard, h.dealers, h.knocker_cards,
        h.opponent_cards, r.entered_at, u.name, h.note
    FROM seasons_handresult h
    JOIN matches_match m ON m.id = h.match_id
    JOIN matches_row r ON r.id = h.row_id
    LEFT JOIN clubs_user u ON u.id = r.entered_by_id
    WHERE h.club_id = %s AND m.deleted_at IS NULL
    ORDER BY h.played_on, h.match_id, h.position, h."table"
"""


def fill(hands: int) -> str:
    """A club with this many hands, of matches of 4 to 12 over ten years; its key.

    The first thousand books are replayed; the others have their rows from one of those.
    """
    from ginledger.clubs.models import Club, Player, User

    random = Random(1)
    club = Club.objects.create(name="Bench", time_zone="Europe/Berlin")
    players = [Player.objects.create(club=club, name=name, folded=name) for name in PEOPLE]
    users = [User.objects.create(name=name, email=f"{name}@example.org") for name in PEOPLE[:3]]
    books = [Book(random) for _ in range(1000)]
    while hands:
        sizes = []
        while sum(sizes) < min(hands, 10_000):
            sizes.append(min(random.randint(4, 12), hands - sum(sizes)))
        _fill_some(club, players, users, random, [(random.choice(books), size) for size in sizes])
        hands -= sum(sizes)
    return club.key


class Book:
    """Twelve rows, and what the first of them came to once that was worked out."""

    def __init__(self, random: Random) -> None:
        self.facts = [(_fact(random), random.random() < 0.02) for _ in range(12)]
        self.results: list[Any] = []

    def of(self, match: Any, rows: list[Any]) -> Iterator[Any]:
        """The results of the rows of a match that has this book, or its beginning."""
        from ginledger.seasons.results import results_of_stored

        if len(self.results) < len(rows):
            found = type(match).objects.prefetch_related("seats__player", "rows")
            self.results = results_of_stored(found.get(pk=match.pk))
        for one, row in zip(self.results, rows, strict=False):
            yield one._replace(club_id=match.club_id, row_id=row.pk, played_on=match.played_on)


def _fill_some(
    club: Any, players: list[Any], users: list[Any], random: Random, books: list[tuple[Book, int]]
) -> None:
    from django.db import transaction

    from ginledger.gin.ruleset import preset
    from ginledger.matches.models import Match, Row, Seat
    from ginledger.seasons.models import HandResult
    from ginledger.seasons.results import Result

    rules = preset("house-modern").rules.replace(target=1000).to_json()
    with transaction.atomic():
        matches = Match.objects.bulk_create(
            Match(
                club=club, rules=rules, rules_name="Modern 1000", first_dealer=0,
                played_on=FIRST_DAY + timedelta(days=random.randrange(DAYS)),
            )
            for _ in books
        )  # fmt: skip
        _insert(
            Seat, ("club_id", "match_id", "number", "side", "player_id"),
            (
                (club.pk, match.pk, at, at, one.pk)
                for match in matches
                for at, one in enumerate(random.sample(players, 2))
            ),
        )  # fmt: skip
        last = Row.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        rows: list[list[Row]] = []
        for match, (book, size) in zip(matches, books, strict=True):
            rows.append(list(_rows(match, book.facts[:size], random.choice(users), random, last)))
            last += size
        _insert(Row, ROW, (_plain(row, ROW) for own in rows for row in own))
        made = (
            (match.pk, *one)
            for match, (book, _), own in zip(matches, books, rows, strict=True)
            for one in book.of(match, own)
        )
        _insert(HandResult, ("match_id", *Result._fields), made)


ROW = ("id", "club_id", "match_id", "key", "position", "fact", "voided_at", "entered_by_id",
       "entered_at")  # fmt: skip


def _plain(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    values = (getattr(row, name) for name in names)
    return tuple(
        json.dumps(value) if isinstance(value, dict)
        else value.replace(tzinfo=None).isoformat(" ") if isinstance(value, datetime)
        else value
        for value in values
    )  # fmt: skip


def _insert(model: Any, names: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    """Store plain values: a tenth of the time that objects take."""
    from django.db import connection

    columns, places = ", ".join(f'"{name}"' for name in names), ", ".join(["%s"] * len(names))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places})",
            [tuple(str(one) if isinstance(one, date) else one for one in row) for row in rows],
        )


def _rows(match: Any, facts: list[Any], user: Any, random: Random, last: int) -> Iterator[Any]:
    """The rows of a book, unsaved; last: the highest id so far."""
    from ginledger.matches.models import Row

    moment = datetime.combine(match.played_on, datetime.min.time(), UTC)
    moment += timedelta(seconds=random.randrange(60_000), microseconds=random.randrange(10**6))
    for place, (fact, void) in enumerate(facts, 1):
        moment += timedelta(seconds=random.randint(120, 500))
        yield Row(
            pk=last + place, club=match.club, match=match, position=place, fact=fact,
            entered_by=user, entered_at=moment, voided_at=moment if void else None,
        )  # fmt: skip


def _fact(random: Random) -> dict[str, Any]:
    """Mostly counts, as at a table; some points, dead hands, notes, upcards and spreads."""
    one, other = random.sample("01", 2)
    dice = random.random()
    fact: dict[str, Any]
    if dice < 0.7:
        fact = {"kind": "knock", "knocker": one}
        fact["deadwood"] = {one: random.randint(1, 10), other: random.randint(5, 45)}
    elif dice < 0.85:
        fact = {"kind": "gin", "knocker": one, "deadwood": {other: random.randint(5, 45)}}
    elif dice < 0.92:
        fact = {"kind": "knock", "winner": one, "points": random.randint(1, 45)}
    elif dice < 0.95:
        fact = {"kind": "dead"}
    else:
        fact = {"kind": "knock", "knocker": one, "opponent": other}
        fact["cards"] = {
            one: "7S 7H 7C JS QS KS 2D 3D 4D 6C", other: "TS 9S 8H 8D 8C 5D KH AH 2C 9H",
        }  # fmt: skip
    if random.random() < 0.05:
        fact["note"] = random.choice(["=late", "the last one, before supper", 'he said "gin"'])
    if random.random() < 0.1:
        fact["upcard"] = random.choice(["4S", "TH", "AC"])
    return fact


def raw(key: str, file: Path) -> None:
    """The plain rows by a raw cursor."""
    from django.db import connection

    from ginledger.clubs.models import Club

    club = Club.objects.get(key=key)
    with connection.cursor() as cursor, file.open("w", newline="") as out:
        cursor.execute(PLAIN, [club.pk])
        writer = csv.writer(out)
        while rows := cursor.fetchmany(2000):
            writer.writerows(rows)


def ours(key: str, file: Path) -> None:
    """The export of the same hands."""
    from ginledger.clubs.models import Club
    from ginledger.csv_files import csv_chunks
    from ginledger.seasons.export_rows import TOPICS, Scope

    topic = TOPICS["hands"]
    with file.open("w", newline="") as out:
        out.writelines(csv_chunks(topic.head, topic.rows(Scope(Club.objects.get(key=key)))))


def seconds(way: Callable[[str, Path], None], key: str, file: Path) -> float:
    begun = time.perf_counter()
    way(key, file)
    return time.perf_counter() - begun


def peak(key: str, environment: dict[str, str]) -> float:
    """The most memory of a fresh process that exports them, in MB.

    To be asked by a small process: what a child has at most counts what it was forked from.
    """
    command = [sys.executable, str(ROOT / "manage.py"), "export", key, "-o", os.devnull]
    child = subprocess.Popen(command, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(child.returncode)
    return usage.ru_maxrss / 1024


def measure(hands: int) -> None:
    """One size, in this process: prints the key of the club and the figures of a line."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    begun = time.perf_counter()
    key = fill(hands)
    filled = time.perf_counter() - begun
    file = Path(os.environ["GINLEDGER_DATA"]) / "out.csv"
    times = [(seconds(raw, key, file), seconds(ours, key, file)) for _ in range(ROUNDS)]
    with file.open() as lines:
        count = sum(1 for _ in islice(csv.reader(lines), 1, None))
    if count != hands:
        raise SystemExit(f"{count} of {hands} hands came out.")
    plain, whole = (median(column) for column in zip(*times, strict=True))
    ratio = median(one / other for one, other in times)
    print(
        key,
        f"{hands:>9,} {hands / whole:>12,.0f} {hands / plain:>12,.0f} {ratio:>7.2f}",
        f"{filled:>7.0f}",
        sep="\n",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", nargs="*", type=int, default=[1000, 100_000])
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        sys.path.insert(0, str(ROOT))
        os.environ["DJANGO_SETTINGS_MODULE"] = "ginledger.settings"
        measure(options.hands[0])
        return
    print("    hands  ours rows/s  csv rows/s   ratio  fill s  peak MB")
    for hands in options.hands:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "GINLEDGER_DATA": folder}
            environment.pop("DATABASE_URL", None)
            command = [sys.executable, __file__, "--one", str(hands)]
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
            key, figures, filled = done.stdout.decode().splitlines()
            print(figures, filled, f"{peak(key, environment):>8.0f}", flush=True)


if __name__ == "__main__":
    main()
