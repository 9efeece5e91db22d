"""What goes out as tables: topics of rows, read match by match so that memory stays flat.

In every table text, numbers, days and moments are what they are; ``csv_files`` and
``export_xlsx`` write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Prefetch, Q, QuerySet

from ginledger.clubs.models import Club
from ginledger.csv_files import Cell
from ginledger.matches.cash import plain
from ginledger.matches.models import Match, Seat
from ginledger.matches.querysets import MatchQuerySet
from ginledger.matches.stake import read_stake
from ginledger.money.club_page import CSV_HEAD as LEDGER_HEAD
from ginledger.money.club_page import csv_rows as ledger_csv_rows
from ginledger.money.club_page import ledger_entries
from ginledger.money.models import Entry
from ginledger.money.querysets import EntryQuerySet

from .export_figures import StandingLine, StatisticLine, standing_lines, statistic_lines
from .export_hands import HandLine, hand_lines
from .export_lines import MatchLine, local
from .models import HandResult
from .periods import Period, all_time

MATCHES_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a club is asked for: all of it, one match, or some days, both counted; name: what
    these days are called."""

    club: Club
    match: Match | None = None
    since: date | None = None
    until: date | None = None
    name: str = ""

    @classmethod
    def of(cls, period: Period) -> Scope:
        """The days of a season, a year, or all time."""
        return cls(period.club, since=period.begins, until=period.ends, name=period.name)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which moments are told."""
        return ZoneInfo(self.club.time_zone)

    @property
    def period(self) -> Period:
        """Its days as standings and statistics are asked for."""
        if self.since is None and self.until is None:
            return all_time(self.club)
        begins, ends = self.since or date.min, self.until or date.max
        return Period(self.club, "days", self.name, begins, ends)

    def matches(self) -> MatchQuerySet:
        """Its matches in the order they were played and recorded; none that is in the bin."""
        found = Match.objects.filter(self._days("played_on"), club=self.club, deleted_at=None)
        if self.match is not None:
            found = found.filter(pk=self.match.pk)
        seats = Seat.objects.select_related("player").order_by("side", "number")
        return found.prefetch_related(Prefetch("seats", seats)).order_by("played_on", "pk")

    def _days(self, field: str) -> Q:
        days = Q()
        if self.since:
            days &= Q(**{f"{field}__gte": self.since})
        if self.until:
            days &= Q(**{f"{field}__lte": self.until})
        return days

    def hands(self) -> Iterator[Sequence[Cell]]:
        """Every row of every book, void ones too; partners' rounds followed by their tables."""
        return hand_lines(self._hands(), self.zone)

    def _hands(self) -> QuerySet[HandResult]:
        found = HandResult.objects.filter(self._days("played_on"), club=self.club)
        return found if self.match is None else found.filter(match=self.match)

    def results(self) -> Iterator[MatchLine]:
        """Every match, also those that run or were stopped, with what it came to."""
        entries = Prefetch("entries", Entry.objects.standing().marked())
        for match in self.matches().prefetch_related(entries).iterator(MATCHES_AT_ONCE):
            yield _match_line(match, self.zone)

    def hand_count(self) -> int:
        return self._hands().count()

    def standings(self) -> Iterator[Sequence[Cell]]:
        """The table of these days, as its page has it."""
        return standing_lines(self.period)

    def statistics(self) -> Iterator[Sequence[Cell]]:
        """What the page of statistics is made of, a figure a line."""
        return statistic_lines(self.period)

    def player_count(self) -> int:
        return self.club.players.count()

    def match_count(self) -> int:
        return self.matches().count()

    def entry_count(self) -> int:
        return self._entries().count()

    def _entries(self) -> EntryQuerySet:
        found = ledger_entries(self.club).filter(self._days("on"))
        return found if self.match is None else found.filter(match=self.match)

    def ledger(self) -> Iterator[tuple[Cell, ...]]:
        """The entries of the ledger as its own page has them, struck ones marked."""
        for row in ledger_csv_rows(self._entries()):
            line = dict(zip(LEDGER_HEAD, row, strict=True))
            line["day"] = date.fromisoformat(str(line["day"]))
            for name in ("recorded", "struck"):
                if line[name]:
                    line[name] = local(datetime.fromisoformat(str(line[name])), self.zone)
            yield tuple(line.values())


def _match_line(match: Match, zone: ZoneInfo) -> MatchLine:
    seats = list(match.seats.all())
    count = seats[-1].side + 1
    names = [
        " & ".join(one.player.name for one in seats if one.side == side) for side in range(count)
    ]
    state = "over" if match.over else "stopped" if match.stopped else "running"
    winner = "" if not match.over else "level" if match.winner is None else names[match.winner]
    stake = read_stake(match.stake)
    amounts, currency, counts = _amounts(match, seats)
    totals = [sum(column[side] for column in match.totals) for side in range(count)]
    line = MatchLine(
        day=match.played_on, match=match.key, state=state, rules=match.rules_name,
        hands=match.hand_count, winner=winner, currency=currency, counts=counts,
        stake=stake.words if stake else "", last_change=local(match.last_at, zone), note=match.note,
    )  # fmt: skip
    return line.of_sides(names, totals, match.net or [], amounts)


def _amounts(match: Match, seats: Sequence[Seat]) -> tuple[list[Decimal], str, str]:
    """What each side has coming by the entries that stand, their currency, whether they count."""
    entries = list(match.entries.all())
    if not entries:
        return [], "", ""
    side_of = {seat.player_id: seat.side for seat in seats}
    sums = [0] * (seats[-1].side + 1)
    for entry in entries:
        for player, change in ((entry.creditor_id, entry.amount), (entry.debtor_id, -entry.amount)):
            if player in side_of:
                sums[side_of[player]] += change
    code = entries[0].currency
    counts = "disputed" if any(entry.disputed for entry in entries) else "yes"
    return [Decimal(plain(one, code)) for one in sums], code, counts


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of table. name: in options and file names; head: its columns; about: how many rows
    there will be, or a little more or less; of_match: whether one match has it, too."""

    name: str
    label: str
    head: Sequence[str]
    rows: Callable[[Scope], Iterator[Sequence[Cell]]]
    about: Callable[[Scope], int]
    of_match: bool = True


TOPICS = {
    topic.name: topic
    for topic in (
        Topic("hands", "Hands", HandLine._fields, Scope.hands, Scope.hand_count),
        Topic("matches", "Matches", MatchLine._fields, Scope.results, Scope.match_count),
        Topic(
            "standings", "Standings", StandingLine._fields, Scope.standings, Scope.player_count,
            of_match=False,
        ),
        Topic(
            "statistics", "Statistics", StatisticLine._fields, Scope.statistics,
            Scope.player_count, of_match=False,
        ),
        Topic("ledger", "Ledger", LEDGER_HEAD, Scope.ledger, Scope.entry_count),
    )
}  # fmt: skip


def topics(scope: Scope) -> tuple[Topic, ...]:
    """The tables there are of it."""
    return tuple(topic for topic in TOPICS.values() if topic.of_match or scope.match is None)
