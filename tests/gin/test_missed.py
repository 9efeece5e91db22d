"""What better layouts and lay-offs would have won, by hands known from the tables of faults."""

from __future__ import annotations

from random import Random

import pytest

from ginledger.gin.alternatives import other_knocks, worth
from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand
from ginledger.gin.missed import Missed, missed
from ginledger.gin.ruleset import preset
from ginledger.gin.ruling import rule_cards

RULES = preset("house-modern").rules
# 8-9-10 of three suits: as three runs the defender lays nothing off, as three sets two cards.
SQUARE = "8C 9C TC 8H 9H TH 8S 9S TS JD"
AGAINST = "2C 5C QC AD 3D 8D 9D 5H 4S 5S"
RUNS = ("8C 9C TC", "8H 9H TH", "8S 9S TS")
SETS = ("8C 8H 8S", "9C 9H 9S", "TC TH TS")


def hand(knocker: str, opponent: str, melds: tuple[str, ...] | None = None, **said) -> CardsHand:
    return CardsHand(
        knocker=0,
        opponent=1,
        knocker_cards=parse_cards(knocker),
        opponent_cards=parse_cards(opponent),
        melds=None if melds is None else tuple(parse_cards(meld) for meld in melds),
        **said,
    )


def test_b29_sets_instead_of_runs_gave_seventeen_away() -> None:
    assert missed(RULES, hand(SQUARE, AGAINST, SETS)) == Missed((17, 0), (0, 0))
    assert missed(RULES, hand(SQUARE, AGAINST, RUNS)) == Missed()
    assert missed(RULES, hand(SQUARE, AGAINST)) == Missed()


@pytest.mark.parametrize(
    ("stands", "said", "lost", "put_right"),
    [
        # Sets lie, 20 is right; the defender said 37: that would have been 17 too much.
        ("claim", 37, (17, 17), (0, 0)),
        ("cards", 37, (17, 0), (0, 17)),
        # He said less than he had: the knocker's loss.
        ("claim", 15, (17 + 5, 0), (0, 0)),
        ("cards", 15, (17, 0), (5, 0)),
        ("cards", 20, (17, 0), (0, 0)),
    ],
)
def test_a_count_that_stands_costs_and_one_that_does_not_was_put_right(
    stands: str, said: int, lost: tuple[int, int], put_right: tuple[int, int]
) -> None:
    found = missed(RULES, hand(SQUARE, AGAINST, SETS, claim_other=said, stands=stands))
    assert found == Missed(lost, put_right)


def test_b15_an_undercut_that_was_not_seen_is_the_whole_swing() -> None:
    knocker = "5H 6H 7H QC QD QS 2C 2D 2S 9S"
    defender = "8C 8H 8S 6S 7S 9H 3D 4D 5D AC"
    found = missed(RULES, hand(knocker, defender, claim_other=23, stands="claim"))
    # Said: the knocker +14. By the cards: an undercut, 25 to the defender.
    assert found == Missed((0, 14 + 25))


def test_a_count_that_no_hand_can_have_is_left_out() -> None:
    assert missed(RULES, hand(SQUARE, AGAINST, claim_own=11)) == Missed()


def test_no_layout_ever_beats_what_is_called_the_best() -> None:
    random = Random(11)
    pack, found = list(range(52)), 0
    while found < 60:
        cards = random.sample(pack, 20)
        one, other = (sum(1 << card for card in part) for part in (cards[:10], cards[10:]))
        knocks = other_knocks(RULES, one, other)
        for ruling in knocks:
            assert ruling.layout is not None
            stated = CardsHand(
                knocker=0, opponent=1, knocker_cards=one, opponent_cards=other,
                melds=ruling.layout.melds,
            )  # fmt: skip
            best = max(worth(each) for each in knocks)
            assert missed(RULES, stated).lost == (best - worth(ruling), 0)
            assert best == worth(rule_cards(RULES, one, other))
            found += 1
