"""Who owes whom: the sums of the entries that count, added up by the month in one query.

A balance is positive where one has something coming.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet, Sum

from ginledger.clubs.models import Club
from ginledger.spans import Span

from .models import Subtotal
from .plan import Payment, fewest_payments


@dataclass(frozen=True, slots=True)
class Owing:
    """What the people of a club owe each other in one currency, by the ids of players.

    pairs: (debtor, creditor) -> minor units more than nothing, one direction for any two people.
    """

    currency: str
    pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def balances(self) -> dict[int, int]:
        """The balance of everybody who ever owed or had something coming; sums to zero."""
        found: dict[int, int] = {}
        for (debtor, creditor), amount in sorted(self.pairs.items()):
            found[debtor] = found.get(debtor, 0) - amount
            found[creditor] = found.get(creditor, 0) + amount
        return dict(sorted(found.items()))

    def balance(self, player: int) -> int:
        """What one player has coming; negative where he owes."""
        return self.balances().get(player, 0)

    def between(self, debtor: int, creditor: int) -> int:
        """What one owes another, between the two of them; negative the other way round."""
        return self.pairs.get((debtor, creditor), 0) - self.pairs.get((creditor, debtor), 0)

    def plan(self) -> list[Payment[int]]:
        """The fewest payments that even everything; always the same for the same balances."""
        return fewest_payments(self.balances())


def owing_by_currency(club: Club) -> dict[str, Owing]:
    """What is owed in each currency in which the club has entries that count; one query.

    Entries of disputed matches are left out until they are agreed.
    """
    return _netted(_sums(Subtotal.objects.filter(club=club)))


def owing_of(club: Club, currency: str) -> Owing:
    """The same in one currency."""
    found = Subtotal.objects.filter(club=club, currency=currency)
    return _netted(_sums(found)).get(currency, Owing(currency))


def _sums(found: QuerySet[Subtotal]) -> Iterable[tuple[str, int, int, int]]:
    return (
        found.filter(span=Span.MONTH)
        .order_by()
        .values_list("currency", "debtor_id", "creditor_id")
        .annotate(total=Sum("amount"))
    )


def _netted(sums: Iterable[tuple[str, int, int, int]]) -> dict[str, Owing]:
    """Of what two people owe each other only the difference is left."""
    nets: dict[str, dict[tuple[int, int], int]] = {}
    for currency, debtor, creditor, total in sums:
        pairs = nets.setdefault(currency, {})
        low, high = sorted((debtor, creditor))
        pairs[low, high] = pairs.get((low, high), 0) + (total if debtor == low else -total)
    return {
        currency: Owing(
            currency,
            {
                (low, high) if net > 0 else (high, low): abs(net)
                for (low, high), net in sorted(pairs.items())
                if net
            },
        )
        for currency, pairs in sorted(nets.items())
    }
