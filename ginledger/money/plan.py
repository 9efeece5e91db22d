"""The fewest payments that even everything between several people.

A group of people whose balances sum to zero among themselves can be evened by one payment fewer
than it has people, so the fewest payments come from the most such groups. Finding them is a search
over all subsets, exact up to ``EXACT`` people with a balance; beyond that the groups are looked for
only among pairs, and the plan is still never longer than one payment fewer than people.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

EXACT = 14

Person = TypeVar("Person", bound=Hashable)


class Payment(NamedTuple, Generic[Person]):
    """Who pays whom how much, in minor units (cents), always more than 0."""

    payer: Person
    payee: Person
    amount: int


def fewest_payments(balances: Mapping[Person, int]) -> list[Payment[Person]]:
    """The payments after which every balance is zero, as few as possible.

    balances: minor units for each person, positive where he is owed; their sum must be zero,
    else ValueError. The same balances in the same order always give the same plan.
    """
    if sum(balances.values()):
        raise ValueError("the balances do not sum to zero")
    people = [person for person, balance in balances.items() if balance]
    amounts = [balances[person] for person in people]
    plan: list[Payment[Person]] = []
    for group in _zero_groups(amounts):
        plan += _even_out({people[at]: amounts[at] for at in group})
    return plan


def _zero_groups(amounts: list[int]) -> list[list[int]]:
    """As many groups as possible that each sum to zero; places in ``amounts``, all of them."""
    if len(amounts) <= EXACT:
        return _most_groups(amounts)
    groups: list[list[int]] = []
    waiting: dict[int, list[int]] = {}
    for at, amount in enumerate(amounts):
        partners = waiting.get(-amount)
        if partners:
            groups.append([partners.pop(0), at])
        else:
            waiting.setdefault(amount, []).append(at)
    rest = sorted(at for places in waiting.values() for at in places)
    if len(rest) <= EXACT:
        inner = _most_groups([amounts[at] for at in rest])
        return groups + [[rest[at] for at in group] for group in inner]
    return [*groups, rest]


def _most_groups(amounts: list[int]) -> list[list[int]]:
    """The most zero-sum groups, by the best way to take people away one after another."""
    size = 1 << len(amounts)
    sums, best, last = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + amounts[low]
        score, taken = max(
            (best[mask ^ 1 << at], -at) for at in range(len(amounts)) if mask >> at & 1
        )
        best[mask] = score + (sums[mask] == 0)
        last[mask] = -taken
    groups: list[list[int]] = []
    mask = size - 1
    while mask:
        # Each time what is left sums to zero, one group ends and the next begins.
        if sums[mask] == 0:
            groups.append([])
        groups[-1].append(last[mask])
        mask ^= 1 << last[mask]
    return [sorted(group) for group in reversed(groups)]


def _even_out(balances: dict[Person, int]) -> list[Payment[Person]]:
    """At most one payment fewer than people: the one who owes most pays the one owed most."""
    left = dict(balances)
    plan: list[Payment[Person]] = []
    while any(left.values()):
        payer = min(left, key=lambda person: left[person])
        payee = max(left, key=lambda person: left[person])
        amount = min(-left[payer], left[payee])
        plan.append(Payment(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
    return plan
