"""Invitations: who comes in by a link, how often and how long; and who does not come back."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.test import override_settings
from django.utils import timezone

from ginledger.clubs import club_services, invitations
from ginledger.clubs.invitations import Unusable, accept, code_of, find_by_code, invite, revoke
from ginledger.clubs.models import Invitation, Role, User
from ginledger.gin.errors import AgainstRules
from tests.cast import Cast, make_cast, make_user


def make(cast: Cast, role: str = "viewer", days: int = 7, uses: int | None = None) -> Invitation:
    return invite(user=cast.ann, club_key=cast.club.key, role=role, days=days, most_uses=uses)


def closed_to(user: User, invitation: Invitation, code: str) -> None:
    """The link lets this user in no more, for that reason, and nothing changes."""
    uses = Invitation.objects.get(pk=invitation.pk).uses
    with pytest.raises(Unusable) as refusal:
        accept(user=user, code=code_of(invitation))
    assert refusal.value.code == code
    assert not invitation.club.memberships.filter(user=user).exists()
    assert Invitation.objects.get(pk=invitation.pk).uses == uses


@pytest.mark.parametrize("role", Role.values)
def test_who_follows_a_link_is_in_with_its_role(cast: Cast, role: str) -> None:
    made = make(cast, role)
    joined = accept(user=cast.dev, code=code_of(made))
    assert (joined.club, joined.role, joined.new) == (cast.club, role, True)
    assert cast.club.memberships.get(user=cast.dev).role == role
    made.refresh_from_db()
    assert made.uses == 1


def test_following_it_twice_is_once(cast: Cast) -> None:
    made = make(cast, uses=1)
    accept(user=cast.dev, code=code_of(made))
    assert accept(user=cast.dev, code=code_of(made)).new is False
    made.refresh_from_db()
    assert made.uses == 1


def test_a_member_keeps_his_role_and_uses_nothing_up(cast: Cast) -> None:
    made = make(cast, "owner", uses=1)
    assert accept(user=cast.cleo, code=code_of(made)).role == Role.VIEWER
    assert cast.club.memberships.get(user=cast.cleo).role == Role.VIEWER
    made.refresh_from_db()
    assert made.uses == 0


def test_it_lets_in_as_many_as_it_says(cast: Cast) -> None:
    made = make(cast, uses=1)
    accept(user=cast.dev, code=code_of(made))
    closed_to(cast.guest, made, "invitation-used")
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(pk=made.pk).update(uses=2)


def test_it_ends_in_time(cast: Cast) -> None:
    made = make(cast, days=1)
    assert timedelta(hours=23) < made.expires_at - timezone.now() <= timedelta(days=1)
    Invitation.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    closed_to(cast.dev, made, "invitation-expired")


def test_it_can_be_taken_back_and_who_is_in_stays(cast: Cast) -> None:
    made = make(cast)
    accept(user=cast.dev, code=code_of(made))
    for _ in range(2):
        revoke(user=cast.ann, club_key=cast.club.key, invitation_key=made.key)
    closed_to(cast.guest, made, "invitation-revoked")
    assert cast.club.memberships.filter(user=cast.dev).exists()
    assert invitations.open_invitations(cast.club) == []


@pytest.mark.parametrize("again", ["the same account", "a new guest"])
def test_b61_who_was_put_out_does_not_come_back_by_an_old_link(cast: Cast, again: str) -> None:
    links = [make(cast, role) for role in ("viewer", "scorer")]
    accept(user=cast.dev, code=code_of(links[0]))
    dev = cast.club.memberships.get(user=cast.dev).key
    removed = club_services.remove_member(user=cast.ann, club_key=cast.club.key, member_key=dev)
    assert removed == 2
    user = cast.dev if again == "the same account" else make_user("", is_guest=True)
    for link in links:
        closed_to(user, link, "invitation-revoked")
    # An owner who wants him back makes a new one.
    assert accept(user=cast.dev, code=code_of(make(cast))).new


def test_b61_a_lower_role_is_not_got_round_by_leaving_and_coming_back(cast: Cast) -> None:
    scorer, viewer = make(cast, "scorer"), make(cast, "viewer")
    ben = cast.club.memberships.get(user=cast.ben).key
    club_services.change_role(user=cast.ann, club_key=cast.club.key, member_key=ben, role="viewer")
    club_services.leave_club(user=cast.ben, club_key=cast.club.key)
    closed_to(cast.ben, scorer, "invitation-revoked")
    assert accept(user=cast.ben, code=code_of(viewer)).role == Role.VIEWER


def test_a_closed_club_lets_nobody_in(cast: Cast) -> None:
    made = make(cast)
    club_services.close_club(user=cast.ann, club_key=cast.club.key)
    closed_to(cast.dev, made, "club-closed")


def test_a_made_up_link_is_none(cast: Cast) -> None:
    made = make(cast)
    code = code_of(made)
    for wrong in ("", ".", made.key, f"{made.key}.", code[:-1], code + "x", f"x{code}", "ä.ö"):
        with pytest.raises(Http404):
            find_by_code(wrong)
    assert find_by_code(code) == made


def test_the_database_alone_opens_no_door(cast: Cast) -> None:
    made = make(cast)
    code = code_of(made)
    assert code.split(".")[1] not in str(Invitation.objects.values().get(pk=made.pk))
    with override_settings(SECRET_KEY="another-secret-" * 5):
        assert code_of(made) != code
        with pytest.raises(Http404):
            find_by_code(code)


def test_only_owners_invite_and_only_into_their_club(cast: Cast) -> None:
    made = make(cast)
    for user in (cast.ben, cast.cleo):
        with pytest.raises(PermissionDenied):
            invite(user=user, club_key=cast.club.key, role="viewer", days=7, most_uses=None)
        with pytest.raises(PermissionDenied):
            revoke(user=user, club_key=cast.club.key, invitation_key=made.key)
    dev_club = cast.dev.memberships.get().club
    with pytest.raises(Http404):
        revoke(user=cast.dev, club_key=dev_club.key, invitation_key=made.key)
    assert Invitation.objects.get().revoked_at is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"role": "king"}, "role-unknown"),
        ({"days": 365}, "days-unknown"),
        ({"most_uses": 10**20}, "uses-unknown"),
        ({"most_uses": 0}, "uses-unknown"),
    ],
)
def test_what_cannot_be_chosen_is_refused(cast: Cast, changes: dict, code: str) -> None:
    asked = {"role": "viewer", "days": 7, "most_uses": None, **changes}
    with pytest.raises(AgainstRules) as refusal:
        invite(user=cast.ann, club_key=cast.club.key, **asked)
    assert refusal.value.code == code
    assert not Invitation.objects.exists()


def test_there_is_an_end_to_open_links(cast: Cast) -> None:
    for _ in range(invitations.MOST_OPEN):
        last = make(cast)
    with pytest.raises(AgainstRules, match="Take one back"):
        make(cast)
    revoke(user=cast.ann, club_key=cast.club.key, invitation_key=last.key)
    make(cast)


@pytest.mark.django_db(transaction=True)
def test_two_who_follow_the_last_use_at_once_are_not_both_in() -> None:
    cast = make_cast()
    code, told = code_of(make(cast, uses=1)), []
    together = threading.Barrier(2)

    def follow(user: User) -> None:
        together.wait()
        try:
            accept(user=user, code=code)
            told.append("in")
        except Unusable as refusal:
            told.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=follow, args=(user,)) for user in (cast.dev, cast.guest)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["in", "invitation-used"]
    assert cast.club.memberships.count() == 4
