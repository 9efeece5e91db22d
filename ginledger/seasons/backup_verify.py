"""What a backup that somebody made himself could hold and no club of ours does: it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from datetime import date, datetime
from typing import Any, TypeVar

from django.db.models import DateField, DateTimeField, Field

from ginledger.gin.errors import AgainstRules, raise_all
from ginledger.gin.matchfile import seating_problems
from ginledger.matches.book import Book, altered_rows
from ginledger.matches.files import moment_problem
from ginledger.matches.life import day_problems
from ginledger.matches.models import Action
from ginledger.matches.stake import clean_words, read_stake, verify_stake

from .models import Season

T = TypeVar("T")


def verify_day(field: Field[Any, Any], value: Any) -> None:
    """Raise ValueError for a day or a moment before the game, or one that lies ahead.

    At the ends of time a page cannot add a day or change the time zone. Seasons may lie ahead.
    """
    if isinstance(field, DateTimeField):
        assert isinstance(value, datetime)
        if problem := moment_problem(value):
            raise ValueError(f"{field.name} is {value.isoformat()}: {problem}")
    elif isinstance(field, DateField) and field.model is not Season:
        assert isinstance(value, date)
        for one in day_problems(value):
            raise ValueError(f"{field.name} is {value.isoformat()}: {one.message}")


def circle(links: Mapping[T, T]) -> T | None:
    """The first of those that lead back to themselves, if any does."""
    ended: set[T] = set()
    for first in links:
        path: dict[T, None] = {}
        one = first
        while one in links and one not in ended:
            if one in path:
                return one
            path[one] = None
            one = links[one]
        ended |= path.keys()
    return None


def verify_book(book: Book) -> None:
    """Raise where a match could not have come to be as it is, or no page could show it.

    Its rows replay, since the book was loaded. What raises is a GinError, or where a value is of
    no kind of ours a LookupError, TypeError or ValueError.
    """
    problems = seating_problems(book.rules, book.table)
    problems += [AgainstRules("amendments-broken", f"{line}.") for line in altered_rows(book)]
    if any(one.version > book.match.version for one in book.amendments):
        text = "An amendment is of a later version than the match."
        problems.append(AgainstRules("amendments-broken", text, "version"))
    raise_all(problems)
    book.changes()  # Every amendment can be read.
    for one in book.amendments:
        if one.action == Action.DESCRIBE:
            _verify_description(one.before)
            _verify_description(one.after)
    _verify_stake(book)


def _verify_description(said: Any) -> None:
    date.fromisoformat(said["played_on"])
    if not isinstance(said["note"], str):
        raise TypeError(f"note is no {said['note']!r}")


def _verify_stake(book: Book) -> None:
    """Only a stake that a form could have made, too, comes in."""
    raw = book.match.stake
    stake = read_stake(raw)
    if stake is None:
        return
    figures = [stake.rate, *(figure for pair in stake.pairs for figure in astuple(pair))]
    if stake.cap is not None:
        figures.append(stake.cap)
    whole = all(type(figure) is int for figure in figures)
    if not whole or stake.to_json() != raw or clean_words(stake.words) != stake.words:
        raise AgainstRules("stake-unreadable", f"This is no stake: {raw!r}."[:200], "stake")
    numbers = [seat.number for seat in book.terms.seats]
    sides = [
        [numbers[seat] for seat in book.table.seats(side)] for side in range(len(book.table.sides))
    ]
    verify_stake(stake, sides, book.rules.play)
