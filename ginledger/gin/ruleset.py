"""The rules a table plays by: one frozen value, checked when it is built.

``RuleSet`` holds every choice that changes a figure, ``Agreements`` those that only settle what
the players may do. Presets are JSON files below ``seeds/rules``; ``read_rules`` turns a preset's
slug, or an object of fields over a preset, into a ``RuleSet``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from ginledger.gin.errors import GinError, Unreadable, raise_all

PRESET_DIR = Path(__file__).resolve().parents[2] / "seeds" / "rules"
DEFAULT_PRESET = "house-modern"


@dataclass(frozen=True, slots=True)
class ExtraBoxes:
    """Further boxes on top of the hand's own, by how the hand was won."""

    gin: int = 0
    undercut: int = 0
    big_gin: int = 0

    def of(self, kind: str) -> int:
        """Extra boxes for a hand's kind; 0 for a knock, a tie or a dead hand."""
        return {"gin": self.gin, "undercut": self.undercut, "big_gin": self.big_gin}.get(kind, 0)


@dataclass(frozen=True, slots=True)
class Agreements:
    """What the players agreed that changes no figure."""

    upcard_offer: str = "offered"
    throw_back: str = "no"
    first_turn_knock: str = "yes"
    fiftieth_card: str = "dead"
    first_dealer: str = "cut"


AGREEMENTS: dict[str, dict[str, str]] = {
    "upcard_offer": {
        "offered": "the upcard is offered round before the first draw",
        "not-offered": "the upcard is not offered; the first player draws from the stock",
    },
    "throw_back": {
        "no": "no one may throw back the card just taken",
        "yes": "the card just taken may be thrown back",
    },
    "first_turn_knock": {
        "yes": "one may knock on the first turn",
        "no": "no one may knock on the first turn",
    },
    "fiftieth_card": {
        "dead": "when the fiftieth card is drawn and nobody knocks the hand is dead",
        "may-be-taken": "the discard after the fiftieth card may still be taken to knock",
    },
    "first_dealer": {
        "cut": "the first dealer is cut for",
        "chance": "the first dealer is drawn by chance",
    },
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One field of a rule set: what it may hold and what it does.

    choices: the only values allowed, in the order they are offered; empty for a number.
    low, high: bounds of a number (points, boxes or columns); None where it is no number.
    extra: words or None that are allowed beside numbers ("target" of ``game_bonus``).
    """

    meaning: str
    choices: tuple[str | int | bool, ...] = ()
    low: int | None = None
    high: int | None = None
    extra: tuple[str | None, ...] = ()

    def problem(self, name: str, value: object) -> GinError | None:
        """What is wrong with a value for this field, or None."""
        if any(type(value) is type(one) and value == one for one in (*self.choices, *self.extra)):
            return None
        if self.low is None or self.high is None:
            right = ", ".join(json.dumps(one) for one in self.choices)
            return Unreadable("rule-value", f"{name} is one of {right}, not {value!r}.", name)
        if type(value) is not int:
            right = " or ".join(["a whole number", *(json.dumps(one) for one in self.extra)])
            return Unreadable("rule-value", f"{name} is {right}, not {value!r}.", name)
        if not self.low <= value <= self.high:
            return Unreadable(
                "rule-bounds", f"{name} is from {self.low} to {self.high}, not {value}.", name
            )
        return None


MAX_BONUS = 10_000
RULES: dict[str, Rule] = {
    "target": Rule(
        "A column closes at the end of the hand in which a side's points reach it; "
        "0: the first scored hand decides.",
        low=0,
        high=100_000,
    ),
    "knock_limit": Rule(
        "The most deadwood one may knock with; 0 is straight gin: only gin ends a hand.",
        low=0,
        high=10,
    ),
    "knock_bonus": Rule("Added to a successful knock.", low=0, high=MAX_BONUS),
    "gin_bonus": Rule("Added to the defender's deadwood for gin.", low=0, high=MAX_BONUS),
    "undercut_bonus": Rule("Added to the difference for an undercut.", low=0, high=MAX_BONUS),
    "big_gin_bonus": Rule(
        "The whole bonus for eleven melded cards, not on top of gin's; "
        "null: big gin is not played and counts as gin.",
        low=0,
        high=MAX_BONUS,
        extra=(None,),
    ),
    "tie": Rule(
        "Equal counts: an undercut with its bonus; the defender wins the hand and its box with "
        "0 points; or nobody scores and there is no box.",
        choices=("undercut", "undercut-no-bonus", "no-score"),
    ),
    "box_bonus": Rule("Points for each box, added when the column closes.", low=0, high=MAX_BONUS),
    "extra_boxes": Rule("Further boxes for gin, an undercut and big gin, on top of the hand's."),
    "game_bonus": Rule(
        'Added for the side that reaches the target; "target": as many points as the target.',
        low=0,
        high=100_000,
        extra=("target",),
    ),
    "shutout": Rule(
        "What the side that reached the target adds against a side that is shut out: its whole "
        "total again, its hand points again, its game bonus again, the difference again, "
        "the shutout bonus, or nothing.",
        choices=(
            "double-total",
            "double-hand-points",
            "double-game-bonus",
            "double-difference",
            "flat",
            "none",
        ),
    ),
    "shutout_bonus": Rule("The points of a flat shutout.", low=0, high=100_000),
    "shutout_when": Rule(
        "Shut out is who won no hand in the column, or who has no points in it.",
        choices=("no-hand", "no-point"),
    ),
    "oklahoma": Rule(
        "The upcard sets the knock limit: its value, face cards 10, never above the knock limit.",
        choices=(False, True),
    ),
    "oklahoma_ace": Rule(
        "An ace as upcard: only gin ends the hand, or one may knock with 1.",
        choices=("gin-only", "one"),
    ),
    "spade_doubles": Rule(
        "A spade as upcard doubles the points of the hand, bonuses included.",
        choices=(False, True),
    ),
    "spade_doubles_extra_boxes": Rule(
        "A spade as upcard doubles the extra boxes of the hand.", choices=(True, False)
    ),
    "spade_doubles_box": Rule(
        "A spade as upcard makes two of the hand's own box.", choices=(False, True)
    ),
    "columns": Rule("Columns of the sheet: 1 is one game, 3 is Hollywood.", low=1, high=12),
    "column_weights": Rule("How many times each column's margin counts; empty: once each."),
    "delayed_entry": Rule(
        "A side without an entry when column 1 closes starts in the lowest open column; off: its "
        "front goes up by one with each win whatever has closed.",
        choices=(True, False),
    ),
    "next_dealer": Rule(
        "Who deals after a scored hand: its loser, its winner, or each in turn.",
        choices=("loser", "winner", "alternate"),
    ),
    "play": Rule(
        "Two players, three at a table of whom one sits out, or two sides of partners.",
        choices=("two", "three", "partners"),
    ),
    "rounding": Rule(
        "The margin of a match of two sides is rounded once to the nearest multiple, "
        "half away from zero.",
        choices=(1, 5, 10, 50, 100, 500),
    ),
    "agreements": Rule("What was agreed that changes no figure."),
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every rule of a match; points are whole numbers. The fields are those of ``RULES``.

    Raises Unreadable, or Problems with all that is wrong, each naming its field.
    """

    target: int = 100
    knock_limit: int = 10
    knock_bonus: int = 0
    gin_bonus: int = 25
    undercut_bonus: int = 25
    big_gin_bonus: int | None = 31
    tie: str = "undercut"
    box_bonus: int = 25
    extra_boxes: ExtraBoxes = field(default_factory=ExtraBoxes)
    game_bonus: int | Literal["target"] = 100
    shutout: str = "double-total"
    shutout_bonus: int = 0
    shutout_when: str = "no-hand"
    oklahoma: bool = False
    oklahoma_ace: str = "gin-only"
    spade_doubles: bool = False
    spade_doubles_extra_boxes: bool = True
    spade_doubles_box: bool = False
    columns: int = 1
    column_weights: tuple[int, ...] = ()
    delayed_entry: bool = True
    next_dealer: str = "loser"
    play: str = "two"
    rounding: int = 1
    agreements: Agreements = field(default_factory=Agreements)

    def __post_init__(self) -> None:
        raise_all(self._problems())

    def _problems(self) -> Iterator[GinError]:
        for name, rule in RULES.items():
            if rule.choices or rule.low is not None:
                problem = rule.problem(name, getattr(self, name))
                if problem:
                    yield problem
        boxes = Rule("", low=0, high=100)
        for name in ("gin", "undercut", "big_gin"):
            problem = boxes.problem(f"extra_boxes.{name}", getattr(self.extra_boxes, name))
            if problem:
                yield problem
        for name, choices in AGREEMENTS.items():
            problem = Rule("", choices=tuple(choices)).problem(
                f"agreements.{name}", getattr(self.agreements, name)
            )
            if problem:
                yield problem
        yield from self._weight_problems()

    def _weight_problems(self) -> Iterator[GinError]:
        name = "column_weights"
        if any(type(one) is not int or not 1 <= one <= 100 for one in self.column_weights):
            yield Unreadable("rule-weights", f"{name} are whole numbers from 1 to 100.", name)
        if self.column_weights and len(self.column_weights) != self.columns:
            yield Unreadable(
                "rule-weights",
                f"{name} has {len(self.column_weights)} weights for {self.columns} columns: "
                "one weight for each column, or none at all.",
                name,
            )

    @property
    def weights(self) -> tuple[int, ...]:
        """One weight a column."""
        return self.column_weights or (1,) * self.columns

    @property
    def game_points(self) -> int:
        """The game bonus in points."""
        return self.target if self.game_bonus == "target" else self.game_bonus

    @property
    def needs_upcard(self) -> bool:
        """Whether the upcard changes a limit or a figure, so that the table must note it."""
        return self.oklahoma or self.spade_doubles

    def replace(self, **changes: Any) -> RuleSet:
        """The same rules with other values; raises as the constructor does."""
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """Every field as plain JSON values; ``read_rules`` reads it back unchanged."""
        plain: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        plain["column_weights"] = list(self.column_weights)
        for name in ("extra_boxes", "agreements"):
            part = plain[name]
            plain[name] = {one.name: getattr(part, one.name) for one in fields(part)}
        return plain


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set under a name that players know, with what is special about it in a sentence."""

    slug: str
    name: str
    summary: str
    rules: RuleSet


@cache
def presets() -> Mapping[str, Preset]:
    """All presets by slug, the default first, then in the order of their files."""
    found: dict[str, Preset] = {}
    for path in sorted(PRESET_DIR.glob("*.json"), key=lambda p: (p.stem != DEFAULT_PRESET, p.stem)):
        raw = json.loads(path.read_text(encoding="utf-8"))
        rules = _over(RuleSet(), raw["rules"])
        found[path.stem] = Preset(path.stem, raw["name"], raw["summary"], rules)
    return found


def preset(slug: str) -> Preset:
    """The preset of that slug; raises Unreadable ("preset-unknown") naming those there are."""
    try:
        return presets()[slug]
    except (KeyError, TypeError):
        known = ", ".join(presets())
        raise Unreadable(
            "preset-unknown", f"There is no rule set {slug!r}; there are {known}.", "preset"
        ) from None


def read_rules(raw: object) -> RuleSet:
    """A preset's slug, or an object of fields over its ``preset`` (house-modern where left out).

    Raises Unreadable, or Problems with everything that is wrong, fields below no prefix.
    """
    if isinstance(raw, str):
        return preset(raw).rules
    if not isinstance(raw, Mapping):
        raise Unreadable(
            "rules-unreadable", "rules is the name of a rule set or an object of its fields.", ""
        )
    changes = {name: value for name, value in raw.items() if name != "preset"}
    return _over(preset(raw.get("preset", DEFAULT_PRESET)).rules, changes)


def _over(base: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    problems: list[GinError] = []
    values: dict[str, Any] = {}
    for name, value in changes.items():
        reader = _READERS.get(name)
        if name not in RULES:
            problems.append(
                Unreadable("rule-unknown", f"{name!r} is no field of a rule set.", str(name))
            )
            continue
        try:
            values[name] = reader(base, value) if reader else value
        except GinError as error:
            problems.extend(error.problems)
    try:
        made = replace(base, **values)
    except GinError as error:
        problems.extend(error.problems)
        made = base
    raise_all(problems)
    return made


def _read_part(name: str) -> Callable[[RuleSet, Any], Any]:
    """A reader for an object of fields ("extra_boxes"), laid over what the base has."""

    def read(base: RuleSet, raw: Any) -> Any:
        part: ExtraBoxes | Agreements = getattr(base, name)
        if isinstance(raw, type(part)):
            return raw
        known = [one.name for one in fields(part)]
        if not isinstance(raw, Mapping) or any(key not in known for key in raw):
            right = ", ".join(known)
            raise Unreadable("rule-value", f"{name} is an object with {right}.", name)
        return replace(part, **raw)

    return read


def _read_weights(_base: RuleSet, raw: Any) -> tuple[int, ...]:
    if not isinstance(raw, (list, tuple)):
        raise Unreadable(
            "rule-weights", "column_weights is a list of whole numbers.", "column_weights"
        )
    return tuple(raw)


_READERS: dict[str, Callable[[RuleSet, Any], Any]] = {
    "extra_boxes": _read_part("extra_boxes"),
    "agreements": _read_part("agreements"),
    "column_weights": _read_weights,
}


def differences(one: RuleSet, other: RuleSet) -> dict[str, tuple[Any, Any]]:
    """The fields in which two rule sets differ, with both values, in the order of ``RULES``."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in RULES)
    return {name: (mine, theirs) for name, mine, theirs in pairs if mine != theirs}
