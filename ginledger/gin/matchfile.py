"""The match file (docs/format.md): a JSON document <-> a ``Match``, without loss.

A hand of it is the business of ``handfile``; what a file may say of the book around the match
(void rows apart) is read by ``bookfile``.

Reading reports every problem at once; fields are paths in the document ("hands.3.deadwood.Ann",
hands numbered from 1). Writing gives every rule field out, so that a match never changes when a
preset does.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ginledger.gin.errors import AgainstRules, Ambiguous, GinError, Unreadable, raise_all
from ginledger.gin.handfile import Reader, read_hand, write_hand
from ginledger.gin.hands import AnyHand, Table
from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.gin.sheet import Match

FORMAT = "ginledger/match/1"
DOCUMENT_KEYS = ("format", "rules", "sides", "first_dealer", "hands")
# What a whole book has beside; ``bookfile`` reads it.
BOOK_KEYS = ("rules_name", "played_on", "note", "stopped_at", "amendments")
MOST_HANDS = 10_000
MOST_NAME = 60


def fold(name: str) -> str:
    """A name as it is compared: two names that fold alike are one person's."""
    return unicodedata.normalize("NFC", name).casefold().strip()


class Row(NamedTuple):
    """A row of a book: its hand, and whether it is void, read but not counted."""

    hand: AnyHand
    void: bool = False


def read_match(document: object) -> Match:
    """The match of a file, its void rows left out; raises like ``read_rows``."""
    return read_rows(document)[0]


def read_rows(document: object) -> tuple[Match, tuple[Row, ...]]:
    """The match of a file, of the hands that count, and every row of it, void ones included.

    Raises a GinError, or Problems with all that is wrong. The hands are read, not yet ruled:
    ``sheet.score`` does that.
    """
    if not isinstance(document, Mapping):
        raise Unreadable("document-unreadable", "A match file is one JSON object.")
    problems: list[GinError] = [
        Unreadable("key-unknown", f"{key!r} is no part of a match file.", str(key))
        for key in document
        if key not in DOCUMENT_KEYS + BOOK_KEYS
    ]
    if document.get("format") != FORMAT:
        problems.append(
            Unreadable(
                "format-unknown", f"format is {FORMAT!r}, not {document.get('format')!r}.", "format"
            )
        )
    rules = RuleSet()
    try:
        rules = read_rules(document.get("rules"))
    except GinError as error:
        problems += error.within("rules").problems
    try:
        table = read_sides(document.get("sides"), rules)
    except GinError as error:
        # Without the names no hand can be read.
        raise_all([*problems, error])
        raise
    reader = Reader(document, table)
    dealer = 0
    if "first_dealer" in document:
        dealer = reader.seat("first_dealer", document["first_dealer"])
    else:
        text = f"first_dealer is missing: who of {', '.join(table.names)} deals first."
        problems.append(Unreadable("value-missing", text, "first_dealer"))
    rows = _read_hands(reader)
    raise_all([*problems, *reader.problems])
    return Match(rules, table, dealer, tuple(row.hand for row in rows if not row.void)), rows


def _read_hands(reader: Reader) -> tuple[Row, ...]:
    raw = reader.raw.get("hands", ())
    if not isinstance(raw, (list, tuple)) or len(raw) > MOST_HANDS:
        reader.unreadable("hands", f"a list of at most {MOST_HANDS} hands", type(raw).__name__)
        return ()
    rows: list[Row] = []
    for number, one in enumerate(raw, 1):
        try:
            rows.append(read_row(one, reader.table))
        except GinError as error:
            reader.fail(error.within(f"hands.{number}"))
    return tuple(rows)


def read_row(raw: object, table: Table) -> Row:
    """A hand that may say ``"void": true`` beside; raises like ``read_hand``."""
    if not isinstance(raw, Mapping) or "void" not in raw:
        return Row(read_hand(raw, table))
    reader = Reader(raw, table)
    if not isinstance(raw["void"], bool):
        reader.unreadable("void", "true or false", raw["void"])
    try:
        hand = read_hand({key: value for key, value in raw.items() if key != "void"}, table)
    except GinError as error:
        reader.fail(error)
    raise_all(reader.problems)
    return Row(hand, raw["void"])


def write_row(row: Row, table: Table) -> dict[str, Any]:
    """A row as the object that ``read_row`` reads back to the same value."""
    return write_hand(row.hand, table) | ({"void": True} if row.void else {})


def read_sides(raw: object, rules: RuleSet) -> Table:
    """The lists of names at the table; raises a GinError or Problems, fields below "sides"."""
    if not isinstance(raw, (list, tuple)) or not all(
        isinstance(side, (list, tuple)) and all(isinstance(name, str) for name in side)
        for side in raw
    ):
        raise Unreadable("sides-unreadable", "sides is a list of lists of names.", "sides")
    table = Table(tuple(tuple(side) for side in raw))
    raise_all([*name_problems(table.names, "sides"), *seating_problems(rules, table)])
    return table


def name_problems(names: Iterable[str], field: str) -> list[GinError]:
    """What is wrong with the names of one table; fields are "sides.1" for the second name."""
    problems: list[GinError] = []
    seen: set[str] = set()
    for number, name in enumerate(names):
        where = f"{field}.{number}"
        if not name.strip():
            problems.append(Unreadable("name-blank", "Every player needs a name.", where))
        elif len(name) > MOST_NAME:
            problems.append(
                Unreadable("name-long", f"A name has at most {MOST_NAME} characters.", where)
            )
        elif fold(name) in seen:
            problems.append(
                Ambiguous("name-twice", f"Two players are called {name}; tell them apart.", where)
            )
        seen.add(fold(name))
    return problems


def seating_problems(rules: RuleSet, table: Table) -> list[GinError]:
    """Whether so many sides of so many players can play by these rules."""
    sizes = {len(side) for side in table.sides}
    fits, right = {
        "two": (len(table.sides) == 2 and sizes == {1}, "two sides of one player"),
        "three": (len(table.sides) == 3 and sizes == {1}, "three sides of one player"),
        "partners": (
            len(table.sides) == 2 and len(sizes) == 1 and min(sizes) >= 2,
            "two sides of two players or more, as many on each",
        ),
    }[rules.play]
    if fits:
        return []
    return [AgainstRules("sides-wrong", f"These rules are played by {right}.", "sides")]


def write_match(match: Match) -> dict[str, Any]:
    """The match as one JSON object; ``read_match`` reads it back to the same value."""
    return {
        "format": FORMAT,
        "rules": match.rules.to_json(),
        "sides": [list(side) for side in match.table.sides],
        "first_dealer": match.table.names[match.first_dealer],
        "hands": [write_hand(hand, match.table) for hand in match.hands],
    }
