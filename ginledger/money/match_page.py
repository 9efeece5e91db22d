"""A match's settlement as its page, its CSV and its JSON show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS, Role
from ginledger.csv_files import Cell
from ginledger.matches.book import Book
from ginledger.matches.cash import plain, plain_rate, shown
from ginledger.matches.stake import Stake, read_stake, stake_words
from ginledger.matches.wording import named

from .disputes import Dispute, disputes_of, signed
from .models import Entry
from .settlement import ColumnLine, Share, column_lines, shares


@dataclass(frozen=True, slots=True)
class PairColumn:
    """One pair's column: names of who is up and who is not, what it comes to, line by line."""

    winner: str
    loser: str
    verdict: SafeString
    lines: tuple[ColumnLine, ...]


@dataclass(frozen=True, slots=True)
class SettlementPage:
    """The settlement of a match.

    stake: in a few words, "" without one; words: a stake that is no money; done_at: when that was
    made good; frozen: whether a hand was entered; struck: what was posted before and counts no
    more; signed: whether every side agreed to it as it stands.
    """

    key: str
    club_key: str
    names: tuple[str, ...]
    played_on: date
    over: bool
    money: bool
    stake: str
    words: str
    done_at: datetime | None
    frozen: bool
    may_write: bool
    may_decide: bool
    columns: tuple[PairColumn, ...]
    signed: bool
    disputes: tuple[Dispute, ...]
    struck: tuple[Entry, ...]

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def settlement_page(book: Book) -> SettlementPage:
    """The page as the rows stand now; asks for the entries of a match with a stake."""
    match, stake = book.match, read_stake(book.match.stake)
    struck: tuple[Entry, ...] = ()
    if stake is not None and stake.money:
        posted = match.entries.filter(struck_at__isnull=False)
        struck = tuple(posted.select_related("debtor", "creditor").order_by("pk"))
    return SettlementPage(
        key=match.key,
        club_key=match.club.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        played_on=match.played_on,
        over=book.sheet.over,
        money=stake is not None and stake.money,
        stake=stake_words(stake) if stake else "",
        words=stake.words if stake else "",
        done_at=match.stake_done_at,
        frozen=bool(book.lines),
        may_write=match.role in WRITERS,
        may_decide=match.role == Role.OWNER,
        columns=tuple(_column(book, share, stake) for share in _shares(book, stake)),
        signed=match.counts and bool(signed([match.pk])),
        disputes=disputes_of(match) if match.counts else (),
        struck=struck,
    )


def _shares(book: Book, stake: Stake | None) -> tuple[Share, ...]:
    return shares(book.sheet, stake, [seat.number for seat in book.terms.seats])


def _column(book: Book, share: Share, stake: Stake | None) -> PairColumn:
    winner, loser = _names(book, share, stake)
    return PairColumn(
        winner, loser, _verdict(winner, loser, share, stake), column_lines(book.sheet, share, stake)
    )


def _names(book: Book, share: Share, stake: Stake | None) -> tuple[str, str]:
    """Who settles: two people; without money the sides, which partners are together."""
    table = book.table
    if stake is not None and stake.money:
        return table.names[share.winner], table.names[share.loser]
    winner, loser = (table.side_of(seat) for seat in (share.winner, share.loser))
    return table.side_name(winner), table.side_name(loser)


def _verdict(winner: str, loser: str, share: Share, stake: Stake | None) -> SafeString:
    up, down = named(winner), named(loser)
    if stake is None or not stake.money:
        if share.points == 0:
            return format_html("{} and {} are level", up, down)
        verb = "are" if " & " in winner else "is"
        return format_html("{} {} {} up on {}", up, verb, share.points, down)
    if share.amount == 0:
        return format_html("{} and {} are even", up, down)
    return format_html("{} pays {} {}", down, up, shown(share.amount, stake.currency))


CSV_HEAD = ("winner", "loser", "game", "line", "adds", "points", "money", "currency")


def csv_rows(book: Book) -> Iterator[tuple[Cell, ...]]:
    """The columns as rows of the CSV: every line with what it adds, points or money."""
    stake = read_stake(book.match.stake)
    code = stake.currency if stake else ""
    for share in _shares(book, stake):
        winner, loser = _names(book, share, stake)
        for line in column_lines(book.sheet, share, stake):
            money = None if line.money is None else Decimal(line.money)
            yield (
                winner, loser, line.column or None, line.label, "yes" if line.adds else "no",
                line.points, money, code if money is not None else "",
            )  # fmt: skip


def to_json(book: Book) -> dict[str, Any]:
    """The settlement as plain JSON values; amounts are decimal strings, as in "19.25"."""
    stake = read_stake(book.match.stake)
    found: dict[str, Any] = {"match": book.match.key, "over": book.sheet.over, "pairs": []}
    if stake is not None:
        found["stake"] = _stake_json(stake)
    for share in _shares(book, stake):
        winner, loser = _names(book, share, stake)
        pair: dict[str, Any] = {"winner": winner, "loser": loser, "points": share.points}
        if stake is not None and stake.money:
            pair["rate"] = plain_rate(share.rate, stake.currency)
            pair["amount"] = plain(share.amount, stake.currency)
            pair["currency"] = stake.currency
        pair["lines"] = [
            {
                "kind": line.kind,
                "label": line.label,
                "game": line.column or None,
                "adds": line.adds,
                **({"points": line.points} if line.money is None else {"money": line.money}),
            }
            for line in column_lines(book.sheet, share, stake)
        ]
        found["pairs"].append(pair)
    return found


def _stake_json(stake: Stake) -> dict[str, Any]:
    found: dict[str, Any] = {"words": stake.words} if stake.words else {}
    if stake.money:
        code = stake.currency
        found |= {"currency": code, "rate": plain_rate(stake.rate, code)}
        found["cap"] = None if stake.cap is None else plain(stake.cap, code)
    return found


def panel(request: HttpRequest, book: Book) -> SafeString:
    """What a finished match comes to, for ``matches.panels``; nothing where it is for nothing."""
    stake = read_stake(book.match.stake)
    if stake is None:
        return SafeString()
    columns = [_column(book, share, stake) for share in _shares(book, stake)]
    context = {"match": book.match, "stake": stake, "columns": columns}
    return render_to_string("money/_panel.html", context, request)
