"""Which matches that come in are here already, by whatever way; and who is new.

A fixed number of queries, however many matches come in: only books of the same people on the
same day are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import prefetch_related_objects

from ginledger.clubs.models import Club
from ginledger.clubs.names import fold
from ginledger.gin.errors import GinError
from ginledger.gin.sheet import Sheet
from ginledger.matches.book import terms_of
from ginledger.matches.models import Match

from .import_found import Fault, FoundMatch

# What the one-time key of a match that came by an import begins with: "import-<batch>-<digest>".
KEY = "import-"
# A player of the club by his id, or somebody new by his folded name.
Person: TypeAlias = "int | str"
Side: TypeAlias = frozenset[Person]


class People:
    """A club's players by the names that come in; merged ones are who they turned out to be."""

    def __init__(self, club: Club) -> None:
        rows = list(club.players.values_list("folded", "pk", "merged_into_id"))
        self.names = {folded: pk for folded, pk, _ in rows}
        self._into = {pk: into for _, pk, into in rows if into is not None}

    def person(self, name: str) -> Person:
        """Whom a name means."""
        found = self.names.get(fold(name))
        met: set[int] = set()
        while found in self._into and found not in met:
            met.add(found)
            found = self._into[found]
        return fold(name) if found is None else found

    def verify(self, match: FoundMatch) -> list[Fault]:
        """Two names at one table that mean one player are a fault."""
        seen: dict[Person, str] = {}
        for name in match.table.names:
            other = seen.setdefault(self.person(name), name)
            if other is not name:
                text = f"{other} and {name} are one player here."
                return [Fault(match.line, "", text, match.file)]
        return []

    def new_names(self, matches: Sequence[FoundMatch]) -> tuple[str, ...]:
        """Who would be added, as his name is written first."""
        names: dict[str, str] = {}
        for match in matches:
            for name in match.table.names:
                names.setdefault(fold(name), name)
        return tuple(name for folded, name in names.items() if folded not in self.names)


@dataclass(slots=True)
class _Account:
    """What a match came to: who won what, hand after hand, and the margin of each side."""

    hands: tuple[tuple[Side, int], ...]
    net: frozenset[tuple[Side, int]] | None
    handless: bool

    def same(self, other: _Account) -> bool:
        """Whether two matches of the same people on one day are one match."""
        if self.handless or other.handless:
            return self.net is not None and self.net == other.net
        return bool(self.hands) and self.hands == other.hands


def mark_known(club: Club, people: People, matches: Sequence[FoundMatch]) -> None:
    """Have every match say whether it is here already, or stands earlier in what comes in."""
    digests = {
        str(key).rpartition("-")[2]: (pk, deleted_at)
        for key, pk, deleted_at in club.matches.filter(once_key__startswith=KEY).values_list(
            "once_key", "pk", "deleted_at"
        )
    }
    seen: set[str] = set()
    used: set[int] = set()
    fresh = [one for one in matches if not one.wrong]
    for match in fresh:
        digest = match.digest
        if digest in digests:
            pk, deleted_at = digests[digest]
            match.known, match.binned = True, deleted_at is not None
            used.add(pk)
        elif digest in seen:
            match.known = True
        seen.add(digest)
    _mark_stored(club, people, [one for one in fresh if not one.known], used)


def _mark_stored(club: Club, people: People, matches: Sequence[FoundMatch], used: set[int]) -> None:
    """Mark those that are stored otherwise; each stored match stands for one of them."""
    by_table: dict[Any, list[FoundMatch]] = defaultdict(list)
    for match in matches:
        sides = [frozenset(map(people.person, side)) for side in match.table.sides]
        by_table[match.day, frozenset(sides)].append(match)
    stored = _stored(club, set(by_table), used)
    for table, found in by_table.items():
        left = [_account_of_stored(one) for one in stored.get(table, [])]
        for match in found:
            assert match.sheet is not None
            sides = [frozenset(map(people.person, side)) for side in match.table.sides]
            mine = _account(match.sheet, sides, match.handless)
            same = next((one for one in left if one is not None and one.same(mine)), None)
            if same is not None:
                match.known = True
                left.remove(same)


def _stored(club: Club, tables: set[Any], used: set[int]) -> dict[Any, list[Match]]:
    """The stored matches by day and people, of those asked for, with their seats and rows."""
    days = {day for day, _ in tables}
    rows = club.matches.filter(played_on__in=days, deleted_at=None).exclude(pk__in=used)
    found: dict[Any, list[Match]] = defaultdict(list)
    for match in rows.prefetch_related("seats__player").order_by("pk"):
        table = match.played_on, frozenset(_sides_of(match))
        if table in tables:
            found[table].append(match)
    prefetch_related_objects([one for group in found.values() for one in group], "rows")
    return found


def _sides_of(match: Match) -> list[Side]:
    seats = list(match.seats.all())
    return [
        frozenset(seat.player_id for seat in seats if seat.side == side)
        for side in range(seats[-1].side + 1)
    ]


def _account_of_stored(match: Match) -> _Account | None:
    terms = terms_of(match, match.seats.all())
    try:
        sheet = terms.score([terms.read(row.fact) for row in match.rows.all() if not row.void])
    except GinError:
        return None  # The audit reports such a match.
    return _account(sheet, _sides_of(match), match.hand_count == 0)


def _account(sheet: Sheet, sides: Sequence[Side], handless: bool) -> _Account:
    net = sheet.net if sheet.over else None
    return _Account(
        tuple((sides[hand.side], hand.points) for hand in sheet.hands if hand.side is not None),
        None if net is None else frozenset(zip(sides, net, strict=True)),
        handless,
    )
