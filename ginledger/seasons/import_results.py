"""A table of results as matches without hands: who played, and how it ended.

A result is stored as it stands in the table: a line of points for each side, under a rule set
that adds nothing to them, whose target is what the winner had. So the margin is exactly theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ginledger.clubs.names import fold
from ginledger.gin.dealt import MOST_ADJUSTMENT
from ginledger.gin.hands import Adjustment, Table
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import score

from .import_found import Fault, FoundMatch, play_of
from .import_rows import PLAYERS, TableRow
from .import_text import DayFormat

RULES_NAME = "Result only"
NEEDED = ("day", "player_1", "player_2", "total_1", "total_2")
TOTALS = ("total_1", "total_2", "total_3")
MARGINS = ("margin_1", "margin_2", "margin_3")
COLUMNS = ("day", *PLAYERS, *TOTALS, "winner", "margin", *MARGINS, "note", "match", "state")
# The states of our own table in which a match has no result.
LEFT_OUT = ("running", "stopped")
LEVEL = "level"


class ResultTable:
    """Takes the lines one after the other; the same to its caller as a table of hands."""

    def __init__(self, form: DayFormat) -> None:
        self.form = form
        self.faults: list[Fault] = []
        self.left_out = 0
        self.unknown_rules: dict[str, None] = {}
        self._found: list[FoundMatch] = []

    def add(self, row: TableRow) -> None:
        """Read a line, which is a match."""
        if row["state"] in LEFT_OUT:
            self.left_out += 1
            return
        day, table = row.day(self.form), row.table()
        play = play_of(table)
        match = FoundMatch(
            day or date.min, table, RuleSet(play=play), RULES_NAME, row.line, label=row["match"]
        )
        note, totals = row.note(), _totals(row, table)
        if totals is not None and (problem := total_problem(totals)):
            row.fail(_column(row, totals), problem)
        self._found.append(match)
        if row.faults or totals is None:
            match.wrong = True
            self.faults += row.faults
        else:
            settle(match, _rows(match, totals, note), [[row.line]] * len(totals))

    def matches(self) -> list[FoundMatch]:
        """Every match, scored."""
        return self._found


def _rows(match: FoundMatch, totals: list[int], note: str) -> list[Adjustment]:
    """A row for each side that has points; the winner's has the note."""
    best = max(totals)
    return [
        Adjustment(
            player=match.table.seats(side)[0], points=total, note=note if total == best else ""
        )
        for side, total in enumerate(totals)
        if total
    ]


def settle(match: FoundMatch, rows: Sequence[Adjustment], lines: Sequence[list[int]]) -> None:
    """Give the match these rows and its sheet, under rules that add nothing to what they come to.

    lines: of the table, for each row. Sides in the order of their totals, and what is taken off
    before what is added: so it is the last row that ends the match. The totals must be such that
    ``total_problem`` finds nothing.
    """
    totals = totals_of(match.table, rows)
    match.rules = RuleSet(
        target=max(totals), box_bonus=0, game_bonus=0, shutout="none", play=match.rules.play
    )
    match.rules_name = RULES_NAME

    def place(one: tuple[Adjustment, list[int]]) -> tuple[int, int]:
        return totals[match.table.side_of(one[0].player)], one[0].points

    ordered = sorted(zip(rows, lines, strict=False), key=place)
    match.hands = [row for row, _ in ordered]
    match.lines = [line for _, line in ordered]
    match.sheet = score(GinMatch(match.rules, match.table, 0, tuple(match.hands)))


def totals_of(table: Table, rows: Sequence[Adjustment]) -> list[int]:
    """The points of each side."""
    totals = [0] * len(table.sides)
    for row in rows:
        totals[table.side_of(row.player)] += row.points
    return totals


def _totals(row: TableRow, table: Table) -> list[int] | None:
    """The points of each side, of two such that they differ by the margin; None with a fault."""
    count = len(table.sides)
    totals = _figures(row, TOTALS[:count])
    margins = _figures(row, MARGINS[:count])
    if row.faults:
        return None
    if margins is not None and sum(margins) != 0:
        row.fail("margin_1", "The margins of a match add up to nothing.")
        return None
    if totals is None and margins is None:
        return _by_margin(row, table)
    if margins is None:
        assert totals is not None
        return _by_winner(row, table, totals)
    return _of_three(row, totals, margins) if count == 3 else _of_two(totals, margins)


def _figures(row: TableRow, columns: tuple[str, ...]) -> list[int] | None:
    """The numbers below these headings; None where none of them is filled in."""
    if not any(row[column] for column in columns):
        return None
    found = [row.number(column, signed=True) for column in columns]
    return [one for one in found if one is not None]


def _by_margin(row: TableRow, table: Table) -> list[int] | None:
    if len(table.sides) != 2:
        row.fail("total_1", "Of three each one's total is needed.")
        return None
    seat, margin = row.seat("winner", table), row.number("margin")
    if seat is None or margin is None:
        return None
    winner = table.side_of(seat)
    return [margin if side == winner else 0 for side in (0, 1)]


def _by_winner(row: TableRow, table: Table, totals: list[int]) -> list[int]:
    """The totals, which a winner or a margin that is said beside them must bear out."""
    if row["winner"] and fold(row["winner"]) != LEVEL:
        seat = row.seat("winner", table)
        if seat is not None and totals[table.side_of(seat)] != max(totals):
            row.fail("winner", "By the totals it is another.")
    if row["margin"] and len(totals) == 2:
        margin = row.number("margin")
        if margin is not None and margin != abs(totals[0] - totals[1]):
            text = f"By the totals it is {abs(totals[0] - totals[1])}, not {margin}."
            row.fail("margin", text)
    return totals


def _of_two(totals: list[int] | None, margins: list[int]) -> list[int]:
    """The margin counts: columns that weigh more, or rounding, take totals apart from it."""
    winner = 0 if margins[0] > 0 else 1
    lost = totals[1 - winner] if totals else 0
    won = lost + abs(margins[0])
    if won <= 0:
        lost, won = 0, abs(margins[0])
    return [won if side == winner else lost for side in (0, 1)]


def _of_three(row: TableRow, totals: list[int] | None, margins: list[int]) -> list[int] | None:
    """Every two of three settle: a total counts three times, less the sum of all."""
    if totals is not None and [3 * one - sum(totals) for one in totals] == margins:
        return totals
    above = [margin - min(margins) for margin in margins]
    if any(one % 3 for one in above):
        text = "No totals settle to these margins, with no shutout among them: bring in the hands."
        row.fail("margin_1", text)
        return None
    return [one // 3 for one in above]


def total_problem(totals: Sequence[int]) -> str:
    """Why no match can end with these totals; "" where one can."""
    best = max(totals)
    if list(totals).count(best) > 1:
        return "It is level at the top: a result has one winner. Bring in the hands."
    if best <= 0:
        return "Whoever won has more than nothing: give points above 0."
    if max(best, -min(totals)) > MOST_ADJUSTMENT:
        return f"A result is at most {MOST_ADJUSTMENT} points either way."
    return ""


def _column(row: TableRow, totals: list[int]) -> str:
    """The heading below which the totals of a line stand."""
    if row["total_1"]:
        return f"total_{totals.index(max(totals)) + 1}"
    return "margin_1" if row["margin_1"] else "margin"
