"""The sums of each day and each month: tallies of a day added up whole, months out of their days.

A page about a season reads months and the days at its ends (``ginledger.spans``), so that it takes
as long with a hundred thousand matches as with a thousand. The sums of a day follow in the
transaction in which one of its tallies is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple, TypeVar

from django.db.models import Q

from ginledger.clubs.models import Club
from ginledger.spans import Span, last_of_month, month_of

from .models import FIELDS, MOST, Played, Tally, Total

_AT_ONCE = 2000
_IS_MOST = tuple(name in MOST for name in FIELDS)
_STREAK = ("head", "tail", "best")
_MATCHES, _WON = FIELDS.index("matches"), FIELDS.index("won")


class Streak(NamedTuple):
    """Matches won in a row over ``matches`` of them: at the beginning, at the end, at most."""

    matches: int = 0
    head: int = 0
    tail: int = 0
    best: int = 0

    def then(self, later: Streak) -> Streak:
        """The streaks of these matches and of those that came after them."""
        return Streak(
            self.matches + later.matches,
            self.head if self.head < self.matches else self.matches + later.head,
            later.tail if later.tail < later.matches else later.matches + self.tail,
            max(self.best, later.best, self.tail + later.head),
        )


# A player and the one he met; None for all his matches.
Who = tuple[int, int | None]
T = TypeVar("T")


class _Sum:
    """Figures being added up, in the order of FIELDS, with their streak."""

    __slots__ = ("streak", "values")

    def __init__(self) -> None:
        self.values: list[int] = [0] * len(FIELDS)
        self.streak = Streak()

    def add(self, values: Iterable[int], streak: Streak) -> None:
        self.values = [
            max(one, more) if most else one + more
            for one, more, most in zip(self.values, values, _IS_MOST, strict=True)
        ]
        self.streak = self.streak.then(streak)

    @property
    def fields(self) -> dict[str, int]:
        return dict(zip(FIELDS, self.values, strict=True)) | dict(
            zip(_STREAK, self.streak[1:], strict=True)
        )


class _Spans:
    """The sums of a club's days or months while they are worked out, by the day they begin."""

    def __init__(self) -> None:
        self.sums: dict[tuple[date, Who], _Sum] = {}
        self.played: dict[date, tuple[int, int]] = {}

    def add(self, day: date, who: Who, values: Iterable[int], streak: Streak) -> None:
        self.sums.setdefault((day, who), _Sum()).add(values, streak)

    def add_played(self, day: date, matches: int, hands: int) -> None:
        before = self.played.get(day, (0, 0))
        self.played[day] = before[0] + matches, before[1] + hands

    def rows(self, club_id: int, span: Span) -> Iterator[Total]:
        for (day, (player, opponent)), found in sorted(self.sums.items(), key=_place):
            yield Total(
                club_id=club_id, span=span, day=day, player_id=player, opponent_id=opponent,
                **found.fields,
            )  # fmt: skip

    def played_rows(self, club_id: int, span: Span) -> Iterator[Played]:
        for day, (matches, hands) in sorted(self.played.items()):
            yield Played(club_id=club_id, span=span, day=day, matches=matches, hands=hands)

    def months(self) -> _Spans:
        """The months of these days, added up in their order."""
        found = _Spans()
        for (day, who), one in sorted(self.sums.items(), key=_place):
            found.add(month_of(day), who, one.values, one.streak)
        for day, (matches, hands) in self.played.items():
            found.add_played(month_of(day), matches, hands)
        return found


def _place(item: tuple[tuple[date, Who], Any]) -> tuple[date, int, int]:
    day, (player, opponent) = item[0]
    return day, player, opponent or 0


def _days(club_id: int, which: Q) -> _Spans:
    """The sums of a club's days from its tallies, in the order the matches were recorded."""
    found, last = _Spans(), None
    rows = Tally.objects.filter(which, club=club_id).order_by("played_on", "match_id", "player_id")
    keys = ("played_on", "match_id", "match__hand_count", "player_id", "opponent_id")
    for day, match, hands, player, opponent, *values in rows.values_list(*keys, *FIELDS).iterator(
        chunk_size=_AT_ONCE
    ):
        if match != last:
            found.add_played(day, 1, hands)
            last = match
        won = values[_WON]
        streak = Streak(1, won, won, won)
        found.add(day, (player, None), values, streak)
        if opponent is not None:
            found.add(day, (player, opponent), values, streak)
    return found


def _kept_days(club_id: int, month: date) -> _Spans:
    """The sums that are kept of the days of a month."""
    found = _Spans()
    days = Q(club=club_id, span=Span.DAY, day__gte=month, day__lte=last_of_month(month))
    keys = ("day", "player_id", "opponent_id", *_STREAK)
    for day, player, opponent, head, tail, best, *values in Total.objects.filter(days).values_list(
        *keys, *FIELDS
    ):
        streak = Streak(values[_MATCHES], head, tail, best)
        found.add(day, (player, opponent), values, streak)
    for day, matches, hands in Played.objects.filter(days).values_list("day", "matches", "hands"):
        found.add_played(day, matches, hands)
    return found


def rewrite(days: Collection[tuple[int, date]]) -> None:
    """Write the sums of these days of clubs (by their ids) whole, and those of their months."""
    for club_id in sorted({club_id for club_id, _ in days}):
        own = {day for club, day in days if club == club_id}
        _replace(club_id, Span.DAY, own, _days(club_id, Q(played_on__in=own)))
        for month in sorted({month_of(day) for day in own}):
            found = _kept_days(club_id, month).months()
            _replace(club_id, Span.MONTH, {month}, found)


def _replace(club_id: int, span: Span, days: Collection[date], found: _Spans) -> None:
    which = Q(club=club_id, span=span, day__in=days)
    Total.objects.filter(which).delete()
    Played.objects.filter(which).delete()
    _store(club_id, span, found)


def _store(club_id: int, span: Span, found: _Spans) -> None:
    Total.objects.bulk_create(found.rows(club_id, span), batch_size=500)
    Played.objects.bulk_create(found.played_rows(club_id, span), batch_size=500)


def remake(club: Club) -> None:
    """Every sum of the club anew, from its tallies; a remaker of ``matches.posters``."""
    Total.objects.filter(club=club).delete()
    Played.objects.filter(club=club).delete()
    days = _days(club.pk, Q())
    _store(club.pk, Span.DAY, days)
    _store(club.pk, Span.MONTH, days.months())


def check(club: Club) -> Iterator[str]:
    """Sums of the club that are not what its tallies come to, a sentence each; for the audit."""
    days = _days(club.pk, Q())
    for span, found in ((Span.DAY, days), (Span.MONTH, days.months())):
        which = Q(club=club, span=span)
        kept = {
            (day, (player, opponent)): dict(zip((*FIELDS, *_STREAK), values, strict=True))
            for day, player, opponent, *values in Total.objects.filter(which).values_list(
                "day", "player_id", "opponent_id", *FIELDS, *_STREAK
            )
        }
        right = {key: one.fields for key, one in found.sums.items()}
        for day in _differing(kept, right):
            yield f"the figures of the {span.label} {day} differ from its tallies"
        played = {
            (day, None): (matches, hands)
            for day, matches, hands in Played.objects.filter(which).values_list(
                "day", "matches", "hands"
            )
        }
        now = {(day, None): counts for day, counts in found.played.items()}
        for day in _differing(played, now):
            yield f"what was played in the {span.label} {day} differs from its tallies"


def _differing(kept: dict[Any, T], right: dict[Any, T]) -> list[date]:
    keys = kept.keys() | right.keys()
    return sorted({key[0] for key in keys if kept.get(key) != right.get(key)})
