"""Ratings: how well the players of a club win matches, each with how sure one can be of it.

The model is Plackett-Luce of Weng and Lin (2011), by the library openskill: a rating starts at
1500 with a standard deviation (its spread) of 500, a third of that; how much chance there is in a
single match (beta) is half of the spread, and before each match the spread grows a little by tau,
a hundredth of it, so that old matches slowly count for less. Gin is a game of luck too: only who
won counts, not by how much.

A player has one rating in a club. It follows from all matches that count, in the order of their
days and of a day in the order they were started: where one of them changes, all later ones are
rated anew. So a new match at the end costs the same however many there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from math import isclose
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum
from openskill.models import PlackettLuce

from ginledger.clubs.models import Club, Player
from ginledger.gin.sheet import Sheet
from ginledger.matches import posters
from ginledger.matches.models import Match, Seat

from .models import Rating
from .periods import Period
from .standings import totals_of

START = 1500.0
SPREAD = START / 3
MODEL = PlackettLuce(mu=START, sigma=SPREAD, beta=SPREAD / 2, tau=SPREAD / 100)
# With so few rated matches a rating says little yet.
FEW = 10
# Half of a 95 % interval, in spreads.
Z = 1.96
# Two figures that differ by less are the same.
CLOSE = 1e-6
# Matches that are rated at a time.
CHUNK = 500
# So many differences the audit names, of a club.
MOST_SAID = 5


class Place(NamedTuple):
    """Where a match stands, or stood, in the order of its club."""

    club_id: int
    day: date
    match_id: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a match gives to the ratings: its sides by their players' ids, best first, and the
    rank of each from 1, the same where they are level."""

    match_id: int
    day: date
    sides: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]


_SEAT = ("match_id", "side", "player_id")
# Players' ratings and their spreads.
Known = dict[int, tuple[float, float]]


def outcome_of(match: Match, seats: Iterable[Seat]) -> Outcome:
    """What a match that is over gives: the side that won comes first, the others by net points.

    Which side is shown first changes nothing.
    """
    assert match.net is not None
    players: dict[int, list[int]] = defaultdict(list)
    for seat in seats:
        players[seat.side].append(seat.player_id)
    keyed = sorted(
        ((side != match.winner, -match.net[side]), tuple(sorted(own)))
        for side, own in players.items()
    )
    keys = [key for key, _ in keyed]
    return Outcome(
        match.pk,
        match.played_on,
        tuple(own for _, own in keyed),
        tuple(1 + keys.index(key) for key in keys),
    )


def rate(club_id: int, outcome: Outcome, known: Known) -> list[Rating]:
    """The ratings of everybody in a match, unsaved; ``known`` says them before, and then after."""
    teams = [[MODEL.rating(*known[player]) for player in side] for side in outcome.sides]
    rated = MODEL.rate(teams, ranks=[float(rank) for rank in outcome.ranks])
    found = []
    for side, team in zip(outcome.sides, rated, strict=True):
        for player, new in zip(side, team, strict=True):
            before, known[player] = known[player], (new.mu, new.sigma)
            found.append(
                Rating(
                    club_id=club_id,
                    match_id=outcome.match_id,
                    player_id=player,
                    played_on=outcome.day,
                    before=before[0],
                    before_spread=before[1],
                    after=new.mu,
                    after_spread=new.sigma,
                )
            )
    return found


def post(match: Match, _sheet: Sheet) -> None:
    """Have the ratings follow where the match gives them something else than before; a poster."""
    stored = list(Rating.objects.filter(match=match).order_by("player_id"))
    if not (stored or match.counts):
        return
    if _same(match, stored):
        return
    days = {one.played_on for one in stored} | ({match.played_on} if match.counts else set())
    posters.follow(recompute, Place(match.club_id, min(days), match.pk))


def _same(match: Match, stored: Sequence[Rating]) -> bool:
    """Whether a match, rated from what its players had before it, comes to what is stored."""
    if not (stored and match.counts):
        return False
    outcome = outcome_of(match, Seat.objects.filter(match=match))
    known = {one.player_id: (one.before, one.before_spread) for one in stored}
    if set(known) != {player for side in outcome.sides for player in side}:
        return False
    rated = rate(match.club_id, outcome, known)
    return all(
        _close(one, now)
        for one, now in zip(stored, sorted(rated, key=lambda one: one.player_id), strict=True)
    )


def _close(one: Rating, other: Rating) -> bool:
    names = ("before", "before_spread", "after", "after_spread")
    same = (one.club_id, one.played_on) == (other.club_id, other.played_on)
    return same and all(
        isclose(getattr(one, name), getattr(other, name), rel_tol=0, abs_tol=CLOSE)
        for name in names
    )


def recompute(places: Collection[Place]) -> None:
    """Rate anew, in every club, all matches from the earliest of these places on."""
    by_club: dict[int, list[Place]] = defaultdict(list)
    for place in sorted(places):
        by_club[place.club_id].append(place)
    for changed in by_club.values():
        _recompute(changed[0], {place.match_id for place in changed})


def _recompute(first: Place, changed: set[int]) -> None:
    later = Rating.objects.filter(club=first.club_id, played_on__gte=first.day).exclude(
        played_on=first.day, match__lt=first.match_id
    )
    again = changed | set(later.order_by().values_list("match_id", flat=True))
    later.delete()
    order: list[tuple[date, int]] = []
    for chunk in _chunks(sorted(again)):
        order += _counted(first.club_id).filter(pk__in=chunk).values_list("played_on", "pk")
    ids = [match_id for _, match_id in sorted(order)]
    for rated in _replayed(first.club_id, ids, go_on=True):
        Rating.objects.bulk_create(rated)


def remake(club: Club) -> None:
    """Work out anew every rating of a club; in a transaction."""
    Rating.objects.filter(club=club).delete()
    for rated in _replayed(club.pk, _all(club), go_on=False):
        Rating.objects.bulk_create(rated)


def check(club: Club) -> Iterator[str]:
    """Ratings of a club that are not what its matches come to, up to a few; for the audit."""
    return islice(_differences(club), MOST_SAID)


def _differences(club: Club) -> Iterator[str]:
    for rated in _replayed(club.pk, _all(club), go_on=False):
        found = Rating.objects.filter(match__in={one.match_id for one in rated}).order_by()
        stored = {(one.match_id, one.player_id): one for one in found}
        right = {(one.match_id, one.player_id): one for one in rated}
        for key in sorted(stored.keys() | right.keys()):
            was, now = stored.get(key), right.get(key)
            if was is None or now is None or not _close(was, now):
                yield f"the rating of player {key[1]} in match {key[0]} differs from its matches"
    idle = Rating.objects.filter(club=club).exclude(match__in=_counted(club.pk))
    if count := idle.count():
        yield f"ratings of matches that do not count: {count}"


def _counted(club_id: int) -> QuerySet[Match]:
    # The audit asks also where one is stored as over that is not, and has no margin.
    return Match.objects.filter(club=club_id, over=True, deleted_at=None, net__isnull=False)


def _all(club: Club) -> list[int]:
    ordered = _counted(club.pk).order_by("played_on", "pk")
    return list(ordered.values_list("pk", flat=True))


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))


def _replayed(club_id: int, ids: Sequence[int], *, go_on: bool) -> Iterator[list[Rating]]:
    """The ratings of matches of a club, in this order, unsaved, for a chunk of them at a time.

    go_on: begin with what is stored, which is of matches before these; else with nobody rated.
    """
    known: Known = {}
    for chunk in _chunks(ids):
        matches = Match.objects.only("played_on", "winner", "net").in_bulk(chunk)
        seats: dict[int, list[Seat]] = defaultdict(list)
        for seat in Seat.objects.filter(match__in=chunk).only(*_SEAT).order_by():
            seats[seat.match_id].append(seat)
        outcomes = [outcome_of(matches[one], seats[one]) for one in chunk]
        new = {seat.player_id for own in seats.values() for seat in own} - set(known)
        known |= dict.fromkeys(new, (START, SPREAD))
        if go_on and new:
            known |= _last(new)
        yield [one for outcome in outcomes for one in rate(club_id, outcome, known)]


def _last(players: Iterable[int]) -> Known:
    """The rating of each of these players after the last of his rated matches; one query."""
    own = Rating.objects.filter(player=OuterRef("pk")).order_by("-played_on", "-match_id")
    last = Player.objects.filter(pk__in=players).values(last=Subquery(own.values("pk")[:1]))
    found = Rating.objects.filter(pk__in=last).order_by()
    return {one.player_id: (one.after, one.after_spread) for one in found}


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating in whole points before and after, each with half of its 95 % interval."""

    player: Player
    before: int
    before_half: int
    after: int
    after_half: int

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating through some days. few: too few rated matches up to their end to tell;
    matches: those of these days."""

    rated: Rated
    matches: int
    few: bool

    @property
    def order(self) -> tuple[bool, int, str]:
        """The best first, and who has few matches after all others."""
        return self.few, 0 if self.few else -self.rated.after, self.rated.player.folded


def _half(spread: float) -> int:
    return round(Z * spread)


def _rated(player: Player, first: Rating, last: Rating) -> Rated:
    return Rated(
        player,
        round(first.before),
        _half(first.before_spread),
        round(last.after),
        _half(last.after_spread),
    )


def ratings_at(period: Period) -> tuple[Standing, ...]:
    """Everybody who played in these days with his rating before the first and after the last of
    them, the best first; three queries, however many matches there are."""
    own = Rating.objects.filter(player=OuterRef("pk"))
    here = own.filter(period.days())
    until = own if period.ends is None else own.filter(played_on__lte=period.ends)
    players = list(
        Player.objects.filter(club=period.club)
        .annotate(
            first=Subquery(here.order_by("played_on", "match_id").values("pk")[:1]),
            last=Subquery(here.order_by("-played_on", "-match_id").values("pk")[:1]),
            enough=Exists(until.order_by("played_on", "match_id")[FEW - 1 : FEW]),
        )
        .exclude(last=None)
    )
    ends = [pk for one in players for pk in (one.first, one.last)]
    ratings = Rating.objects.in_bulk(ends)
    # Every match that counts is rated; to count the ratings would take the longer the more.
    sums = totals_of(period).values_list("player_id").annotate(all=Sum("matches"))
    counts: dict[int, int] = dict(sums)
    found = [
        Standing(_rated(one, ratings[one.first], ratings[one.last]), counts[one.pk], not one.enough)
        for one in players
    ]
    return tuple(sorted(found, key=lambda one: one.order))


def ratings_card(period: Period) -> dict[str, Any]:
    """What the card of the ratings shows (``seasons/_ratings.html``)."""
    return {"ratings": ratings_at(period), "few_rated": FEW}


def ratings_of(match_ids: Collection[int]) -> dict[int, list[Rated]]:
    """The ratings of everybody before and after each of these matches that counts, the winners
    first; one query."""
    found: dict[int, list[Rated]] = defaultdict(list)
    rows = Rating.objects.filter(match__in=match_ids).select_related("player").order_by("pk")
    for one in rows:
        found[one.match_id].append(_rated(one.player, one, one))
    return found


def rated_matches(period: Period) -> QuerySet[Rating, tuple[date, int]]:
    """The rated matches of these days, the latest first: the day and the id of each."""
    found = Rating.objects.filter(period.days(), club=period.club)
    ordered = found.order_by("-played_on", "-match_id")
    return ordered.values_list("played_on", "match_id").distinct()
