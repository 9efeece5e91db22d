"""Random matches for property tests: rules, people and hands that a table could have played."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from ginledger.gin.errors import GinError
from ginledger.gin.hands import (
    Adjustment,
    AnyHand,
    CountsHand,
    DeadHand,
    PointsHand,
    Round,
    Table,
)
from ginledger.gin.ruleset import RULES, ExtraBoxes, RuleSet
from ginledger.gin.sheet import Match, Sheet, score

SEATING = {
    "two": (("Ann",), ("Ben",)),
    "three": (("Ann",), ("Ben",), ("Cleo",)),
    "partners": (("Ann", "Cleo"), ("Ben", "Dev")),
}


@st.composite
def rule_sets(draw: st.DrawFn, play: str | None = None) -> RuleSet:
    """Any rule set with a target low enough to be reached."""
    choices = {
        name: draw(st.sampled_from(rule.choices)) for name, rule in RULES.items() if rule.choices
    }
    columns = draw(st.integers(1, 4))
    rules = RuleSet(**choices)  # type: ignore[arg-type]
    return replace(
        rules,
        play=play or rules.play,
        target=draw(st.sampled_from([0, 30, 100])),
        knock_limit=draw(st.sampled_from([10, 10, 7, 0])),
        knock_bonus=draw(st.sampled_from([0, 15])),
        big_gin_bonus=draw(st.sampled_from([None, 31])),
        box_bonus=draw(st.sampled_from([0, 25])),
        game_bonus=draw(st.sampled_from([0, 100, "target"])),
        shutout_bonus=draw(st.sampled_from([0, 100])),
        extra_boxes=ExtraBoxes(*draw(st.sampled_from([(0, 0, 0), (2, 1, 3)]))),
        columns=columns,
        column_weights=draw(st.sampled_from([(), tuple(range(1, columns + 1))])),
    )


@st.composite
def table_hands(draw: st.DrawFn, pair: tuple[int, int]) -> AnyHand:
    """One hand between two seats; not every rule set allows it."""
    one, other = draw(st.permutations(pair))
    upcard = draw(st.none() | st.integers(0, 51))
    shape = draw(st.sampled_from(["counts", "counts", "points", "dead"]))
    if shape == "dead":
        return DeadHand(players=(one, other), upcard=upcard)
    if shape == "points":
        kind = draw(st.sampled_from(["knock", "gin", "undercut"]))
        points = draw(st.integers(26, 33))
        return PointsHand(kind=kind, winner=one, opponent=other, points=points, upcard=upcard)
    kind = draw(st.sampled_from(["knock", "knock", "gin", "big_gin"]))
    own = draw(st.integers(1, 10)) if kind == "knock" else None
    return CountsHand(
        kind=kind,
        knocker=one,
        own=own,
        other=draw(st.integers(0, 60)),
        opponent=other,
        upcard=upcard,
    )


@st.composite
def matches(draw: st.DrawFn, play: str | None = None, most: int = 14) -> Match:
    """A match by any rules with the rows that its rules allow, perhaps to its end."""
    rules = draw(rule_sets(play))
    table = Table(SEATING[rules.play])
    match = Match(rules, table, draw(st.integers(0, len(table.names) - 1)))
    sheet = score(match)
    for _ in range(draw(st.integers(0, most))):
        if sheet.over:
            break
        hand = draw(next_hands(sheet))
        longer = replace(match, hands=(*match.hands, hand))
        try:
            sheet = score(longer)
        except GinError:
            continue
        match = longer
    return match


@st.composite
def next_hands(draw: st.DrawFn, sheet: Sheet) -> AnyHand:
    """A row that may follow: a hand of those whose turn it is, a round, or an adjustment."""
    if draw(st.integers(0, 9)) == 0:
        points = draw(st.integers(-50, 50))
        player = draw(st.integers(0, len(sheet.match.table.names) - 1))
        return Adjustment(player=player, points=points, note="by agreement")
    if sheet.match.rules.play == "partners":
        return Round(tables=(draw(table_hands((0, 2))), draw(table_hands((1, 3)))))  # type: ignore[arg-type]
    one, other = sheet.next_players
    return draw(table_hands((one, other)))
