"""Who meets whom in a round of partners (rules.md, Partners); deals and turns: test_sheet."""

from ginledger.gin.hands import CountsHand, DeadHand, PointsHand, Round, Table
from ginledger.gin.ruleset import read_rules
from ginledger.gin.seats import next_pairs
from ginledger.gin.sheet import Match, score

TWO = Table((("Ann", "Cleo"), ("Ben", "Dev")))
THREE = Table((("Ann", "Cleo", "Eve"), ("Ben", "Dev", "Fay")))


def test_everybody_meets_everybody_in_turn() -> None:
    met: tuple[tuple[int, int], ...] = ()
    rounds = []
    for _ in range(4):
        met = next_pairs(THREE, met)
        rounds.append(met)
    assert rounds[0] == ((0, 3), (1, 4), (2, 5))
    assert rounds[1] == ((0, 4), (1, 5), (2, 3))
    assert rounds[2] == ((0, 5), (1, 3), (2, 4))
    assert rounds[3] == rounds[0]
    assert len({pair for one in rounds for pair in one}) == 9


def test_it_goes_on_from_who_really_met() -> None:
    # Ann met Dev and Cleo Ben, said in any order of seats and tables.
    assert next_pairs(TWO, [(2, 1), (0, 3)]) == ((0, 2), (1, 3))


def test_what_is_not_known_leaves_a_whole_round() -> None:
    for met in ([()], [(), (3, 1)], [(0, 3), ()]):
        pairs = next_pairs(TWO, met)
        assert sorted(other for _, other in pairs) == [2, 3]


def test_the_sheet_proposes_the_next_round() -> None:
    rules = read_rules("partners-125")
    first = (
        CountsHand(kind="knock", knocker=0, own=6, other=21, opponent=2),
        DeadHand(players=(1, 3)),
    )
    unsaid = (PointsHand(kind="knock", winner=0, points=5), DeadHand())
    match = Match(rules, TWO, 0, ())
    assert score(match).next_pairs == ((0, 2), (1, 3))
    match = Match(rules, TWO, 0, (Round(tables=first),))
    assert score(match).next_pairs == ((0, 3), (1, 2))
    match = Match(rules, TWO, 0, (Round(tables=first), Round(tables=unsaid)))
    assert score(match).next_pairs == ((0, 2), (1, 3))
