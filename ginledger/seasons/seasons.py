"""Every write of a season: keyword-only, by an owner of the club, one transaction each.

No match changes by it: which season a match is in follows from the day it was played.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role
from ginledger.clubs.names import clean_name, fold
from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules, GinError, raise_all

from .models import Season
from .periods import find_season


class SeasonTerms(NamedTuple):
    """A season's name and its days, the first and the last counted."""

    name: str
    begins: date
    ends: date


def add_season(*, user: Asker, club_key: str, terms: SeasonTerms) -> Season:
    """A new season. Raises Problems: a bad name, "name-taken", "days-turned", "days-taken"."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        return Season.objects.create(club=club, **_clean(club, terms)._asdict())


def change_season(*, user: Asker, club_key: str, season_key: str, terms: SeasonTerms) -> Season:
    """Another name or other days; raises as ``add_season`` does, and "season-closed"."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        season = find_season(club, season_key)
        _verify_open(season)
        for name, value in _clean(club, terms, season)._asdict().items():
            setattr(season, name, value)
        season.save(update_fields=SeasonTerms._fields)
        return season


def close_season(*, user: Asker, club_key: str, season_key: str, closed: bool) -> Season:
    """Close a season, so that its days stay as they are, or open it again."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        season = find_season(club, season_key)
        if closed != (season.closed_at is not None):
            season.closed_at = timezone.now() if closed else None
            season.save(update_fields=["closed_at"])
        return season


def remove_season(*, user: Asker, club_key: str, season_key: str) -> None:
    """Take a season away; its matches stay as they are. Raises "season-closed"."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        season = find_season(club, season_key)
        _verify_open(season)
        season.delete()


def _verify_open(season: Season) -> None:
    if season.closed_at is not None:
        raise AgainstRules("season-closed", "The season is closed; open it again first.")


def _clean(club: Club, terms: SeasonTerms, own: Season | None = None) -> SeasonTerms:
    problems: list[GinError] = []
    name = terms.name
    try:
        name = clean_name(terms.name)
    except AgainstRules as problem:
        problems.append(problem)
    if terms.begins > terms.ends:
        text = "The last day comes before the first."
        problems.append(AgainstRules("days-turned", text, "ends"))
    others = Season.objects.filter(club=club)
    if own is not None:
        others = others.exclude(pk=own.pk)
    if any(fold(one) == fold(name) for one in others.values_list("name", flat=True)):
        text = f"There is a season called {name} already: files and lists tell them by name."
        problems.append(AgainstRules("name-taken", text, "name"))
    taken = others.filter(begins__lte=terms.ends, ends__gte=terms.begins).first()
    if taken is not None:
        text = f"{taken.name} has some of these days: a match is in one season."
        problems.append(AgainstRules("days-taken", text, "begins"))
    raise_all(problems)
    return terms._replace(name=name)
