"""Which days a page is about: a season, a calendar year, or all time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q
from django.http import Http404

from ginledger.clubs.club_services import MOST_KEY
from ginledger.clubs.models import Club
from ginledger.spans import Span, by_day, made_of

from .models import Played, Season

ALL = "all"


@dataclass(frozen=True, slots=True)
class Period:
    """Days of a club; slug: how an address names them; begins, ends: None for all time."""

    club: Club
    slug: str
    name: str
    begins: date | None = None
    ends: date | None = None
    season: Season | None = None

    def days(self, field: str = "played_on") -> Q:
        """The filter of these days; field: where the rows keep theirs."""
        if self.begins is None or self.ends is None:
            return Q()
        return Q(**{f"{field}__gte": self.begins, f"{field}__lte": self.ends})

    def spans(self, **of: Any) -> Q:
        """The filter of the club's kept sums that make up these days; of: what else they are."""
        return made_of(self.begins, self.ends, club=self.club, **of)

    def single_days(self, **of: Any) -> Q:
        """The same, a row a day."""
        return by_day(self.begins, self.ends, club=self.club, **of)


def all_time(club: Club) -> Period:
    """Everything the club ever played."""
    return Period(club, ALL, "All time")


def year_of(club: Club, year: int) -> Period:
    """A calendar year."""
    return Period(club, str(year), str(year), date(year, 1, 1), date(year, 12, 31))


def season_of(club: Club, season: Season) -> Period:
    """The days of a season."""
    return Period(club, season.key, season.name, season.begins, season.ends, season)


def find_period(club: Club, slug: str) -> Period:
    """What an address means: "all", a year from 1800, or a season's key; raises Http404."""
    if slug == ALL:
        return all_time(club)
    if re.fullmatch(r"(1[89]|2\d)\d\d", slug, re.ASCII):
        return year_of(club, int(slug))
    return season_of(club, find_season(club, slug))


def find_season(club: Club, key: str) -> Season:
    """The season with this key in the club; raises Http404."""
    season = Season.objects.filter(club=club, key=key).first() if len(key) <= MOST_KEY else None
    if season is None:
        raise Http404("No such season.")
    return season


def current(club: Club) -> Period:
    """The season that holds today where the club is; else all time."""
    today = club.today()
    season = Season.objects.filter(club=club, begins__lte=today, ends__gte=today).first()
    return season_of(club, season) if season else all_time(club)


def periods(club: Club) -> tuple[Period, ...]:
    """What there is to choose from: seasons, the years with matches, all time; two queries."""
    seasons = [season_of(club, season) for season in Season.objects.filter(club=club)]
    months = Played.objects.filter(club=club, span=Span.MONTH)
    years = months.dates("day", "year", order="DESC")
    return (*seasons, *(year_of(club, day.year) for day in years), all_time(club))
