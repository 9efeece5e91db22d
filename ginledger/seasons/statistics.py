"""What two who have played a lot would argue about, each figure with the number it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from ginledger.clubs.models import Player
from ginledger.spans import month_of

from .models import Total
from .periods import Period
from .rates import Average, Rate
from .standings import Line, Standings, added_up, standings, totals_of, totals_of_two
from .totals import Streak


@dataclass(frozen=True, slots=True)
class Measure:
    """A rate of every player, in one or two columns. what: of what it is a share."""

    name: str
    what: str
    columns: tuple[str, ...]
    counted: tuple[tuple[str, str], ...]

    def rates(self, own: dict[str, int]) -> tuple[Rate, ...]:
        """The rate of each column by somebody's figures."""
        return tuple(Rate(own[count], own[n]) for count, n in self.counted)


BOTH = ("For", "Against")
MEASURES = (
    Measure("Matches won", "of the matches played", ("Won",), (("won", "matches"),)),
    Measure("Hands won", "of the hands played", ("Won",), (("hands_won", "hands"),)),
    Measure(
        "Gin", "of the hands played", BOTH, (("gins", "hands"), ("gins_against", "hands"))
    ),
    Measure(
        "Big gin", "of the hands played", BOTH,
        (("big_gins", "hands"), ("big_gins_against", "hands")),
    ),
    Measure(
        "Won by a knock", "of the hands played", BOTH,
        (("knocks", "hands"), ("knocks_against", "hands")),
    ),
    Measure(
        "Undercut", "for: of the other’s knocks; against: of the own knocks, gin left out", BOTH,
        (("undercuts", "faced"), ("undercuts_against", "knocked")),
    ),
    Measure(
        "The deal", "of the hands that somebody won", ("Dealing", "Playing first"),
        (("dealt_won", "dealt"), ("first_won", "first")),
    ),
)  # fmt: skip

AVERAGES = (
    ("Points a hand won", "points_won", "hands_won"),
    ("Count at the knock", "knock_sum", "knock_known"),
    ("Caught with", "caught_sum", "caught_known"),
    ("Hands a match", "hands", "by_hands"),
)


@dataclass(frozen=True, slots=True)
class Month:
    """The net points of a player in a month, given by its first day."""

    day: date
    net: int


@dataclass(frozen=True, slots=True)
class Person:
    """A player's figures beside the rates. streak: the most matches won in a row; hot and cold:
    the best and the worst month, the same one where there is no other."""

    line: Line
    averages: tuple[Average, ...]
    streak: int
    hot: Month
    cold: Month

    @property
    def missed(self) -> Rate:
        """In how many of the hands known by their cards a layout or a count cost him points."""
        return Rate(self.line.figures["missed"], self.line.figures["spreads"])


@dataclass(frozen=True, slots=True)
class Statistics:
    """measures: each with the rates of every player, in the order of the standings; dealer: how
    often whoever dealt won the hand."""

    table: Standings
    measures: tuple[tuple[Measure, tuple[tuple[Player, tuple[Rate, ...]], ...]], ...]
    people: tuple[Person, ...]
    dealer: Rate

    @property
    def with_spreads(self) -> bool:
        """Whether the book holds both spreads of any hand."""
        return any(one.line.figures["spreads"] for one in self.people)


def statistics(period: Period) -> Statistics:
    """All of it for some days; six queries, however many matches there are."""
    table = standings(period)
    streaks, months = _along(totals_of(period))
    people = tuple(
        Person(
            line,
            tuple(Average(line.figures[total], line.figures[n]) for _, total, n in AVERAGES),
            streaks[line.player.pk].best,
            max(months[line.player.pk], key=lambda month: month.net),
            min(months[line.player.pk], key=lambda month: month.net),
        )
        for line in table.lines
    )
    measures = tuple(
        (one, tuple((line.player, one.rates(line.figures)) for line in table.lines))
        for one in MEASURES
    )
    figures = [line.figures for line in table.lines]
    dealer = Rate(sum(one["dealt_won"] for one in figures), sum(one["dealt"] for one in figures))
    return Statistics(table, measures, people, dealer)


def _along(totals: QuerySet[Total]) -> tuple[dict[int, Streak], dict[int, list[Month]]]:
    """The streaks of each player and his months, in their order; one query."""
    streaks: dict[int, Streak] = {}
    months: dict[int, dict[date, int]] = {}
    rows = totals.order_by("day").values_list(
        "player_id", "day", "net", "matches", "head", "tail", "best"
    )
    for player, day, net, *streak in rows:
        streaks[player] = streaks.get(player, Streak()).then(Streak(*streak))
        own = months.setdefault(player, {})
        own[month_of(day)] = own.get(month_of(day), 0) + net
    return streaks, {
        player: [Month(day, net) for day, net in own.items()] for player, own in months.items()
    }


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players in the matches they played alone with each other; None: they never did."""

    one: Player
    other: Player
    figures: tuple[dict[str, int], dict[str, int]] | None

    @property
    def rows(self) -> tuple[tuple[str, tuple[Rate, Rate]], ...]:
        """Their rates side by side."""
        assert self.figures is not None
        one, other = self.figures
        return tuple(
            (
                f"{measure.name}, {column.lower()}" if len(measure.columns) > 1 else measure.name,
                (Rate(one[count], one[n]), Rate(other[count], other[n])),
            )
            for measure in MEASURES
            for column, (count, n) in zip(measure.columns, measure.counted, strict=True)
            if column != "Against"
        )


def meeting(period: Period, one: Player, other: Player) -> Meeting:
    """How two stand against each other in these days; one query."""
    found = added_up(totals_of_two(period, one, other))
    return Meeting(one, other, (found[one.pk], found[other.pk]) if found else None)
