"""What every row of a book came to, kept beside the book: the poster of ``HandResult``.

Tables of hands are read from here, so that nothing is replayed on the way out. A book that no
longer replays can be written by nobody: what was kept of it stays, and the audit tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from ginledger.gin.cards import card_text, cards_text
from ginledger.gin.dealt import TableOutcome
from ginledger.gin.errors import GinError
from ginledger.gin.handfile import read_hand
from ginledger.gin.hands import (
    Adjustment,
    AnyHand,
    CardsHand,
    CountsHand,
    DeadHand,
    PointsHand,
    Round,
    Table,
    TableHand,
)
from ginledger.gin.sheet import ScoredHand, Sheet
from ginledger.matches.book import seat_tables, terms_of
from ginledger.matches.models import Match

from .models import HandResult

COUNTS, VOID, NOT_SCORED = "counts", "void", "not scored"


class Result(NamedTuple):
    """The fields of a ``HandResult`` but for its match."""

    club_id: int
    row_id: int
    played_on: date
    position: int
    table: int
    state: str
    number: int | None = None
    kind: str = ""
    winner: int | None = None
    points: int | None = None
    boxes: int | None = None
    entered: int | None = None
    columns: str = ""
    knocker: int | None = None
    knocker_deadwood: int | None = None
    opponent: int | None = None
    opponent_deadwood: int | None = None
    upcard: str = ""
    dealers: str = ""
    knocker_cards: str = ""
    opponent_cards: str = ""
    note: str = ""


class BookRow(NamedTuple):
    """A row of a book. hand: None where what is stored cannot be read."""

    pk: int
    position: int
    void: bool
    hand: AnyHand | None


def post(match: Match, sheet: Sheet) -> None:
    """Have the results of a match be those of its rows as they stand; a poster.

    Only what differs is written: one more hand in a long match is one more row here.
    """
    kept = _kept(match)
    right = {(one.position, one.table): one for one in results(match, sheet)}
    gone = [pk for place, (pk, one) in kept.items() if right.get(place) != one]
    new = [
        one for place, one in right.items() if place not in kept or kept[place][1] != one
    ]  # fmt: skip
    if gone:
        HandResult.objects.filter(pk__in=gone).delete()
    if new:
        HandResult.objects.bulk_create(stored(match.pk, new))


def check(match: Match, sheet: Sheet) -> Iterator[str]:
    """Whether the kept results are those that the rows come to; for the audit."""
    kept = {place: one for place, (_, one) in _kept(match).items()}
    right = {(one.position, one.table): one for one in results(match, sheet)}
    for place in sorted(kept.keys() | right.keys()):
        was, now = kept.get(place), right.get(place)
        if was == now:
            continue
        where = f"row {place[0]}" + (f", table {place[1]}" if place[1] else "")
        if was is None or now is None:
            yield f"the result of {where} is {'missing' if was is None else 'of no row'}"
            continue
        names = [name for name in Result._fields if getattr(was, name) != getattr(now, name)]
        yield f"the result of {where} differs from the book in {', '.join(names)}"


def _kept(match: Match) -> dict[tuple[int, int], tuple[int, Result]]:
    """What is stored now, with its id, by row and table; one query."""
    found = HandResult.objects.filter(match=match).order_by()
    lines = ((pk, Result(*line)) for pk, *line in found.values_list("pk", *Result._fields))
    return {(one.position, one.table): (pk, one) for pk, one in lines}


def stored(match: int, found: Iterable[Result]) -> Iterator[HandResult]:
    """The rows to be stored for the results of a match, given by its id."""
    return (HandResult(match_id=match, **one._asdict()) for one in found)


def results(match: Match, sheet: Sheet) -> list[Result]:
    """What the rows of a match come to by its sheet, void ones too; two queries, three with
    void rows."""
    seats = tuple(match.seats.select_related("player").order_by("side", "number"))
    _, tokens = seat_tables(seats)
    facts = dict(match.rows.exclude(voided_at=None).values_list("pk", "fact"))
    standing = iter(sheet.match.hands)
    places = match.rows.order_by("position").values_list("pk", "position")
    rows = [
        BookRow(pk, at, True, read_hand(facts[pk], tokens))
        if pk in facts
        else BookRow(pk, at, False, next(standing))
        for pk, at in places
    ]
    return list(_results(match, [seat.number for seat in seats], rows, sheet.hands))


def results_of_stored(match: Match) -> list[Result]:
    """The same for a match whose seats (with players) and rows have been fetched in order, also
    where its book does not replay: its rows are not scored then."""
    seats = tuple(match.seats.all())
    _, tokens = seat_tables(seats)
    rows = [
        BookRow(row.pk, row.position, row.void, _read(row.fact, tokens)) for row in match.rows.all()
    ]
    numbers = [seat.number for seat in seats]
    hands = tuple(row.hand for row in rows if not row.void and row.hand is not None)
    scored: Sequence[ScoredHand] = ()
    if len(hands) == sum(not row.void for row in rows):
        try:
            scored = terms_of(match, seats).score(hands).hands
        except (GinError, LookupError, TypeError, ValueError):
            # The audit reports such a match; what was entered is kept all the same.
            scored = ()
    return list(_results(match, numbers, rows, scored))


def _read(fact: object, tokens: Table) -> AnyHand | None:
    try:
        return read_hand(fact, tokens)
    except (GinError, LookupError, TypeError, ValueError):
        return None


def _results(
    match: Match,
    numbers: Sequence[int],
    rows: Iterable[BookRow],
    scored: Iterable[ScoredHand],
) -> Iterator[Result]:
    """numbers: the lasting number of each seat in the order of the sheet; scored: what the rows
    that stand came to, in their order, or nothing."""
    coming = iter(scored)
    for row in rows:
        hand = None if row.void else next(coming, None)
        line = Result(
            club_id=match.club_id,
            row_id=row.pk,
            played_on=match.played_on,
            position=row.position,
            table=0,
            number=hand.number if hand else None,
            state=VOID if row.void else COUNTS if hand else NOT_SCORED,
        )
        yield from _of_row(line, row.hand, hand, numbers) if row.hand else (line,)


def _of_row(
    line: Result, hand: AnyHand, scored: ScoredHand | None, numbers: Sequence[int]
) -> Iterator[Result]:
    whole = line._replace(note=hand.note, upcard=_card(hand.upcard))
    if scored:
        winner = scored.outcome.winner
        whole = whole._replace(
            kind=scored.kind,
            winner=None if winner is None else numbers[winner],
            points=scored.points,
            boxes=scored.boxes,
            entered=scored.points,
            columns=" ".join(map(str, scored.columns)),
            dealers=" ".join(str(numbers[seat]) for seat in scored.dealers),
        )
    outcomes = scored.outcome.tables if scored else ()
    if isinstance(hand, Adjustment):
        yield whole._replace(kind="adjustment", winner=numbers[hand.player])
    elif isinstance(hand, Round):
        yield whole._replace(kind="round")
        yield from _of_tables(whole, hand, outcomes, numbers)
    else:
        yield whole._replace(**_of_table(hand, outcomes[0] if outcomes else None, numbers))


def _of_tables(
    whole: Result, hand: Round, outcomes: Sequence[TableOutcome], numbers: Sequence[int]
) -> Iterator[Result]:
    """The tables of a partners' round: what each was worth, and nothing entered."""
    for at, one in enumerate(hand.tables):
        upcard = hand.upcard if one.upcard is None else one.upcard
        part = whole._replace(
            table=at + 1, winner=None, points=None, boxes=None, entered=None, columns="",
            upcard=_card(upcard), note=one.note,
        )  # fmt: skip
        yield part._replace(**_of_table(one, outcomes[at] if outcomes else None, numbers))


def _card(card: int | None) -> str:
    return "" if card is None else card_text(card)


def _of_table(
    hand: TableHand, outcome: TableOutcome | None, numbers: Sequence[int]
) -> dict[str, Any]:
    """The fields of one hand at one table: as ruled, and where it is not, as it was entered."""
    found = _entered(hand, numbers)
    if outcome is None:
        return found
    found["kind"] = outcome.kind
    if outcome.players:
        knocker, opponent = outcome.players
        found |= {"knocker": numbers[knocker], "opponent": numbers[opponent]}
    if (ruling := outcome.ruling) is not None:
        found |= {"knocker_deadwood": ruling.own, "opponent_deadwood": ruling.other}
        if outcome.winner is not None:
            found["winner"] = numbers[outcome.winner]
            found |= {"points": ruling.points, "boxes": ruling.boxes}
    return found


def _entered(hand: TableHand, numbers: Sequence[int]) -> dict[str, Any]:
    if isinstance(hand, DeadHand):
        return {"kind": "dead"}
    if isinstance(hand, PointsHand):
        return {"kind": hand.kind, "winner": numbers[hand.winner]}
    found: dict[str, Any] = {"knocker": numbers[hand.knocker]}
    if hand.opponent is not None:
        found["opponent"] = numbers[hand.opponent]
    if isinstance(hand, CountsHand):
        found |= {"kind": hand.kind, "knocker_deadwood": hand.own, "opponent_deadwood": hand.other}
    elif isinstance(hand, CardsHand):
        found["knocker_cards"] = cards_text(hand.knocker_cards)
        found["opponent_cards"] = cards_text(hand.opponent_cards)
    return found
