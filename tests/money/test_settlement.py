"""What a match comes to, by figures worked out by hand and by random matches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.matchfile import read_match
from ginledger.gin.sheet import Match, Sheet, score
from ginledger.matches.stake import PairStake, Stake
from ginledger.money.settlement import Share, column_lines, round_money, shares
from tests.gin.deals import matches
from tests.gin.vectors import named


def sheet_of(name: str) -> Sheet:
    return score(read_match(named(name)["match"]))


def settle(name: str, stake: Stake) -> dict[tuple[str, str], int]:
    """Who pays whom how much, in minor units, by a golden match."""
    sheet = sheet_of(name)
    names = sheet.match.table.names
    return {
        (names[one.loser], names[one.winner]): one.amount
        for one in shares(sheet, stake, range(len(names)))
    }


def test_half_a_cent_a_point() -> None:
    # 142 points at 0.005: 0.71, exactly. 574 at 0.005: 2.87.
    assert settle("a full game", Stake("USD", 50)) == {("B", "A"): 71}
    assert settle("shutout double-total", Stake("USD", 50)) == {("B", "A"): 287}
    # 185 points at 0.005: 0.925, and half a cent is rounded away from zero: 0.93.
    assert list(settle("net boxes", Stake("USD", 50)).values()) == [93]


def test_yen_have_no_decimals() -> None:
    # 142 points at 10 yen; at half a yen 71; 185 at a quarter of a yen: 46.25, so 46.
    assert list(settle("a full game", Stake("JPY", 1000)).values()) == [1420]
    assert list(settle("a full game", Stake("JPY", 50)).values()) == [71]
    assert list(settle("net boxes", Stake("JPY", 25)).values()) == [46]


def test_a_hollywood_match_at_709() -> None:
    # 632 + 216 − 139 = 709; at 10 cents 70.90.
    assert settle("Hollywood with a late starter", Stake("USD", 1000)) == {("B", "A"): 7090}


def test_three_at_a_table_settle_pair_by_pair() -> None:
    # 562 / −87 / −475 is P–Q 183, P–R 379, Q–R 96; at 1 cent.
    owed = settle("three at a table", Stake("USD", 100))
    assert owed == {("Q", "P"): 183, ("R", "P"): 379, ("R", "Q"): 96}
    assert 183 + 379 == 562
    assert -183 + 96 == -87
    assert -379 - 96 == -475


def test_partners_pay_across_the_table() -> None:
    # 258 points at 5 cents: 12.90 from each loser to the one across.
    assert settle("partners", Stake("USD", 500)) == {("B", "A"): 1290, ("D", "C"): 1290}


def test_partners_pay_as_they_agreed() -> None:
    pairs = (PairStake(0, 3, 500), PairStake(1, 2, 2500))
    # A with D at 5 cents, C with B at 25: 12.90 and 64.50.
    owed = settle("partners", Stake("USD", 500, pairs=pairs))
    assert owed == {("D", "A"): 1290, ("B", "C"): 6450}


def test_weights_and_rounding_are_in_the_margin() -> None:
    # 4279 points rounded to 500 are 4500; at 1 cent 45.00.
    assert list(settle("club Hollywood", Stake("USD", 100)).values()) == [4500]


def test_a_cap_is_the_most_that_one_pays_another() -> None:
    capped = settle("three at a table", Stake("USD", 100, cap=200))
    assert capped == {("Q", "P"): 183, ("R", "P"): 200, ("R", "Q"): 96}


@pytest.mark.parametrize(
    ("points", "rate", "cents"),
    [
        (33, 50, 17), (35, 50, 18),  # B03: 0.165 and 0.175
        (1633, 50, 817),  # B91: 8.165
        (29, 3500, 1015),  # B91: 10.15
        (77, 2500, 1925),  # B78: 19.25
        (999, 10**9, 9_990_000_000),  # B116: 100000 a point, past 2^31 cents
    ],
)  # fmt: skip
def test_b03_b78_b91_b116_money_is_exact(points: int, rate: int, cents: int) -> None:
    assert round_money(points * rate) == cents


def stakes(code: str = "USD") -> st.SearchStrategy[Stake]:
    caps = st.none() | st.integers(1, 5000)
    return st.builds(Stake, st.just(code), st.integers(1, 5000), caps)


@given(matches(), stakes())
def test_every_share_is_the_margin_times_the_rate_rounded_once(match: Match, stake: Stake) -> None:
    sheet = score(match)
    found = shares(sheet, stake, range(len(match.table.names)))
    assert bool(found) == sheet.over
    for share in found:
        exact = Fraction(share.points * stake.rate, 100)
        assert abs(share.rounded - exact) <= Fraction(1, 2)
        assert share.amount == min(share.rounded, stake.cap or share.rounded)
        assert_adds_up(sheet, share, stake)


def assert_adds_up(sheet: Sheet, share: Share, stake: Stake) -> None:
    """The column: its adding points make the margin, its adding money the amount."""
    lines = column_lines(sheet, share, stake)
    points = sum(line.points for line in lines if line.adds and line.points is not None)
    assert points == share.points
    money = sum((Fraction(line.money) for line in lines if line.adds and line.money), Fraction())
    assert money == Fraction(lines[-1].money or 0) == Fraction(share.amount, 100)


def figures(name: str, stake: Stake | None) -> list[list[tuple[str, str]]]:
    sheet = sheet_of(name)
    seats = range(len(sheet.match.table.names))
    return [
        [(line.label, line.text) for line in column_lines(sheet, share, stake)]
        for share in shares(sheet, stake, seats)
    ]


def test_the_column_of_a_full_game() -> None:
    (column,) = figures("a full game", Stake("USD", 50))
    # 275 v 133: by rules.md boxes are 25 each, the game 100.
    assert column[-3:] == [("Margin", "142"), ("142 × 0.5¢", "$0.71"), ("Amount", "$0.71")]


def test_the_column_shows_the_odd_half_cent_and_the_cap() -> None:
    (column,) = figures("net boxes", Stake("USD", 50, cap=90))
    assert column[-4:] == [
        ("185 × 0.5¢", "$0.925"),
        ("Rounded to $0.01", "+$0.005"),
        ("At most $0.90 a match", "−$0.03"),
        ("Amount", "$0.90"),
    ]


def test_the_column_of_a_weighted_and_rounded_match() -> None:
    (column,) = figures("club Hollywood", Stake("USD", 100))
    said: dict[str, Any] = dict(column)
    assert said["Counts × 2"]
    assert said["Rounded to 500"] == "+221"
    assert said["Amount"] == "$45.00"


def test_without_a_stake_the_column_ends_with_the_margin() -> None:
    for name in ("a full game", "three at a table", "partners"):
        for column in figures(name, None):
            assert column[-1][0] == "Margin"
            assert not any("$" in text for _, text in column)
    assert len(figures("partners", None)) == 1
