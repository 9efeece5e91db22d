"""People who turn out to be one, part again or leave: the ledger follows and stays even."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from ginledger.clubs.accounts import delete_account
from ginledger.clubs.club_services import close_club, leave_club
from ginledger.clubs.models import Club, Merge, Player
from ginledger.gin.errors import AgainstRules
from ginledger.gin.ruleset import read_rules
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import LiveLink, Match
from ginledger.matches.services import start_match
from ginledger.money.models import Entry
from tests.cast import ANN, BEN, Cast, enter, gin
from tests.money.ledgers import DIME, balances, carry_over, pay, player

pytestmark = pytest.mark.django_db


def staked(cast: Cast, first: str, second: str, winner: int) -> Match:
    """A match for ten cents a point, won at once by one of the two."""
    match = start_match(
        user=cast.ann,
        names=(first, second),
        rules=read_rules("house-modern"),
        rules_name="Test rules",
        first_dealer=ANN,
        once_key=f"staked-{first}-{second}-{winner}",
        stake=DIME,
    )
    enter(cast.ann, match, gin(winner, 90))
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def one_in_two(cast: Cast) -> Cast:
    """Benny of one match and Ben of the other are one person; both owe and paid something."""
    staked(cast, "Ann", "Benny", ANN)
    staked(cast, "Cleo", "Ben", BEN)
    pay(cast.ann, cast.club, "Benny", "Ann", 500)
    carry_over(cast.ann, cast.club, "Cleo", "Benny", 250)
    return cast


def ledger() -> list[tuple[object, ...]]:
    """What every entry says, in order."""
    fields = ("kind", "debtor", "creditor", "amount", "struck_at", "struck_why")
    return list(Entry.objects.order_by("pk").values_list(*fields))


def test_who_are_one_have_one_balance_and_part_with_their_own(one_in_two: Cast) -> None:
    club, before, entries = one_in_two.club, balances(one_in_two.club), ledger()
    ben, benny = player(club, "Ben"), player(club, "Benny")
    merge = merge_players(user=one_in_two.ann, kept_key=ben.key, gone_key=benny.key)
    expected = {name: amount for name, amount in before.items() if name != "Benny"}
    expected["Ben"] = before["Ben"] + before["Benny"]
    assert balances(club) == {name: amount for name, amount in expected.items() if amount}
    assert len(ledger()) == len(entries)  # nothing was struck and written again
    call_command("audit")
    undo_merge(user=one_in_two.ann, club_key=club.key, merge_key=merge.key)
    assert balances(club) == before
    assert ledger() == entries
    call_command("audit")


def test_who_paid_each_other_are_two(one_in_two: Cast) -> None:
    club = one_in_two.club
    pay(one_in_two.ann, club, "Benny", "Ben", 100, over_ok=True)
    before = (ledger(), list(Player.objects.order_by("pk").values()))
    with pytest.raises(AgainstRules) as refusal:
        merge_players(
            user=one_in_two.ann,
            kept_key=player(club, "Ben").key,
            gone_key=player(club, "Benny").key,
        )
    assert refusal.value.code == "entangled"
    assert (ledger(), list(Player.objects.order_by("pk").values())) == before
    assert not Merge.objects.exists()


def test_b47_the_balance_stays_when_an_account_goes(one_in_two: Cast) -> None:
    club, before = one_in_two.club, balances(one_in_two.club)
    Player.objects.filter(club=club, name="Benny").update(user=one_in_two.ben)
    Entry.objects.update(by=one_in_two.ben)
    delete_account(user=one_in_two.ben)
    after = balances(club)
    assert after.pop("Removed player") == before.pop("Benny")
    assert after == before
    call_command("audit")


def test_a_club_goes_whole_with_its_last_member(one_in_two: Cast) -> None:
    club, match = one_in_two.club, Match.objects.first()
    LiveLink.objects.create(club=club, match=match, expires_at=timezone.now() + timedelta(days=1))
    ben, benny = player(club, "Ben"), player(club, "Benny")
    merge_players(user=one_in_two.ann, kept_key=ben.key, gone_key=benny.key)
    close_club(user=one_in_two.ann, club_key=club.key)
    for user in (one_in_two.ann, one_in_two.ben, one_in_two.cleo):
        leave_club(user=user, club_key=club.key)
    assert not Club.objects.filter(pk=club.pk).exists()
    for model in (Match, Entry, Player, Merge, LiveLink):
        assert not model.objects.filter(club_id=club.pk).exists(), model
