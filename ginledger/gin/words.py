"""A rule set in plain words: the one place where the rules of a table are put into sentences.

Pages, sheets and exports show these words, so that every text says what this match is played by.
A *field* here is a name of ``RULES``, with the parts of ``extra_boxes`` and ``agreements`` by
themselves ("extra_boxes.gin", "agreements.throw_back"); ``FIELDS`` lists them all.
Clauses are short, without a capital and without a full stop; ``sentence`` joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ginledger.gin.ruleset import AGREEMENTS, RULES, RuleSet

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
NOT_USED = "–"

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("How a hand ends", ("knock_limit", "tie")),
    ("Bonuses", ("gin_bonus", "big_gin_bonus", "undercut_bonus", "knock_bonus")),
    (
        "Boxes and game",
        (
            "target",
            "game_bonus",
            "box_bonus",
            "extra_boxes.gin",
            "extra_boxes.undercut",
            "extra_boxes.big_gin",
        ),
    ),
    ("Shutout", ("shutout", "shutout_bonus", "shutout_when")),
    (
        "Upcard",
        (
            "oklahoma",
            "oklahoma_ace",
            "spade_doubles",
            "spade_doubles_extra_boxes",
            "spade_doubles_box",
        ),
    ),
    ("Sheet", ("columns", "column_weights", "delayed_entry", "rounding")),
    ("Deal", ("play", "next_dealer")),
    ("Agreements", tuple(f"agreements.{name}" for name in AGREEMENTS)),
)
FIELDS = tuple(name for _, names in GROUPS for name in names)

LABELS = {
    "knock_limit": "Knock limit",
    "tie": "Equal counts",
    "gin_bonus": "Gin",
    "big_gin_bonus": "Big gin",
    "undercut_bonus": "Undercut",
    "knock_bonus": "Knock bonus",
    "target": "Played to",
    "game_bonus": "Game bonus",
    "box_bonus": "Box",
    "extra_boxes.gin": "Extra boxes for gin",
    "extra_boxes.undercut": "Extra boxes for an undercut",
    "extra_boxes.big_gin": "Extra boxes for big gin",
    "shutout": "A shutout",
    "shutout_bonus": "Flat shutout bonus",
    "shutout_when": "Shut out is who",
    "oklahoma": "Oklahoma: the upcard sets the knock limit",
    "oklahoma_ace": "An ace as upcard",
    "spade_doubles": "A spade as upcard doubles the hand",
    "spade_doubles_extra_boxes": "It doubles the extra boxes too",
    "spade_doubles_box": "It doubles the hand's own box too",
    "columns": "Games at once",
    "column_weights": "Each game counts",
    "delayed_entry": "Late start",
    "rounding": "The margin is rounded to",
    "play": "At the table",
    "next_dealer": "The next deal",
    "agreements.upcard_offer": "The first upcard",
    "agreements.throw_back": "The card just taken",
    "agreements.first_turn_knock": "The first turn",
    "agreements.fiftieth_card": "The fiftieth card",
    "agreements.first_dealer": "The first deal",
}

_CHOICES: dict[str, Mapping[Any, str]] = {
    "tie": {
        "undercut": "an undercut with its bonus",
        "undercut-no-bonus": "the defender's hand and box, without points",
        "no-score": "nobody scores, no box",
    },
    "shutout": {
        "double-total": "doubles everything",
        "double-hand-points": "doubles the points of the hands",
        "double-game-bonus": "doubles the game bonus",
        "double-difference": "doubles the difference",
        "flat": "adds a flat bonus",
        "none": "adds nothing",
    },
    "shutout_when": {"no-hand": "won no hand", "no-point": "has no points"},
    "oklahoma_ace": {"gin-only": "only gin ends the hand", "one": "one may knock with 1"},
    "delayed_entry": {
        True: "a first win goes to the lowest open game",
        False: "each win moves on by one game, whatever has closed",
    },
    "play": {
        "two": "two players",
        "three": "three players, one sits out",
        "partners": "two sides of partners",
    },
    "next_dealer": {
        "loser": "the loser of the hand deals",
        "winner": "the winner of the hand deals",
        "alternate": "the deal alternates",
    },
    **{f"agreements.{name}": choices for name, choices in AGREEMENTS.items()},
}

# Where the sentence of RULES speaks of JSON, or of several fields at once.
_HINTS = {
    "big_gin_bonus": "The whole bonus for eleven melded cards, not on top of gin's. "
    "Left empty, big gin is not played and counts as gin.",
    "game_bonus": "Added for the side that reaches the target: points, or as many as the target.",
    "column_weights": "How many times the margin of each game counts, such as 1, 1, 2. "
    "Left empty: once each.",
    "extra_boxes.gin": "Further boxes for a hand won by gin, on top of its own.",
    "extra_boxes.undercut": "Further boxes for an undercut, on top of its own.",
    "extra_boxes.big_gin": "Further boxes for big gin, on top of its own.",
    "agreements.upcard_offer": "Whether the upcard is offered round before the first draw.",
    "agreements.throw_back": "Whether it may be thrown back in the same turn.",
    "agreements.first_turn_knock": "Whether one may knock before everybody has drawn.",
    "agreements.fiftieth_card": "What happens when two cards are left in the stock.",
    "agreements.first_dealer": "How the first dealer of a match is found.",
}


def field_words(name: str) -> str:
    """The label of a field: "Gin", "Extra boxes for gin"."""
    return LABELS[name]


def hint_words(name: str) -> str:
    """What a field does, in a sentence or two."""
    return _HINTS.get(name) or RULES[name].meaning


def value_of(rules: RuleSet, name: str) -> Any:
    """The value of a field, also of a part of one."""
    for part in name.split("."):
        rules = getattr(rules, part)
    return rules


def choice_words(name: str, value: Any) -> str:
    """One of the values a field of choices may hold, in words."""
    if name in _CHOICES:
        return _CHOICES[name][value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "rounding":
        return "not rounded" if value == 1 else f"the nearest {value}"
    return str(value)


def value_words(rules: RuleSet, name: str) -> str:
    """What a rule set says for a field, in a few words; a dash where it makes no difference."""
    if not matters(rules, name):
        return NOT_USED
    value = value_of(rules, name)
    special: dict[str, Callable[[], str]] = {
        "knock_limit": lambda: str(value) if value else "none: only gin ends a hand",
        "big_gin_bonus": lambda: "not played, it is gin" if value is None else str(value),
        "target": lambda: str(value) if value else "the first scored hand",
        "game_bonus": lambda: (
            f"{rules.game_points}, as the target" if value == "target" else str(value)
        ),
        "column_weights": lambda: ", ".join(map(str, value)) if value else "once",
    }
    return special[name]() if name in special else choice_words(name, value)


_MATTERS: dict[str, Callable[[RuleSet], bool]] = {
    "knock_bonus": lambda rules: rules.knock_limit > 0,
    "undercut_bonus": lambda rules: rules.knock_limit > 0,
    "tie": lambda rules: rules.knock_limit > 0,
    "extra_boxes.gin": lambda rules: rules.box_bonus > 0,
    "extra_boxes.undercut": lambda rules: rules.box_bonus > 0 < rules.knock_limit,
    "extra_boxes.big_gin": lambda rules: rules.box_bonus > 0 and rules.big_gin_bonus is not None,
    "shutout_bonus": lambda rules: rules.shutout == "flat",
    "shutout_when": lambda rules: rules.shutout != "none",
    "oklahoma": lambda rules: rules.knock_limit > 0,
    "oklahoma_ace": lambda rules: rules.oklahoma and rules.knock_limit > 0,
    "spade_doubles_extra_boxes": lambda rules: (
        rules.spade_doubles and rules.box_bonus > 0 and bool(_extra_boxes(rules))
    ),
    "spade_doubles_box": lambda rules: rules.spade_doubles and rules.box_bonus > 0,
    "delayed_entry": lambda rules: rules.columns > 1,
    # Only the margin of two sides is rounded.
    "rounding": lambda rules: rules.play != "three",
    "agreements.first_turn_knock": lambda rules: rules.knock_limit > 0,
}


def matters(rules: RuleSet, name: str) -> bool:
    """Whether a field makes any difference, the others being as they are."""
    return name not in _MATTERS or _MATTERS[name](rules)


@dataclass(frozen=True, slots=True)
class Clause:
    """A short sentence of an agreement, and the fields it speaks of."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The clauses of one group of rules, under its title."""

    title: str
    clauses: tuple[Clause, ...]


@lru_cache(maxsize=256)
def agreement_parts(rules: RuleSet) -> tuple[Part, ...]:
    """The whole agreement by groups, as it is made before the first deal; no group is empty."""
    found = (Part(title, tuple(_CLAUSES[title](rules))) for title, _ in GROUPS)
    return tuple(part for part in found if part.clauses)


def agreement(rules: RuleSet) -> tuple[str, ...]:
    """Everything that counts at this table, in short clauses: "undercut 25, a tie counts"."""
    return tuple(clause.text for part in agreement_parts(rules) for clause in part.clauses)


def sentence(clauses: Iterable[str]) -> str:
    """Clauses in one sentence with a capital and a full stop; "" for none."""
    text = "; ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _hand_ends(rules: RuleSet) -> Iterator[Clause]:
    if rules.knock_limit == 0:
        yield Clause("straight gin: only gin ends a hand", ("knock_limit",))
    elif rules.oklahoma:
        yield Clause(
            f"knock with {rules.knock_limit} at most, as the upcard says", ("knock_limit",)
        )
    else:
        yield Clause(f"knock with {rules.knock_limit} or less", ("knock_limit", "oklahoma"))


_TIES = {
    "undercut": "a tie counts",
    "undercut-no-bonus": "a tie is the defender's box without points",
    "no-score": "on a tie nobody scores",
}


def _bonuses(rules: RuleSet) -> Iterator[Clause]:
    yield Clause(f"gin {rules.gin_bonus}", ("gin_bonus",))
    if rules.big_gin_bonus is None:
        yield Clause("big gin is not played, it counts as gin", ("big_gin_bonus",))
    else:
        yield Clause(f"big gin {rules.big_gin_bonus}", ("big_gin_bonus",))
    if rules.knock_limit:
        yield Clause(
            f"undercut {rules.undercut_bonus}, {_TIES[rules.tie]}", ("undercut_bonus", "tie")
        )
        if rules.knock_bonus:
            yield Clause(f"a knock that holds {rules.knock_bonus}", ("knock_bonus",))


def _extra_boxes(rules: RuleSet) -> dict[str, int]:
    """The extra boxes there are by kind, in words."""
    extra = rules.extra_boxes
    found = {"gin": extra.gin}
    if rules.knock_limit:
        found["undercut"] = extra.undercut
    if rules.big_gin_bonus is not None:
        found["big gin"] = extra.big_gin
    return {kind: boxes for kind, boxes in found.items() if boxes}


def _boxes(rules: RuleSet) -> Iterator[Clause]:
    target = f"played to {rules.target}" if rules.target else "the first scored hand decides"
    yield Clause(target, ("target",))
    if rules.game_bonus == "target":
        game = f"a game bonus as high as the target, {rules.game_points}"
    else:
        game = f"game bonus {rules.game_points}" if rules.game_points else "no game bonus"
    yield Clause(game, ("game_bonus",))
    if not rules.box_bonus:
        yield Clause("boxes count nothing", ("box_bonus",))
        return
    yield Clause(f"each hand won is a box of {rules.box_bonus}", ("box_bonus",))
    extra = _extra_boxes(rules)
    if extra:
        listed = ", ".join(f"{kind} {boxes}" for kind, boxes in extra.items())
        fields = tuple(name for name in FIELDS if name.startswith("extra_boxes."))
        yield Clause(f"extra boxes: {listed}", fields)


def _shutouts(rules: RuleSet) -> Iterator[Clause]:
    if rules.shutout == "none":
        yield Clause("a shutout adds nothing", ("shutout",))
        return
    if rules.shutout == "flat":
        text = f"a shutout adds {rules.shutout_bonus}"
    else:
        text = f"a shutout {choice_words('shutout', rules.shutout)}"
    yield Clause(text, ("shutout", "shutout_bonus"))
    when = choice_words("shutout_when", rules.shutout_when)
    yield Clause(f"shut out is who {when}", ("shutout_when",))


def _upcards(rules: RuleSet) -> Iterator[Clause]:
    if rules.oklahoma and rules.knock_limit:
        yield Clause("Oklahoma: the upcard sets the knock limit", ("oklahoma",))
        ace = choice_words("oklahoma_ace", rules.oklahoma_ace)
        yield Clause(f"an ace as upcard: {ace}", ("oklahoma_ace",))
    if rules.spade_doubles:
        doubled = ["the hand"]
        fields = [
            name
            for name in ("spade_doubles_extra_boxes", "spade_doubles_box")
            if matters(rules, name)
        ]
        if "spade_doubles_extra_boxes" in fields and rules.spade_doubles_extra_boxes:
            doubled.append("its extra boxes")
        if "spade_doubles_box" in fields and rules.spade_doubles_box:
            doubled.append("its box")
        text = f"a spade as upcard doubles {_listed(doubled)}"
        yield Clause(text, ("spade_doubles", *fields))


def _sheets(rules: RuleSet) -> Iterator[Clause]:
    if rules.columns > 1:
        games = NUMBERS[rules.columns]
        yield Clause(f"Hollywood: {games} games at once", ("columns",))
        late = choice_words("delayed_entry", rules.delayed_entry)
        yield Clause(late, ("delayed_entry",))
    for place, weight in enumerate(rules.weights):
        if weight > 1:
            which = f"the {ORDINALS[place]} game" if rules.columns > 1 else "the game"
            times = "double" if weight == 2 else f"{weight} times"
            yield Clause(f"{which} counts {times}", ("column_weights",))
    if rules.rounding > 1 and matters(rules, "rounding"):
        yield Clause(f"the margin is rounded to {rules.rounding}", ("rounding",))


def _deals(rules: RuleSet) -> Iterator[Clause]:
    if rules.play == "three":
        yield Clause("three at a table: the winner stays, the loser sits out", ("play",))
    elif rules.play == "partners":
        yield Clause("partners: only the net of a round counts", ("play",))
    deals = choice_words("next_dealer", rules.next_dealer)
    if rules.play == "three" and rules.next_dealer == "loser":
        # The loser has left his place to the one who sat out.
        deals = "who comes in deals"
    yield Clause(deals, ("next_dealer",))


def _agreed(rules: RuleSet) -> Iterator[Clause]:
    for name in AGREEMENTS:
        name = f"agreements.{name}"
        if matters(rules, name):
            yield Clause(choice_words(name, value_of(rules, name)), (name,))


_CLAUSES: dict[str, Callable[[RuleSet], Iterator[Clause]]] = {
    "How a hand ends": _hand_ends,
    "Bonuses": _bonuses,
    "Boxes and game": _boxes,
    "Shutout": _shutouts,
    "Upcard": _upcards,
    "Sheet": _sheets,
    "Deal": _deals,
    "Agreements": _agreed,
}


def _listed(parts: list[str]) -> str:
    """ "the hand", "the hand and its box", "the hand, its extra boxes and its box"."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def rules_line(rules: RuleSet) -> str:
    """The terms in one line: "Three games to 100 · boxes 25 · game 100"."""
    target = f"to {rules.target}" if rules.target else "of one hand"
    games = "Game" if rules.columns == 1 else f"{NUMBERS[rules.columns].capitalize()} games"
    said = {
        f"boxes {rules.box_bonus}": rules.box_bonus > 0,
        f"game {rules.game_points}": rules.game_points > 0,
        "straight gin": rules.knock_limit == 0,
        "Oklahoma": rules.oklahoma and rules.knock_limit > 0,
        "spades double": rules.spade_doubles,
    }
    return " · ".join([f"{games} {target}", *(text for text, holds in said.items() if holds)])


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which two rule sets differ: its label and what either says."""

    name: str
    label: str
    one: str
    other: str


def compared(one: RuleSet, other: RuleSet) -> tuple[Difference, ...]:
    """Every field that differs and makes a difference in one of the two, in the order of pages."""
    return tuple(
        Difference(name, field_words(name), value_words(one, name), value_words(other, name))
        for name in FIELDS
        if value_of(one, name) != value_of(other, name)
        and (matters(one, name) or matters(other, name))
    )


def differences_in_words(base: RuleSet, rules: RuleSet) -> tuple[str, ...]:
    """What a rule set has otherwise than another one, in clauses about the first."""
    known = set(agreement(base))
    parts = agreement_parts(rules)
    new = [clause for part in parts for clause in part.clauses if clause.text not in known]
    told = {name for clause in new for name in clause.fields}
    rest = tuple(
        f"{one.label.lower()}: {one.other}"
        for one in compared(base, rules)
        if one.name not in told and one.other != NOT_USED
    )
    return (*(clause.text for clause in new), *rest)
