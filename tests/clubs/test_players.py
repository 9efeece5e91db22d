"""Players: claimed by an account, merged and parted again, archived; results always stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import Http404

from ginledger.clubs.models import Claim, Merge, Player, Role, User
from ginledger.clubs.players import add_player, claim_player, settle_claim, unclaim_player
from ginledger.clubs.services import (
    home_club,
    remove_player,
    rename_player,
    restore_player,
    seat_players,
)
from ginledger.clubs.signals import players_merged
from ginledger.gin.errors import AgainstRules
from ginledger.matches import posters
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import Match, Seat
from tests.cast import ANN, BEN, Cast, book_of, gin, knock, make_match, stored


def player(cast: Cast, name: str) -> Player:
    return cast.club.players.get(name=name)


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(AgainstRules) as refusal:
        act()
    assert refusal.value.code == code


@pytest.fixture
def pair(cast: Cast) -> tuple[Match, Match]:
    """Benny of the first match and Ben of the second are one person."""
    return (
        make_match(cast.ann, gin(ANN, 9), knock(BEN, 3, 20), names=("Ann", "Benny")),
        make_match(cast.ann, knock(BEN, 5, 30), names=("Cleo", "Ben")),
    )


# Claims


def test_a_member_says_so_and_an_owner_agrees(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben = player(cast, "Ben")
    assert claim_player(user=cast.ben, player_key=ben.key) is False
    ben.refresh_from_db()
    assert ben.user is None
    claim = Claim.objects.get()
    settle_claim(user=cast.ann, club_key=cast.club.key, claim_key=claim.key, agree=True)
    ben.refresh_from_db()
    assert ben.user == cast.ben
    assert not Claim.objects.exists()


def test_an_owner_declines(cast: Cast, pair: tuple[Match, Match]) -> None:
    claim_player(user=cast.ben, player_key=player(cast, "Ben").key)
    key = Claim.objects.get().key
    settle_claim(user=cast.ann, club_key=cast.club.key, claim_key=key, agree=False)
    assert player(cast, "Ben").user is None
    assert not Claim.objects.exists()


def test_an_owners_own_claim_holds_at_once(cast: Cast, pair: tuple[Match, Match]) -> None:
    assert claim_player(user=cast.ann, player_key=player(cast, "Ann").key) is True
    assert player(cast, "Ann").user == cast.ann


def test_a_later_claim_takes_the_place_of_an_earlier(cast: Cast, pair: tuple[Match, Match]) -> None:
    for name in ("Ben", "Benny"):
        claim_player(user=cast.ben, player_key=player(cast, name).key)
    assert Claim.objects.get().player.name == "Benny"


def test_only_owners_settle_and_strangers_claim_nothing(
    cast: Cast, pair: tuple[Match, Match]
) -> None:
    ben = player(cast, "Ben")
    with pytest.raises(Http404):
        claim_player(user=cast.dev, player_key=ben.key)
    claim_player(user=cast.cleo, player_key=ben.key)
    key = Claim.objects.get().key
    for user in (cast.ben, cast.cleo):
        with pytest.raises(PermissionDenied):
            settle_claim(user=user, club_key=cast.club.key, claim_key=key, agree=True)
    club = home_club(cast.dev)
    with pytest.raises(Http404):
        settle_claim(user=cast.dev, club_key=club.key, claim_key=key, agree=True)
    assert player(cast, "Ben").user is None


def test_one_account_is_one_player_of_a_club(cast: Cast, pair: tuple[Match, Match]) -> None:
    ann, ben = player(cast, "Ann"), player(cast, "Ben")
    claim_player(user=cast.ann, player_key=ann.key)
    refused("is-player", lambda: claim_player(user=cast.ann, player_key=ben.key))
    refused("player-claimed", lambda: claim_player(user=cast.ben, player_key=ann.key))
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=ben.pk).update(user=cast.ann)


def test_a_claim_that_holds_no_more_is_not_agreed_to(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben = player(cast, "Ben")
    claim_player(user=cast.ben, player_key=ben.key)
    key = Claim.objects.get().key
    Player.objects.filter(pk=ben.pk).update(user=cast.cleo)
    refused(
        "player-claimed",
        lambda: settle_claim(user=cast.ann, club_key=cast.club.key, claim_key=key, agree=True),
    )
    Player.objects.filter(pk=ben.pk).update(user=None)
    cast.club.memberships.filter(user=cast.ben).delete()
    with pytest.raises(Http404):
        settle_claim(user=cast.ann, club_key=cast.club.key, claim_key=key, agree=True)
    assert player(cast, "Ben").user is None


@pytest.mark.parametrize("who", ["ben", "ann"])
def test_account_and_player_part_again(cast: Cast, pair: tuple[Match, Match], who: str) -> None:
    ben = player(cast, "Ben")
    Player.objects.filter(pk=ben.pk).update(user=cast.ben)
    with pytest.raises(PermissionDenied):
        unclaim_player(user=cast.cleo, player_key=ben.key)
    unclaim_player(user=getattr(cast, who), player_key=ben.key)
    assert player(cast, "Ben").user is None


# Merging


def test_two_who_are_one_have_all_their_matches_and_no_row_changes(
    cast: Cast, pair: tuple[Match, Match]
) -> None:
    first = pair[0]
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    before = [stored(match) for match in pair]
    sheets = [book_of(match).sheet.columns for match in pair]
    merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert book_of(first).table.names == ("Ann", "Ben")
    assert [book_of(match).sheet.columns for match in pair] == sheets
    assert set(Match.objects.filter(seats__player=ben)) == set(pair)
    after = [stored(match) for match in pair]
    for one, other in zip(before, after, strict=True):
        assert (one["rows"], one["log"], one["match"]) == (
            other["rows"],
            other["log"],
            other["match"],
        )
    assert after[1] == before[1]


def test_the_other_name_leads_to_the_player_from_then_on(
    cast: Cast, pair: tuple[Match, Match]
) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert seat_players(club=cast.club, names=["benny", "Ann"])[0] == ben
    assert "Benny" not in [one.name for one in cast.club.players.playing()]
    refused("name-twice", lambda: seat_players(club=cast.club, names=["Ben", "Benny"]))


def test_a_merge_is_taken_back_without_a_trace(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    before = [stored(match) for match in pair]
    people = list(Player.objects.order_by("pk").values())
    merge = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    later = make_match(cast.ann, gin(ANN, 5), names=("Ann", "Benny"))
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    assert [stored(match) for match in pair] == before
    assert list(Player.objects.order_by("pk").values()) == people
    assert later.seats.get(number=1).player == ben  # played as Ben, so it stays his
    refused(
        "merge-undone",
        lambda: undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key),
    )


def test_merges_of_merges_are_taken_back_in_any_order(
    cast: Cast, pair: tuple[Match, Match]
) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    (other,) = seat_players(club=cast.club, names=["Benjamin"])
    before = [stored(match) for match in pair]
    first = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    second = merge_players(user=cast.ann, kept_key=other.key, gone_key=ben.key)
    assert seat_players(club=cast.club, names=["Benny"]) == (other,)
    assert book_of(pair[0]).table.names == ("Ann", "Benjamin")
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=first.key)
    assert book_of(pair[0]).table.names == ("Ann", "Benny")
    assert book_of(pair[1]).table.names == ("Cleo", "Benjamin")
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=second.key)
    assert [stored(match) for match in pair] == before


def test_who_sat_at_one_table_are_two(cast: Cast, pair: tuple[Match, Match]) -> None:
    ann, benny = player(cast, "Ann"), player(cast, "Benny")
    before = stored(pair[0])
    refused("met", lambda: merge_players(user=cast.ann, kept_key=ann.key, gone_key=benny.key))
    refused("same-player", lambda: merge_players(user=cast.ann, kept_key=ann.key, gone_key=ann.key))
    assert stored(pair[0]) == before
    assert not Merge.objects.exists()


def test_only_owners_merge_and_only_within_a_club(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    with pytest.raises(PermissionDenied):
        merge_players(user=cast.ben, kept_key=ben.key, gone_key=benny.key)
    with pytest.raises(Http404):
        merge_players(user=cast.dev, kept_key=ben.key, gone_key=benny.key)
    cast.club.memberships.create(user=cast.dev, role=Role.OWNER)
    (stranger,) = seat_players(club=home_club(cast.dev), names=["Ben"])
    refused(
        "another-club",
        lambda: merge_players(user=cast.dev, kept_key=ben.key, gone_key=stranger.key),
    )
    assert not Merge.objects.exists()


def test_the_account_comes_along_and_goes_back(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    claim_player(user=cast.ann, player_key=benny.key)
    merge = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    assert player(cast, "Ben").user == cast.ann
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    assert (player(cast, "Ben").user, player(cast, "Benny").user) == (None, cast.ann)
    Player.objects.filter(pk=ben.pk).update(user=cast.ben)
    refused(
        "two-accounts", lambda: merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    )


def test_what_is_derived_follows_the_seats(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    heard: list[Any] = []

    def poster(match: Match, sheet: Any) -> None:
        heard.append((match.pk, {seat.player_id for seat in Seat.objects.filter(match=match)}))

    def receiver(sender: Any, kept: Player, gone: Player, **_: Any) -> None:
        heard.append((kept.name, gone.name))

    posters.register(poster)
    players_merged.connect(receiver)
    try:
        merge = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
        ann = player(cast, "Ann")
        assert heard == [(pair[0].pk, {ann.pk, ben.pk}), ("Ben", "Benny")]
        heard.clear()
        undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
        assert heard == [(pair[0].pk, {ann.pk, benny.pk}), ("Ben", "Benny")]
    finally:
        posters.unregister(poster)
        players_merged.disconnect(receiver)


# Names and the archive


def test_a_merged_player_is_neither_archived_nor_restored_by_hand(
    cast: Cast, pair: tuple[Match, Match]
) -> None:
    ben, benny = player(cast, "Ben"), player(cast, "Benny")
    merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    for act in (restore_player, remove_player):
        refused("player-merged", lambda act=act: act(user=cast.ann, player_key=benny.key))
    refused("player-merged", lambda: claim_player(user=cast.ben, player_key=benny.key))
    assert player(cast, "Benny").merged_into == ben


@pytest.mark.parametrize("seat", [0, 1])
def test_b54_b66_winner_or_loser_a_player_with_results_is_only_archived(
    cast: Cast, seat: int
) -> None:
    match = make_match(cast.ann, gin(ANN, 90))
    assert match.over
    one = match.seats.get(number=seat).player
    before = stored(match)
    assert remove_player(user=cast.ben, player_key=one.key) is False
    assert stored(match) == before
    restore_player(user=cast.ben, player_key=one.key)
    one.refresh_from_db()
    assert one.archived_at is None


def test_a_player_is_added_by_name_and_known_by_it(cast: Cast) -> None:
    zoe = add_player(user=cast.ben, club_key=cast.club.key, name=" Zoë ")
    assert add_player(user=cast.ben, club_key=cast.club.key, name="ZOË") == zoe
    with pytest.raises(AgainstRules) as refusal:
        add_player(user=cast.ben, club_key=cast.club.key, name=" ")
    assert refusal.value.field == "name"
    with pytest.raises(PermissionDenied):
        add_player(user=cast.cleo, club_key=cast.club.key, name="Yan")
    assert [one.name for one in cast.club.players.all()] == ["Zoë"]


def test_viewers_rename_and_archive_nobody(cast: Cast, pair: tuple[Match, Match]) -> None:
    ben = player(cast, "Ben")
    acts: list[Callable[[User], object]] = [
        lambda user: rename_player(user=user, player_key=ben.key, name="Bob"),
        lambda user: remove_player(user=user, player_key=ben.key),
        lambda user: restore_player(user=user, player_key=ben.key),
    ]
    for act in acts:
        with pytest.raises(PermissionDenied):
            act(cast.cleo)
        with pytest.raises(Http404):
            act(cast.dev)
    assert player(cast, "Ben").archived_at is None
