"""The pad and a row's own page, as values for their templates; nothing here asks the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS
from ginledger.gin.hands import Adjustment, CardsHand, Round
from ginledger.gin.sheet import Column, Sheet

from .book import Book, Change, Line
from .forms import initial_of
from .models import Action
from .wording import (
    KIND_LABELS,
    ORDINALS,
    SHORT_ORDINALS,
    dealers_words,
    hand_sentence,
    hand_words,
    joined,
    named,
    outcome_of,
    signed,
    verdict,
)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say above the form; warn: what was asked for did not happen."""

    lines: tuple[str | SafeString, ...]
    warn: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """A side in one column: points, boxes, and what it needs (None: closed, or one hand decides).

    bar: the points within the target, for the progress bar; next: the side's next win goes here;
    weight: how many times the column counts.
    """

    name: str
    short: str
    points: int
    boxes: int
    needs: int | None
    bar: int
    closed: bool
    won: bool
    next: bool
    weight: int


@dataclass(frozen=True, slots=True)
class SideView:
    """A side on the pad; sits_out: of three, not in the next hand."""

    number: int
    name: str
    deals: bool
    sits_out: bool
    won: bool
    columns: tuple[Standing, ...]

    @property
    def to_go(self) -> str:
        """The points to go column by column, a dash where none can be; "" for none at all."""
        needs = ["–" if one.needs is None else str(one.needs) for one in self.columns]
        return "" if all(one == "–" for one in needs) else " · ".join(needs)


@dataclass(frozen=True, slots=True)
class HandLine:
    """A row among the hands so far. number: "" for a void one; who: "" where nobody scores."""

    number: str
    url: str
    who: str
    kind: str
    label: str
    words: SafeString
    points: str
    running: str
    void: bool
    amended: bool


@dataclass(frozen=True, slots=True)
class PadPage:
    """The score pad of a match."""

    key: str
    names: tuple[str, ...]
    rules_name: str
    version: int
    many: bool
    partners: bool
    target: int
    over: bool
    number: int
    sides: tuple[SideView, ...]
    hands: tuple[HandLine, ...]
    opening: SafeString
    last_day: date | None
    undo: SafeString
    redo: SafeString
    verdict: SafeString
    may_write: bool
    stopped: bool
    stake: dict[str, Any] | None

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def pad_page(book: Book, cut: bool = False) -> PadPage:
    """The pad; cut: the first dealer has just been cut for, and the pad says so."""
    sheet, match, rules = book.sheet, book.match, book.rules
    opening = format_html("No hand yet. {}.", dealers_words(book.table, sheet.next_dealers))
    if cut:
        names = tuple(book.table.names[seat] for seat in sheet.next_dealers)
        opening = format_html("The cut: {} deals first.", joined(names))
    return PadPage(
        key=match.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        rules_name=match.rules_name,
        version=match.version,
        many=len(sheet.columns) > 1,
        partners=rules.play == "partners",
        target=rules.target,
        over=sheet.over,
        number=len(sheet.hands) + 1,
        sides=_sides(book),
        hands=tuple(reversed(hand_lines(book))),
        opening=opening,
        last_day=_last_day(book),
        undo=act_words(book, book.acts.last),
        redo=act_words(book, book.acts.next),
        verdict=verdict(sheet),
        may_write=match.role in WRITERS,
        stopped=match.stopped,
        stake=match.stake,
    )


def _last_day(book: Book) -> date | None:
    """The day a running match was laid aside; None when it goes on today."""
    if book.sheet.over or not book.lines:
        return None
    day = timezone.localdate(book.match.last_at)
    return None if day == timezone.localdate() else day


def _sides(book: Book) -> tuple[SideView, ...]:
    sheet, table = book.sheet, book.table
    return tuple(
        SideView(
            number=side,
            name=table.side_name(side),
            deals=any(seat in sheet.next_dealers for seat in table.seats(side)),
            sits_out=not sheet.over
            and not any(seat in sheet.next_players for seat in table.seats(side)),
            won=sheet.over and sheet.winner == side,
            columns=tuple(
                _standing(sheet, place, column, side) for place, column in enumerate(sheet.columns)
            ),
        )
        for side in range(len(table.sides))
    )


def _standing(sheet: Sheet, place: int, column: Column, side: int) -> Standing:
    figures, target = column.sides[side], sheet.match.rules.target
    open_to_points = column.is_open and target > 0
    return Standing(
        name=ORDINALS[place],
        short=SHORT_ORDINALS[place],
        points=figures.points,
        boxes=figures.boxes,
        needs=max(target - figures.points, 0) if open_to_points else None,
        bar=min(max(figures.points, 0), target),
        closed=not column.is_open,
        won=column.winner == side,
        next=column.is_open and place + 1 in sheet.next_columns(side),
        weight=sheet.match.rules.weights[place],
    )


def hand_lines(book: Book) -> list[HandLine]:
    """Every row in the order of the book, void ones among them."""
    sheet = book.sheet
    entries = {
        (entry.hand, place): entry
        for place, column in enumerate(sheet.columns)
        for entry in column.entries
    }
    # Not a row that an amendment of another one struck out, nor one whose change was taken back.
    amended = {
        amendment.row_id
        for amendment in book.amendments
        if amendment.action == Action.AMEND
        and amendment.version in book.acts.standing
        and (amendment.before or {}).get("fact") != (amendment.after or {}).get("fact")
    }
    running: tuple[int, ...] = (0,) * len(book.table.sides)
    lines = []
    for line in book.lines:
        scored = line.scored
        if scored is not None and len(sheet.columns) == 1:
            entry = entries.get((scored.number, 0))
            running = entry.running if entry else running
            shown = " – ".join(str(points) for points in running)
        elif scored is not None and scored.columns:
            shown = ", ".join(str(column) for column in scored.columns)
        else:
            shown = ""
        lines.append(_hand_line(book, line, shown, line.row.pk in amended))
    return lines


def _hand_line(book: Book, line: Line, running: str, amended: bool) -> HandLine:
    scored, table = line.scored, book.table
    outcome = scored.outcome if scored else outcome_of(book.rules, table, line.hand)
    side = outcome.side if outcome else None
    kind = outcome.kind if outcome else "dead"
    points = "–"
    if outcome is not None and side is not None:
        adjusts = isinstance(line.hand, Adjustment)
        points = signed(outcome.points) if adjusts else str(outcome.points)
    return HandLine(
        number=str(scored.number) if scored else "",
        url=reverse("row", args=[book.match.key, line.row.key]),
        who="" if side is None else table.side_name(side),
        kind=kind,
        label=KIND_LABELS[kind],
        words=hand_words(
            table, line.hand, outcome, dealers_words(table, scored.dealers if scored else ())
        ),
        points=points,
        running=running,
        void=line.row.void,
        amended=amended,
    )


_UNDONE = {
    Action.ENTER: "hand {}",
    Action.INSERT: "inserting hand {}",
    Action.AMEND: "change to hand {}",
    Action.VOID: "voiding a hand",
    Action.RESTORE: "restoring hand {}",
}


def act_words(book: Book, version: int | None) -> SafeString:
    """The act that an undo would take back or a redo bring back: "hand 5"; "" for none."""
    changes = book.act(version) if version is not None else ()
    if not changes:
        return SafeString()
    first = changes[0].amendment
    if first.action == Action.ENTER and len(changes) > 1:
        return SafeString(f"{len(changes)} {_row_word(book).lower()}s")
    # The number that the row has, or would have if it counted.
    place = next(at for at, row in enumerate(book.rows) if row.pk == first.row_id)
    number = 1 + sum(not row.void for row in book.rows[:place])
    words = _UNDONE[Action(first.action)].format(number)
    return SafeString(words.replace("hand", _row_word(book).lower()))


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One change of a row, as it is told: what, who, when, before and after, why."""

    what: str
    who: str
    at: datetime
    lines: tuple[SafeString, ...]
    why: str
    stands: bool


@dataclass(frozen=True, slots=True)
class RowPage:
    """One row of the book: what it says, whether the form can change it, its history."""

    key: str
    names: tuple[str, ...]
    url: str
    void_url: str
    cards_url: str
    tools: tuple[tuple[str, str], ...]
    heading: str
    says: SafeString
    void: bool
    may_write: bool
    editable: bool
    why_fixed: str
    history: tuple[HistoryLine, ...]
    left_over: str = field(default="")
    left_over_void: str = field(default="")

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def row_page(book: Book, line: Line, *, left_over: str = "", left_over_void: str = "") -> RowPage:
    """A row's own page; left_over: the rows that the asked change would leave after the end."""
    match, row = book.match, line.row
    address = [match.key, row.key]
    fixed = ""
    if row.void:
        fixed = "Count it again first, then it can be changed."
    elif isinstance(line.hand, Adjustment):
        fixed = "Adjusted points have a page of their own."
    elif initial_of(line.hand) is None:
        fixed = "A table of this round stands by its cards: void the round to change it."
        if isinstance(line.hand, CardsHand):
            fixed = "This hand stands by its cards: change them, or void the row."
    return RowPage(
        key=match.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        url=reverse("row", args=address),
        void_url=reverse("row_restore" if row.void else "row_void", args=address),
        tools=_tools(line, address),
        cards_url=reverse("row_cards", args=address) if has_cards(book, line) else "",
        heading=f"{_row_word(book)} {line.scored.number}" if line.scored else "A void row",
        says=hand_sentence(book.rules, book.table, line.hand),
        void=row.void,
        may_write=match.role in WRITERS,
        editable=not fixed,
        why_fixed=fixed,
        history=tuple(_history_line(book, change) for change in book.changes(row)),
        left_over=left_over,
        left_over_void=left_over_void,
    )


def _row_word(book: Book) -> str:
    return "Round" if book.rules.play == "partners" else "Hand"


def _tools(line: Line, address: list[str]) -> tuple[tuple[str, str], ...]:
    """What else can be done at a row: words and address of each."""
    tools = [("Insert a hand beside it", reverse("insert", args=address))]
    if isinstance(line.hand, Adjustment):
        if not line.row.void:
            tools.insert(0, ("Change the points", reverse("row_adjust", args=address)))
    elif not line.row.void:
        tools.append(("Who dealt?", reverse("dealer", args=address)))
    return tuple(tools)


def has_cards(book: Book, line: Line) -> bool:
    """Whether both spreads of the row's hand can be entered: a hand of two players."""
    of_two = book.rules.play != "partners" and not isinstance(line.hand, Adjustment | Round)
    return of_two and not line.row.void


def _history_line(book: Book, change: Change) -> HistoryLine:
    amendment = change.amendment
    return HistoryLine(
        what=str(amendment.get_action_display()).capitalize(),
        who=amendment.by,
        at=amendment.at,
        lines=before_after(book, change),
        why=amendment.why,
        stands=change.stands,
    )


def before_after(book: Book, change: Change) -> tuple[SafeString, ...]:
    def said(hand: object) -> SafeString:
        return hand_sentence(book.rules, book.table, hand)  # type: ignore[arg-type]

    before, after = change.before, change.after
    if before is None and after is not None:
        return (said(after),)
    if before != after and before is not None and after is not None:
        if replace(before, dealer=after.dealer) == after:
            return (_dealer_line(book, after.dealer),)
        lines = (format_html("Before: {}", said(before)), format_html("After: {}", said(after)))
        moved = before.dealer != after.dealer
        return (*lines, _dealer_line(book, after.dealer)) if moved else lines
    if change.was_void != change.is_void:
        return (format_html("It {}.", "no longer counts" if change.is_void else "counts again"),)
    return ()


def _dealer_line(book: Book, dealer: int | None) -> SafeString:
    if dealer is None:
        return SafeString("Dealt by whom the rule names.")
    return format_html("Dealt by {}, whatever the rule says.", named(book.table.names[dealer]))


def left_over_words(numbers: Sequence[int]) -> str:
    """The choice to void what would stand after the end of the match."""
    hands = ", ".join(str(number) for number in numbers)
    what = "hand" if len(numbers) == 1 else "hands"
    return f"Void {what} {hands} too: they would stand after the end of the match."


def kept_notice() -> Notice:
    """What is said where a hand is shown that was sent without a session."""
    return Notice(("Not stored yet: you had to log in first. What you typed is here; enter it.",))


def stale_notice() -> Notice:
    """What is said when somebody else wrote in the match since the page was made."""
    return Notice(
        (
            "Somebody else wrote in this match meanwhile; nothing of yours was stored.",
            "The sheet is as it stands now, and what you typed is still here: look, then enter it.",
        )
    )
