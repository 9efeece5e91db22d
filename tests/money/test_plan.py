"""The plan evens everything, with as few payments as a brute force finds."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.money.plan import EXACT, fewest_payments


def least_by_brute_force(amounts: tuple[int, ...]) -> int:
    """People less the most zero-sum groups, by trying every first group."""
    people = tuple(amount for amount in amounts if amount)

    def most(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        rest = range(1, len(left))
        counts = []
        for size in range(len(left)):
            for others in combinations(rest, size):
                group = {0, *others}
                if sum(left[at] for at in group) == 0:
                    counts.append(
                        1 + most(tuple(one for at, one in enumerate(left) if at not in group))
                    )
        return max(counts)

    return len(people) - most(people)


def balances_of(amounts: list[int]) -> dict[str, int]:
    return {f"p{at}": amount for at, amount in enumerate([*amounts, -sum(amounts)])}


@given(st.lists(st.integers(-4, 4) | st.integers(-5000, 5000), max_size=6))
def test_up_to_seven_people_need_no_payment_too_many(amounts: list[int]) -> None:
    balances = balances_of(amounts)
    plan = fewest_payments(balances)
    assert len(plan) == least_by_brute_force(tuple(balances.values()))


@given(st.lists(st.integers(-40, 40), max_size=30))
def test_a_plan_evens_everything_and_is_stable(amounts: list[int]) -> None:
    balances = balances_of(amounts)
    plan = fewest_payments(balances)
    left = dict(balances)
    for payment in plan:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left.values())
    people = sum(1 for balance in balances.values() if balance)
    assert len(plan) <= max(0, people - 1)
    assert plan == fewest_payments(dict(balances))


def test_the_largest_exact_search_is_bearable() -> None:
    amounts = [2**at for at in range(EXACT - 1)]
    assert len(fewest_payments(balances_of(amounts))) == EXACT - 1


def test_balances_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="zero"):
        fewest_payments({"Ann": 5, "Ben": -4})
