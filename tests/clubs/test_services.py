"""Guests, home clubs and players."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest
from django.test import RequestFactory

from ginledger.clubs.models import Club, Membership, Player, Role, User
from ginledger.clubs.services import (
    GUEST_SECONDS,
    ensure_guest,
    find_player,
    home_club,
    remove_player,
    rename_player,
    seat_players,
)
from ginledger.gin.errors import AgainstRules
from tests.cast import ANN, NOBODY, Cast, book_of, gin, make_match


def request_of(user: User | AnonymousUser) -> HttpRequest:
    request = RequestFactory().post("/")
    request.session = SessionStore()
    request.user = user
    return request


def test_a_guest_is_made_once_and_stays_for_a_year(db: None) -> None:
    request = request_of(NOBODY)
    guest = ensure_guest(request)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert guest.email == ""
    assert request.user == guest
    assert request.session.get_expiry_age() == GUEST_SECONDS
    assert ensure_guest(request) == guest
    assert User.objects.count() == 1
    assert guest.memberships.get().role == Role.OWNER


def test_who_is_logged_in_becomes_no_guest(cast: Cast) -> None:
    request = request_of(cast.ann)
    assert ensure_guest(request) == cast.ann
    assert not list(request.session.keys())


def test_guests_share_nothing(db: None) -> None:
    one, other = (ensure_guest(request_of(NOBODY)) for _ in range(2))
    assert home_club(one) != home_club(other)
    assert one.username != other.username


def test_the_home_club_is_the_first_one_owned_and_made_when_there_is_none(cast: Cast) -> None:
    assert home_club(cast.ann) == cast.club
    mine = home_club(cast.ben)
    assert mine != cast.club
    assert home_club(cast.ben) == mine
    assert Membership.objects.filter(user=cast.ben, role=Role.OWNER).count() == 1


def test_clubs_start_from_the_user(cast: Cast) -> None:
    assert cast.club in Club.objects.visible_to(cast.cleo)
    assert cast.club not in Club.objects.visible_to(cast.dev)
    assert not Club.objects.visible_to(NOBODY).exists()
    assert not Player.objects.visible_to(NOBODY).exists()


def test_an_address_belongs_to_one_account_whatever_its_case(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(email=cast.ann.email.upper())
    User.objects.create(email="")
    assert User.objects.filter(email="").count() == 2


def test_a_membership_is_one_and_its_role_is_known(cast: Cast) -> None:
    for membership in (
        Membership(club=cast.club, user=cast.cleo, role=Role.OWNER),
        Membership(club=cast.club, user=cast.dev, role="king"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            membership.save()


def test_the_same_person_is_the_same_player_next_time(cast: Cast) -> None:
    ann, mary = seat_players(club=cast.club, names=["Ann", "Mary Ann"])
    again = seat_players(club=cast.club, names=[" mary ann ", "ANN"])
    assert again == (mary, ann)
    assert [player.name for player in again] == ["Mary Ann", "Ann"]
    assert cast.club.players.count() == 2


def test_players_of_another_club_are_other_people(cast: Cast) -> None:
    (mine,) = seat_players(club=cast.club, names=["Ann"])
    (other,) = seat_players(club=home_club(cast.dev), names=["Ann"])
    assert mine != other


def test_b54_a_player_with_results_is_archived_and_comes_back_by_name(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    ben = match.seats.get(number=1).player
    assert remove_player(user=cast.ann, player_key=ben.key) is False
    assert remove_player(user=cast.ann, player_key=ben.key) is False
    assert ben not in cast.club.players.playing()
    assert book_of(match).table.names == ("Ann", "Ben")
    assert seat_players(club=cast.club, names=["Ben"]) == (ben,)
    assert ben in cast.club.players.playing()


def test_a_player_who_never_played_is_deleted(cast: Cast) -> None:
    (zoe,) = seat_players(club=cast.club, names=["Zoe"])
    assert remove_player(user=cast.ann, player_key=zoe.key) is True
    assert not cast.club.players.exists()


def test_b54_a_blank_name_is_refused_and_changes_nothing(cast: Cast) -> None:
    (ann,) = seat_players(club=cast.club, names=["Ann"])
    with pytest.raises(AgainstRules, match="needed"):
        rename_player(user=cast.ann, player_key=ann.key, name="  ")
    ann.refresh_from_db()
    assert ann.name == "Ann"
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=ann.pk).update(name="")


def test_a_new_name_shows_in_every_match_and_is_no_one_elses(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    ann = match.seats.get(number=0).player
    facts = list(match.rows.values("fact"))
    rename_player(user=cast.ben, player_key=ann.key, name="Anna")
    assert book_of(match).table.names == ("Anna", "Ben")
    assert "Anna" in book_of(match).sheet.hands[0].reasons[0]
    assert list(match.rows.values("fact")) == facts
    rename_player(user=cast.ben, player_key=ann.key, name="ANNA")
    with pytest.raises(AgainstRules) as refusal:
        rename_player(user=cast.ann, player_key=ann.key, name="bEN")
    assert refusal.value.code == "name-taken"


def test_only_writers_of_the_club_touch_its_players(cast: Cast) -> None:
    (zoe,) = seat_players(club=cast.club, names=["Zoe"])
    for user, error in ((cast.dev, Http404), (cast.guest, Http404), (cast.cleo, PermissionDenied)):
        with pytest.raises(error):
            rename_player(user=user, player_key=zoe.key, name="Zed")
        with pytest.raises(error):
            remove_player(user=user, player_key=zoe.key)
    zoe.refresh_from_db()
    assert zoe.name == "Zoe"
    assert find_player(cast.cleo, zoe.key) == zoe
