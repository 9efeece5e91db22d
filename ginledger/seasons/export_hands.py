"""Hands as lines of a table, streamed from what is kept of them (``results``).

No object is made for a row and nothing is replayed: a line is put together from one row of the
database and from what is the same for its whole match, which is asked for once a chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from ginledger.matches.models import Match

from .export_lines import local_reader
from .models import HandResult

ROWS_AT_ONCE = 2000


class HandLine(NamedTuple):
    """A row of a book; its fields are the columns of the table.

    row: its place in the book, from 1; table: from 1 for a table of a partners' round, whose own
    line comes before; state: counts, void or not scored; side: whose the points are; points and
    boxes: what the hand is worth, nothing for a void one; entered: what the sheet got, so that no
    table of a round is added twice.
    """

    day: date
    match: str
    sides: str
    rules: str
    row: int
    hand: int | None
    table: int | None
    state: str
    kind: str
    side: str
    points: int | None
    boxes: int | None
    entered: int | None
    columns: str
    knocker: str
    knocker_deadwood: int | None
    opponent: str
    opponent_deadwood: int | None
    upcard: str
    dealer: str
    knocker_cards: str
    opponent_cards: str
    recorded: datetime
    recorded_by: str
    note: str


# What is read of each row; in this order it is taken apart in ``_lines``.
FIELDS = (
    "match_id", "position", "table", "number", "state", "kind", "winner", "points", "boxes",
    "entered", "columns", "knocker", "knocker_deadwood", "opponent", "opponent_deadwood", "upcard",
    "dealers", "knocker_cards", "opponent_cards", "note", "moment", "row__entered_by__name",
)  # fmt: skip


class _Seating(NamedTuple):
    """Who sits where, in words. names: by the numbers of the seats, of the players and, in sides,
    of the sides they belong to; dealt: who dealt, by the numbers, as far as it was asked for."""

    text: str
    names: dict[int | None, str]
    sides: dict[int | None, str]
    dealt: dict[str, str]


class _Of(NamedTuple):
    """What is the same for the lines of a match; head: its day, key, sides and rules."""

    head: tuple[date, str, str, str]
    seating: _Seating


# A seat: its side, its number, the name of its player.
_Seats = tuple[tuple[int, int, str], ...]


def hand_rows(results: QuerySet[HandResult]) -> QuerySet[HandResult, tuple[Any, ...]]:
    """What is read for the lines of these results, in the order in which they go out."""
    # As text a moment is read some ten times faster than as a value with a zone.
    moment = Cast("row__entered_at", TextField())
    order = ("played_on", "match_id", "position", "table")
    return results.order_by(*order).annotate(moment=moment).values_list(*FIELDS)


def hand_lines(results: QuerySet[HandResult], zone: ZoneInfo) -> Iterator[tuple[Any, ...]]:
    """The lines (``HandLine``) of these results but for those of matches in the bin.

    One query, and another one for every ``ROWS_AT_ONCE`` rows; memory does not grow with them.
    """
    return chain.from_iterable(_chunks(results, local_reader(zone)))


def _chunks(
    results: QuerySet[HandResult], local: Callable[[str], datetime]
) -> Iterator[Iterator[tuple[Any, ...]]]:
    rows = hand_rows(results).iterator(chunk_size=ROWS_AT_ONCE)
    # The same people meet again and again.
    seating = lru_cache(maxsize=1000)(_seating)
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield _lines(chunk, _matches({row[0] for row in chunk}, seating), local)


def _matches(keys: Collection[int], seating: Callable[[_Seats], _Seating]) -> dict[int, _Of]:
    """The matches with these ids that are not in the bin; one query."""
    # Put in order here: a match has a few seats, and the database would sort those of all.
    found = Match.objects.filter(pk__in=keys, deleted_at=None).order_by().values_list(
        "pk", Cast("played_on", TextField()), "key", "rules_name",
        "seats__side", "seats__number", "seats__player__name",
    )  # fmt: skip
    heads: dict[int, tuple[str, str, str]] = {}
    seats: dict[int, list[tuple[int, int, str]]] = {}
    for match, day, key, rules, *seat in found:
        heads[match] = day, key, rules
        seats.setdefault(match, []).append(tuple(seat))
    matches = {}
    for match, (day, key, rules) in heads.items():
        who = seating(tuple(sorted(seats[match])))
        matches[match] = _Of((date.fromisoformat(day), key, who.text, rules), who)
    return matches


def _seating(seats: _Seats) -> _Seating:
    by_side: dict[int, list[str]] = {}
    for side, _, name in seats:
        by_side.setdefault(side, []).append(name)
    sides = {side: " & ".join(names) for side, names in by_side.items()}
    nobody: dict[int | None, str] = {None: ""}
    return _Seating(
        " – ".join(sides.values()),
        nobody | {number: name for _, number, name in seats},
        nobody | {number: sides[side] for side, number, _ in seats},
        {"": ""},
    )


def _lines(
    rows: Sequence[tuple[Any, ...]], matches: dict[int, _Of], local: Callable[[str], datetime]
) -> Iterator[tuple[Any, ...]]:
    """Plain tuples in the order of ``HandLine``, which would take half as long again to make."""
    last: int | None = None
    of: _Of | None = None
    for (
        match, position, table, number, state, kind, winner, points, boxes, entered, columns,
        knocker, knocker_deadwood, opponent, opponent_deadwood, upcard, dealers, knocker_cards,
        opponent_cards, note, moment, by,
    ) in rows:  # fmt: skip
        if match != last:
            last, of = match, matches.get(match)
            if of is not None:
                head, (_, names, sides, dealt) = of
        if of is None:
            continue
        if dealers not in dealt:
            dealt[dealers] = " & ".join(names[int(seat)] for seat in dealers.split())
        yield (
            *head, position, number, table or None, state, kind,
            names[winner] if table else sides[winner], points, boxes, entered, columns,
            names[knocker], knocker_deadwood, names[opponent], opponent_deadwood, upcard,
            dealt[dealers], knocker_cards, opponent_cards, local(moment),
            "" if by is None else by or "Guest", note,
        )  # fmt: skip
