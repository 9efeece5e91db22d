"""What is owed stays right when players are archived, matches purged, payments sent twice."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ginledger.clubs.services import remove_player
from ginledger.matches import life
from ginledger.money.ledger import OverPaid
from ginledger.money.models import Entry
from tests.cast import ANN, Cast, make_match, won
from tests.money.ledgers import DIME, balances, pay, player

pytestmark = pytest.mark.django_db

SHUTOUT = (won(ANN, 60), won(ANN, 44))  # Ann is 508 up


def test_b50_a_note_on_the_match_of_somebody_archived_moves_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    before = list(Entry.objects.values())
    remove_player(user=cast.ann, player_key=player(cast.club, "Ben").key)
    cast.club.players.filter(name="Ben").update(archived_at=timezone.now())
    life.describe_match(
        user=cast.ann,
        match_key=match.key,
        version=match.version,
        note="played at Cleo’s",
        played_on=match.played_on,
    )
    assert list(Entry.objects.values()) == before


def test_a_purged_match_leaves_its_struck_entries(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    life.delete_match(user=cast.ann, match_key=match.key, version=match.version)
    assert life.purge(timezone.now()) == 1
    entry = Entry.objects.get()
    assert (entry.match, entry.struck) == (None, True)
    assert balances(cast.club) == {}


def test_two_phones_that_record_the_same_payment(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    pay(cast.ann, cast.club, "Ben", "Ann", 5080)
    with pytest.raises(OverPaid, match="owes Ann nothing"):
        pay(cast.ben, cast.club, "Ben", "Ann", 5080)
    assert balances(cast.club) == {}
