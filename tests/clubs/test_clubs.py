"""Clubs and their members: terms, roles, leaving, closing; and never one without an owner."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404

from ginledger.clubs import club_services as services
from ginledger.clubs.club_services import ClubTerms, find_club
from ginledger.clubs.currencies import CURRENCIES
from ginledger.clubs.invitations import invite
from ginledger.clubs.models import Club, Membership, Role, User
from ginledger.clubs.rulebook import create_rules
from ginledger.clubs.services import home_club
from ginledger.gin.errors import AgainstRules, GinError
from ginledger.gin.ruleset import read_rules
from ginledger.matches.models import Match
from tests.cast import ANN, NOBODY, Cast, gin, make_cast, make_match


def member(cast: Cast, user: User) -> Membership:
    return cast.club.memberships.get(user=user)


def roles(club: Club) -> dict[str, str]:
    return {one.user.name: one.role for one in club.memberships.select_related("user")}


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(AgainstRules) as refusal:
        act()
    assert refusal.value.code == code


def test_a_stranger_finds_no_club_and_a_lower_role_is_told(cast: Cast) -> None:
    key = cast.club.key
    for user in (cast.dev, cast.guest, NOBODY):
        with pytest.raises(Http404):
            find_club(user, key)
    with pytest.raises(Http404):
        find_club(cast.ann, "x" * 5000)
    assert find_club(cast.cleo, key).role == Role.VIEWER
    for user, role in ((cast.cleo, Role.SCORER), (cast.ben, Role.OWNER)):
        with pytest.raises(PermissionDenied):
            find_club(user, key, role=role)
    assert find_club(cast.ann, key, role=Role.OWNER) == cast.club


def test_who_makes_a_club_owns_it(cast: Cast) -> None:
    terms = ClubTerms(" Thursday table ", "EUR", "short-50", "Europe/Berlin")
    club = services.create_club(user=cast.ben, terms=terms)
    club.refresh_from_db()
    kept = (club.name, club.currency, club.usual_rules, club.time_zone)
    assert kept == ("Thursday table", "EUR", "short-50", "Europe/Berlin")
    assert roles(club) == {"Ben": Role.OWNER}


def test_currency_is_off_and_time_is_utc_unless_said(cast: Cast) -> None:
    club = services.create_club(user=cast.ben, terms=ClubTerms("Table"))
    assert (club.currency, club.usual_rules, club.time_zone) == ("", "", "UTC")


def test_every_wrong_term_is_told_at_once_and_nothing_is_stored(cast: Cast) -> None:
    before = Club.objects.values().get(pk=cast.club.pk)
    wrong = ClubTerms("", "XXY", "no-such", "Mars/Olympus")
    with pytest.raises(GinError) as refusal:
        services.change_club(user=cast.ann, club_key=cast.club.key, terms=wrong)
    fields = [problem.field for problem in refusal.value.problems]
    assert fields == ["name", "currency", "usual_rules", "time_zone"]
    assert Club.objects.values().get(pk=cast.club.pk) == before
    for zone in ("", "../etc/passwd", "/etc/passwd", "Europe"):
        assert not services.known_zone(zone), zone


def test_house_rules_of_the_club_may_be_its_usual_ones_but_no_one_elses(cast: Cast) -> None:
    own = create_rules(user=cast.ann, name="Ours", rules=read_rules("short-50"))
    other = create_rules(user=cast.dev, name="Theirs", rules=read_rules("short-50"))
    change = services.change_club
    key = cast.club.key
    assert change(user=cast.ann, club_key=key, terms=ClubTerms("Us", "", own.key)).usual_rules
    with pytest.raises(AgainstRules, match="no such rule set"):
        change(user=cast.ann, club_key=key, terms=ClubTerms("Us", "", other.key))


def test_only_owners_settle_terms_and_roles(cast: Cast) -> None:
    key, cleo = cast.club.key, member(cast, cast.cleo).key
    acts: list[Callable[[User], object]] = [
        lambda user: services.change_club(user=user, club_key=key, terms=ClubTerms("Ours")),
        lambda user: services.change_role(user=user, club_key=key, member_key=cleo, role="owner"),
        lambda user: services.remove_member(user=user, club_key=key, member_key=cleo),
        lambda user: services.close_club(user=user, club_key=key),
    ]
    before = roles(cast.club)
    for act in acts:
        for user in (cast.ben, cast.cleo):
            with pytest.raises(PermissionDenied):
                act(user)
        with pytest.raises(Http404):
            act(cast.dev)
    cast.club.refresh_from_db()
    assert roles(cast.club) == before
    assert (cast.club.name, cast.club.closed_at) == ("Our table", None)


def test_a_member_of_another_club_is_none_of_this_one(cast: Cast) -> None:
    dev = home_club(cast.dev).memberships.get()
    for act in (services.remove_member, services.change_role):
        role = {"role": "viewer"} if act is services.change_role else {}
        with pytest.raises(Http404):
            act(user=cast.ann, club_key=cast.club.key, member_key=dev.key, **role)
    assert home_club(cast.dev).memberships.get().role == Role.OWNER


def test_a_role_is_given_and_an_unknown_one_refused(cast: Cast) -> None:
    key = cast.club.key
    cleo = member(cast, cast.cleo).key
    services.change_role(user=cast.ann, club_key=key, member_key=cleo, role="scorer")
    assert roles(cast.club)["Cleo"] == Role.SCORER
    refused(
        "role-unknown",
        lambda: services.change_role(user=cast.ann, club_key=key, member_key=cleo, role="king"),
    )


def test_b112_the_last_owner_cannot_go_or_step_down(cast: Cast) -> None:
    key, ann = cast.club.key, member(cast, cast.ann).key
    acts: list[Callable[[], object]] = [
        lambda: services.leave_club(user=cast.ann, club_key=key),
        lambda: services.change_role(user=cast.ann, club_key=key, member_key=ann, role="scorer"),
    ]
    for act in acts:
        refused("last-owner", act)
    refused("yourself", lambda: services.remove_member(user=cast.ann, club_key=key, member_key=ann))
    assert roles(cast.club)["Ann"] == Role.OWNER
    ben = member(cast, cast.ben).key
    services.change_role(user=cast.ann, club_key=key, member_key=ben, role="owner")
    services.leave_club(user=cast.ann, club_key=key)
    assert roles(cast.club) == {"Ben": Role.OWNER, "Cleo": Role.VIEWER}


@pytest.mark.django_db(transaction=True)
def test_b112_two_owners_who_go_at_once_leave_one_behind() -> None:
    cast = make_cast()
    cast.club.memberships.filter(user=cast.ben).update(role=Role.OWNER)
    told: list[str] = []
    together = threading.Barrier(2)

    def go(user: User) -> None:
        together.wait()
        try:
            services.leave_club(user=user, club_key=cast.club.key)
            told.append("gone")
        except AgainstRules as refusal:
            told.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(user,)) for user in (cast.ann, cast.ben)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["gone", "last-owner"]
    assert cast.club.memberships.filter(role=Role.OWNER).count() == 1


def test_who_is_removed_is_out_and_what_he_entered_stays(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    match.rows.update(entered_by=cast.ben)
    ben = member(cast, cast.ben).key
    services.remove_member(user=cast.ann, club_key=cast.club.key, member_key=ben)
    assert "Ben" not in roles(cast.club)
    assert not Match.objects.visible_to(cast.ben).filter(pk=match.pk).exists()
    assert match.rows.get().entered_by == cast.ben


def test_a_closed_club_is_read_only_and_opens_again_for_who_closed_it(cast: Cast) -> None:
    key = cast.club.key
    invitation = invite(user=cast.ann, club_key=key, role="viewer", days=7, most_uses=None)
    services.close_club(user=cast.ann, club_key=key)
    assert set(roles(cast.club).values()) == {Role.VIEWER}
    invitation.refresh_from_db()
    assert invitation.revoked_at is not None
    with pytest.raises(PermissionDenied):
        services.reopen_club(user=cast.ben, club_key=key)
    services.reopen_club(user=cast.ann, club_key=key)
    assert roles(cast.club) == {"Ann": "owner", "Ben": "viewer", "Cleo": "viewer"}
    with pytest.raises(PermissionDenied):
        services.reopen_club(user=cast.ann, club_key=key)


def test_the_last_to_leave_a_closed_club_takes_it_along(cast: Cast) -> None:
    make_match(cast.ann, gin(ANN, 9))
    key = cast.club.key
    services.close_club(user=cast.ann, club_key=key)
    for user in (cast.ann, cast.ben, cast.cleo):
        assert Club.objects.filter(key=key).exists()
        services.leave_club(user=user, club_key=key)
    assert not Club.objects.filter(key=key).exists()
    assert not Match.objects.exists()


def test_currencies_have_their_digits() -> None:
    assert (CURRENCIES["EUR"], CURRENCIES["JPY"], CURRENCIES["KWD"]) == (2, 0, 3)
    assert list(CURRENCIES) == sorted(CURRENCIES)
    assert all(len(code) == 3 and code.isupper() for code in CURRENCIES)
