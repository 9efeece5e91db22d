"""What the pages of a season say beside its tables: its days, who won it, its files."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode

from ginledger.clubs.models import Club
from ginledger.money.club_page import to_even

from .export_rows import TOPICS
from .periods import Period
from .standings import Line, Standings


class Link(NamedTuple):
    """An address and what lies there."""

    label: str
    address: str


def export_links(period: Period) -> tuple[Link, ...]:
    """Every table of exactly these days as CSV, and all of them as one workbook."""
    tables = (
        Link(f"{topic.label}, CSV", _table(period, topic.name, "comma"))
        for topic in TOPICS.values()
    )
    return (*tables, Link("Excel workbook, all of it", _table(period, next(iter(TOPICS)), "xlsx")))


def _table(period: Period, topic: str, form: str) -> str:
    asked: dict[str, Any] = {"topic": topic, "form": form}
    if period.begins and period.ends:
        asked |= {"since": period.begins.isoformat(), "until": period.ends.isoformat()}
    return f"{reverse('export_table', args=[period.club.key])}?{urlencode(asked)}"


def days_words(period: Period) -> str:
    """The days of a season as they look from today: "since 1 January, closes 30 June"; "" of
    others, whose name says it."""
    season, club = period.season, period.club
    if season is None:
        return ""
    today = club.today()
    begins, ends = (_day(day, today) for day in (season.begins, season.ends))
    if season.closed_at is not None:
        closed = timezone.localdate(season.closed_at, ZoneInfo(club.time_zone))
        return f"{begins} to {ends} · closed on {_day(closed, today)}"
    if today < season.begins:
        return f"begins {begins}, closes {ends}"
    if today <= season.ends:
        return f"since {begins}, closes {ends}"
    return f"{begins} to {ends}"


def _day(day: date, today: date) -> str:
    """A day that no line breaks, with its year where it is not this one."""
    form = "j F" if day.year == today.year else "j F Y"
    return date_format(day, form).replace(" ", "\N{NO-BREAK SPACE}")


def winners(table: Standings) -> tuple[Line, ...]:
    """Who won a closed season: one, or those who share the first place; nobody before that."""
    season = table.period.season
    if season is None or season.closed_at is None:
        return ()
    return tuple(line for line in table.lines if line.place == 1)


def head(table: Standings) -> dict[str, Any]:
    """What the head of a page of these days shows."""
    return {
        "days": days_words(table.period),
        "exports": export_links(table.period),
        "winners": winners(table),
    }


def even_card(club: Club) -> dict[str, Any]:
    """The fewest payments that even the club now, in its currency, with a new key each."""
    return {"currency": club.currency, "plan": to_even(club)}
