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
from .forms import HOWS, KINDS, EntryForm
from .models import Row
from .services import preview
from .wording import SHORT_ORDINALS, closing_words, dealers_words, named, signed

RANK_NAMES = dict(zip(RANKS, (
    "ace", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "jack", "queen", "king",
), strict=True))  # fmt: skip
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What entering the hand would do.

    short: for the button; said: the same as plain text, read out; terms: what the upcard means;
    limit: the knock limit in points; trouble: whether the hand would be refused.
    """

    short: SafeString | str = ""
    said: str = ""
    terms: str = ""
    limit: int = 10
    trouble: bool = False


@dataclass(frozen=True, slots=True)
class EntryView:
    """The choices of the form as the rule set and the table have them, all values as strings."""

    once_key: str
    version: int
    preview_url: str
    seats: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    hows: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    how: str
    kind: str
    needs_upcard: bool
    upcard_shown: str
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[tuple[str, str, str], ...]
    same_dealer: SafeString


def entry_view(book: Book, form: EntryForm, preview_url: str, once_key: str = "") -> EntryView:
    """The form's surroundings for the state the book is in; a new one-time key unless given."""
    rules, names = book.rules, book.table.names
    seats = tuple((str(seat), name) for seat, name in enumerate(names))
    hows = _playable(rules, HOWS)
    kinds = _playable(rules, KINDS)
    return EntryView(
        once_key=once_key or secrets.token_urlsafe(16),
        version=book.match.version,
        preview_url=preview_url,
        seats=seats,
        others=tuple((str(seat), names[1 - seat]) for seat in range(len(names))),
        hows=hows,
        kinds=kinds,
        how=form["how"].value() or hows[0][0],
        kind=form["kind"].value() or kinds[0][0],
        needs_upcard=rules.needs_upcard,
        upcard_shown=_upcard_text(form),
        ranks=tuple(RANK_NAMES.items()),
        suits=tuple(
            (suit, name, card_symbol(parse_card("A" + suit))[-1])
            for suit, name in sorted(SUIT_NAMES.items(), key=lambda one: "SHDC".index(one[0]))
        ),
        same_dealer=dealers_words(book.table, book.sheet.next_dealers),
    )


def _playable(rules: RuleSet, kinds: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The kinds that can end a hand by these rules."""
    refused = {"knock", "undercut"} if rules.knock_limit == 0 else set()
    if rules.big_gin_bonus is None:
        refused.add("big_gin")
    return tuple(kind for kind in kinds if kind[0] not in refused)


def _chosen_upcard(form: EntryForm) -> int | None:
    rank, suit = form["upcard_rank"].value(), form["upcard_suit"].value()
    if rank in RANK_NAMES and suit in SUIT_NAMES:
        return parse_card(rank + suit)
    return None


def _upcard_text(form: EntryForm) -> str:
    upcard = _chosen_upcard(form)
    return "" if upcard is None else card_symbol(upcard)


def forecast(
    book: Book,
    form: EntryForm,
    replacing: Row | None = None,
    *,
    before: Row | None = None,
    after: Row | None = None,
) -> Forecast:
    """What the hand in the form would come to; nothing is stored."""
    upcard = _chosen_upcard(form)
    limit, terms = knock_limit(book.rules, upcard), _terms(book.rules, upcard)
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


def _form_trouble(form: EntryForm) -> str:
    """What is wrong with what is typed; what is only missing yet is no trouble."""
    return " ".join(
        str(error)
        for field in ("knocker_deadwood", "opponent_deadwood", "points", "note", "why")
        for error in form.errors.get(field, [])
        if form[field].value()
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
        label = "Level" if scored.kind == "tie" else "Dead hand"
        dealer = dealers_words(table, scored.dealers)
        return format_html("{}: {} again", label, dealer)
    name = format_html('<span class="clip">{}</span>', named(table.side_name(scored.side)))
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
