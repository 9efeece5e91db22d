"""What the pages say, as players say it. Figures come from gin; names are isolated with ``bdi``.

Functions that take names and return ``SafeString`` have escaped them.
"""

from __future__ import annotations

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ginledger.gin.cards import card_symbol
from ginledger.gin.dealt import Outcome, Resolver
from ginledger.gin.errors import GinError
from ginledger.gin.hands import Adjustment, AnyHand, CardsHand, Table
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import Ruling
from ginledger.gin.sheet import ScoredHand, Sheet

KIND_LABELS = {
    "knock": "Knock",
    "gin": "Gin",
    "big_gin": "Big gin",
    "undercut": "Undercut",
    "tie": "Level",
    "dead": "Dead hand",
    "adjustment": "Adjustment",
    "round": "Round",
}
ORDINALS = (
    "First", "Second", "Third", "Fourth", "Fifth", "Sixth",
    "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh", "Twelfth",
)  # fmt: skip
SHORT_ORDINALS = (
    "1st", "2nd", "3rd", *(f"{place}th" for place in range(4, 13)),
)  # fmt: skip
MINUS = "−"


def named(name: str) -> SafeString:
    """A name that keeps its own direction of writing and disturbs nobody else's."""
    return format_html("<bdi>{}</bdi>", name)


def joined(names: tuple[str, ...], between: str = " and ") -> SafeString:
    """Several names in a sentence."""
    return format_html_join(between, "{}", ((named(name),) for name in names))


def signed(points: int) -> str:
    """Points with their sign: "+27", "−10"."""
    return f"+{points}" if points >= 0 else f"{MINUS}{-points}"


def plural(count: int, one: str, many: str) -> str:
    """A count and its noun: "1 box", "2 boxes"."""
    return f"{count} {one if count == 1 else many}"


def dealers_words(table: Table, seats: tuple[int, ...]) -> SafeString:
    """Who deals, as "Ann deals"; nothing when the match is over."""
    if not seats:
        return SafeString()
    verb = "deals" if len(seats) == 1 else "deal"
    return format_html("{} {}", joined(tuple(table.names[seat] for seat in seats)), verb)


def outcome_of(rules: RuleSet, table: Table, hand: AnyHand) -> Outcome | None:
    """What a row by itself comes to, also when it is void; None when the rules refuse it now."""
    try:
        return Resolver(rules, table, None).resolve(hand)
    except GinError:
        return None


def hand_words(table: Table, hand: AnyHand, outcome: Outcome | None, dealer: str) -> SafeString:
    """One row in a few words, its winner being named beside them.

    dealer: who deals again after a hand that nobody won, already in words.
    """
    words = _plain_words(table, hand, outcome, dealer)
    if hand.note:
        words = format_html("{}{}{}", words, " · " if words else "", named(hand.note))
    return words


def _plain_words(table: Table, hand: AnyHand, outcome: Outcome | None, dealer: str) -> SafeString:
    if isinstance(hand, Adjustment) or outcome is None:
        return SafeString()
    if outcome.kind == "round":
        return _round_words(table, outcome)
    if outcome.kind == "dead":
        return format_html("{} again", dealer) if dealer else SafeString("nobody knocked")
    one = outcome.tables[0]
    ruling = one.ruling
    if ruling is None or ruling.own is None or ruling.other is None:
        return SafeString("as written on paper")
    knocker, defender = (table.names[seat] for seat in one.players)
    words = _counted(ruling, named(knocker), named(defender))
    if checked := cards_words(hand, outcome):
        words = format_html("{} · {}", words, checked)
    if ruling.doubled:
        words = format_html("{} · spades, doubled", words)
    return words


def _round_words(table: Table, outcome: Outcome) -> SafeString:
    """Each table of a round: "Ann +15, Dev +44 (gin), dead"."""
    parts = []
    for one in outcome.tables:
        if one.winner is None or one.ruling is None:
            parts.append(format_html("{}", "dead" if one.kind == "dead" else "level"))
            continue
        won = format_html("{} {}", named(table.names[one.winner]), signed(one.ruling.points))
        kind = "" if one.kind == "knock" else f" ({KIND_LABELS[one.kind].lower()})"
        parts.append(format_html("{}{}", won, kind))
    return format_html_join(", ", "{}", ((part,) for part in parts))


def cards_checked(hand: AnyHand, outcome: Outcome) -> bool:
    """Whether both spreads are known and what is scored agrees with them."""
    return isinstance(hand, CardsHand) and (hand.stands == "cards" or not outcome.notes)


def cards_words(hand: AnyHand, outcome: Outcome) -> str:
    """What the cards of a hand say to its counts; "" when nobody entered them."""
    if not isinstance(hand, CardsHand):
        return ""
    return "cards checked ✓" if cards_checked(hand, outcome) else "as said, the cards differ"


def _counted(ruling: Ruling, knocker: SafeString, defender: SafeString) -> SafeString:
    if ruling.kind in ("gin", "big_gin"):
        return format_html("left {} with {}", defender, ruling.other)
    if ruling.kind == "undercut":
        return format_html("held {} against a knock of {}", ruling.other, ruling.own)
    if ruling.kind == "tie":
        return format_html(
            "{} knocks with {}, {} has {} too", knocker, ruling.own, defender, ruling.other
        )
    return format_html("knocks with {}, {} has {}", ruling.own, defender, ruling.other)


def hand_sentence(rules: RuleSet, table: Table, hand: AnyHand, upcard: bool = True) -> SafeString:
    """A row in one sentence, as the history tells it: "Ann: knock, knocks with 6, …, 15 points"."""
    outcome = outcome_of(rules, table, hand)
    if outcome is None:
        return SafeString("a row that these rules refuse now")
    label = KIND_LABELS[outcome.kind]
    words = hand_words(table, hand, outcome, "")
    who = (
        format_html("{}, {}", named(table.side_name(outcome.side)), label.lower())
        if outcome.side is not None
        else format_html("{}", label)
    )
    parts = [who]
    if words and outcome.kind != "dead":
        parts.append(words)
    if outcome.side is not None:
        net = "net " if outcome.kind == "round" else ""
        parts.append(format_html("{}{}", net, signed(outcome.points)))
    if upcard and hand.upcard is not None:
        parts.append(format_html("upcard {}", card_symbol(hand.upcard)))
    said = format_html_join(", ", "{}", ((part,) for part in parts[1:]))
    return format_html("{}: {}", parts[0], said) if said else parts[0]


def verdict(sheet: Sheet) -> SafeString:
    """Who won and by how much, in one sentence; nothing while the match is open."""
    if not sheet.over or sheet.net is None:
        return SafeString()
    table = sheet.match.table
    if sheet.winner is None:
        return SafeString("The match is level: nobody wins.")
    name = named(table.side_name(sheet.winner))
    wins = "win" if len(table.seats(sheet.winner)) > 1 else "wins"
    margin = sheet.net[sheet.winner]
    if len(sheet.net) > 2:
        others = [side for side in range(len(sheet.net)) if side != sheet.winner]
        nets = (
            (named(table.side_name(side)), signed(sheet.net[side]))
            for side in (sheet.winner, *others)
        )
        return format_html("{} wins: {}.", name, format_html_join(", ", "{} {}", nets))
    if margin == 0:
        return format_html("{} {} on reaching the target; the totals are level.", name, wins)
    return format_html("{} {} by {}.", name, wins, margin)


def closing_words(sheet: Sheet, scored: ScoredHand) -> SafeString:
    """What a hand ended, in a few words; nothing when it ended nothing."""
    closed = [
        place
        for place, column in enumerate(sheet.columns)
        if column.closed_by_hand == scored.number
    ]
    if not closed:
        return SafeString()
    if len(sheet.columns) == 1:
        winner = sheet.winner
        many = winner is not None and len(sheet.match.table.seats(winner)) > 1
        wins = "win" if many else "wins"
        if winner == scored.side:
            return SafeString(f"{wins} the game")
        name = named(sheet.match.table.side_name(winner)) if winner is not None else "nobody"
        return format_html("ends it, {} {}", name, wins)
    if sheet.over:
        return SafeString("ends the match")
    return format_html("ends {}", " and ".join(ORDINALS[place].lower() for place in closed))
