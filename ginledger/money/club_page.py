"""A club's balances and its ledger as their pages show them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import Club, Player
from ginledger.csv_files import Cell
from ginledger.matches.cash import plain
from ginledger.matches.wording import named

from .balances import Owing, owing_by_currency, owing_of
from .disputes import signed
from .models import Entry, Kind
from .querysets import EntryQuerySet

RECENT = 5
PAGE = 50


@dataclass(frozen=True, slots=True)
class Balance:
    """What one has coming (negative: owes), in minor units."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payment that could be made; once_key: of the button that records it."""

    payer: Player
    payee: Player
    amount: int
    once_key: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a club stands in one currency.

    plan: the fewest payments that even everything; between: what any two owe each other, shown
    where that is another list; held: entries of disputed matches, which do not count yet.
    """

    currency: str
    balances: tuple[Balance, ...]
    plan: tuple[Transfer, ...]
    between: tuple[Transfer, ...]
    held: tuple[Entry, ...]


def settlements(club: Club) -> tuple[Settlement, ...]:
    """How the club stands in each currency it has entries in, its own first; three queries."""
    owing = owing_by_currency(club)
    players = {player.pk: player for player in club.players.all()}
    held = _held(club)
    codes = {club.currency, *owing, *held} - {""}
    return tuple(
        _settlement(owing.get(code, Owing(code)), players, held.get(code, ()))
        for code in sorted(codes, key=lambda code: (code != club.currency, code))
    )


def to_even(club: Club) -> tuple[Transfer, ...]:
    """The fewest payments that even the club in its own currency, as of now; two queries."""
    if not club.currency:
        return ()
    owing = owing_of(club, club.currency)
    players = {player.pk: player for player in club.players.filter(pk__in=owing.balances())}
    return _settlement(owing, players, ()).plan


def _held(club: Club) -> dict[str, tuple[Entry, ...]]:
    found: dict[str, tuple[Entry, ...]] = {}
    for entry in disputed(club):
        found[entry.currency] = (*found.get(entry.currency, ()), entry)
    return found


def disputed(club: Club) -> EntryQuerySet:
    """The entries of disputed matches, oldest first."""
    found = Entry.objects.filter(club=club, kind=Kind.MATCH).held()
    return found.select_related("debtor", "creditor", "match").order_by("pk")


def _settlement(owing: Owing, players: dict[int, Player], held: tuple[Entry, ...]) -> Settlement:
    balances = [Balance(players[pk], amount) for pk, amount in owing.balances().items()]
    balances.sort(key=lambda one: (-one.amount, one.player.folded))
    plan = [(one.payer, one.payee, one.amount) for one in owing.plan()]
    between = [(debtor, creditor, amount) for (debtor, creditor), amount in owing.pairs.items()]

    def transfers(found: list[tuple[int, int, int]]) -> tuple[Transfer, ...]:
        return tuple(
            Transfer(players[payer], players[payee], amount, secrets.token_urlsafe(12))
            for payer, payee, amount in found
        )

    other = sorted(plan) != sorted(between)
    return Settlement(
        owing.currency,
        tuple(one for one in balances if one.amount or one.player.archived_at is None),
        transfers(plan),
        transfers(between) if other else (),
        held,
    )


def recent_payments(club: Club) -> list[Entry]:
    """The latest payments that stand, to be taken back; latest first."""
    payments = Entry.objects.filter(club=club, kind=Kind.PAYMENT).standing()
    return list(payments.select_related("debtor", "creditor").order_by("-pk")[:RECENT])


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry in the ledger; signed: its match was, by every side, as it stands."""

    entry: Entry
    words: SafeString
    signed: bool


def ledger_lines(entries: Iterable[Entry]) -> list[LedgerLine]:
    """Entries as anybody of the club reads them, with whether their match was signed."""
    found = list(entries)
    agreed = signed({entry.match_id for entry in found if entry.match_id is not None})
    return [ledger_line(entry, entry.match_id in agreed) for entry in found]


def ledger_line(entry: Entry, agreed: bool = False) -> LedgerLine:
    """An entry in words; agreed: by every side of its match."""
    debtor, creditor = named(entry.debtor.name), named(entry.creditor.name)
    if entry.kind == Kind.PAYMENT:
        words = format_html("{} paid {}", creditor, debtor)
    elif entry.kind == Kind.MATCH:
        points = f"{entry.points or 0:,} points"
        words = format_html("{} owes {} for a match, {}", debtor, creditor, points)
    elif entry.kind == Kind.OPENING:
        words = format_html("{} owes {}, carried over", debtor, creditor)
    else:
        words = format_html("{} owes {}, correction", debtor, creditor)
    if entry.note:
        words = format_html("{} · {}", words, named(entry.note))
    return LedgerLine(entry, words, agreed and not entry.struck)


def ledger_entries(club: Club) -> EntryQuerySet:
    """Every entry of the club, struck ones too, the latest first."""
    found = Entry.objects.filter(club=club).marked()
    return found.select_related("debtor", "creditor", "match", "by", "struck_by").order_by("-pk")


CSV_HEAD = (
    "day", "kind", "debtor", "creditor", "points", "amount", "currency", "note", "counts",
    "recorded", "struck", "reason", "match",
)  # fmt: skip


def csv_rows(entries: QuerySet[Entry]) -> Iterator[tuple[Cell, ...]]:
    """The ledger as rows of the CSV, oldest first; the sum of those that count is the balance."""
    for entry in entries.order_by("pk").iterator(chunk_size=1000):
        yield (
            entry.on.isoformat(), entry.get_kind_display(), entry.debtor.name,
            entry.creditor.name, entry.points, Decimal(plain(entry.amount, entry.currency)),
            entry.currency, entry.note,
            "no" if entry.struck else "disputed" if entry.disputed else "yes",
            entry.at.isoformat(timespec="seconds"),
            entry.struck_at.isoformat(timespec="seconds") if entry.struck_at else "",
            entry.struck_why,
            entry.match.key if entry.match else "",
        )  # fmt: skip
