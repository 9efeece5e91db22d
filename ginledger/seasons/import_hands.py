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

from .import_found import Fault, FoundMatch, Shelf, play_of
from .import_results import RULES_NAME, settle, total_problem, totals_of
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

    stand_in: the rules chosen read the lines, too, that name rules which are none here; left_out:
    how many do not count where they come from; unknown_rules: those names.
    """

    def __init__(self, shelf: Shelf, form: DayFormat, *, stand_in: bool = False) -> None:
        self.shelf = shelf
        self.form = form
        self.stand_in = stand_in
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
        # Where evenings are numbered anew, a number is a match of its day.
        key = day or row["day"], row["match"] or _sides(table)
        lines = self._found.get(key)
        if lines is None:
            lines = self._found[key] = self._begun(row, day, table)
        else:
            lines.verify(row, table)
        match = lines.match
        hand = _hand(row, match.table)
        if match.rules.play == "partners" and not row["round"] and row.word("kind") != "adjustment":
            row.fail("round", "Say which round it is: lines with the same one belong together.")
        if row.faults or hand is None:
            match.wrong = True
            self.faults += row.faults
        else:
            lines.put(hand, row)

    def _begun(self, row: TableRow, day: date | None, table: Table) -> _Lines:
        """A match that begins with this line."""
        said, play = row["rules"], play_of(table)
        named = self.shelf.named(said, play) if said else None
        result = fold(said) == fold(RULES_NAME)
        if said and named is None and not result:
            self.unknown_rules[said] = None
            if not self.stand_in:
                text = f"No rules that these people can play by are called {said!r} here."
                row.fail("rules", text)
        rules = named or self.shelf.fitting(play)
        match = FoundMatch(
            day or date.min, table, rules.rules, rules.name, row.line, label=row["match"]
        )
        return _Lines(match, said, result=result, by_hands=named is not None)

    def matches(self) -> list[FoundMatch]:
        """Every match, scored; what the rules refuse is a fault of the line it is in."""
        for lines in self._found.values():
            if not lines.match.wrong:
                faults = lines.score()
                lines.match.wrong = bool(faults)
                self.faults += faults
        return [lines.match for lines in self._found.values()]


def _sides(table: Table) -> frozenset[frozenset[str]]:
    """Who plays with whom; the order is all one."""
    return frozenset(frozenset(map(fold, side)) for side in table.sides)


class _Lines:
    """A match and the line of each hand, of a round of partners that of each table.

    said: the rules that its first line names; result: they are those of a match without hands;
    by_hands: the club has rules of that name all the same.
    """

    def __init__(self, match: FoundMatch, said: str, *, result: bool, by_hands: bool) -> None:
        self.match = match
        self.said = said
        self.result = result
        self.by_hands = by_hands
        self.rows: list[list[TableRow]] = []
        self.rounds: dict[str, int] = {}

    def verify(self, row: TableRow, table: Table) -> None:
        """What sets a later line apart from its match is a fault of the line."""
        own = self.match.table
        if sorted(map(fold, table.names)) != sorted(map(fold, own.names)):
            row.fail("player_1", "Others played in the lines of this match above.")
        elif _sides(table) != _sides(own):
            row.fail("player_1", "They sat on other sides in the lines of this match above.")
        if row["rules"] and fold(row["rules"]) != fold(self.said):
            above = f"are under {self.said!r}" if self.said else "name none"
            row.fail("rules", f"The lines of this match above {above}.")

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
        if self.result and (match.handless or not self.by_hands):
            return self._settle()
        try:
            match.sheet = score(GinMatch(match.rules, match.table, 0, tuple(match.hands)))
        except GinError as error:
            return [self._fault(problem) for problem in error.problems]
        return list(self._contradictions(match.sheet))

    def _settle(self) -> list[Fault]:
        """Have a match without hands the result that its lines add up to."""
        match = self.match
        rows = [hand for hand in match.hands if isinstance(hand, Adjustment)]
        if not match.handless:
            text = f"Under {RULES_NAME!r} a match has adjustments alone."
            return [Fault(match.line, "rules", text)]
        if problem := total_problem(totals_of(match.table, rows)):
            return [Fault(match.line, "points", problem)]
        try:
            settle(match, rows, match.lines)
        except GinError as error:
            return [self._fault(problem) for problem in error.problems]
        return []

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
