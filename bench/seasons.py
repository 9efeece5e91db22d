"""Measure the pages of a season: python bench/seasons.py 1000 10000 100000 (docs/seasons.md).

Clubs of eight people over six years, with a stake, get a database of their own; standings and
statistics of all time and of a year are asked for as a browser would. The sizes take turns, so
that what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEOPLE, DAYS, ROUNDS = 8, 2190, 15
PAGES = {
    "standings, all time": ("season", "all"),
    "standings, a season": ("season", "2023"),
    "statistics, all time": ("statistics", "all"),
    "statistics, a season": ("statistics", "2023"),
}


def fill(matches: int) -> Any:
    """The owner of a club with so many finished matches, and the club."""
    from ginledger.clubs.models import User
    from ginledger.clubs.services import home_club, seat_players
    from ginledger.matches import posters

    user = User.objects.create(name="Bench", email="bench@example.org")
    club = home_club(user)
    club.currency = "USD"
    club.save()
    people = seat_players(club=club, names=[f"Player {number}" for number in range(PEOPLE)])
    random = Random(1)
    for start in range(0, matches, 5000):
        _some(club, people, range(start, min(start + 5000, matches)), matches, random)
    posters.remake(club)
    return user, club


def _some(club: Any, people: Any, numbers: range, of: int, random: Random) -> None:
    from ginledger.matches.models import Match, Seat
    from ginledger.matches.stake import Stake
    from ginledger.money.models import Entry, Kind
    from ginledger.seasons.models import Tally

    stake = Stake("USD", 1000).to_json()
    pairs = [random.sample(people, 2) for _ in numbers]
    nets = [random.randint(1, 700) for _ in numbers]
    made = Match.objects.bulk_create(
        Match(
            club=club, rules={}, rules_name="Bench", first_dealer=0, over=True, hand_count=8,
            winner=0, net=[net, -net], stake=stake,
            played_on=date(2020, 1, 1) + timedelta(days=number * DAYS // of),
        )
        for number, net in zip(numbers, nets, strict=True)
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(club=club, match=match, number=side, side=side, player=pair[side])
        for match, pair in zip(made, pairs, strict=True)
        for side in (0, 1)
    )
    Entry.objects.bulk_create(
        Entry(
            club=club, kind=Kind.MATCH, currency="USD", debtor=pair[1], creditor=pair[0],
            amount=10 * net, points=net, on=match.played_on, match=match,
        )
        for match, pair, net in zip(made, pairs, nets, strict=True)
    )  # fmt: skip
    Tally.objects.bulk_create(
        Tally(
            club=club, match=match, player=pair[side], opponent=pair[1 - side],
            played_on=match.played_on, won=side == 0, lost=side == 1, net=(net, -net)[side],
            hands=8, hands_won=5 - 2 * side, hands_lost=3 + 2 * side, knocks=3, gins=2,
            knocked=4, faced=4, knock_known=4, knock_sum=20, caught_known=3, caught_sum=60,
            points_won=100, dealt=4, dealt_won=2, first=4, first_won=2, biggest=net % 60,
        )
        for match, pair, net in zip(made, pairs, nets, strict=True)
        for side in (0, 1)
    )  # fmt: skip


def serve(matches: int) -> None:
    """A process with a club of its own: for each line that comes in, it measures every page."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    user, club = fill(matches)
    client = Client()
    client.force_login(user)
    for _ in sys.stdin:
        found: dict[str, list[float]] = {}
        for label, (name, slug) in PAGES.items():
            address = reverse(name, args=[club.key, slug])
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            count = len(queries)
            begun = time.perf_counter()
            client.get(address)
            found[label] = [1000 * (time.perf_counter() - begun), count]
        print(json.dumps(found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="*", type=int, default=[1000, 10_000, 100_000])
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        sys.path.insert(0, str(ROOT))
        os.environ["DJANGO_SETTINGS_MODULE"] = "ginledger.settings"
        serve(options.matches[0])
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(options.matches, Path(folder))


def compare(sizes: list[int], folder: Path) -> None:
    """Start a process a size, have them take turns, and print what each page took."""
    servers = [_start(size, folder / str(size)) for size in sizes]
    rounds: list[list[dict[str, list[float]]]] = []
    for _ in range(ROUNDS):
        rounds.append([])
        for server in servers:
            assert server.stdin is not None and server.stdout is not None
            server.stdin.write("go\n")
            server.stdin.flush()
            line = server.stdout.readline()
            if not line:
                raise SystemExit(server.wait())
            rounds[-1].append(json.loads(line))
    for server in servers:
        assert server.stdin is not None
        server.stdin.close()
        server.wait()
    print(f"{'matches':22}" + "".join(f"{size:>12,}" for size in sizes) + "   ratio  queries")
    for label in PAGES:
        times = [statistics.median(one[place][label][0] for one in rounds)
                 for place in range(len(sizes))]  # fmt: skip
        counts = sorted({int(one[label][1]) for one in rounds[-1]})
        row = "".join(f"{took:>9.1f} ms" for took in times)
        print(f"{label:22}{row}   {times[-1] / times[0]:5.2f}  {counts}")


def _start(size: int, folder: Path) -> subprocess.Popen[str]:
    folder.mkdir()
    environment = {**os.environ, "GINLEDGER_DATA": str(folder)}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, __file__, "--one", str(size)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


if __name__ == "__main__":
    main()
