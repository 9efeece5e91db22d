"""Clubs and who is in them: keyword-only writes, one transaction each.

A club that is not closed has an owner at all times: every write that could take the last one
away holds the club first and refuses ("last-owner").
"""

from __future__ import annotations

from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from ginledger.clock import known_zone, tell_time_of
from ginledger.gin.errors import AgainstRules, GinError, raise_all
from ginledger.gin.ruleset import presets

from .accounts import erase_club
from .currencies import CURRENCIES
from .models import Club, Membership, Role, User
from .names import clean_name
from .querysets import Asker
from .services import RANK
from .signals import club_changing

MOST_KEY = 64


class ClubTerms(NamedTuple):
    """What an owner settles for a club.

    currency: an ISO code, empty for none; usual_rules: a preset's slug, the key of one of the
    club's house rules, or empty; time_zone: an IANA name.
    """

    name: str
    currency: str = ""
    usual_rules: str = ""
    time_zone: str = "UTC"


def find_club(user: Asker, key: str, *, role: str = Role.VIEWER, lock: bool = False) -> Club:
    """The club with this key, in which the user has at least this role; his own is ``club.role``.

    lock: hold it until the transaction ends. Raises Http404 for a stranger (or no such club) and
    PermissionDenied for a member with a lower role.
    """
    found = Club.objects.visible_to(user).filter(key=key) if len(key) <= MOST_KEY else None
    if found is not None and lock:
        found = found.select_for_update(of=("self",))
    club = found.first() if found is not None else None
    if club is None:
        raise Http404("No such club.")
    if RANK[club.role] < RANK[role]:
        raise PermissionDenied("Another role is needed for this.")
    tell_time_of(club.time_zone)
    return club


def find_member(club: Club, key: str) -> Membership:
    """The membership with this key in the club; raises Http404."""
    member = club.memberships.select_related("user").filter(key=key).first()
    if member is None:
        raise Http404("No such member.")
    return member


def create_club(*, user: User, terms: ClubTerms) -> Club:
    """A new club, its maker the owner. Raises the problems of ``clean_terms``."""
    with transaction.atomic():
        club = Club(**clean_terms(None, terms)._asdict())
        club.save()
        Membership.objects.create(club=club, user=user, role=Role.OWNER)
        return club


def change_club(*, user: Asker, club_key: str, terms: ClubTerms) -> Club:
    """Settle the club's terms anew; no match that was started changes.

    Raises the problems of ``clean_terms``, and what an app above refuses (``club_changing``).
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        cleaned = clean_terms(club, terms)
        club_changing.send(Club, club=club, terms=cleaned)
        for name, value in cleaned._asdict().items():
            setattr(club, name, value)
        club.save(update_fields=ClubTerms._fields)
        return club


def clean_terms(club: Club | None, terms: ClubTerms) -> ClubTerms:
    """The terms as they are kept; raises all problems at once, by the names of the fields."""
    problems: list[GinError] = []
    name = terms.name
    try:
        name = clean_name(terms.name)
    except AgainstRules as problem:
        problems.append(problem)
    if terms.currency and terms.currency not in CURRENCIES:
        problems.append(AgainstRules("currency-unknown", "There is no such currency.", "currency"))
    own = club.house_rules.kept().filter(key=terms.usual_rules) if club else None
    if terms.usual_rules and terms.usual_rules not in presets() and not (own and own.exists()):
        text = "The club has no such rule set."
        problems.append(AgainstRules("rules-unknown", text, "usual_rules"))
    if not known_zone(terms.time_zone):
        problems.append(AgainstRules("zone-unknown", "There is no such time zone.", "time_zone"))
    raise_all(problems)
    return terms._replace(name=name)


def change_role(*, user: Asker, club_key: str, member_key: str, role: str) -> Membership:
    """Give a member, oneself too, another role.

    Who is given a lower one cannot get the old one back by a link that is still open: those for a
    higher role are revoked. Raises AgainstRules "last-owner" or "role-unknown".
    """
    if role not in Role.values:
        raise AgainstRules("role-unknown", "Choose one of the roles.", "role")
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        member = find_member(club, member_key)
        lower = RANK[role] < RANK[member.role]
        if member.role == Role.OWNER and lower:
            _keep_an_owner(club, member)
        if lower:
            _revoke(club, [one for one in Role.values if RANK[one] > RANK[role]])
        member.role = role
        member.save(update_fields=["role"])
        return member


def remove_member(*, user: Asker, club_key: str, member_key: str) -> int:
    """Put somebody else out of the club. Gives the number of open invitations it revoked.

    Every open invitation is revoked with it: who was put out knows them. Matches and what he
    entered stay. Raises AgainstRules ("yourself"): one leaves a club oneself.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        member = find_member(club, member_key)
        if member.user_id == user.pk:
            raise AgainstRules("yourself", "To go yourself, leave the club.")
        member.delete()
        club.claims.filter(user_id=member.user_id).delete()
        return _revoke(club, Role.values)


def leave_club(*, user: Asker, club_key: str) -> None:
    """Go oneself; the last one of a closed club takes the club along, which is then gone.

    Raises AgainstRules ("last-owner").
    """
    with transaction.atomic():
        club = find_club(user, club_key, lock=True)
        member = club.memberships.get(user_id=_known(user))
        if member.role == Role.OWNER:
            _keep_an_owner(club, member)
        member.delete()
        club.claims.filter(user_id=member.user_id).delete()
        if not club.memberships.exists():
            erase_club(club)


def close_club(*, user: Asker, club_key: str) -> Club:
    """Have the club be read only: everybody in it becomes a viewer, open invitations end.

    No owner is left, which is right for a closed club. Whoever closed it may open it again.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        club.closed_at, club.closed_by_id = timezone.now(), user.pk
        club.save(update_fields=["closed_at", "closed_by"])
        club.memberships.update(role=Role.VIEWER)
        _revoke(club, Role.values)
        return club


def reopen_club(*, user: Asker, club_key: str) -> Club:
    """Open a club that one closed oneself; one is its owner again, the others stay viewers."""
    with transaction.atomic():
        club = find_club(user, club_key, lock=True)
        if club.closed_at is None or club.closed_by_id != user.pk:
            raise PermissionDenied("Whoever closed the club may open it.")
        club.closed_at = club.closed_by = None
        club.save(update_fields=["closed_at", "closed_by"])
        club.memberships.filter(user_id=_known(user)).update(role=Role.OWNER)
        return club


def _known(user: Asker) -> int:
    """The id of a user; ``find_club`` lets nobody through who has none."""
    assert user.pk is not None
    return user.pk


def _keep_an_owner(club: Club, member: Membership) -> None:
    """Raise unless somebody else owns the club too. The club is held."""
    if not club.memberships.filter(role=Role.OWNER).exclude(pk=member.pk).exists():
        raise AgainstRules(
            "last-owner",
            "The club would have no owner: make another member an owner first, or close the club.",
            "role",
        )


def _revoke(club: Club, roles: list[str]) -> int:
    open_ = club.invitations.filter(revoked_at=None, role__in=roles)
    return open_.update(revoked_at=timezone.now())
