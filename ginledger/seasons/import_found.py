"""What comes in, whatever it came as: matches as understood, and faults with their place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2s
from typing import Any, NamedTuple

from ginledger.clubs.models import Club
from ginledger.clubs.names import fold
from ginledger.gin.bookfile import BookFile, write_book
from ginledger.gin.handfile import write_hand
from ginledger.gin.hands import Adjustment, AnyHand, Table
from ginledger.gin.matchfile import MOST_NAME
from ginledger.gin.ruleset import DEFAULT_PRESET, RuleSet, presets, read_rules
from ginledger.gin.sheet import Sheet

# What a match that is started here adds to the name of its rules.
_ADDED = re.compile(r"(.+?)( Hollywood)?(?: ([1-9][0-9]{0,4}))?")


class Fault(NamedTuple):
    """What is wrong. line: of the table; column: its heading, "" for the line; file: the name of
    the match file that it is in, which has neither."""

    line: int
    column: str
    text: str
    file: str = ""


class Rules(NamedTuple):
    """A rule set to read hands by. slug: of a preset, or the key of the club's own."""

    slug: str
    name: str
    rules: RuleSet


@dataclass(slots=True)
class FoundMatch:
    """A match as understood.

    line: where it begins in a table; file, book: the name and the content of its match file;
    label: what the table calls it; lines: for each hand the line it is in, of a round of partners
    the line of each table; known: it is stored here already, binned: in the bin.
    """

    day: date
    table: Table
    rules: RuleSet
    rules_name: str
    line: int = 0
    file: str = ""
    label: str = ""
    book: BookFile | None = None
    hands: list[AnyHand] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)
    sheet: Sheet | None = None
    wrong: bool = False
    known: bool = False
    binned: bool = False

    @property
    def good(self) -> bool:
        """Whether it can be stored and is not yet."""
        return not self.wrong and not self.known

    @property
    def handless(self) -> bool:
        """Whether it is a result alone: nothing but what was written down at its end."""
        return all(isinstance(hand, Adjustment) for hand in self.hands)

    @property
    def digest(self) -> str:
        """The same for the same match, however often it comes in: 32 characters."""
        said: Any = write_book(self.book) if self.book else self._said()
        # A file without a day is the same file on whatever day it comes in.
        dayless = self.book is not None and self.book.played_on is None
        text = json.dumps(["" if dayless else self.day.isoformat(), said], sort_keys=True)
        return blake2s(text.encode(), digest_size=16).hexdigest()

    def _said(self) -> list[Any]:
        sides = self.table.sides
        tokens = Table(tuple(tuple(map(str, self.table.seats(side))) for side in range(len(sides))))
        hands = [write_hand(hand, tokens) for hand in self.hands]
        for hand in hands:
            hand.pop("note", None)
        # Two results may be equal: then it is what the table calls them that tells them apart.
        label = self.label if self.handless else ""
        return [[[fold(name) for name in side] for side in sides], hands, label]


def play_of(table: Table) -> str:
    """How people sit: two, three or partners."""
    if len(table.sides) == 3:
        return "three"
    return "partners" if len(table.sides[0]) > 1 else "two"


class Shelf:
    """The rule sets that a club can read hands by: the presets and its own.

    slug: of the one that was chosen; another one stands in where that fits not.
    """

    def __init__(self, club: Club, slug: str = "") -> None:
        kept = [Rules(one.key, one.name, read_rules(one.rules)) for one in club.house_rules.kept()]
        found = [Rules(one.slug, one.name, one.rules) for one in presets().values()]
        self._named = {fold(one.name): one for one in (*found, *kept)}
        self.rules = {one.slug: one for one in (*map(_with_target, found), *kept)}
        usual = self.rules.get(club.usual_rules, self.rules[DEFAULT_PRESET])
        self.chosen = self.rules.get(slug, usual)

    def fitting(self, play: str) -> Rules:
        """What is played by so many people: the one chosen, or else the first there is."""
        if self.chosen.rules.play == play:
            return self.chosen
        return next(one for one in self.rules.values() if one.rules.play == play)

    def named(self, name: str, play: str) -> Rules | None:
        """The one that a table calls by this name, if people sit as it wants.

        A match that is started here may add to it: "Modern Hollywood 250" has three columns to 250.
        """
        found = self._named.get(fold(name))
        if found is None and (said := _ADDED.fullmatch(name)):
            base = self._named.get(fold(said[1]))
            found = base and _changed(base, said[2] or "", said[3])
        return found if found is not None and found.rules.play == play else None


def _changed(one: Rules, columns: str, target: str | None) -> Rules:
    """The same in three columns, or to another target, and named so."""
    rules = one.rules.replace(columns=3, column_weights=()) if columns else one.rules
    if target is not None:
        rules, columns = rules.replace(target=int(target)), f"{columns} {target}"
    return Rules(one.slug, f"{one.name[: MOST_NAME - len(columns)]}{columns}", rules)


def _with_target(one: Rules) -> Rules:
    """Named as a match is that is started by it."""
    return one._replace(name=f"{one.name} {one.rules.target}") if one.rules.target else one


@dataclass(frozen=True, slots=True)
class Understood:
    """What files say. kind: hands, results or files.

    form, unclear: how the days of a table are written, and what reads them as well; ignored:
    headings; left_out: lines that do not count where they come from; unknown_rules: names of rule
    sets that are none here; rules: what hands are read by where their lines say nothing.
    """

    kind: str
    matches: tuple[FoundMatch, ...]
    faults: tuple[Fault, ...]
    new_names: tuple[str, ...]
    form: Any = None
    unclear: tuple[Any, ...] = ()
    ignored: tuple[str, ...] = ()
    left_out: int = 0
    unknown_rules: tuple[str, ...] = ()
    rules: Rules | None = None

    @property
    def good(self) -> list[FoundMatch]:
        """The matches that can be stored and are not yet."""
        return [one for one in self.matches if one.good]

    @property
    def plays(self) -> set[str]:
        """How people sit: two, three, partners."""
        return {one.rules.play for one in self.matches}
