"""Short ways to stakes, entries and what a club's ledger says."""

from __future__ import annotations

from itertools import count
from typing import Any

from ginledger.clubs.models import Club, Player, User
from ginledger.clubs.services import seat_players
from ginledger.matches.stake import Stake
from ginledger.money import ledger
from ginledger.money.balances import owing_by_currency
from ginledger.money.ledger import Deal
from ginledger.money.models import Entry

DIME = Stake("USD", 1000)  # 10 cents a point
_numbers = count(1)


def player(club: Club, name: str) -> Player:
    """The club's player of this name, added when there is none."""
    return seat_players(club=club, names=[name])[0]


def deal(club: Club, debtor: str, creditor: str, amount: int, **more: Any) -> Deal:
    """A deal between two by their names; in dollars unless said otherwise."""
    one, other = player(club, debtor), player(club, creditor)
    return Deal(one.key, other.key, amount, more.pop("currency", "USD"), **more)


def pay(user: User, club: Club, payer: str, payee: str, amount: int, **more: Any) -> Entry:
    """Record a payment between two by their names."""
    return ledger.record_payment(
        user=user,
        club_key=club.key,
        deal=deal(club, payer, payee, amount),
        once_key=more.pop("once_key", f"pay-{next(_numbers)}"),
        **more,
    )


def carry_over(user: User, club: Club, debtor: str, creditor: str, amount: int) -> Entry:
    """Record an opening balance."""
    return ledger.open_balance(
        user=user,
        club_key=club.key,
        deal=deal(club, debtor, creditor, amount, note="paper book"),
        once_key=f"open-{next(_numbers)}",
    )


def balances(club: Club, currency: str = "USD") -> dict[str, int]:
    """What everybody has coming, by name; those at nothing left out."""
    owing = owing_by_currency(club).get(currency)
    names = dict(club.players.values_list("pk", "name"))
    found = owing.balances() if owing else {}
    assert sum(found.values()) == 0
    return {names[pk]: balance for pk, balance in found.items() if balance}


def standing(club: Club) -> list[tuple[str, str, int]]:
    """The entries that stand, as recorded: debtor, creditor, amount."""
    return [
        (one.debtor.name, one.creditor.name, one.amount)
        for one in club.entries.standing().select_related("debtor", "creditor").order_by("pk")
    ]
