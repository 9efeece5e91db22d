"""A read of many queries is of one moment, and holds nobody up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from ginledger.clubs.models import Club, Player
from ginledger.seasons.backup import backup_text
from ginledger.snapshot import as_of_now, snapshot
from tests.cast import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def meanwhile(write) -> None:
    """Have another connection write, and be done; raises what it raises."""

    def run() -> None:
        try:
            write()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result(20)


def add(club: Club, name: str) -> None:
    Player.objects.create(club=club, name=name, folded=name)


def test_what_is_written_meanwhile_is_seen_afterwards() -> None:
    club = make_cast().club
    with snapshot():
        before = Player.objects.filter(club=club).count()
        meanwhile(lambda: add(club, "new"))
        assert Player.objects.filter(club=club).count() == before
    assert Player.objects.filter(club=club).count() == before + 1


def test_a_backup_is_of_one_moment_however_slowly_it_is_read() -> None:
    club = make_cast().club
    add(club, "old")
    pieces = as_of_now(backup_text(club))
    text = next(pieces)
    meanwhile(lambda: add(club, "new"))
    text += "".join(pieces)
    assert '"old"' in text
    assert '"new"' not in text
    assert not connection.in_atomic_block
    assert '"new"' in "".join(as_of_now(backup_text(club)))


def test_who_stops_reading_leaves_nothing_open() -> None:
    club = make_cast().club
    pieces = as_of_now(backup_text(club))
    next(pieces)
    pieces.close()
    add(club, "after")
    with pytest.raises(ZeroDivisionError), snapshot():
        raise ZeroDivisionError
    add(club, "later")
