"""A match under other rules: the same rows replayed by another rule set, nothing dropped silently.

Hands by counts or cards are ruled afresh. Points as written keep what stands on the paper, since
nobody knows the counts behind them; their kind and boxes follow the other rules. A row that the
other rules refuse, or that comes after their end of the match, is left out with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ginledger.gin.dealt import Resolver
from ginledger.gin.errors import GinError, raise_all
from ginledger.gin.hands import AnyHand, PointsHand, Round
from ginledger.gin.matchfile import seating_problems
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.sheet import Match, Replay, ScoredHand, Sheet, score


@dataclass(frozen=True, slots=True)
class RescoredRow:
    """A row of the match under both rule sets.

    number: its number in the match; before: as the match has it; after: by the other rules, None
    where they leave it out; reason: why it is left out, in sentences; ended: the match was over
    by then; as_written: its points were written on paper and stand as they are.
    """

    number: int
    before: ScoredHand
    after: ScoredHand | None
    reason: str
    ended: bool
    as_written: bool


@dataclass(frozen=True, slots=True)
class Rescored:
    """A match by its own rules and by others. Both sheets number hands as the match does."""

    before: Sheet
    after: Sheet
    rows: tuple[RescoredRow, ...]

    @property
    def ended_by(self) -> int | None:
        """The number of the row that ends the match by the other rules; None while it is open."""
        closed = [column.closed_by_hand for column in self.after.columns]
        return max(one for one in closed if one is not None) if self.after.over else None

    @property
    def left_out(self) -> tuple[RescoredRow, ...]:
        """The rows that the other rules do not count."""
        return tuple(row for row in self.rows if row.after is None)


def rescore(match: Match, rules: RuleSet) -> Rescored:
    """The match by its own rules and by others.

    Raises AgainstRules ("sides-wrong") where so many people cannot play by the other rules, and
    what ``score`` raises where the match itself is wrong.
    """
    raise_all(seating_problems(rules, match.table))
    before = score(match)
    replay = Replay(replace(match, rules=rules, hands=()))
    kept: list[AnyHand] = []
    rows: list[RescoredRow] = []
    for hand, scored in zip(match.hands, before.hands, strict=True):
        ended, reason = replay.over, _take(replay, scored.number, hand)
        if not reason:
            kept.append(hand)
        after = None if reason else replay.hands[-1]
        rows.append(RescoredRow(scored.number, scored, after, reason, ended, _as_written(hand)))
    replay.match = replace(replay.match, hands=tuple(kept))
    return Rescored(before, replay.sheet(), tuple(rows))


def _take(replay: Replay, number: int, hand: AnyHand) -> str:
    """Enter one more row, or say why not."""
    try:
        if replay.over:
            raise replay.after_the_end()
        players = replay.turn.players
        resolver = Resolver(replay.rules, replay.match.table, players, keep_points=True)
        replay.take(number, hand, resolver.resolve(hand))
    except GinError as error:
        return " ".join(problem.message for problem in error.problems)
    return ""


def _as_written(hand: AnyHand) -> bool:
    """Whether a row, or a table of it, has its points from the paper."""
    hands = hand.tables if isinstance(hand, Round) else (hand,)
    return any(isinstance(one, PointsHand) for one in hands)
