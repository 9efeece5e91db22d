"""In which club a match is started, and whose names are offered there."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404

from ginledger.clubs.models import WRITERS, Club, Role
from ginledger.clubs.querysets import Asker

from .models import Match

MOST_NAMES = 100


@dataclass(frozen=True, slots=True)
class StartClub:
    """club: the chosen one, None for somebody who has none yet; clubs: all he could choose.

    names: of the club's players, for the fields to offer.
    """

    club: Club | None
    clubs: tuple[Club, ...]
    names: tuple[str, ...]

    @property
    def usual_rules(self) -> str:
        """What the club likes to play: a slug or key, empty for nothing."""
        return self.club.usual_rules if self.club else ""

    @property
    def choice(self) -> tuple[Club, ...]:
        """The clubs to choose from, when there is a choice."""
        return self.clubs if len(self.clubs) > 1 else ()


def start_club(user: Asker, asked: str) -> StartClub:
    """The club with the key asked for, else the one last played in, else the first one owned.

    Raises Http404 or PermissionDenied for a club in which the user starts no match.
    """
    mine = list(Club.objects.visible_to(user).order_by("memberships__pk"))
    clubs = tuple(club for club in mine if club.role in WRITERS)
    club: Club | None
    if asked:
        found = [club for club in mine if club.key == asked]
        if not found:
            raise Http404("No such club.")
        club = found[0]
        if club not in clubs:
            raise PermissionDenied("A viewer starts no match.")
    else:
        club = _last_or_own(user, clubs)
    known = club.players.playing().filter(merged_into=None) if club else None
    names = tuple(known.values_list("name", flat=True)[:MOST_NAMES]) if known is not None else ()
    return StartClub(club, clubs, names)


def _last_or_own(user: Asker, clubs: tuple[Club, ...]) -> Club | None:
    if len(clubs) > 1:
        last = (
            Match.objects.filter(created_by_id=user.pk or 0, club__in=clubs)
            .order_by("-pk")
            .values_list("club_id", flat=True)
            .first()
        )
        for club in clubs:
            if club.pk == last:
                return club
    owned = (club for club in clubs if club.role == Role.OWNER)
    return next(owned, None)
