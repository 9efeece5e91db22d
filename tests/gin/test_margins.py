"""The margin of each pair as a column anyone can add up."""

from __future__ import annotations

from hypothesis import given

from ginledger.gin.margins import ADDING, pair_margins
from ginledger.gin.matchfile import read_match
from ginledger.gin.sheet import Match, score
from tests.gin.deals import matches
from tests.gin.vectors import named


@given(matches())
def test_the_lines_add_up_and_the_pairs_make_the_net(match: Match) -> None:
    sheet = score(match)
    margins = pair_margins(sheet)
    assert bool(margins) == sheet.over
    net = [0] * len(match.table.sides)
    for margin in margins:
        adding = sum(line.points for line in margin.lines if line.kind in ADDING)
        assert adding == margin.points == margin.lines[-1].points
        net[margin.one] += margin.points
        net[margin.other] -= margin.points
    assert not sheet.over or tuple(net) == sheet.net


def test_three_at_a_table_settle_pair_by_pair() -> None:
    margins = pair_margins(score(read_match(named("three at a table")["match"])))
    assert [(one.one, one.other, one.points) for one in margins] == [
        (0, 1, 183),
        (0, 2, 379),
        (1, 2, 96),
    ]


def test_a_weighted_and_rounded_match_shows_both() -> None:
    (margin,) = pair_margins(score(read_match(named("club Hollywood")["match"])))
    kinds = {line.kind: line.points for line in margin.lines}
    assert kinds["sum"] == 4279
    assert kinds["rounding"] == 221
    assert margin.points == 4500
