"""Hands from a table (a paper book typed in, another tool): first understood, then stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2s
from typing import NamedTuple

from django.db import transaction

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.clubs.names import clean_name, fold
from ginledger.gin.errors import AgainstRules, GinError, Unreadable
from ginledger.gin.hands import WON_KINDS, DeadHand, PointsHand, Table
from ginledger.gin.matchfile import MOST_NOTE
from ginledger.gin.ruleset import Preset
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import Sheet, score
from ginledger.matches.act import MOST_ROWS
from ginledger.matches.life import day_problems, delete_match
from ginledger.matches.models import Match
from ginledger.matches.services import enter_rows, start_match

from .import_text import DAY_FORMATS, DayFormat, Record, infer_format, read_day, read_records

NEEDED = ("day", "player_1", "player_2", "winner", "points")
COLUMNS = (*NEEDED, "kind", "note", "match")
_ALSO = {"date": "day", "player1": "player_1", "player2": "player_2"}
MOST_FIGURES = 6
# What the one-time key of a match that came by an import begins with.
KEY = "import-"
# What the export puts before text that would be a formula.
_GUARD = "'"


class Fault(NamedTuple):
    """What is wrong. line: of the file; column: its heading, "" for the line."""

    line: int
    column: str
    text: str


@dataclass(slots=True)
class FoundMatch:
    """A match as understood. lines: of its hands; known: it is stored here already."""

    day: date
    names: tuple[str, str]
    line: int
    hands: list[PointsHand | DeadHand] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sheet: Sheet | None = None
    wrong: bool = False
    known: bool = False

    @property
    def once_key(self) -> str:
        """The same for the same match, however often it comes in."""
        hands = [
            ["dead"] if isinstance(one, DeadHand) else [one.kind, one.winner, one.points]
            for one in self.hands
        ]
        said = json.dumps([self.day.isoformat(), *map(fold, self.names), hands])
        return f"{KEY}{blake2s(said.encode(), digest_size=16).hexdigest()}"

    @property
    def good(self) -> bool:
        """Whether it can be stored and is not yet."""
        return not self.wrong and not self.known


@dataclass(frozen=True, slots=True)
class Understood:
    """What a table says. unclear: other formats that read its days as well; ignored: headings."""

    matches: tuple[FoundMatch, ...]
    faults: tuple[Fault, ...]
    form: DayFormat
    unclear: tuple[DayFormat, ...]
    new_names: tuple[str, ...]
    ignored: tuple[str, ...]

    @property
    def good(self) -> list[FoundMatch]:
        return [one for one in self.matches if one.good]


def understand(club: Club, text: str, preset: Preset, form_name: str = "") -> Understood:
    """What the table would become; raises Unreadable where it is no such table."""
    head, *records = read_records(text)
    columns, ignored = _columns(head)
    rows = [_row(columns, record) for record in records]
    if not rows:
        raise Unreadable("rows-missing", "There is no hand below the headings.", "file")
    form, unclear = infer_format([row["day"] for _, row in rows])
    if form_name:
        form, unclear = DAY_FORMATS[form_name], ()
    faults: list[Fault] = []
    found: dict[object, FoundMatch] = {}
    for line, row in rows:
        _add(found, line, row, form, faults)
    matches = tuple(found.values())
    for match in matches:
        _check(match, preset, faults)
    keys = {match.once_key for match in matches}
    here = set(club.matches.filter(once_key__in=keys).values_list("once_key", flat=True))
    for match in matches:
        match.known = match.once_key in here
        here.add(match.once_key)
    new = _new_names(club, matches)
    return Understood(matches, tuple(sorted(faults)), form, unclear, new, ignored)


def _columns(head: Record) -> tuple[dict[str, int], tuple[str, ...]]:
    columns: dict[str, int] = {}
    ignored = []
    for place, text in enumerate(head.cells):
        name = "_".join(text.casefold().split())
        name = _ALSO.get(name, name)
        if name in COLUMNS and name not in columns:
            columns[name] = place
        elif text.strip():
            ignored.append(text.strip())
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        text = f"These headings are missing: {', '.join(missing)}."
        raise Unreadable("columns-missing", text, "file")
    return columns, tuple(ignored)


def _row(columns: dict[str, int], record: Record) -> tuple[int, dict[str, str]]:
    row = dict.fromkeys(COLUMNS, "")
    for name, place in columns.items():
        row[name] = record.cells[place].strip() if place < len(record.cells) else ""
        if row[name].startswith(_GUARD) and row[name][1:].lstrip()[:1] in {"=", "+", "-", "@"}:
            row[name] = row[name][1:]
    return record.line, row


def _add(
    found: dict[object, FoundMatch],
    line: int,
    row: dict[str, str],
    form: DayFormat,
    faults: list[Fault],
) -> None:
    """Read a row and put it to its match; its faults make that match wrong."""
    mine: list[Fault] = []
    day = read_day(row["day"], form)
    if day is None:
        mine.append(Fault(line, "day", f"{row['day']!r} is no day written {form.label}."))
    elif problems := day_problems(day):
        mine += [Fault(line, "day", str(one)) for one in problems]
    names = _names(line, row, mine)
    label = row["match"] or (row["day"], tuple(sorted(map(fold, names))))
    match = found.setdefault(label, FoundMatch(day or date.min, names, line))
    if sorted(map(fold, names)) != sorted(map(fold, match.names)):
        mine.append(Fault(line, "player_1", "Others played in the lines of this match above."))
    hand = _hand(line, row, match.names, mine)
    if mine or hand is None:
        match.wrong = True
        faults += mine
        return
    match.hands.append(hand)
    match.lines.append(line)


def _names(line: int, row: dict[str, str], faults: list[Fault]) -> tuple[str, str]:
    names = []
    for column in ("player_1", "player_2"):
        try:
            names.append(clean_name(row[column]))
        except AgainstRules as error:
            faults.append(Fault(line, column, str(error)))
            names.append(row[column])
    if fold(names[0]) == fold(names[1]):
        faults.append(Fault(line, "player_2", "Two people play, not one."))
    return names[0], names[1]


def _hand(
    line: int, row: dict[str, str], names: Sequence[str], faults: list[Fault]
) -> PointsHand | DeadHand | None:
    kind = "_".join(row["kind"].casefold().split()) or "knock"
    if len(row["note"]) > MOST_NOTE:
        faults.append(Fault(line, "note", f"A note has up to {MOST_NOTE} characters."))
    if kind == "dead":
        return DeadHand(note=row["note"])
    if kind not in WON_KINDS:
        said = ", ".join((*WON_KINDS, "dead"))
        faults.append(Fault(line, "kind", f"{row['kind']!r} is none of {said}."))
    folded = [fold(name) for name in names]
    winner = fold(row["winner"])
    if winner not in folded:
        faults.append(Fault(line, "winner", f"{row['winner']!r} does not play in this match."))
    points = row["points"]
    if not (points.isascii() and points.isdecimal() and len(points) <= MOST_FIGURES):
        faults.append(Fault(line, "points", f"{points!r} is no number of points."))
    if any(fault.line == line for fault in faults):
        return None
    return PointsHand(kind=kind, winner=folded.index(winner), points=int(points), note=row["note"])


def _check(match: FoundMatch, preset: Preset, faults: list[Fault]) -> None:
    """Score the match by the rules; what they refuse is a fault of the line it is in."""
    if match.wrong:
        return
    if len(match.hands) > MOST_ROWS:
        match.wrong = True
        faults.append(Fault(match.line, "match", f"A match has up to {MOST_ROWS} rows."))
        return
    table = Table(((match.names[0],), (match.names[1],)))
    try:
        match.sheet = score(GinMatch(preset.rules, table, 0, tuple(match.hands)))
    except GinError as error:
        match.wrong = True
        for problem in error.problems:
            number = problem.field.split(".")[1:2]
            place = int(number[0]) - 1 if number and number[0].isdecimal() else 0
            faults.append(Fault(match.lines[place], "points", str(problem)))


def _new_names(club: Club, matches: Iterable[FoundMatch]) -> tuple[str, ...]:
    names = {fold(name): name for match in matches if match.good for name in match.names}
    known = set(club.players.filter(folded__in=names).values_list("folded", flat=True))
    return tuple(name for folded, name in names.items() if folded not in known)


def store(
    *, user: User, club_key: str, text: str, preset: Preset, form_name: str, some: bool
) -> list[Match]:
    """Store the matches of a table in one transaction: all, or with ``some`` those that are right.

    Raises AgainstRules ("import-faults") where something is wrong and ``some`` was not said, and
    "import-nothing" where nothing is left to store.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        found = understand(club, text, preset, form_name)
        if found.faults and not some:
            raise AgainstRules("import-faults", "Some of it is wrong: nothing was stored.")
        if not found.good:
            raise AgainstRules("import-nothing", "There is nothing new in it to store.")
        return [_store_match(user, club, match, preset) for match in found.good]


def _store_match(user: User, club: Club, found: FoundMatch, preset: Preset) -> Match:
    match = start_match(
        user=user,
        names=found.names,
        rules=preset.rules,
        rules_name=preset.name,
        first_dealer=0,
        once_key=found.once_key,
        played_on=found.day,
        club_key=club.key,
    )
    enter_rows(
        user=user, match_key=match.key, hands=found.hands, once_key="", version=match.version
    )
    return match


def take_back(*, user: User, club_key: str, keys: Sequence[str]) -> int:
    """Put the matches of one import into the bin, in one transaction; how many there were.

    keys: of matches that came by an import; others, and those in the bin already, are left alone.
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)
        mine = club.matches.filter(key__in=keys, once_key__startswith=KEY, deleted_at=None)
        matches = list(mine.order_by("pk"))
        for match in matches:
            delete_match(
                user=user, match_key=match.key, version=match.version, why="Import taken back."
            )
        return len(matches)
