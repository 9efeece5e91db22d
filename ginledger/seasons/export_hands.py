"""The hands of a match as lines of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from ginledger.gin.cards import card_text, cards_text
from ginledger.gin.dealt import TableOutcome
from ginledger.gin.errors import GinError
from ginledger.gin.hands import (
    Adjustment,
    AnyHand,
    CardsHand,
    DeadHand,
    PointsHand,
    Round,
    Table,
    TableHand,
)
from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.gin.sheet import ScoredHand
from ginledger.matches.book import Terms, seat_tables
from ginledger.matches.models import Match, Row

from .export_lines import local


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
    kind: str = ""
    side: str = ""
    points: int | None = None
    boxes: int | None = None
    entered: int | None = None
    columns: str = ""
    knocker: str = ""
    knocker_deadwood: int | None = None
    opponent: str = ""
    opponent_deadwood: int | None = None
    upcard: str = ""
    dealer: str = ""
    knocker_cards: str = ""
    opponent_cards: str = ""
    recorded: datetime | None = None
    recorded_by: str = ""
    note: str = ""


def hand_lines(match: Match, zone: ZoneInfo) -> Iterator[HandLine]:
    """The lines of a match whose seats (with players) and rows have been fetched."""
    terms = _terms(match)
    rows = list(match.rows.all())
    hands = [terms.read(row.fact) for row in rows]
    scored = _scored(terms, [hand for row, hand in zip(rows, hands, strict=True) if not row.void])
    sides = " – ".join(terms.table.side_name(side) for side in range(len(terms.table.sides)))
    for row, hand in zip(rows, hands, strict=True):
        result = None if row.void else next(scored, None)
        line = HandLine(
            day=match.played_on,
            match=match.key,
            sides=sides,
            rules=match.rules_name,
            row=row.position,
            hand=result.number if result else None,
            table=None,
            state="void" if row.void else "counts" if result else "not scored",
            recorded=local(row.entered_at, zone),
            recorded_by=_who(row),
        )
        yield from _of_row(line, hand, result, terms.table)


def _terms(match: Match) -> Terms:
    """The terms of a match whose seats are at hand already."""
    seats = tuple(match.seats.all())
    table, tokens = seat_tables(seats)
    first = [seat.number for seat in seats].index(match.first_dealer)
    return Terms(_rules(json.dumps(match.rules)), table, tokens, seats, first)


@lru_cache(maxsize=64)
def _rules(text: str) -> RuleSet:
    """The rule set of a match; most of a club's matches have one of a few."""
    return read_rules(json.loads(text))


def _scored(terms: Terms, hands: Sequence[AnyHand]) -> Iterator[ScoredHand]:
    try:
        return iter(terms.score(hands).hands)
    except GinError:
        # The audit reports such a match; what was entered goes out all the same, not scored.
        return iter(())


def _who(row: Row) -> str:
    return "" if row.entered_by is None else row.entered_by.name or "Guest"


def _of_row(
    line: HandLine, hand: AnyHand, result: ScoredHand | None, table: Table
) -> Iterator[HandLine]:
    whole = line._replace(note=hand.note, upcard=_card(hand.upcard))
    if result:
        whole = whole._replace(
            kind=result.kind,
            side="" if result.side is None else table.side_name(result.side),
            points=result.points,
            boxes=result.boxes,
            entered=result.points,
            columns=" ".join(map(str, result.columns)),
            dealer=" & ".join(table.names[seat] for seat in result.dealers),
        )
    outcomes = result.outcome.tables if result else ()
    if isinstance(hand, Adjustment):
        yield whole._replace(kind="adjustment", side=table.side_name(table.side_of(hand.player)))
    elif isinstance(hand, Round):
        yield whole._replace(kind="round")
        for number, one in enumerate(hand.tables):
            outcome = outcomes[number] if outcomes else None
            upcard = hand.upcard if one.upcard is None else one.upcard
            part = whole._replace(
                table=number + 1, side="", points=None, boxes=None, entered=None, columns="",
                upcard=_card(upcard), note=one.note,
            )  # fmt: skip
            yield part._replace(**_of_table(one, outcome, table.names))
    else:
        yield whole._replace(**_of_table(hand, outcomes[0] if outcomes else None, table.names))


def _card(card: int | None) -> str:
    return "" if card is None else card_text(card)


def _of_table(
    hand: TableHand, outcome: TableOutcome | None, names: Sequence[str]
) -> dict[str, Any]:
    """The fields of one hand at one table: as ruled, and where it is not, as it was entered."""
    found = _entered(hand, names)
    if outcome is None:
        return found
    found["kind"] = outcome.kind
    if outcome.players:
        found |= zip(
            ("knocker", "opponent"), (names[seat] for seat in outcome.players), strict=True
        )
    if (ruling := outcome.ruling) is not None:
        found |= {"knocker_deadwood": ruling.own, "opponent_deadwood": ruling.other}
        if outcome.winner is not None:
            found["side"] = names[outcome.winner]
            found |= {"points": ruling.points, "boxes": ruling.boxes}
    return found


def _entered(hand: TableHand, names: Sequence[str]) -> dict[str, Any]:
    if isinstance(hand, DeadHand):
        return {"kind": "dead"}
    if isinstance(hand, PointsHand):
        return {"kind": hand.kind, "side": names[hand.winner]}
    found: dict[str, Any] = {"knocker": names[hand.knocker]}
    if hand.opponent is not None:
        found["opponent"] = names[hand.opponent]
    if isinstance(hand, CardsHand):
        found["knocker_cards"] = cards_text(hand.knocker_cards)
        found["opponent_cards"] = cards_text(hand.opponent_cards)
        return found
    return found | {
        "kind": hand.kind, "knocker_deadwood": hand.own, "opponent_deadwood": hand.other,
    }  # fmt: skip
