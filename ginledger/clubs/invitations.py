"""Invitations: made and taken back by owners, followed by whoever has the link.

The code of a link is the invitation's key and a signature by the server's secret. Nothing that
would open the door is stored.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.http import Http404
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from ginledger.gin.errors import AgainstRules

from .club_services import MOST_KEY, find_club
from .models import Club, Invitation, Membership, Role, User
from .querysets import Asker

# Days an invitation may last, and the uses it may have (None: as many as come).
DAYS = (1, 7, 30)
USES = (1, 5, 20, None)
# Open links at a time: enough for every table of a club, few enough to look through.
MOST_OPEN = 20

MAY: dict[str, str] = {
    Role.OWNER: "enter hands, invite and remove people, and settle the club's terms",
    Role.SCORER: "start matches, enter hands and put them right",
    Role.VIEWER: "look at every match, and change nothing",
}


class Unusable(AgainstRules):
    """An invitation that lets nobody in any more, with the reason in words."""


@dataclass(frozen=True, slots=True)
class Invited:
    """What following a link came to; new: false for somebody who was in the club already."""

    club: Club
    role: str
    new: bool


def code_of(invitation: Invitation) -> str:
    """What stands in the link."""
    return f"{invitation.key}.{_signature(invitation.key)}"


def _signature(key: str) -> str:
    digest = salted_hmac("ginledger.invitation", key, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def find_by_code(code: str) -> Invitation:
    """The invitation of a link, whether it still lets anybody in or not; raises Http404."""
    key, _, signature = code.partition(".")
    if len(key) > MOST_KEY or not constant_time_compare(signature, _signature(key)):
        raise Http404("No such invitation.")
    found = Invitation.objects.select_related("club", "created_by").filter(key=key).first()
    if found is None:
        raise Http404("No such invitation.")
    return found


def verify_usable(invitation: Invitation) -> None:
    """Raise Unusable with the reason when it lets nobody in any more."""
    if invitation.club.closed_at is not None:
        raise Unusable("club-closed", "The club is closed.")
    if invitation.revoked_at is not None:
        raise Unusable("invitation-revoked", "It was taken back.")
    if invitation.expires_at <= timezone.now():
        raise Unusable("invitation-expired", "It has expired.")
    if invitation.most_uses is not None and invitation.uses >= invitation.most_uses:
        raise Unusable("invitation-used", "It was used as often as it may be.")


def open_invitations(club: Club) -> list[Invitation]:
    """Those that still let somebody in, the latest first."""
    left = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
    found = club.invitations.filter(left, revoked_at=None, expires_at__gt=timezone.now())
    return list(found.order_by("-pk"))


def invite(
    *, user: Asker, club_key: str, role: str, days: int, most_uses: int | None
) -> Invitation:
    """A new invitation by an owner; days: one of ``DAYS``; most_uses: one of ``USES``.

    Raises AgainstRules: "role-unknown", "days-unknown", "uses-unknown", "too-many-open".
    """
    if role not in Role.values:
        raise AgainstRules("role-unknown", "Choose one of the roles.", "role")
    if days not in DAYS:
        raise AgainstRules("days-unknown", "Choose how long it may be used.", "days")
    if most_uses not in USES:
        raise AgainstRules("uses-unknown", "Choose how often it may be used.", "most_uses")
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        if len(open_invitations(club)) >= MOST_OPEN:
            text = f"There are {MOST_OPEN} open invitations. Take one back first."
            raise AgainstRules("too-many-open", text)
        return Invitation.objects.create(
            club=club,
            role=role,
            created_by_id=user.pk,
            expires_at=timezone.now() + timedelta(days=days),
            most_uses=most_uses,
        )


def revoke(*, user: Asker, club_key: str, invitation_key: str) -> None:
    """Take an invitation back; who came by it stays. Twice is the same as once."""
    with transaction.atomic():
        invitation = find_invitation(user, club_key, invitation_key)
        if invitation.revoked_at is None:
            invitation.revoked_at = timezone.now()
            invitation.save(update_fields=["revoked_at"])


def find_invitation(user: Asker, club_key: str, key: str) -> Invitation:
    """An invitation of a club the user owns; raises Http404 or PermissionDenied."""
    club = find_club(user, club_key, role=Role.OWNER)
    found = club.invitations.filter(key=key).first()
    if found is None:
        raise Http404("No such invitation.")
    found.club = club
    return found


def accept(*, user: User, code: str) -> Invited:
    """Let the user in by a link. Who is in the club already keeps his role and uses nothing up.

    Raises Http404 for a made up code and Unusable when the link lets nobody in any more.
    """
    with transaction.atomic():
        invitation = find_by_code(code)
        club = Club.objects.select_for_update().get(pk=invitation.club_id)
        there = club.memberships.filter(user=user).first()
        if there is not None:
            return Invited(club, there.role, new=False)
        invitation = Invitation.objects.select_related("club").get(pk=invitation.pk)
        verify_usable(invitation)
        Membership.objects.create(club=club, user=user, role=invitation.role)
        Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
        return Invited(club, invitation.role, new=True)
