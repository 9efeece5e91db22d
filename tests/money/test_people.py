"""What is owed follows people: merged, parted, archived, gone; and clubs that end."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ginledger.clubs.accounts import delete_account, erase_club
from ginledger.clubs.models import Club
from ginledger.clubs.services import remove_player
from ginledger.gin.errors import AgainstRules
from ginledger.matches import life
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.money.ledger import OverPaid
from ginledger.money.models import Entry
from tests.cast import ANN, Cast, make_match, won
from tests.money.ledgers import DIME, balances, carry_over, pay, player, standing

pytestmark = pytest.mark.django_db

SHUTOUT = (won(ANN, 60), won(ANN, 44))  # Ann is 508 up


def test_a_merge_takes_what_is_owed_along_and_gives_it_back(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, names=("Ann", "Benny"), stake=DIME)
    carry_over(cast.ann, cast.club, "Ben", "Ann", 100)
    before = standing(cast.club)
    ben, benny = player(cast.club, "Ben"), player(cast.club, "Benny")
    merge = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert standing(cast.club) == [("Ben", "Ann", 5080), ("Ben", "Ann", 100)]
    assert balances(cast.club) == {"Ann": 5180, "Ben": -5180}
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    assert standing(cast.club) == before
    assert Entry.objects.count() == 2


def test_who_owes_each_other_are_two_people(cast: Cast) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Benny", 100)
    ben, benny = player(cast.club, "Ben"), player(cast.club, "Benny")
    with pytest.raises(AgainstRules) as refused:
        merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert refused.value.code == "entangled"
    assert balances(cast.club) == {"Ben": -100, "Benny": 100}


def test_b47_who_ends_his_account_leaves_his_balance(cast: Cast) -> None:
    carry_over(cast.ben, cast.club, "Ben", "Ann", 1200)
    ben = player(cast.club, "Ben")
    ben.user = cast.ben
    ben.save()
    delete_account(user=cast.ben)
    assert balances(cast.club) == {"Ann": 1200, "Removed player": -1200}
    assert Entry.objects.get().by is None


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


def test_a_club_that_ends_takes_its_ledger_along(cast: Cast) -> None:
    make_match(cast.guest, *SHUTOUT, stake=DIME)
    club = cast.guest.memberships.get().club
    pay(cast.guest, club, "Ben", "Ann", 100)
    erase_club(club)
    assert not Entry.objects.exists()
    assert not Club.objects.filter(pk=club.pk).exists()


def test_two_phones_that_record_the_same_payment(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    pay(cast.ann, cast.club, "Ben", "Ann", 5080)
    with pytest.raises(OverPaid, match="owes Ann nothing"):
        pay(cast.ben, cast.club, "Ben", "Ann", 5080)
    assert balances(cast.club) == {}
