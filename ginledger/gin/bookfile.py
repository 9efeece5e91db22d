"""The whole book in a match file (docs/format.md): void rows, note, day, and every amendment.

``matchfile`` reads the match; here is what stands around it. An amendment tells one row (or,
without one, the match) before and after, by whom, when and why; those of one act share its
number. A file's amendments must tell how its rows came to be: each begins where the one before
it ended, and the last leaves the row as it stands among the hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from ginledger.gin.errors import AgainstRules, GinError, Problems, Unreadable, raise_all
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import Table
from ginledger.gin.matchfile import MOST_NAME, Row, read_row, read_rows, write_match, write_row
from ginledger.gin.sheet import Match, Sheet, score

ROW_ACTIONS = ("enter", "insert", "amend", "void", "restore", "undo", "redo")
MATCH_ACTIONS = ("stop", "reopen", "swap", "describe")
NEW_ACTIONS = ("enter", "insert")
MOST_AMENDMENTS = 20_000
MOST_ACT = 1_000_000
MOST_WHY = 200
_AMENDMENT_KEYS = ("act", "action", "hand", "before", "after", "who", "at", "why")
_NO_TIME = datetime.min.replace(tzinfo=UTC)
_DESCRIPTION = ("note", "played_on")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAmendment:
    """One change. act: the number of its act, from 1; row: its place among the rows from 0, None
    for the match itself; before: None where the row was not there; at: a moment with its zone.

    description: note and day before and after, of the action "describe" alone.
    """

    act: int
    action: str
    row: int | None
    before: Row | None
    after: Row | None
    who: str
    at: datetime
    why: str = ""
    description: tuple[dict[str, str], dict[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class BookFile:
    """A match file as a book. match: of the rows that count; rows: all, in order.

    rules_name and note: "" where the file says none; amendments: empty in a file written by hand.
    """

    match: Match
    rows: tuple[Row, ...]
    rules_name: str = ""
    played_on: date | None = None
    note: str = ""
    stopped_at: datetime | None = None
    amendments: tuple[FileAmendment, ...] = field(default=())


def score_file(document: object) -> Sheet:
    """The sheet of a match file; raises like ``read_rows`` and ``score``.

    Problems name hands as the file counts them, void ones included.
    """
    match, rows = read_rows(document)
    try:
        return score(match)
    except GinError as error:
        raise as_in_file(error, rows) from None


def as_in_file(error: GinError, rows: Sequence[Row]) -> GinError:
    """The problems of the hands that count, with the numbers that the rows have in the file."""
    places = [number for number, row in enumerate(rows, 1) if not row.void]

    def moved(problem: GinError) -> GinError:
        head, _, rest = problem.field.partition(".")
        number, _, rest = rest.partition(".")
        if head != "hands" or not number.isdecimal():
            return problem
        place = f"hands.{places[int(number) - 1]}"
        return type(problem)(problem.code, problem.message, f"{place}.{rest}" if rest else place)

    problems = [moved(problem) for problem in error.problems]
    return problems[0] if len(problems) == 1 else Problems(problems)


def read_book(document: object) -> BookFile:
    """A match file with all that it says of the book; raises a GinError or all its Problems.

    The hands are read and ruled: what is returned makes a sheet.
    """
    match, rows = read_rows(document)
    assert isinstance(document, Mapping)
    problems: list[GinError] = []
    try:
        score(match)
    except GinError as error:
        problems += as_in_file(error, rows).problems
    reader = _Fields(document, "", problems)
    book = BookFile(
        match,
        rows,
        rules_name=reader.text("rules_name", MOST_NAME),
        played_on=reader.day("played_on"),
        note=reader.text("note", MOST_NOTE),
        stopped_at=reader.moment("stopped_at"),
        amendments=_read_amendments(document, match.table, problems),
    )
    if book.amendments and not problems:
        problems += _chain_problems(book)
    raise_all(problems)
    return book


class _Fields:
    """Reads the fields of an object; what is wrong is added to ``problems``."""

    def __init__(self, raw: Mapping[str, Any], where: str, problems: list[GinError]) -> None:
        self.raw = raw
        self.where = where
        self.problems = problems

    def fail(self, name: str, right: str) -> None:
        place = f"{self.where}.{name}" if self.where else name
        shown = repr(self.raw.get(name))
        shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
        self.problems.append(
            Unreadable("value-unreadable", f"{name} is {right}, not {shown}.", place)
        )

    def text(self, name: str, most: int) -> str:
        value = self.raw.get(name, "")
        if isinstance(value, str) and len(value) <= most:
            return value
        self.fail(name, f"text of at most {most} characters")
        return ""

    def day(self, name: str) -> date | None:
        value = self.raw.get(name)
        if value is None:
            return None
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            self.fail(name, "a day such as 2026-03-31")
            return None

    def moment(self, name: str) -> datetime | None:
        value = self.raw.get(name)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value)
        except (TypeError, ValueError):
            moment = None
        if moment is None or moment.tzinfo is None:
            self.fail(name, "a moment in ISO 8601 with its zone")
            return None
        return moment

    def whole(self, name: str, most: int) -> int:
        value = self.raw.get(name)
        if type(value) is int and 1 <= value <= most:
            return value
        self.fail(name, f"a whole number from 1 to {most}")
        return 1


def _read_amendments(
    document: Mapping[str, Any], table: Table, problems: list[GinError]
) -> tuple[FileAmendment, ...]:
    raw = document.get("amendments", ())
    if not isinstance(raw, (list, tuple)) or len(raw) > MOST_AMENDMENTS:
        text = f"amendments is a list of at most {MOST_AMENDMENTS} changes."
        problems.append(Unreadable("amendments-unreadable", text, "amendments"))
        return ()
    found = []
    for number, one in enumerate(raw, 1):
        where = f"amendments.{number}"
        if isinstance(one, Mapping):
            found.append(_read_amendment(one, where, table, problems))
        else:
            problems.append(Unreadable("amendment-unreadable", "An amendment is an object.", where))
    return tuple(found)


def _read_amendment(
    raw: Mapping[str, Any], where: str, table: Table, problems: list[GinError]
) -> FileAmendment:
    reader = _Fields(raw, where, problems)
    for key in raw:
        if key not in _AMENDMENT_KEYS:
            text = f"{key!r} does not belong here: {', '.join(_AMENDMENT_KEYS)}."
            problems.append(Unreadable("key-unknown", text, f"{where}.{key}"))
    action = raw.get("action")
    actions = ROW_ACTIONS if "hand" in raw else MATCH_ACTIONS
    if action not in actions:
        reader.fail("action", f"one of {', '.join(actions)}")
    at = reader.moment("at")
    if at is None and "at" not in raw:
        reader.fail("at", "a moment in ISO 8601 with its zone")
    before = after = description = None
    if "hand" in raw:
        before, after = (_state(raw, name, where, table, problems) for name in ("before", "after"))
    elif action == "describe":
        description = (_description(reader, "before"), _description(reader, "after"))
    return FileAmendment(
        act=reader.whole("act", MOST_ACT),
        action=str(action),
        row=reader.whole("hand", MOST_ACT) - 1 if "hand" in raw else None,
        before=before,
        after=after,
        who=reader.text("who", MOST_NAME),
        at=at or _NO_TIME,
        why=reader.text("why", MOST_WHY),
        description=description,
    )


def _state(
    raw: Mapping[str, Any], name: str, where: str, table: Table, problems: list[GinError]
) -> Row | None:
    if raw.get(name) is None:
        return None
    try:
        return read_row(raw[name], table)
    except GinError as error:
        problems += error.within(f"{where}.{name}").problems
        return None


def _description(reader: _Fields, name: str) -> dict[str, str]:
    value = reader.raw.get(name)
    if (
        isinstance(value, Mapping)
        and set(value) == set(_DESCRIPTION)
        and all(isinstance(text, str) and len(text) <= MOST_NOTE for text in value.values())
    ):
        day = _Fields(value, f"{reader.where}.{name}", reader.problems).day("played_on")
        return {"note": value["note"], "played_on": day.isoformat() if day else ""}
    reader.fail(name, "an object with note and played_on")
    return {"note": "", "played_on": ""}


def _chain_problems(book: BookFile) -> list[GinError]:
    """The first place where the amendments do not tell how the rows came to be as they are."""
    states: list[Row | None] = [None] * len(book.rows)
    for number, change in enumerate(book.amendments, 1):
        if change.row is None:
            continue
        name, text = _link_problem(change, states)
        if text:
            return [AgainstRules("amendments-broken", text, f"amendments.{number}.{name}")]
        states[change.row] = change.after
    for place, (row, last) in enumerate(zip(book.rows, states, strict=True), 1):
        if last != row:
            text = "The last amendment of this hand leaves it otherwise than it stands here."
            return [AgainstRules("amendments-broken", text, f"hands.{place}")]
    return _act_problems(book.amendments)


def _link_problem(change: FileAmendment, states: Sequence[Row | None]) -> tuple[str, str]:
    """The field and what is wrong with it, given what every row was before; "" for nothing."""
    assert change.row is not None
    if change.row >= len(states):
        return "hand", f"There is no hand {change.row + 1}."
    if change.after is None:
        return "after", "An amendment says what the hand is after it."
    if change.before is None and change.action not in NEW_ACTIONS:
        return "before", "Only a hand that is entered has nothing before."
    if change.before is not None and change.action in NEW_ACTIONS:
        # A hand put between others may end the match, so that the rest of it is struck out.
        struck = change.action == "insert" and change.after == change.before._replace(void=True)
        if not struck:
            return "before", "A hand that is entered has nothing before."
    if change.before != states[change.row]:
        return "before", f"Before this, hand {change.row + 1} was something else."
    return "", ""


def _act_problems(amendments: Sequence[FileAmendment]) -> list[GinError]:
    """Acts that are not in order, mix actions or rows, or take back what is not there."""
    standing: list[int] = []
    undone: list[int] = []
    act, action, rows = 0, "", set[int | None]()
    for number, change in enumerate(amendments, 1):
        where = f"amendments.{number}"
        if change.act < act:
            text = "Acts are numbered in the order they were made."
            return [AgainstRules("amendments-broken", text, f"{where}.act")]
        if change.act == act:
            if change.action != action or change.row in rows or change.row is None:
                text = "An act does one thing, and to a hand once."
                return [AgainstRules("amendments-broken", text, where)]
            rows.add(change.row)
            continue
        act, action, rows = change.act, change.action, {change.row}
        if action in ("undo", "redo"):
            here, there = (standing, undone) if action == "undo" else (undone, standing)
            if not here:
                text = f"There is nothing to {action}."
                return [AgainstRules("amendments-broken", text, where)]
            there.append(here.pop())
        elif action in ROW_ACTIONS:
            standing.append(act)
            undone.clear()
    return []


def write_book(book: BookFile) -> dict[str, Any]:
    """The book as one JSON object; ``read_book`` reads it back to the same value."""
    table = book.match.table
    document = write_match(book.match)
    del document["hands"]
    if book.rules_name:
        document["rules_name"] = book.rules_name
    if book.played_on is not None:
        document["played_on"] = book.played_on.isoformat()
    if book.note:
        document["note"] = book.note
    if book.stopped_at is not None:
        document["stopped_at"] = book.stopped_at.isoformat()
    document["hands"] = [write_row(row, table) for row in book.rows]
    if book.amendments:
        document["amendments"] = [_write_amendment(one, table) for one in book.amendments]
    return document


def _write_amendment(change: FileAmendment, table: Table) -> dict[str, Any]:
    found: dict[str, Any] = {"act": change.act, "action": change.action}
    if change.row is not None:
        found["hand"] = change.row + 1
    if change.before is not None:
        found["before"] = write_row(change.before, table)
    if change.after is not None:
        found["after"] = write_row(change.after, table)
    if change.description is not None:
        found["before"], found["after"] = (dict(one) for one in change.description)
    if change.who:
        found["who"] = change.who
    found["at"] = change.at.isoformat()
    if change.why:
        found["why"] = change.why
    return found
