"""What a backup of a club holds: models, their fields, and how what they point to is named.

Players, matches, rows, entries and their like are named by their keys, which are the same on
every server; accounts by their place in the file's list of people. Derived figures, one-time
keys, links and invitations are left out: the first are worked out anew, the others open doors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Field, ForeignKey, Model

from ginledger.clubs.models import Claim, Club, HouseRules, Membership, Merge, Player, User
from ginledger.matches.derived import FIELDS as DERIVED
from ginledger.matches.models import Amendment, Match, Row, Seat
from ginledger.money.models import Decision, Entry, Signature

from .models import Season

FORMAT = "ginledger/club/1"


@dataclass(frozen=True, slots=True)
class Part:
    """A list of the file. name: its field there; model: what it is stored as."""

    name: str
    model: type[Model]
    left_out: tuple[str, ...] = ()

    def fields(self) -> Iterator[Field[Any, Any]]:
        """What is written of each: every field but its id, its club and what is left out."""
        for field in self.model._meta.concrete_fields:
            if field.name not in ("id", "club", "once_key", *self.left_out):
                yield field


CLUB = Part("club", Club)
# In the order in which each stands on what comes before it.
BEFORE = (
    Part("members", Membership),
    Part("players", Player),
    Part("house_rules", HouseRules),
    Part("claims", Claim),
    Part("seasons", Season),
)
MATCHES = Part("matches", Match, DERIVED)
OF_MATCH = (
    Part("seats", Seat, ("match",)),
    Part("rows", Row, ("match",)),
    Part("amendments", Amendment, ("match",)),
    Part("signatures", Signature, ("match", "link", "stands")),
    Part("decisions", Decision, ("match",)),
)
AFTER = (Part("ledger", Entry), Part("merges", Merge))
PARTS = (CLUB, *BEFORE, MATCHES, *OF_MATCH, *AFTER)


def points_to(field: Field[Any, Any]) -> type[Model] | None:
    """The model a field points to; None for a value."""
    return field.remote_field.model if isinstance(field, ForeignKey) else None


def people_of(club: Club) -> list[User]:
    """Every account that the club's backup names, in the order they were made."""
    found: set[Any] = set()
    for part in PARTS:
        rows = part.model._base_manager.filter(**{"pk" if part is CLUB else "club": club.pk})
        for field in part.fields():
            if points_to(field) is User:
                found |= set(rows.order_by().values_list(field.attname, flat=True).distinct())
    for moved in Merge.objects.filter(club=club).values_list("moved", flat=True):
        found.add(moved["account"])
    return list(User.objects.filter(pk__in=found - {None}).order_by("pk"))
