"""The tables: what the database itself refuses, who sees what, and that history outlives people."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import Http404
from django.utils import timezone

from ginledger.matches import services
from ginledger.matches.models import Amendment, Match, Row, Seat
from ginledger.matches.querysets import find_match, find_row_match
from tests.cast import ANN, BEN, NOBODY, Cast, book_of, enter, fresh, gin, knock, make_match, won


def refused(model: Match | Row | Seat | Amendment) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        model.save()


def test_keys_cannot_be_guessed(cast: Cast) -> None:
    matches = [make_match(cast.ann, gin(ANN, 9)) for _ in range(3)]
    keys = [key for match in matches for key in (match.key, match.rows.get().key)]
    assert len(set(keys)) == 6
    assert all(len(key) >= 16 for key in keys)


def test_the_database_refuses_two_rows_in_one_place_or_of_one_key(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    row = match.rows.get()
    refused(Row(club=match.club, match=match, position=1, fact=row.fact))
    refused(Row(club=match.club, match=match, position=0, fact=row.fact))
    refused(Row(club=match.club, match=match, position=2, fact=row.fact, once_key=row.once_key))
    assert match.rows.count() == 1


def test_the_database_refuses_a_winner_of_an_open_match_and_a_seat_twice(cast: Cast) -> None:
    match = make_match(cast.ann)
    match.winner = 0
    refused(match)
    seat = match.seats.first()
    assert seat is not None
    refused(Seat(club=match.club, match=match, number=seat.number, side=1, player=seat.player))
    refused(Seat(club=match.club, match=match, number=7, side=1, player=seat.player))


def test_the_database_refuses_an_unknown_action_and_a_row_twice_in_an_act(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    refused(Amendment(club=match.club, match=match, version=9, action="erase"))
    refused(
        Amendment(club=match.club, match=match, version=1, action="amend", row=match.rows.get())
    )


@pytest.mark.parametrize("name", ["ann", "ben", "cleo"])
def test_members_see_the_match_and_its_rows(cast: Cast, name: str) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    user = getattr(cast, name)
    assert list(Match.objects.visible_to(user)) == [match]
    assert list(Row.objects.visible_to(user)) == [match.rows.get()]
    assert find_match(user, match.key).role == {"ann": "owner", "ben": "scorer"}.get(name, "viewer")


@pytest.mark.parametrize("name", ["dev", "guest"])
def test_strangers_find_nothing(cast: Cast, name: str) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    user = getattr(cast, name)
    assert not Match.objects.visible_to(user).exists()
    assert not Row.objects.visible_to(user).exists()
    for write in (False, True):
        with pytest.raises(Http404):
            find_match(user, match.key, write=write)
        with pytest.raises(Http404):
            find_row_match(user, match.rows.get().key, write=write)


def test_who_is_not_logged_in_finds_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    assert not Match.objects.visible_to(NOBODY).exists()
    assert not Match.objects.writable_by(NOBODY).exists()
    with pytest.raises(Http404):
        find_match(NOBODY, match.key)


def test_a_viewer_reads_and_cannot_write(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    assert not Match.objects.writable_by(cast.cleo).exists()
    assert list(Match.objects.writable_by(cast.ben)) == [match]
    with pytest.raises(PermissionDenied):
        find_match(cast.cleo, match.key, write=True)
    with pytest.raises(PermissionDenied):
        find_row_match(cast.cleo, match.rows.get().key, write=True)


@pytest.mark.parametrize("key", ["", "99999999999999999999", "é", "x" * 500])
def test_b81_any_key_at_all_is_just_not_found(cast: Cast, key: str) -> None:
    with pytest.raises(Http404):
        find_match(cast.ann, key)
    with pytest.raises(Http404):
        find_row_match(cast.ann, key)


def test_b126_matches_of_one_moment_are_listed_in_one_order(cast: Cast) -> None:
    matches = [make_match(cast.ann) for _ in range(5)]
    finished = make_match(cast.ann, won(ANN, 100))
    moment = timezone.now()
    Match.objects.update(last_at=moment)
    Match.objects.filter(pk=matches[2].pk).update(last_at=moment + timedelta(seconds=1))
    expected = [matches[place] for place in (2, 4, 3, 1, 0)]
    assert list(Match.objects.visible_to(cast.ben).listed()) == [*expected, finished]


def test_b126_rows_of_one_second_stay_in_the_order_they_were_recorded(cast: Cast) -> None:
    match = make_match(cast.ann, *(won(ANN, points) for points in (3, 2, 1)))
    Row.objects.update(entered_at=timezone.now())
    assert [line.hand.points for line in book_of(match).lines] == [3, 2, 1]  # type: ignore[union-attr]


def test_b47_b54_results_outlive_the_account_that_entered_them(cast: Cast) -> None:
    match = make_match(cast.ann)
    enter(cast.ben, match, knock(BEN, 5, 20))
    before = book_of(match).sheet
    cast.ben.delete()
    after = book_of(match)
    assert after.sheet == before
    assert after.lines[0].row.entered_by is None
    assert after.changes()[0].amendment.who is None


def test_b66_a_player_who_only_ever_lost_cannot_be_deleted(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    with pytest.raises(ProtectedError):
        match.seats.get(number=BEN).player.delete()
    assert fresh(match).seats.count() == 2


def test_every_table_carries_the_club(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9), names=("Ann", "Zoe"))
    services.undo(user=cast.ann, match_key=match.key, version=match.version)
    for model in (Row, Seat, Amendment):
        assert set(model.objects.values_list("club", flat=True)) == {cast.club.pk}
