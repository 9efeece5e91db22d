"""Short ways to matches on a day, and to a club with thousands of tallies."""

from __future__ import annotations

from datetime import date, timedelta

from ginledger.clubs.models import Club, User
from ginledger.clubs.services import seat_players
from ginledger.gin.hands import AnyHand
from ginledger.matches import life
from ginledger.matches.models import Match
from ginledger.seasons import totals
from ginledger.seasons.models import Tally
from tests.cast import fresh, make_match

PEOPLE = tuple(f"Player {number}" for number in range(8))


def played(user: User, day: date, *hands: AnyHand, names: tuple[str, ...], **more: object) -> Match:
    """A match of these hands, played on a day."""
    match = make_match(user, *hands, names=names, **more)  # type: ignore[arg-type]
    life.describe_match(
        user=user, match_key=match.key, version=match.version, played_on=day, note=""
    )
    return fresh(match)


def fill(club: Club, count: int) -> None:
    """So many finished matches of eight people over six years, their tallies made up."""
    people = seat_players(club=club, names=list(PEOPLE))
    matches = Match.objects.bulk_create(
        (
            Match(
                club=club,
                rules={},
                rules_name="Modern 100",
                first_dealer=0,
                over=True,
                hand_count=7,
                played_on=date(2020, 1, 1) + timedelta(days=number * 2000 // count),
            )
            for number in range(count)
        ),
        batch_size=1000,
    )
    tallies = []
    for number, match in enumerate(matches):
        winner, loser = people[number % 8], people[(number + 1 + number % 5) % 8]
        net = number * 37 % 401 + 1
        for one, other, sign in ((winner, loser, 1), (loser, winner, -1)):
            tallies.append(
                Tally(
                    club=club, match=match, player=one, opponent=other, played_on=match.played_on,
                    won=sign > 0, lost=sign < 0, net=sign * net, hands=7,
                    hands_won=4 if sign > 0 else 3, hands_lost=3 if sign > 0 else 4, gins=1,
                    gins_against=1, knocks=2, knocked=3, faced=3, points_won=90,
                )
            )  # fmt: skip
    Tally.objects.bulk_create(tallies, batch_size=1000)
    totals.remake(club)
