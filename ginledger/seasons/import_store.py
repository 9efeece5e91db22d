"""What was looked at is stored: all of it or what is right, and taken back as one act."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2s
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Concat, Substr
from django.http import Http404
from django.utils import timezone

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Player, Role, User
from ginledger.gin.errors import AgainstRules
from ginledger.matches import posters
from ginledger.matches.files import import_match
from ginledger.matches.life import delete_match
from ginledger.matches.models import Match
from ginledger.matches.querysets import MatchQuerySet
from ginledger.matches.services import enter_rows, start_match
from ginledger.money.models import Entry

from .import_found import FoundMatch
from .import_known import KEY
from .import_look import understand
from .import_uploads import Upload

LATEST_MATCHES = 1000
# What stands before batch and digest in the key of a match that was taken back.
BACK = "back-"


class Batch(NamedTuple):
    """What one import stored and is still there: matches of them. by: "" for somebody who left."""

    key: str
    matches: int
    at: datetime
    by: str


def batch_of(token: str) -> str:
    """The batch that files which wait under a word become: 12 characters, the same every time."""
    return blake2s(token.encode(), digest_size=6).hexdigest()


def in_batch(club: Club, batch: str) -> MatchQuerySet:
    """The matches of one import that are not in the bin."""
    return club.matches.filter(once_key__startswith=f"{KEY}{batch}-", deleted_at=None)


def was_taken_back(club: Club, batch: str) -> bool:
    """Whether there was such an import, and somebody took it back."""
    return club.matches.filter(once_key__startswith=f"{BACK}{batch}-").exists()


def store(
    *,
    user: User,
    club_key: str,
    uploads: Sequence[Upload],
    batch: str,
    rules: str = "",
    form_name: str = "",
    stand_in: bool = False,
    some: bool = False,
) -> int:
    """Store the matches of files in one transaction: all, or with ``some`` those that are right.

    batch: under which they are found again; what it stored before is not stored again. Gives how
    many there are. Raises AgainstRules ("import-faults") where something is wrong and ``some``
    was not said, and "import-nothing" where nothing is left to store.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        if done := in_batch(club, batch).count():
            return done
        found = understand(club, uploads, rules, form_name, stand_in=stand_in)
        if found.faults and not some:
            raise AgainstRules("import-faults", "Some of it is wrong: nothing was stored.")
        if not found.good:
            raise AgainstRules("import-nothing", "There is nothing new in it to store.")
        with posters.together():
            for match in found.good:
                _store_match(user, club, match, f"{KEY}{batch}-{match.digest}")
        return len(found.good)


def _store_match(user: User, club: Club, found: FoundMatch, once_key: str) -> None:
    if found.book is not None:
        import_match(user=user, file=found.book, once_key=once_key, club_key=club.key)
        return
    match = start_match(
        user=user,
        names=found.table.names,
        rules=found.rules,
        rules_name=found.rules_name,
        first_dealer=0,
        once_key=once_key,
        played_on=found.day,
        club_key=club.key,
    )
    enter_rows(
        user=user, match_key=match.key, hands=found.hands, once_key="", version=match.version
    )


def take_back(*, user: User, club_key: str, batch: str) -> int:
    """Put the matches of one import into the bin, in one transaction; how many there were.

    They may come in again afterwards. Players who have nothing else here are archived: their
    names are offered no more. Raises Http404 where nothing of it is left.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        matches = list(in_batch(club, batch).order_by("pk"))
        if not matches:
            raise Http404("No such import.")
        with posters.together():
            for match in matches:
                delete_match(
                    user=user, match_key=match.key, version=match.version, why="Import taken back."
                )
        club.matches.filter(once_key__startswith=f"{BACK}{batch}-").update(once_key=None)
        Match.objects.filter(pk__in=[match.pk for match in matches]).update(
            once_key=Concat(Value(BACK), Substr("once_key", len(KEY) + 1))
        )
        _archive(club, matches)
        return len(matches)


def _archive(club: Club, matches: Sequence[Match]) -> None:
    sat = club.players.filter(seats__match__in=matches, user=None, archived_at=None)
    busy = Player.objects.filter(
        Q(seats__match__deleted_at=None, seats__isnull=False)
        | Q(pk__in=Entry.objects.filter(club=club).values("debtor"))
        | Q(pk__in=Entry.objects.filter(club=club).values("creditor")),
        club=club,
    )
    gone = set(sat.exclude(pk__in=busy.values("pk")).values_list("pk", flat=True))
    Player.objects.filter(pk__in=gone).update(archived_at=timezone.now())


def latest(club: Club, most: int = 5) -> list[Batch]:
    """The imports of late, the latest first."""
    rows = (
        club.matches.filter(once_key__startswith=KEY, deleted_at=None)
        .order_by("-pk")
        .values_list("once_key", "created_at", "created_by__name")[:LATEST_MATCHES]
    )
    found: dict[str, Batch] = {}
    for once_key, at, by in rows:
        key = str(once_key).split("-")[1]
        before = found.get(key)
        found[key] = Batch(key, before.matches + 1 if before else 1, at, by or "")
    return list(found.values())[:most]
