"""A match scored: its rows replayed into columns, bonuses, margins and the next deal.

| rule (docs/rules.md, The sheet) | where | proved by (tests/gin/test_sheet.py) |
|---|---|---|
| 1 points and boxes enter the open columns | ``Replay._enter`` | vectors, test_replay_* |
| 2 Hollywood fronts, delayed entry | ``front_after`` | vectors, test_front_* |
| 3 a column's result, game, shutout, level totals | ``_result`` | vectors, test_shutout_* |
| 4 weights, one rounding, zero sum | ``Replay.sheet``, ``round_margin`` | test_net_sums_to_zero |
| 5 adjustments | ``Replay._adjust`` | vectors, test_adjustment_* |
| 6 everything follows the rows | ``score`` keeps nothing | test_prefix_plus_rest |

Points are whole numbers; sides and columns are numbered from 0 inside, columns and hands from 1
where people read them (``hand``, ``columns``, ``closed_by_hand``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ginledger.gin.dealt import Outcome, Resolver
from ginledger.gin.errors import AgainstRules, GinError, raise_all
from ginledger.gin.hands import Adjustment, AnyHand, Table
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import Part
from ginledger.gin.seats import Turn, first_turn, next_pairs, next_turn, played


@dataclass(frozen=True, slots=True)
class Match:
    """What was agreed and what happened: all that a sheet is made of. first_dealer is a seat."""

    rules: RuleSet
    table: Table
    first_dealer: int
    hands: tuple[AnyHand, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One hand in one column: its number, the side, its points, and every side's running points."""

    hand: int
    side: int
    points: int
    running: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColumnSide:
    """A side's figures in a column, all in points but wins (hands) and boxes.

    With three sides the shutout is per pair: it is in the column's net, not here.
    """

    points: int
    wins: int
    boxes: int
    box_bonus: int
    game_bonus: int
    shutout_bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class Column:
    """One column. While it is open its net, winner, first_over and closed_by_hand are None.

    shutouts: the points that the side that reached the target adds against each side, before the
    weight; net has the weight in it.
    """

    sides: tuple[ColumnSide, ...]
    entries: tuple[Entry, ...]
    shutouts: tuple[int, ...]
    net: tuple[int, ...] | None
    winner: int | None
    first_over: int | None
    closed_by_hand: int | None

    @property
    def is_open(self) -> bool:
        return self.closed_by_hand is None


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """A row with what it came to; side is None where nobody scores.

    columns: numbers from 1 of those it was entered in; players and dealers: seats.
    """

    number: int
    kind: str
    side: int | None
    points: int
    boxes: int
    columns: tuple[int, ...]
    players: tuple[int, ...]
    dealers: tuple[int, ...]
    outcome: Outcome

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the hand is worth what it is, in sentences."""
        return self.outcome.reasons


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole match as its rows stand. next_dealers and next_players are seats."""

    match: Match
    over: bool
    winner: int | None
    net: tuple[int, ...] | None
    columns: tuple[Column, ...]
    hands: tuple[ScoredHand, ...]
    fronts: tuple[int, ...]
    next_dealers: tuple[int, ...]
    next_players: tuple[int, ...]

    def next_columns(self, side: int) -> tuple[int, ...]:
        """The columns, numbered from 1, in which this side's next win will be entered."""
        closed = [not column.is_open for column in self.columns]
        return _entered(front_after(self.match.rules, self.fronts[side], closed), closed)

    @property
    def next_pairs(self) -> tuple[tuple[int, int], ...]:
        """Who meets whom in the next round of partners, seats of the first side first."""
        rounds = (hand for hand in reversed(self.hands) if hand.kind == "round")
        last = next(rounds, None)
        met = [table.players for table in last.outcome.tables] if last else []
        return next_pairs(self.match.table, met)

    def explain(self, column: int, side: int) -> tuple[Part, ...]:
        """How a side's total in a column (from 0) adds up, line by line, in points."""
        rules, figures = self.match.rules, self.columns[column].sides[side]
        hands = "hand" if figures.wins == 1 else "hands"
        lines = [Part(f"{figures.wins} {hands} won", figures.points)]
        if figures.box_bonus:
            boxes = "box" if figures.boxes == 1 else "boxes"
            label = f"{figures.boxes} {boxes} at {rules.box_bonus}"
            lines.append(Part(label, figures.box_bonus))
        if figures.game_bonus:
            lines.append(Part("first to reach the target", figures.game_bonus))
        if figures.shutout_bonus:
            lines.append(Part(_SHUTOUT_WORDS[rules.shutout], figures.shutout_bonus))
        return tuple(lines)

    def to_json(self) -> dict[str, Any]:
        """The sheet as plain JSON values, as docs/format.md lists them."""
        names = self.match.table.names
        dealers: Any = [names[seat] for seat in self.next_dealers]
        if self.over:
            dealers = None
        elif self.match.rules.play != "partners":
            dealers = dealers[0]
        return {
            "over": self.over,
            "winner": self.winner,
            "net": None if self.net is None else list(self.net),
            "hands": [_hand_json(hand) for hand in self.hands],
            "columns": [_column_json(column) for column in self.columns],
            "next_dealer": dealers,
        }


_SHUTOUT_WORDS = {
    "double-total": "shutout: the whole total again",
    "double-hand-points": "shutout: the hand points again",
    "double-game-bonus": "shutout: the game bonus again",
    "double-difference": "shutout: the difference again",
    "flat": "shutout bonus",
}


def _hand_json(hand: ScoredHand) -> dict[str, Any]:
    return {
        "number": hand.number,
        "kind": hand.kind,
        "side": hand.side,
        "points": hand.points,
        "columns": list(hand.columns),
    }


def _column_json(column: Column) -> dict[str, Any]:
    return {
        "closed_by_hand": column.closed_by_hand,
        "first_over": column.first_over,
        "winner": column.winner,
        "net": None if column.net is None else list(column.net),
        "sides": [
            {name: getattr(side, name) for name in ColumnSide.__slots__} for side in column.sides
        ],
        "entries": [
            {
                "hand": entry.hand,
                "side": entry.side,
                "points": entry.points,
                "running": list(entry.running),
            }
            for entry in column.entries
        ],
    }


def front_after(rules: RuleSet, front: int, closed: list[bool]) -> int:
    """A side's front after one more win: the number of the last column it may enter."""
    if not rules.delayed_entry:
        return min(front + 1, rules.columns)
    lowest = next((place for place, shut in enumerate(closed, 1) if not shut), rules.columns)
    return min(max(front + 1, lowest), rules.columns)


def _entered(front: int, closed: list[bool]) -> tuple[int, ...]:
    """The open columns up to a front, numbered from 1."""
    return tuple(place for place, shut in enumerate(closed, 1) if place <= front and not shut)


def round_margin(margin: int, step: int) -> int:
    """A margin in points to the nearest multiple of step, half away from zero."""
    size = (2 * abs(margin) + step) // (2 * step) * step
    return size if margin >= 0 else -size


class _OpenColumn:
    """A column while it is being filled."""

    def __init__(self, sides: int) -> None:
        self.points = [0] * sides
        self.wins = [0] * sides
        self.boxes = [0] * sides
        self.entries: list[Entry] = []
        self.closed_by: int | None = None
        self.first_over: int | None = None

    def enter(self, hand: int, side: int, points: int, wins: int, boxes: int) -> None:
        self.points[side] += points
        self.wins[side] += wins
        self.boxes[side] += boxes
        self.entries.append(Entry(hand, side, points, tuple(self.points)))


class Replay:
    """The state that a match is in after some of its rows; it begins before the first."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rules = match.rules
        sides = len(match.table.sides)
        self.columns = [_OpenColumn(sides) for _ in range(match.rules.columns)]
        self.fronts = [0] * sides
        self.turn = first_turn(match.rules, match.table, match.first_dealer)
        self.hands: list[ScoredHand] = []

    @property
    def over(self) -> bool:
        return all(column.closed_by is not None for column in self.columns)

    @property
    def closed(self) -> list[bool]:
        return [column.closed_by is not None for column in self.columns]

    def take(self, number: int, hand: AnyHand, outcome: Outcome) -> None:
        """Enter one more row, known to be right, and move on to the next turn."""
        turn = played(self.rules, self.match.table, self.turn, outcome.players, hand.dealer)
        if isinstance(hand, Adjustment):
            columns = self._adjust(number, outcome)
        elif outcome.side is None:
            columns = ()
        else:
            columns = self._enter(number, outcome.side, outcome)
        self.hands.append(
            ScoredHand(
                number,
                outcome.kind,
                outcome.side,
                outcome.points,
                outcome.boxes,
                columns,
                turn.players,
                turn.dealers,
                outcome,
            )
        )
        if not isinstance(hand, Adjustment):
            self.turn = next_turn(self.rules, self.match.table, turn, outcome.winner)

    def _enter(self, number: int, side: int, outcome: Outcome) -> tuple[int, ...]:
        self.fronts[side] = front_after(self.rules, self.fronts[side], self.closed)
        columns = _entered(self.fronts[side], self.closed)
        for place in columns:
            column = self.columns[place - 1]
            column.enter(number, side, outcome.points, 1, outcome.boxes)
            if column.points[side] >= self.rules.target:
                column.closed_by, column.first_over = number, side
        return columns

    def _adjust(self, number: int, outcome: Outcome) -> tuple[int, ...]:
        assert outcome.side is not None
        columns = _entered(self.rules.columns, self.closed)
        for place in columns:
            column = self.columns[place - 1]
            column.enter(number, outcome.side, outcome.points, 0, 0)
            # With target 0 a hand decides, and an adjustment is none.
            if 0 < self.rules.target <= column.points[outcome.side]:
                column.closed_by, column.first_over = number, outcome.side
        return columns

    def after_the_end(self) -> GinError:
        """Why no row can follow, once the match is over."""
        last = max(column.closed_by or 0 for column in self.columns)
        return AgainstRules("after-the-end", f"The match ended with hand {last}.")

    def sheet(self) -> Sheet:
        """The sheet of the rows taken so far."""
        match, rules = self.match, self.rules
        columns = tuple(
            _result(rules, column, weight)
            for column, weight in zip(self.columns, rules.weights, strict=True)
        )
        net: tuple[int, ...] | None = None
        winner = None
        nets = [column.net for column in columns if column.net is not None]
        if self.over:
            net = tuple(sum(side) for side in zip(*nets, strict=True))
            if len(net) == 2:
                margin = round_margin(net[0], rules.rounding)
                net = (margin, -margin)
            winner = columns[0].winner if len(columns) == 1 else _leader(net, None)
        turn = Turn((), ()) if self.over else self.turn
        return Sheet(
            match,
            self.over,
            winner,
            net,
            columns,
            tuple(self.hands),
            tuple(self.fronts),
            turn.dealers,
            turn.players,
        )


def score(match: Match) -> Sheet:
    """Replay every row of a match into its sheet.

    Raises a GinError, or Problems with all that is wrong: fields are "hands.3.deadwood.knocker"
    and the like, hands numbered from 1. A row after the end of the match is one of them.
    """
    replay = Replay(match)
    problems: list[GinError] = []
    for number, hand in enumerate(match.hands, 1):
        # After a wrong row nobody knows who sits out or whether the match had ended: the rows
        # behind it are still ruled, each for itself, so that all their own faults are told.
        sure = not problems
        try:
            if sure and replay.over:
                raise replay.after_the_end()
            resolver = Resolver(match.rules, match.table, replay.turn.players if sure else None)
            outcome = resolver.resolve(hand)
        except GinError as error:
            problems += error.within(f"hands.{number}").problems
        else:
            if sure:
                replay.take(number, hand, outcome)
    raise_all(problems)
    return replay.sheet()


def _leader(net: tuple[int, ...], level: int | None) -> int | None:
    """The side with the largest net; ``level`` where that is shared."""
    best = max(net)
    return net.index(best) if net.count(best) == 1 else level


def _result(rules: RuleSet, column: _OpenColumn, weight: int) -> Column:
    """A column's bonuses, totals and margins (rules.md, The sheet, 3)."""
    first = column.first_over
    sides = range(len(column.points))
    if first is None:
        figures = [_figures(column, side, 0, 0) for side in sides]
        none = (0,) * len(figures)
        return Column(tuple(figures), tuple(column.entries), none, None, None, None, None)
    figures = [
        _figures(column, side, rules.box_bonus, rules.game_points if side == first else 0)
        for side in sides
    ]
    totals = [one.total for one in figures]
    shutouts = [0 if side == first else _shutout(rules, column, figures, side) for side in sides]
    net = [sum(totals[side] - totals[other] for other in sides) for side in sides]
    for side in sides:
        net[first] += shutouts[side]
        net[side] -= shutouts[side]
    if len(figures) == 2:
        figures[first] = _figures(column, first, rules.box_bonus, rules.game_points, sum(shutouts))
    return Column(
        tuple(figures),
        tuple(column.entries),
        tuple(shutouts),
        tuple(one * weight for one in net),
        _leader(tuple(net), first),
        first,
        column.closed_by,
    )


def _figures(column: _OpenColumn, side: int, box: int, game: int, shutout: int = 0) -> ColumnSide:
    points, boxes = column.points[side], column.boxes[side]
    total = points + boxes * box + game + shutout
    return ColumnSide(points, column.wins[side], boxes, boxes * box, game, shutout, total)


def _shutout(rules: RuleSet, column: _OpenColumn, figures: list[ColumnSide], against: int) -> int:
    """What the side that reached the target adds against one other side, in points."""
    first = column.first_over
    assert first is not None
    if rules.shutout_when == "no-hand":
        shut_out = column.wins[against] == 0
    else:
        shut_out = column.points[against] <= 0
    if not shut_out:
        return 0
    own = figures[first]
    return {
        "double-total": own.total,
        "double-hand-points": own.points,
        "double-game-bonus": own.game_bonus,
        "double-difference": own.total - figures[against].total,
        "flat": rules.shutout_bonus,
        "none": 0,
    }[rules.shutout]
