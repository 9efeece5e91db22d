"""What a shutout could cost by a rule set, worked out by scoring a typical match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ginledger.gin.hands import PointsHand, Table
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.sheet import Match, score
from ginledger.gin.words import NUMBERS

# What a hand is typically worth, in points; in a match so long that nobody plays it by such
# hands it is worth the most, so that the example stays short.
TYPICAL_POINTS, LONG_POINTS, LONG_TARGET = 25, 100, 2_500


@dataclass(frozen=True, slots=True)
class ShutoutExample:
    """A typical match won without a hand of the other side: hands needed, points of each,
    what the match pays by the rules, and what it would pay if a shutout added nothing."""

    hands: int
    points: int
    pays: int
    plain: int


@lru_cache(maxsize=256)
def shutout_example(rules: RuleSet) -> ShutoutExample:
    """The example, scored like any match between two sides.

    With straight gin a typical hand has the gin bonus on top.
    """
    points = LONG_POINTS if rules.target > LONG_TARGET else TYPICAL_POINTS
    kind = "knock" if rules.knock_limit else "gin"
    points += 0 if rules.knock_limit else rules.gin_bonus
    # The first win is entered in one column only: each further column needs one win more.
    hands = max(1, -(-rules.target // points)) + rules.columns - 1
    won = tuple(PointsHand(kind=kind, winner=0, points=points) for _ in range(hands))
    pair = rules.replace(play="two", rounding=1 if rules.play == "three" else rules.rounding)
    pays, plain = (
        score(Match(one, Table((("one",), ("other",))), 0, won)).net
        for one in (pair, pair.replace(shutout="none"))
    )
    assert pays is not None and plain is not None
    return ShutoutExample(hands, points, pays[0], plain[0])


def least_shutout(rules: RuleSet) -> tuple[int, bool]:
    """The least points a shutout adds in one game before its weight, and whether it is always so.

    Who reaches the target has its points and the game bonus; whose difference is doubled may
    have a smaller one, down to nothing.
    """
    return {
        "double-total": (rules.target + rules.game_points, False),
        "double-hand-points": (rules.target, False),
        "double-game-bonus": (rules.game_points, True),
        "double-difference": (0, False),
        "flat": (rules.shutout_bonus, True),
        "none": (0, True),
    }[rules.shutout]


def shutout_cost(rules: RuleSet) -> str:
    """What a shutout could cost: what it adds, exactly or at least, and in a typical match."""
    if rules.shutout == "none":
        return "A shutout adds nothing."
    example = shutout_example(rules)
    several = rules.columns > 1
    who = " for each player shut out" if rules.play == "three" else ""
    where = " in each game" if several else ""
    least, always = least_shutout(rules)
    added = f"{'exactly' if always else 'at least'} {least}"
    if rules.shutout == "double-difference":
        added = "the difference again"
    weights = " before its weight" if max(rules.weights) > 1 else ""
    played = "1 hand" if example.hands == 1 else f"{example.hands} hands"
    what = f"All {NUMBERS[rules.columns]} games won" if several else "Won"
    return (
        f"A shutout adds {added}{where}{weights}{who}. "
        f"{what} in {played} of {example.points}, it comes to {example.pays} "
        f"instead of {example.plain}."
    )
