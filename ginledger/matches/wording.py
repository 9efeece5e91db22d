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
NUMBERS = (
    "No", "One", "Two", "Three", "Four", "Five", "Six",
    "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
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
        return format_html("{}", plural(len(outcome.tables), "table", "tables"))
    if outcome.kind == "dead":
        return format_html("{} again", dealer) if dealer else SafeString("nobody knocked")
    one = outcome.tables[0]
    ruling = one.ruling
    if ruling is None or ruling.own is None or ruling.other is None:
        return SafeString("as written on paper")
    knocker, defender = (table.names[seat] for seat in one.players)
    words = _counted(ruling, named(knocker), named(defender))
    if isinstance(hand, CardsHand):
        words = format_html("{} · cards checked ✓", words)
    if ruling.doubled:
        words = format_html("{} · spades, doubled", words)
    return words


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
        parts.append(format_html("{}", signed(outcome.points)))
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
    margin = sheet.net[sheet.winner]
    if margin == 0:
        return format_html("{} wins on reaching the target; the totals are level.", name)
    return format_html("{} wins by {}.", name, margin)


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
        if winner == scored.side:
            return SafeString("wins the game")
        name = named(sheet.match.table.side_name(winner)) if winner is not None else "nobody"
        return format_html("ends it, {} wins", name)
    if sheet.over:
        return SafeString("ends the match")
    return format_html("ends {}", " and ".join(ORDINALS[place].lower() for place in closed))


def terms_line(rules: RuleSet) -> str:
    """The terms in one line: "Three games to 100 · boxes 25 · game 100"."""
    target = f"to {rules.target}" if rules.target else "of one hand"
    games = "Game" if rules.columns == 1 else f"{NUMBERS[rules.columns]} games"
    parts = [f"{games} {target}"]
    if rules.box_bonus:
        parts.append(f"boxes {rules.box_bonus}")
    if rules.game_points:
        parts.append(f"game {rules.game_points}")
    return " · ".join(parts)


_SHUTOUTS = {
    "double-total": "A shutout doubles everything.",
    "double-hand-points": "A shutout doubles the points of the hands.",
    "double-game-bonus": "A shutout doubles the game bonus.",
    "double-difference": "A shutout doubles the difference.",
    "none": "No bonus for a shutout.",
}
_TIES = {
    "undercut": "Equal counts are an undercut.",
    "undercut-no-bonus": "Equal counts give the defender the hand, without points.",
    "no-score": "Equal counts: nobody scores.",
}
_DEALERS = {
    "loser": "The loser of a hand deals the next.",
    "winner": "The winner of a hand deals the next.",
    "alternate": "The deal alternates.",
}


def rules_words(rules: RuleSet) -> tuple[str, ...]:
    """A match's rule set in sentences, every field that counts for a figure."""
    target = f"Played to {rules.target}." if rules.target else "The first scored hand decides."
    lines = [target, _limit_words(rules)]
    bonuses = [f"Gin {rules.gin_bonus}", f"undercut {rules.undercut_bonus}"]
    if rules.big_gin_bonus is not None:
        bonuses.append(f"big gin {rules.big_gin_bonus}")
    if rules.knock_bonus:
        bonuses.append(f"knock {rules.knock_bonus}")
    lines.append(", ".join(bonuses) + ".")
    if rules.big_gin_bonus is None:
        lines.append("Big gin is not played.")
    lines.append(_TIES[rules.tie])
    lines.append(_box_words(rules))
    lines.append(f"Game bonus {rules.game_points}." if rules.game_points else "No game bonus.")
    lines.append(_SHUTOUTS.get(rules.shutout, f"A shutout adds {rules.shutout_bonus}."))
    if rules.shutout != "none":
        when = "won no hand" if rules.shutout_when == "no-hand" else "has no points"
        lines.append(f"Shut out is who {when}.")
    if rules.spade_doubles:
        lines.append(_spade_words(rules))
    if rules.columns > 1:
        lines += _column_words(rules)
    lines.append(_DEALERS[rules.next_dealer])
    if rules.rounding > 1:
        lines.append(f"The margin is rounded to {rules.rounding}.")
    return tuple(lines)


def _limit_words(rules: RuleSet) -> str:
    if rules.knock_limit == 0:
        return "Only gin ends a hand."
    if not rules.oklahoma:
        return f"Knock with {rules.knock_limit} or less."
    ace = "only gin" if rules.oklahoma_ace == "gin-only" else "1"
    return f"The upcard sets the knock, {rules.knock_limit} at most; an ace: {ace}."


def _box_words(rules: RuleSet) -> str:
    if not rules.box_bonus:
        return "Boxes count nothing."
    extra = rules.extra_boxes
    parts = [
        f"{word} {count}"
        for word, count in (
            ("gin", extra.gin), ("undercut", extra.undercut), ("big gin", extra.big_gin),
        )
        if count
    ]  # fmt: skip
    more = f"; extra boxes: {', '.join(parts)}" if parts else ""
    return f"Each hand won is a box of {rules.box_bonus}{more}."


def _spade_words(rules: RuleSet) -> str:
    also = []
    if rules.spade_doubles_box:
        also.append("its box")
    if rules.spade_doubles_extra_boxes and rules.extra_boxes != type(rules.extra_boxes)():
        also.append("its extra boxes")
    more = f" and {' and '.join(also)}" if also else ""
    return f"A spade as upcard doubles the hand{more}."


def _column_words(rules: RuleSet) -> list[str]:
    lines = [f"{NUMBERS[rules.columns]} columns at once."]
    lines += [
        f"The {ORDINALS[place].lower()} counts {weight} times."
        for place, weight in enumerate(rules.weights)
        if weight > 1
    ]
    if not rules.delayed_entry:
        lines.append("Every win moves on by one column, whatever has closed.")
    return lines
