"""Live links: made and taken back by those who write, followed by whoever has one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role
from ginledger.clubs.querysets import Asker

from .models import LiveLink, Match, Seat
from .polling import tag_of
from .querysets import find_match

MATCH_LIFETIME = timedelta(hours=24)
CLUB_LIFETIME = timedelta(days=30)
# How long a match that has ended stays among those that a club is playing.
LINGER = timedelta(minutes=15)


def alive() -> Q:
    """The links that still open something."""
    return Q(revoked_at=None, expires_at__gt=timezone.now(), match__deleted_at=None)


def match_link(match: Match) -> LiveLink | None:
    """The link that shows this match now."""
    return LiveLink.objects.filter(alive(), match=match).first()


def club_link(club: Club) -> LiveLink | None:
    """The link that shows what this club is playing now."""
    return LiveLink.objects.filter(alive(), club=club, match=None).first()


def open_match_link(*, user: Asker, match_key: str) -> LiveLink:
    """The link of a match, made when there is none; for a day."""
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        return match_link(match) or _replace(
            user, MATCH_LIFETIME, club_id=match.club_id, match=match
        )


def close_match_link(*, user: Asker, match_key: str) -> None:
    """Take the link of a match back: from now on it opens nothing, also for who is watching."""
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        _revoke(club_id=match.club_id, match=match)


def open_club_link(*, user: Asker, club_key: str) -> LiveLink:
    """The link of what a club is playing, made when there is none; for thirty days."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        return club_link(club) or _replace(user, CLUB_LIFETIME, club_id=club.pk, match=None)


def close_club_link(*, user: Asker, club_key: str) -> None:
    """Take the link of a club back."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        _revoke(club_id=club.pk, match=None)


def _revoke(**of: Any) -> None:
    LiveLink.objects.filter(revoked_at=None, **of).update(revoked_at=timezone.now())


def _replace(user: Asker, lifetime: timedelta, **of: Any) -> LiveLink:
    """A new link in the place of one that expired."""
    _revoke(**of)
    return LiveLink.objects.create(
        created_by_id=user.pk, expires_at=timezone.now() + lifetime, **of
    )


@dataclass(frozen=True, slots=True)
class Watched:
    """What a token shows: a match, or without one a club. tag: of the match as it stands."""

    club_id: int
    club_name: str
    match_id: int | None
    tag: str


def watch(token: str) -> Watched:
    """What this token shows, from one query; Http404 when it is taken back, over or unknown."""
    seats = list(
        LiveLink.objects.filter(alive(), token=token)
        .order_by("match__seats__side", "match__seats__number")
        .values_list(
            "club_id",
            "club__name",
            "match_id",
            "match__version",
            "match__seats__player__name",
        )
    )
    if not seats:
        raise Http404("No such live link.")
    club_id, club_name, match_id, version, _ = seats[0]
    return Watched(club_id, club_name, match_id, tag_of(version, [seat[-1] for seat in seats]))


@dataclass(frozen=True, slots=True)
class Running:
    """A match that a club is playing: sides by name, totals a list of sides a column."""

    names: tuple[str, ...]
    rules_name: str
    version: int
    totals: list[list[int]]
    hand_count: int
    over: bool
    winner: int | None
    net: list[int] | None


def running(club_id: int) -> list[Running]:
    """What the club is playing and what has just ended, in the order of starting; one query."""
    recent = timezone.now() - LINGER
    # A sheet of long ago that is entered now is no match that has just ended.
    lately = timezone.localdate() - timedelta(days=2)
    seats = (
        Seat.objects.filter(club_id=club_id, match__stopped_at=None)
        .filter(match__archived_at=None, match__deleted_at=None)
        .filter(Q(match__over=False) | Q(match__last_at__gt=recent, match__played_on__gte=lately))
        .select_related("match", "player")
        .order_by("match_id", "side", "number")
    )
    tables: dict[int, list[Seat]] = {}
    for seat in seats:
        tables.setdefault(seat.match_id, []).append(seat)
    return [_running(table) for table in tables.values()]


def _running(seats: list[Seat]) -> Running:
    match = seats[0].match
    names = tuple(
        " & ".join(seat.player.name for seat in seats if seat.side == side)
        for side in sorted({seat.side for seat in seats})
    )
    return Running(
        names,
        match.rules_name,
        match.version,
        match.totals,
        match.hand_count,
        match.over,
        match.winner,
        match.net,
    )
