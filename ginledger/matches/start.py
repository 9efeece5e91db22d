"""Starting a match, and the rematch of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TypeVar

from django.db import IntegrityError, transaction

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Player, Role, User
from ginledger.clubs.names import clean_names
from ginledger.clubs.querysets import Asker
from ginledger.clubs.services import home_club, seat_players
from ginledger.gin.errors import AgainstRules, Unreadable
from ginledger.gin.ruleset import RuleSet

from .book import Terms, load_terms
from .derived import derive
from .errors import WrongState
from .models import KEY_LONGEST, Match, Seat
from .querysets import find_match
from .stake import Stake, keep_currency, renumbered, verify_stake

T = TypeVar("T")


def once(find: Callable[[], T | None], make: Callable[[], T]) -> T:
    """What ``find`` finds, or else what ``make`` makes; made once however many ask at once.

    ``make`` stores something that a unique constraint allows once only, and that ``find`` finds.
    """
    found = find()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return make()
    except IntegrityError:
        found = find()
        if found is None:
            raise
        return found


def clean_once_key(once_key: str) -> str | None:
    """A one-time key as it is kept; None for an empty one, which guards nothing."""
    if len(once_key) > KEY_LONGEST or not once_key.isprintable():
        raise Unreadable("once-key", "This form is damaged: load the page again.", "once_key")
    return once_key or None


def sides_of(play: str, count: int) -> tuple[tuple[int, ...], ...]:
    """Which seats are a side: each his own, or with partners the first half against the second.

    count: how many people there are. Raises AgainstRules ("table-size", field "names").
    """
    if play == "partners":
        if count < 4 or count % 2:
            raise AgainstRules("table-size", "Partners are two sides of two or more.", "names")
        return tuple(range(count // 2)), tuple(range(count // 2, count))
    wanted = 3 if play == "three" else 2
    if count != wanted:
        raise AgainstRules(
            "table-size", f"{wanted} people play here; there are {count} names.", "names"
        )
    return tuple((seat,) for seat in range(count))


def start_match(
    *,
    user: User,
    names: Sequence[str],
    rules: RuleSet,
    rules_name: str,
    first_dealer: int,
    once_key: str,
    played_on: date | None = None,
    club_key: str = "",
    stake: Stake | None = None,
    time_zone: str = "UTC",
) -> Match:
    """A new match; the same one-time key again answers with that match.

    club_key: of a club where the user scores; without one, the first club he owns. time_zone: of
    that one when it has to be made.

    names: one a seat; with partners the first half is one side. Who is known in the club by such
    a name plays, others are added. first_dealer: a seat.
    stake: what it is for; a club that keeps no money yet keeps it in that currency from now on.
    Raises GinErrors: "names", "names.0"…, "first_dealer", "once_key", "stake_rate" and the like.
    """
    key = clean_once_key(once_key)
    sides = sides_of(rules.play, len(names))
    if first_dealer not in range(len(names)):
        raise Unreadable("dealer-unknown", "Say who deals first.", "first_dealer")
    clean_names(names)
    stake = stake or Stake()
    verify_stake(stake, sides, rules.play)
    with transaction.atomic():
        club = (
            find_club(user, club_key, role=Role.SCORER) if club_key else home_club(user, time_zone)
        )

        def make() -> Match:
            keep_currency(club, user, stake)
            match = Match(
                club=club,
                once_key=key,
                rules=rules.to_json(),
                rules_name=rules_name,
                first_dealer=first_dealer,
                created_by=user,
                played_on=played_on or club.today(),
                stake=stake.to_json() or None,
            )
            return seat_match(match, seat_players(club=club, names=names), sides)

        return once(lambda: club.matches.filter(once_key=key).first() if key else None, make)


def seat_match(match: Match, players: Sequence[Player], sides: Sequence[Sequence[int]]) -> Match:
    """Store a new match with its players and the figures of a match without a row."""
    match.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(club_id=match.club_id, match=match, number=number, side=side, player=players[number])
        for side, numbers in enumerate(sides)
        for number in numbers
    )
    terms = load_terms(match)
    for name, value in derive(match, terms.score([]), ()).items():
        setattr(match, name, value)
    match.save()
    return match


def rematch(*, user: Asker, match_key: str) -> Match:
    """The same people by the same rules and for the same again: made once, and answered with
    ever after.

    The first dealer follows ``next_dealer`` of the rule set as if the match were a hand: its
    loser deals, or its winner, or whoever did not deal first this time (also when the match was
    level or was stopped). Of partners the first of the side deals, of three the one with the
    lowest margin is the loser. Raises WrongState: "not-over" while the match is being played,
    "rematch-deleted" when it was made and put in the bin.
    """
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        terms = load_terms(match)

        def make() -> Match:
            if not match.over and not match.stopped:
                raise WrongState("A rematch comes after the match is over.", "not-over")
            seats = terms.seats
            again = Match(
                club=match.club,
                rules=match.rules,
                rules_name=match.rules_name,
                first_dealer=_next_first_dealer(match, terms),
                created_by_id=user.pk,
                rematch_of=match,
                played_on=match.club.today(),
                stake=renumbered(match.stake, {seat.number: at for at, seat in enumerate(seats)}),
            )
            players = [seat.player for seat in seats]
            sides = [terms.table.seats(side) for side in range(len(terms.table.sides))]
            return seat_match(again, players, sides)

        again = once(lambda: Match.objects.filter(rematch_of=match).first(), make)
        if again.deleted:
            raise WrongState("The rematch is in the bin: take it out of there.", "rematch-deleted")
        return again


def _next_first_dealer(match: Match, terms: Terms) -> int:
    """The seat that deals first in the rematch, by its place on the sheet."""
    table = terms.table
    side = table.side_of(terms.first_dealer)
    if terms.rules.next_dealer == "alternate" or match.winner is None:
        side = (side + 1) % len(table.sides)
    elif terms.rules.next_dealer == "winner":
        side = match.winner
    else:
        net: list[int] = match.net or []
        others = [one for one in range(len(net)) if one != match.winner]
        side = min(others, key=net.__getitem__)
    return table.seats(side)[0]
