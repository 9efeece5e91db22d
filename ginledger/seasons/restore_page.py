"""A backup that somebody chose on a page: what is in it, and the club that it becomes.

A backup is tried before it is stored: restored, counted, and let go again. So what stands in its
way is known at the look already.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from hashlib import blake2s

from django.db import transaction
from django.db.models import Max, Min, Sum

from ginledger.clubs.accounts import erase_club
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.gin.errors import AgainstRules, Unreadable
from ginledger.matches.models import Match
from ginledger.money.models import Entry

from .backup import backup_text
from .backup_read import restore_club
from .backup_shape import people_of

# Beside the file's size: each becomes an account.
MOST_PEOPLE = 1000


@dataclass(frozen=True, slots=True)
class Inside:
    """What is in a backup. people: members and their roles; binned: how many of the matches."""

    name: str
    people: tuple[tuple[str, str], ...]
    players: int
    matches: int
    binned: int
    hands: int
    entries: int
    first: date | None
    last: date | None


def read_backup(data: bytes) -> object:
    """The document of a file; raises Unreadable."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable("json-unreadable", "This is no backup: it is not JSON.") from None
    people = document.get("people") if isinstance(document, dict) else None
    if isinstance(people, list) and len(people) > MOST_PEOPLE:
        text = f"There are more than {MOST_PEOPLE} people in it: restore it by the command."
        raise Unreadable("backup-people", text, "people")
    return document


def club_here(user: User, document: object) -> Club | None:
    """The club of a backup where it is stored already and the user is in it."""
    said = document.get("club") if isinstance(document, dict) else None
    key = said.get("key") if isinstance(said, dict) else None
    return Club.objects.visible_to(user).filter(key=key).first() if isinstance(key, str) else None


def look_inside(document: object) -> Inside:
    """What is in a backup; nothing is stored. Raises as ``restore_club`` does."""
    with transaction.atomic():
        inside = inside_of(restore_club(document))
        transaction.set_rollback(True)
        return inside


def inside_of(club: Club) -> Inside:
    """What is in a club."""
    members = club.memberships.select_related("user").order_by("pk")
    figures = club.matches.aggregate(
        hands=Sum("hand_count"), first=Min("played_on"), last=Max("played_on")
    )
    return Inside(
        name=club.name,
        people=tuple((str(one.user), one.get_role_display()) for one in members),
        players=club.players.count(),
        matches=club.matches.count(),
        binned=club.matches.exclude(deleted_at=None).count(),
        hands=figures["hands"] or 0,
        entries=club.entries.count(),
        first=figures["first"],
        last=figures["last"],
    )


def restore(*, user: User, document: object) -> Club:
    """Store a backup as a club that the user owns; raises as ``restore_club`` does."""
    return restore_club(document, owner=user)


def fingerprint(club: Club) -> str:
    """What tells whether anything in a club was changed: 32 characters."""
    said = blake2s(digest_size=16)
    for piece in backup_text(club):
        said.update(piece.encode())
    return said.hexdigest()


def remove_restored(*, user: User, club_key: str, unchanged: str) -> None:
    """Remove a club that was just restored, with the accounts it made.

    unchanged: its fingerprint then. Raises AgainstRules ("club-changed") where anything was
    changed since.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        if fingerprint(club) != unchanged:
            text = "Something in the club was changed since: it can be closed, not taken back."
            raise AgainstRules("club-changed", text)
        made = [one.pk for one in people_of(club) if one.pk != user.pk]
        Entry.objects.filter(club=club).delete()
        Match.objects.filter(club=club).delete()
        erase_club(club)
        # Of those whom the backup named: nobody can log in to them, so they are nowhere else.
        User.objects.filter(pk__in=made, email="", memberships=None, last_login=None).delete()
