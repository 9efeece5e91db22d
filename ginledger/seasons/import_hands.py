"""A table of hands as matches: points as written, or the counts of both, a line a hand.

Of three and of partners, too. What our own table of hands says comes in again as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from ginledger.clubs.names import fold
from ginledger.gin.cards import parse_card
from ginledger.gin.errors import GinError
from ginledger.gin.hands import (
    WON_KINDS,
    Adjustment,
    CountsHand,
    DeadHand,
    PointsHand,
    Round,
    Table,
    TableHand,
)
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import Sheet, score
from ginledger.matches.act import MOST_ROWS

from .import_found import Fault, FoundMatch, Shelf
from .import_rows import PLAYERS, TableRow
from .import_text import DayFormat

NEEDED = ("day", "player_1", "player_2", "winner", "points")
COLUMNS = (
    "day", *PLAYERS, "winner", "points", "kind", "opponent", "note", "match", "round", "knocker",
    "knocker_deadwood", "opponent_deadwood", "upcard", "rules", "sides", "table", "state",
)  # fmt: skip
KINDS = (*WON_KINDS, "dead", "tie", "adjustment")
# The states of our own table in which a row does not count.
LEFT_OUT = ("void", "not scored")
_COUNTS = {
    "deadwood": "opponent_deadwood",
    "deadwood.knocker": "knocker_deadwood",
    "deadwood.defender": "opponent_deadwood",
    "deadwood.opponent": "opponent_deadwood",
}


class HandTable:
    """Takes the lines one after the other.

    left_out: how many do not count where they come from; unknown_rules: names of rule sets that
    are none here.
    """

    def __init__(self, shelf: Shelf, form: DayFormat) -> None:
        self.shelf = shelf
        self.form = form
        self.faults: list[Fault] = []
        self.left_out = 0
        self.unknown_rules: dict[str, None] = {}
        self._found: dict[object, _Lines] = {}

    def add(self, row: TableRow) -> None:
        """Read a line and put it to its match; its faults make that match wrong."""
        if row["state"] in LEFT_OUT:
            self.left_out += 1
            return
        if row.word("kind") == "round" and not row["table"]:
            return  # The sum of the lines below it.
        day, table = row.day(self.form), row.table()
        people = sorted(map(fold, table.names))
        lines = self._found.setdefault(
            row["match"] or (row["day"], tuple(people)), _Lines(self._match(row, day, table))
        )
        match = lines.match
        if people != sorted(map(fold, match.table.names)):
            row.fail("player_1", "Others played in the lines of this match above.")
        hand = _hand(row, match.table)
        if match.rules.play == "partners" and not row["round"] and row.word("kind") != "adjustment":
            row.fail("round", "Say which round it is: lines with the same one belong together.")
        if row.faults or hand is None:
            match.wrong = True
            self.faults += row.faults
        else:
            lines.put(hand, row)

    def _match(self, row: TableRow, day: date | None, table: Table) -> FoundMatch:
        play = play_of(table)
        rules = self.shelf.named(row["rules"], play) if row["rules"] else None
        if rules is None:
            rules = self.shelf.fitting(play)
            if row["rules"]:
                self.unknown_rules[row["rules"]] = None
        return FoundMatch(
            day or date.min, table, rules.rules, rules.name, row.line, label=row["match"]
        )

    def matches(self) -> list[FoundMatch]:
        """Every match, scored; what the rules refuse is a fault of the line it is in."""
        for lines in self._found.values():
            if not lines.match.wrong:
                faults = lines.score()
                lines.match.wrong = bool(faults)
                self.faults += faults
        return [lines.match for lines in self._found.values()]


def play_of(table: Table) -> str:
    """How people sit: two, three or partners."""
    if len(table.sides) == 3:
        return "three"
    return "partners" if len(table.sides[0]) > 1 else "two"


class _Lines:
    """A match and the line of each hand, of a round of partners that of each table."""

    def __init__(self, match: FoundMatch) -> None:
        self.match = match
        self.rows: list[list[TableRow]] = []
        self.rounds: dict[str, int] = {}

    def put(self, hand: TableHand | Adjustment, row: TableRow) -> None:
        match, partners = self.match, self.match.rules.play == "partners"
        place = self.rounds.get(row["round"]) if partners else None
        if isinstance(hand, Adjustment) or not partners:
            match.hands.append(hand)
        elif place is not None:
            before = match.hands[place]
            assert isinstance(before, Round)
            match.hands[place] = replace(before, tables=(*before.tables, hand))
            match.lines[place].append(row.line)
            self.rows[place].append(row)
            return
        else:
            self.rounds[row["round"]] = len(match.hands)
            match.hands.append(Round(tables=(hand,)))
        match.lines.append([row.line])
        self.rows.append([row])

    def score(self) -> list[Fault]:
        """Have the match its sheet, or give what is wrong."""
        match = self.match
        if len(match.hands) > MOST_ROWS:
            return [Fault(match.line, "match", f"A match has up to {MOST_ROWS} rows.")]
        try:
            match.sheet = score(GinMatch(match.rules, match.table, 0, tuple(match.hands)))
        except GinError as error:
            return [self._fault(problem) for problem in error.problems]
        return list(self._contradictions(match.sheet))

    def _fault(self, problem: GinError) -> Fault:
        """A problem of gin's at the line and the heading it is about."""
        line, parts = self.match.line, problem.field.split(".")
        if parts[0] == "hands" and len(parts) > 1:
            lines, parts = self.match.lines[int(parts[1]) - 1], parts[2:]
            line = lines[0]
            if parts[:1] == ["round"] and len(parts) > 1:
                line, parts = lines[int(parts[1]) - 1], parts[2:]
        field = ".".join(parts)
        column = _COUNTS.get(field, field if field in COLUMNS else "")
        return Fault(line, column, problem.message)

    def _contradictions(self, sheet: Sheet) -> Iterator[Fault]:
        """Where a line has the counts and the points, and they do not go together."""
        names = sheet.match.table.names
        for scored, rows in zip(sheet.hands, self.rows, strict=True):
            for outcome, row in zip(scored.outcome.tables, rows, strict=False):
                if outcome.ruling is None or not _has_counts(row):
                    continue
                points = 0 if outcome.winner is None else outcome.ruling.points
                who = "nobody" if outcome.winner is None else names[outcome.winner]
                by = f"By the counts and {self.match.rules_name} it is"
                if row["points"] and row["points"] != str(points):
                    yield Fault(row.line, "points", f"{by} {points}, not {row['points']}.")
                if row["winner"] and fold(row["winner"]) != fold(who):
                    yield Fault(row.line, "winner", f"{by} {who}, not {row['winner']}.")


def _has_counts(row: TableRow) -> bool:
    """Whether the line says what gin needs to work the points out."""
    ended = row.word("kind") in ("gin", "big_gin") or row["knocker_deadwood"] != ""
    return row["knocker"] != "" and row["opponent_deadwood"] != "" and ended


def _hand(row: TableRow, table: Table) -> TableHand | Adjustment | None:
    """The hand of a line; None where the line has a fault."""
    kind, note = row.word("kind") or "knock", row.note()
    if kind not in KINDS:
        row.fail("kind", f"{row['kind']!r} is none of {', '.join(KINDS)}.")
    if kind == "adjustment":
        player, points = row.seat("winner", table), row.number("points", signed=True)
        if player is None or points is None:
            return None
        return Adjustment(player=player, points=points, note=note)
    if kind == "dead":
        met = [row.seat(one, table) for one in ("knocker", "opponent") if row[one]]
        pair = tuple(seat for seat in met if seat is not None)
        return DeadHand(players=pair if len(pair) == 2 else (), note=note)
    upcard = _upcard(row)
    if _has_counts(row):
        return _by_counts(row, table, kind, upcard)
    if kind == "tie":
        row.fail("opponent_deadwood", "A level hand needs the counts of both.")
    return _by_points(row, table, kind, upcard)


def _upcard(row: TableRow) -> int | None:
    try:
        return parse_card(row["upcard"]) if row["upcard"] else None
    except GinError as error:
        row.fail("upcard", error.message)
        return None


def _by_counts(row: TableRow, table: Table, kind: str, upcard: int | None) -> CountsHand | None:
    knocker, other = row.seat("knocker", table), row.number("opponent_deadwood")
    own = row.number("knocker_deadwood") if row["knocker_deadwood"] else None
    opponent = row.seat("opponent", table) if len(table.names) > 2 else None
    if row.faults or knocker is None or other is None:
        return None
    return CountsHand(
        # An undercut and a level hand are knocks: how they ended is worked out.
        kind=kind if kind in ("gin", "big_gin") else "knock",
        knocker=knocker, own=own, other=other, opponent=opponent, upcard=upcard, note=row["note"],
    )  # fmt: skip


def _by_points(row: TableRow, table: Table, kind: str, upcard: int | None) -> PointsHand | None:
    winner, points = row.seat("winner", table), row.number("points")
    opponent = None
    for column in ("knocker", "opponent"):
        if len(table.names) > 2 and row[column] and fold(row[column]) != fold(row["winner"]):
            opponent = row.seat(column, table)
    if row.faults or winner is None or points is None:
        return None
    return PointsHand(
        kind=kind, winner=winner, points=points, opponent=opponent, upcard=upcard, note=row["note"]
    )
