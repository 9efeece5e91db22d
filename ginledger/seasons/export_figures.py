"""Standings and statistics as tables: the figures of their pages, unrounded and never left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ginledger.matches.cash import plain

from .periods import Period
from .rates import Average, Rate, wilson
from .standings import standings
from .statistics import AVERAGES, Person, Statistics, statistics

_FINE = Decimal("0.0001")


class StandingLine(NamedTuple):
    """A player in the standings; its fields are the columns of the table.

    place: shared where level in every point of the order; net: points; amount: what his matches
    came to, None in a club without money.
    """

    place: int
    player: str
    matches: int
    won: int
    lost: int
    level: int
    net: int
    amount: Decimal | None
    currency: str
    boxes: int
    hands: int
    hands_won: int
    shutouts_given: int
    shutouts_taken: int


class StatisticLine(NamedTuple):
    """A figure of a player, or of all where there is none; its fields are the columns.

    column: for or against, say; counted of n cases: a rate in per cent with the ends of its 95 %
    interval, or an average, the value, with the sum counted; month: its first day; few: whether
    these are too few cases to tell, so that the pages do not show it.
    """

    player: str
    figure: str
    column: str = ""
    counted: int | None = None
    n: int | None = None
    rate: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    value: Decimal | int | None = None
    month: date | None = None
    few: str = ""


def standing_lines(period: Period) -> Iterator[StandingLine]:
    """The standings of these days, best first."""
    table = standings(period)
    code = period.club.currency if table.with_money else ""
    for line in table.lines:
        own = {name: line.figures[name] for name in StandingLine._fields if name in line.figures}
        amount = Decimal(plain(line.amount, code)) if code else None
        yield StandingLine(
            place=line.place, player=line.player.name, amount=amount, currency=code, **own
        )


def statistic_lines(period: Period) -> Iterator[StatisticLine]:
    """The statistics of these days, player by player in the order of the standings, then the
    dealer's edge, which is nobody's own."""
    found = statistics(period)
    for place, person in enumerate(found.people):
        name = person.line.player.name
        yield from _rates(found, place, name)
        for (figure, _, _), average in zip(AVERAGES, person.averages, strict=True):
            yield _average(name, figure, average)
        yield from _others(name, person)
    if found.people:
        yield _rate("", "The dealer’s edge", "", found.dealer)


def _rates(found: Statistics, place: int, name: str) -> Iterator[StatisticLine]:
    for measure, rows in found.measures:
        for column, rate in zip(measure.columns, rows[place][1], strict=True):
            yield _rate(name, measure.name, column.lower(), rate)


def _others(name: str, person: Person) -> Iterator[StatisticLine]:
    own = person.line.figures
    yield StatisticLine(name, "Biggest hand", value=own["biggest"])
    yield StatisticLine(name, "Longest streak", value=person.streak)
    yield StatisticLine(name, "Came back from", value=own["comeback"])
    yield StatisticLine(name, "Hot month", value=person.hot.net, month=person.hot.day)
    yield StatisticLine(name, "Cold month", value=person.cold.net, month=person.cold.day)
    if own["spreads"]:
        yield _rate(name, "Cost by a layout or a count", "hands", person.missed)
        yield StatisticLine(
            name, "Cost by a layout or a count", "points", value=own["missed_points"]
        )
        put_right = Rate(own["put_right"], own["spreads"])
        yield _rate(name, "Put right by the cards", "hands", put_right)
        yield StatisticLine(
            name, "Put right by the cards", "points", value=own["put_right_points"]
        )  # fmt: skip


def _rate(name: str, figure: str, column: str, rate: Rate) -> StatisticLine:
    line = StatisticLine(name, figure, column, rate.count, rate.n, few=_word(rate.few))
    if not rate.n:
        return line
    low, high = (_fine(Decimal(100 * end)) for end in wilson(rate.count, rate.n))
    return line._replace(rate=_fine(Decimal(100 * rate.count) / rate.n), low=low, high=high)


def _average(name: str, figure: str, one: Average) -> StatisticLine:
    value = _fine(Decimal(one.total) / one.n) if one.n else None
    return StatisticLine(
        name, figure, counted=one.total, n=one.n, value=value, few=_word(one.few)
    )  # fmt: skip


def _fine(value: Decimal) -> Decimal:
    return value.quantize(_FINE)


def _word(few: bool) -> str:
    return "yes" if few else "no"
