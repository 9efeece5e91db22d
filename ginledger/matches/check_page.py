"""The card check as its templates show it; nothing here asks the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ginledger.gin.alternatives import (
    layoff_words,
    other_words,
    shape_words,
    slip_words,
)
from ginledger.gin.cards import RANKS, SUITS, card_symbol, card_text, cards_text, iterate, points
from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand, CardsHand, Table
from ginledger.gin.melds import Layout
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import KIND_WORDS, Ruling, knock_limit, multiplier

from .check import Check, Claims, check
from .entry import RANK_NAMES, SUIT_NAMES
from .spreads import FULL, Spreads, card_of, melds_text, suit_cards

ROWS = "SHDC"
RED = "DH"


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is printed. note: what a reader cannot see ("laid off"), or ""."""

    text: str
    rank: str
    suit: str
    name: str
    red: bool
    laid_off: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A card of the grid. owner: "0", "1" or "" while nobody has it."""

    face: Face
    owner: str
    label: str
    upcard: bool
    start: bool


@dataclass(frozen=True, slots=True)
class SuitRow:
    """A suit of the grid, ace first."""

    suit: str
    name: str
    symbol: str
    red: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class HandTab:
    """One player's hand: the button that gives him the grid, and his field."""

    place: int
    name: str
    field: str
    text: str
    count: int
    room: int
    active: bool
    knocked: bool
    mark: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together. kind: "meld", "loose" or "wrong" for cards that are no meld."""

    kind: str
    faces: tuple[Face, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Spread:
    """A hand laid out; count: what it comes to, in words."""

    name: str
    place: int
    count: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Another layout of the knocker: its melds for the form, its cards, what it is worth."""

    melds: str
    groups: tuple[Group, ...]
    words: str
    stands: bool


@dataclass(frozen=True, slots=True)
class RulingView:
    """The answer: what is wrong, or how both hands lie and what is scored."""

    problems: tuple[str, ...]
    waiting: str
    spreads: tuple[Spread, ...]
    kind: str
    headline: str
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    others: tuple[Other, ...]
    missed: tuple[str, ...]
    throw: str
    throw_words: str
    stated: bool
    layout_words: str
    claim_words: str
    cards_words: str
    stands: str


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The grid, the two hands and the ruling."""

    tabs: tuple[HandTab, ...]
    rows: tuple[SuitRow, ...]
    ranks: tuple[tuple[str, str, str], ...]
    spreads: Spreads
    knocked: bool
    swap: str
    needs_upcard: bool
    upcard: str
    upcard_wrong: bool
    typed_open: bool
    limit: str
    terms: str
    ruling: RulingView


def face(card: int, *, laid_off: bool = False) -> Face:
    """A card as it is printed."""
    rank, suit = RANKS[card % 13], SUITS[card // 13]
    symbol = card_symbol(card)
    name = f"{RANK_NAMES[rank] if rank in 'AJQK' else symbol[:-1]} of {SUIT_NAMES[suit]}"
    return Face(card_text(card), symbol[:-1], symbol[-1], name, suit in RED, laid_off)


def check_page(
    check: Check, spreads: Spreads, fields: tuple[str, str], *, all_problems: bool = False
) -> CheckPage:
    """The page of a check; fields: the names of the two hands' fields.

    all_problems: it was to be stored, so what is only missing yet is told too.
    """
    told = check.problems if all_problems else check.pressing()
    upcard = card_of(spreads.upcard) if check.rules.needs_upcard else None
    return CheckPage(
        tabs=_tabs(check, spreads, fields, told),
        rows=tuple(_suit_row(suit, check, spreads, upcard) for suit in ROWS),
        ranks=tuple(
            (rank, face(13 * 3 + at).rank, "sixes" if rank == "6" else f"{RANK_NAMES[rank]}s")
            for at, rank in enumerate(RANKS)
        ),
        spreads=spreads,
        knocked=spreads.who is not None,
        swap=f"No, {check.roles[1]} knocked" if spreads.who is not None else "",
        needs_upcard=check.rules.needs_upcard,
        upcard="" if upcard is None else card_symbol(upcard),
        upcard_wrong=any(one.field == "upcard" for one in told),
        typed_open=any(one.code in ("card-unreadable", "card-twice") for one in told),
        limit=limit_words(check.rules, upcard),
        terms=_terms(check.rules, upcard),
        ruling=_ruling_view(check, spreads, told),
    )


def laid_out(rules: RuleSet, table: Table, hand: AnyHand) -> RulingView | None:
    """The ruling of a stored hand as anybody may read it; None when it has no cards."""
    if not isinstance(hand, CardsHand):
        return None
    entered = Spreads(
        hands=(cards_text(hand.knocker_cards), cards_text(hand.opponent_cards)),
        who=0,
        melds=melds_text(hand.melds or ()),
        upcard="" if hand.upcard is None else card_text(hand.upcard),
    )
    names = (table.names[hand.knocker], table.names[hand.opponent])
    claims = Claims(hand.claim_kind, (hand.claim_own, hand.claim_other), hand.stands)
    return _ruling_view(check(rules, entered, names, claims), entered, ())


def limit_words(rules: RuleSet, upcard: int | None) -> str:
    """The knock limit of the hand in a few words."""
    if rules.oklahoma and rules.knock_limit and upcard is None:
        return "knock by the upcard"
    limit = knock_limit(rules, upcard)
    return f"knock limit {limit}" if limit else "only gin"


def _terms(rules: RuleSet, upcard: int | None) -> str:
    return "counts double" if multiplier(rules, upcard) == 2 else ""


def marks(names: tuple[str, str]) -> tuple[str, str]:
    """A letter or figure for each of the two: their initials, or 1 and 2 where these are alike."""
    first, second = (name.strip()[:1].upper() for name in names)
    return (first, second) if first != second else ("1", "2")


def _tabs(
    check: Check, spreads: Spreads, fields: tuple[str, str], told: Iterable[GinError]
) -> tuple[HandTab, ...]:
    wrong = {one.field for one in told}
    return tuple(
        HandTab(
            place=place,
            name=check.names[place],
            field=fields[place],
            text=spreads.hands[place],
            count=spreads.count(place),
            room=max(FULL, spreads.count(place)),
            active=spreads.active == str(place),
            knocked=spreads.who == place,
            mark=marks(check.names)[place],
            wrong=f"hand.{place}" in wrong,
        )
        for place in (0, 1)
    )


def _suit_row(suit: str, check: Check, spreads: Spreads, upcard: int | None) -> SuitRow:
    start = card_of(spreads.start)
    cells = []
    for card in suit_cards(suit):
        printed = face(card)
        owner = next((str(place) for place in (0, 1) if check.hands[place] >> card & 1), "")
        label = f"{printed.name}, {check.names[int(owner)]}" if owner else printed.name
        cells.append(Cell(printed, owner, label, card == upcard, card == start))
    return SuitRow(
        suit, SUIT_NAMES[suit].capitalize(), cells[0].face.suit, suit in RED, tuple(cells)
    )


def _ruling_view(check: Check, spreads: Spreads, told: tuple[GinError, ...]) -> RulingView:
    ruling = check.ruling
    knocks = check.knocks()
    discard = check.discard()
    layout = check.layout()
    headline, lines = _verdict(check)
    own, other = check.claimed
    notes = check.notes()
    return RulingView(
        problems=tuple(one.message for one in told),
        waiting=_waiting(check, spreads) if not told else "",
        spreads=_spreads(check, layout),
        kind=ruling.kind if ruling else "",
        headline=headline,
        lines=lines,
        notes=notes,
        others=tuple(_other(one, check, ruling, layout) for one in knocks),
        missed=_missed(check),
        throw=card_text(discard[0]) if discard else "",
        throw_words=f"Throw the {card_symbol(discard[0])}" if discard else "",
        stated=check.melds is not None,
        layout_words=_layout_words(check, len(knocks)),
        claim_words=_counts_words(check, own, other),
        cards_words=_counts_words(check, ruling.own, ruling.other) if ruling else "",
        stands=check.claims.stands,
    )


def _waiting(check: Check, spreads: Spreads) -> str:
    """What is still to be said before there is a ruling."""
    if check.ruling is not None:
        return ""
    if spreads.who is None:
        return "Who knocked? Then tap the cards."
    parts = [
        f"{check.names[place]} {check.hands[place].bit_count()} of {FULL}"
        for place in (0, 1)
        if check.hands[place].bit_count() < FULL
    ]
    if parts:
        return " · ".join(parts)
    return "Which card was turned up first?" if check.rules.needs_upcard else ""


def _spreads(check: Check, layout: Layout | None) -> tuple[Spread, ...]:
    if layout is None:
        return ()
    ruling = check.ruling
    off: dict[int, int] = {}
    if ruling is not None and ruling.reply is not None:
        off = {one.card: one.meld for one in ruling.reply.layoffs}
    knocker = Spread(
        check.names[check.knocker],
        check.knocker,
        _knocker_count(layout, ruling),
        _groups(layout.melds, layout.loose, off),
    )
    if ruling is None or ruling.reply is None:
        return (knocker,)
    reply = ruling.reply
    put = sum(points(1 << one.card) for one in reply.layoffs)
    count = f"{reply.deadwood} left"
    if put:
        count = f"{count}, {put} laid off"
    defender = Spread(
        check.names[1 - check.knocker],
        1 - check.knocker,
        count,
        _groups(reply.melds, reply.loose, {}),
    )
    return knocker, defender


def _knocker_count(layout: Layout, ruling: Ruling | None) -> str:
    if ruling is not None and ruling.kind in ("gin", "big_gin"):
        return KIND_WORDS[ruling.kind]
    return f"{layout.deadwood} deadwood"


def _groups(melds: Iterable[int], loose: int, off: dict[int, int]) -> tuple[Group, ...]:
    groups = []
    for meld in melds:
        put = [card for card, onto in off.items() if onto == meld]
        cards = iterate(meld | sum(1 << card for card in put))
        faces = tuple(face(card, laid_off=card in put) for card in cards)
        kind = "set" if len({card % 13 for card in iterate(meld)}) == 1 else "run"
        groups.append(Group("meld", faces, kind))
    if loose:
        groups.append(Group("loose", tuple(face(card) for card in iterate(loose)), "loose"))
    return tuple(groups)


def _verdict(check: Check) -> tuple[str, tuple[str, ...]]:
    """Who scores how much, and why; the counts that stand decide."""
    ruling = check.standing
    if ruling is None:
        return "", ()
    reasons = ruling.reasons(check.roles)
    if ruling.winner is None:
        return "Nobody scores", reasons
    name = check.roles[ruling.winner]
    word = "" if ruling.kind == "knock" else f"{KIND_WORDS[ruling.kind].capitalize()}: "
    return f"{word}{name} scores {ruling.points}", reasons


def _other(one: Ruling, check: Check, ruling: Ruling | None, shown: Layout | None) -> Other:
    assert one.layout is not None
    stands = shown is not None and set(one.layout.melds) == set(shown.melds)
    words = other_words(one, ruling if not stands else None, check.roles)
    return Other(
        melds_text(one.layout.melds),
        _groups(one.layout.melds, one.layout.loose, {}),
        words,
        stands,
    )


def _missed(check: Check) -> tuple[str, ...]:
    ruling = check.ruling
    if ruling is None or ruling.reply is None:
        return ()
    return tuple(slip_words(slip, check.roles[1], ruling.reply) for slip in check.slips())


def _layout_words(check: Check, choices: int) -> str:
    """Whose layout is ruled: the one stated, or the one that leaves the knocker most."""
    ruling = check.ruling
    if ruling is None or ruling.layout is None or ruling.reply is None:
        return ""
    shape = f"{shape_words(ruling.layout)}, {layoff_words(ruling.reply)}"
    if check.melds is not None:
        return f"As {check.roles[0]} laid it out: {shape}."
    if choices > 1:
        return f"No layout was stated, so the best for {check.roles[0]} counts: {shape}."
    return ""


def _counts_words(check: Check, own: int | None, other: int | None) -> str:
    """Two counts by name: "Ann 6, Ben 22"; only those that are known."""
    pairs = zip(check.roles, (own, other), strict=True)
    return ", ".join(f"{name} {count}" for name, count in pairs if count is not None)
