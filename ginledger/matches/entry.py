"""What the entry form shows beside its fields, and what a hand would come to if it were stored."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from html import unescape

from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString

from ginledger.gin.cards import RANKS, SUITS, card_symbol, parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import knock_limit, multiplier
from ginledger.gin.sheet import ScoredHand, Sheet

from .book import Book
from .errors import BookError
from .forms import HOWS, KINDS, TableForm
from .models import Row
from .round_forms import RoundForm, RowForm
from .services import preview
from .wording import SHORT_ORDINALS, closing_words, dealers_words, signed

RANK_NAMES = dict(zip(RANKS, (
    "ace", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "jack", "queen", "king",
), strict=True))  # fmt: skip
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What entering the hand would do.

    short: for the button; said: the same as plain text, read out; terms: what the upcard means,
    of several tables with a bar between; limit: the knock limit in points; trouble: whether the
    hand would be refused.
    """

    short: SafeString | str = ""
    said: str = ""
    terms: str = ""
    limit: int = 10
    trouble: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two who can meet. value: as the form sends it; at: its number among those offered."""

    value: str
    at: int
    names: tuple[str, str]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Seated:
    """One who can have played. at: his number here; meets: the numbers of his pairs, as classes;
    others: whom he meets, each with the classes of that pair."""

    seat: str
    at: int
    name: str
    meets: str
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """The choices at one table as the rule set and the seating have them.

    met: the two by what is chosen; rest: who sits out when those whose turn it is play.
    """

    form: TableForm
    heading: str
    pairs: tuple[Meeting, ...]
    met: tuple[str, str]
    rest: tuple[str, ...]
    seats: tuple[Seated, ...]
    how: str
    kind: str
    upcard_shown: str
    terms: str


@dataclass(frozen=True, slots=True)
class EntryView:
    """What stands around a row's form: one table, or every table of a round."""

    once_key: str
    version: int
    preview_url: str
    tables: tuple[TableView, ...]
    is_round: bool
    hows: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    needs_upcard: bool
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[tuple[str, str, str], ...]
    same_dealer: SafeString


def entry_view(book: Book, form: RowForm, preview_url: str, once_key: str = "") -> EntryView:
    """The form's surroundings for the state the book is in; a new one-time key unless given."""
    rules = book.rules
    hows, kinds = _playable(rules, HOWS), _playable(rules, KINDS)
    is_round = rules.play == "partners"
    return EntryView(
        once_key=once_key or secrets.token_urlsafe(16),
        version=book.match.version,
        preview_url=preview_url,
        tables=tuple(
            _table_view(rules, one, f"Table {place}" if is_round else "", hows, kinds)
            for place, one in enumerate(form.tables, 1)
        ),
        is_round=is_round,
        hows=hows,
        kinds=kinds,
        needs_upcard=rules.needs_upcard,
        ranks=tuple(RANK_NAMES.items()),
        suits=tuple(
            (suit, name, card_symbol(parse_card("A" + suit))[-1])
            for suit, name in sorted(SUIT_NAMES.items(), key=lambda one: "SHDC".index(one[0]))
        ),
        same_dealer=SafeString() if is_round else _dealers(book),
    )


def _dealers(book: Book) -> SafeString:
    return dealers_words(book.table, book.sheet.next_dealers)


def _table_view(
    rules: RuleSet,
    form: TableForm,
    heading: str,
    hows: tuple[tuple[str, str], ...],
    kinds: tuple[tuple[str, str], ...],
) -> TableView:
    names, chosen, upcard = form.table.names, form.chosen_pair, _chosen_upcard(form)
    pairs = tuple(
        Meeting(value, at, (names[pair[0]], names[pair[1]]), pair == chosen)
        for at, (value, pair) in enumerate(form.pairs.items())
    )
    return TableView(
        form=form,
        heading=heading,
        pairs=pairs,
        met=(names[chosen[0]], names[chosen[1]]),
        rest=tuple(names[seat] for seat in form.seats if seat not in chosen),
        seats=tuple(_seated(form, at, seat) for at, seat in enumerate(form.seats)),
        how=form["how"].value() or hows[0][0],
        kind=form["kind"].value() or kinds[0][0],
        upcard_shown="" if upcard is None else card_symbol(upcard),
        terms=_terms(rules, upcard),
    )


def _seated(form: TableForm, at: int, seat: int) -> Seated:
    names = form.table.names
    mine = [(number, pair) for number, pair in enumerate(form.pairs.values()) if seat in pair]
    others = [
        (f"met met-{number}", names[pair[1] if pair[0] == seat else pair[0]])
        for number, pair in mine
    ]
    meets = " ".join(f"in-{number}" for number, _ in mine)
    return Seated(str(seat), at, names[seat], meets, tuple(others))


def _playable(rules: RuleSet, kinds: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The kinds that can end a hand by these rules."""
    refused = {"knock", "undercut"} if rules.knock_limit == 0 else set()
    if rules.big_gin_bonus is None:
        refused.add("big_gin")
    return tuple(kind for kind in kinds if kind[0] not in refused)


def _chosen_upcard(form: TableForm) -> int | None:
    rank, suit = form["upcard_rank"].value(), form["upcard_suit"].value()
    if rank in RANK_NAMES and suit in SUIT_NAMES:
        return parse_card(rank + suit)
    return None


def forecast(
    book: Book,
    form: RowForm,
    replacing: Row | None = None,
    *,
    before: Row | None = None,
    after: Row | None = None,
) -> Forecast:
    """What the hand in the form would come to; nothing is stored."""
    upcards = [_chosen_upcard(one) for one in form.tables]
    limit = max(knock_limit(book.rules, upcard) for upcard in upcards)
    terms = "|".join(_terms(book.rules, upcard) for upcard in upcards)
    if not form.is_valid():
        said = _form_trouble(form)
        return Forecast("", said, terms, limit, trouble=bool(said))
    try:
        outcome = forecast_hand(book, form.hand, replacing, before=before, after=after)
    except GinError as error:
        form.add_problems(error)
        outcome = refusal(error)
    return replace(outcome, terms=terms, limit=limit)


def forecast_hand(
    book: Book,
    hand: AnyHand,
    replacing: Row | None = None,
    *,
    before: Row | None = None,
    after: Row | None = None,
) -> Forecast:
    """What a hand would come to as the next row, in the place of one or beside one.

    Nothing is stored.

    Raises a GinError where gin refuses the sheet as it would stand.
    """
    try:
        sheet = preview(
            book.match,
            hand,
            replacing=replacing.key if replacing else None,
            before=before.key if before else None,
            after=after.key if after else None,
        )
    except BookError as error:
        return Forecast(said=error.message, trouble=True)
    place = _place(book, replacing, before or after, after is not None)
    short = _short(sheet, sheet.hands[place])
    return Forecast(short, _aloud(short))


def refusal(error: GinError) -> Forecast:
    """A forecast that says why the hand would be refused."""
    return Forecast(said=" ".join(one.message for one in error.problems), trouble=True)


def _aloud(short: SafeString) -> str:
    """The same as plain text, as a screen reader should say it."""
    return unescape(strip_tags(short)).replace(" →", ", to")


def _place(book: Book, replacing: Row | None, beside: Row | None, behind: bool) -> int:
    """Where the hand stands among the rows that count."""
    row = replacing or beside
    if row is None:
        return -1
    # A row that is void, beside which one is inserted, has no place itself.
    earlier = sum(1 for one in book.rows if not one.void and one.position < row.position)
    return earlier + (behind and not row.void)


def _form_trouble(form: RowForm) -> str:
    """What is wrong with what is typed; what is only missing yet is no trouble."""
    typed = ("knocker_deadwood", "opponent_deadwood", "points", "note", "why")
    shown: list[tuple[TableForm | RowForm, str]]
    shown = [(one, name) for one in form.tables for name in typed if name in one.fields]
    if isinstance(form, RoundForm):
        shown += [(form, "note"), (form, "why")]
    return " ".join(
        str(error) for one, name in shown if one[name].value() for error in one.errors.get(name, [])
    )


def _terms(rules: RuleSet, upcard: int | None) -> str:
    """What the upcard does to this hand."""
    if upcard is None or not rules.needs_upcard:
        return ""
    parts = []
    if rules.oklahoma:
        limit = knock_limit(rules, upcard)
        parts.append(f"knock with {limit} or less" if limit else "only gin ends it")
    if multiplier(rules, upcard) == 2:
        parts.append("counts double")
    return ", ".join(parts)


def _short(sheet: Sheet, scored: ScoredHand) -> SafeString:
    """The action in a few words: "Ann +15 → 80", "Undercut: Ben +27", "Ann deals again"."""
    table = sheet.match.table
    if scored.side is None:
        label = {"tie": "Level", "dead": "Dead hand"}.get(scored.kind, "Nobody scores")
        dealer = dealers_words(table, scored.dealers)
        return format_html("{}: {} again", label, dealer)
    name = format_html('<bdi class="clip">{}</bdi>', table.side_name(scored.side))
    gain = format_html("{} {}", name, signed(scored.points))
    if scored.kind == "undercut":
        gain = format_html("Undercut: {}", gain)
    end = closing_words(sheet, scored)
    if len(sheet.columns) > 1:
        where = ", ".join(SHORT_ORDINALS[column - 1] for column in scored.columns)
        return format_html("{} → <small>{}{}{}</small>", gain, where, ", " if end else "", end)
    running = next(
        entry.running[scored.side]
        for entry in sheet.columns[0].entries
        if entry.hand == scored.number
    )
    if end:
        return format_html("{} →\N{NO-BREAK SPACE}{}, <small>{}</small>", gain, running, end)
    if scored.kind == "undercut":
        return gain
    return format_html("{} →\N{NO-BREAK SPACE}{}", gain, running)
