"""Measure the export: python bench/export.py 1000 100000 (docs/export.md says what to expect).

For each number of hands a database of its own is filled; then the hands go out as CSV beside
``csv.writer`` over a raw cursor on the same rows, and a fresh ``manage.py export`` of them tells
its peak memory.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
HANDS_A_MATCH = 8


def fill(hands: int) -> str:
    """A club with this many hands; its key."""
    from ginledger.clubs.models import Club, Player
    from ginledger.gin.ruleset import preset
    from ginledger.matches.models import Match, Row, Seat

    random = Random(1)
    club = Club.objects.create(name="Bench")
    players = [Player.objects.create(club=club, name=name, folded=name) for name in ("ann", "ben")]
    rules = preset("house-modern").rules.replace(target=500).to_json()
    count = hands // HANDS_A_MATCH
    matches = Match.objects.bulk_create(
        (Match(club=club, rules=rules, rules_name="Bench", first_dealer=0) for _ in range(count)),
        batch_size=2000,
    )
    seats = (
        Seat(club=club, match=match, number=side, side=side, player=players[side])
        for match in matches
        for side in (0, 1)
    )
    Seat.objects.bulk_create(seats, batch_size=2000)
    for start in range(0, count, 1000):
        Row.objects.bulk_create(
            Row(club=club, match=match, position=place, fact=_fact(random))
            for match in matches[start : start + 1000]
            for place in range(1, HANDS_A_MATCH + 1)
        )
    return club.key


def _fact(random: Random) -> dict[str, object]:
    knocker = random.randrange(2)
    deadwood = {str(knocker): random.randint(1, 10), str(1 - knocker): random.randint(11, 45)}
    return {"kind": "knock", "knocker": str(knocker), "deadwood": deadwood}


def raw(file: Path) -> float:
    """Seconds that the plain rows take by a raw cursor."""
    from django.db import connection

    begun = time.perf_counter()
    with connection.cursor() as cursor, file.open("w", newline="") as out:
        cursor.execute(
            "SELECT m.played_on, m.key, m.rules_name, r.position, r.fact, r.entered_at "
            "FROM matches_row r JOIN matches_match m ON m.id = r.match_id "
            "ORDER BY m.played_on, m.id, r.position"
        )
        writer = csv.writer(out)
        while rows := cursor.fetchmany(2000):
            writer.writerows(rows)
    return time.perf_counter() - begun


def ours(key: str, file: Path) -> float:
    """Seconds that the export of the same hands takes."""
    from ginledger.clubs.models import Club
    from ginledger.csv_files import csv_chunks
    from ginledger.seasons.export_rows import TOPICS, Scope

    topic = TOPICS["hands"]
    begun = time.perf_counter()
    with file.open("w", newline="") as out:
        out.writelines(csv_chunks(topic.head, topic.rows(Scope(Club.objects.get(key=key)))))
    return time.perf_counter() - begun


def peak(key: str) -> float:
    """The most memory of a fresh process that exports them, in MB."""
    command = [sys.executable, str(ROOT / "manage.py"), "export", key, "-o", os.devnull]
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(child.returncode)
    return usage.ru_maxrss / 1024


def measure(hands: int) -> None:
    """One size, in this process: prints a line of the table."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    key = fill(hands)
    file = Path(os.environ["GINLEDGER_DATA"]) / "out.csv"
    plain, whole = raw(file), ours(key, file)
    print(
        f"{hands:>9,} {hands / whole:>12,.0f} {hands / plain:>12,.0f} "
        f"{plain / whole:>7.2f} {peak(key):>9.0f}",
        flush=True,
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
    print("    hands  ours rows/s  csv rows/s   ratio   peak MB", flush=True)
    for hands in options.hands:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "GINLEDGER_DATA": folder}
            environment.pop("DATABASE_URL", None)
            command = [sys.executable, __file__, "--one", str(hands)]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
