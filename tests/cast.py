"""The people of the tests, always the same, and short ways to a match and its rows.

Ann owns the club, Ben scores in it, Cleo only looks, Dev is the owner of another club, and a
guest has nothing but his own. At the table they are players called Ann and Ben.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ginledger.clubs.models import Club, Membership, Role, User
from ginledger.clubs.services import home_club
from ginledger.gin.hands import Adjustment, AnyHand, CountsHand, DeadHand, PointsHand
from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.matches import services
from ginledger.matches.book import Book, load_book
from ginledger.matches.models import Match
from ginledger.matches.stake import Stake

ANN, BEN, CLEO = 0, 1, 2
NOBODY = AnonymousUser()
_numbers = count(1)


@dataclass(frozen=True)
class Cast:
    """The users by name, and the club of the first three."""

    ann: User
    ben: User
    cleo: User
    dev: User
    guest: User
    club: Club


def make_user(name: str, *, is_guest: bool = False) -> User:
    """An account, with an address unless it is a guest's."""
    email = "" if is_guest else f"{name.lower()}.{next(_numbers)}@example.org"
    user = User(name="" if is_guest else name, email=email, is_guest=is_guest)
    user.set_unusable_password()
    user.save()
    return user


def make_cast() -> Cast:
    """Everybody, with their clubs."""
    ann, ben, cleo, dev = (make_user(name) for name in ("Ann", "Ben", "Cleo", "Dev"))
    guest = make_user("", is_guest=True)
    club = home_club(ann)
    Membership.objects.create(club=club, user=ben, role=Role.SCORER)
    Membership.objects.create(club=club, user=cleo, role=Role.VIEWER)
    home_club(dev)
    home_club(guest)
    return Cast(ann, ben, cleo, dev, guest, club)


@pytest.fixture
def cast(db: None) -> Cast:
    """Everybody; a conftest imports this to have it."""
    return make_cast()


def make_match(
    user: User,
    *hands: AnyHand,
    rules: str | dict[str, Any] | RuleSet = "house-modern",
    names: tuple[str, ...] = ("Ann", "Ben"),
    first_dealer: int = ANN,
    stake: Stake | None = None,
) -> Match:
    """A match in the user's club, the first name dealing, with these hands entered."""
    match = services.start_match(
        user=user,
        names=names,
        rules=rules if isinstance(rules, RuleSet) else read_rules(rules),
        rules_name="Test rules",
        first_dealer=first_dealer,
        once_key=f"start-{next(_numbers)}",
        stake=stake,
    )
    for hand in hands:
        enter(user, match, hand)
    return fresh(match)


def fresh(match: Match) -> Match:
    """The match as it is stored now."""
    return Match.objects.get(pk=match.pk)


def book_of(match: Match) -> Book:
    """Its book as it is stored now."""
    return load_book(fresh(match))


def stored(match: Match) -> dict[str, Any]:
    """Everything stored of a match, to see that a refused request moved nothing."""
    return {
        "match": Match.objects.filter(pk=match.pk).values().get(),
        "seats": list(match.seats.order_by("pk").values()),
        "rows": list(match.rows.order_by("pk").values()),
        "log": list(match.amendments.order_by("pk").values()),
    }


def enter(user: User, match: Match, hand: AnyHand, **changes: Any) -> services.Written:
    """One more row, with a new one-time key and the present version."""
    asked = {"once_key": f"hand-{next(_numbers)}", "version": fresh(match).version, **changes}
    return services.enter_row(user=user, match_key=match.key, hand=hand, **asked)


def knock(knocker: int, own: int, other: int, **more: Any) -> CountsHand:
    """A knock with the knocker's count and the opponent's."""
    return CountsHand(kind="knock", knocker=knocker, own=own, other=other, **more)


def gin(knocker: int, other: int, **more: Any) -> CountsHand:
    """Gin against this deadwood."""
    return CountsHand(kind="gin", knocker=knocker, own=None, other=other, **more)


def won(winner: int, points: int, kind: str = "knock", **more: Any) -> PointsHand:
    """A hand by its points as written."""
    return PointsHand(kind=kind, winner=winner, points=points, **more)


def dead(**more: Any) -> DeadHand:
    """A hand that nobody ended."""
    return DeadHand(**more)


def adjust(player: int, points: int, **more: Any) -> Adjustment:
    """Signed points outside the game."""
    return Adjustment(player=player, points=points, **more)
