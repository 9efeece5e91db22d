"""A player's statement: line by line with what he has coming after each, for any days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Case, F, Q, Sum, When
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import Player
from ginledger.csv_files import Cell
from ginledger.matches.cash import plain
from ginledger.matches.wording import named

from .models import Entry, Kind
from .querysets import EntryQuerySet


@dataclass(frozen=True, slots=True)
class StatementLine:
    """An entry as its player sees it.

    change: minor units, positive where he has more coming; running: what he has coming after it;
    counts: false for one that is struck through or disputed, which leaves running as it was.
    """

    entry: Entry
    other: Player
    change: int
    running: int
    counts: bool

    @property
    def words(self) -> SafeString:
        """What happened: "Match with Ben, 142 points", "Paid Ben"."""
        return entry_words(self.entry, self.other, self.change)


@dataclass(frozen=True, slots=True)
class Statement:
    """A player's lines of some days in one currency.

    before: what he had coming when they begin; after: when they end; minor units; left_out: how
    many earlier lines of these days are only brought forward.
    """

    player: Player
    currency: str
    before: int
    lines: tuple[StatementLine, ...]
    left_out: int = 0

    @property
    def after(self) -> int:
        return self.lines[-1].running if self.lines else self.before


def entry_words(entry: Entry, other: Player, change: int) -> SafeString:
    """An entry in a few words, as one of the two reads it; change: of what he has coming."""
    name = named(other.name)
    if entry.kind == Kind.PAYMENT:
        words = format_html("Paid {}" if change > 0 else "{} paid", name)
    elif entry.kind == Kind.MATCH:
        words = format_html("Match with {}, {} points", name, f"{entry.points or 0:,}")
    elif entry.kind == Kind.OPENING:
        words = format_html("Carried over, with {}", name)
    else:
        words = format_html("Correction, with {}", name)
    return format_html("{} · {}", words, named(entry.note)) if entry.note else words


def entries_of(player: Player, currency: str) -> EntryQuerySet:
    """Every entry of the player in a currency, in the order of a statement."""
    mine = Q(debtor=player) | Q(creditor=player)
    found = Entry.objects.filter(mine, club_id=player.club_id, currency=currency)
    return found.select_related("debtor", "creditor", "match").order_by("on", "pk")


def statement(
    player: Player,
    currency: str,
    since: date | None = None,
    until: date | None = None,
    most: int | None = None,
) -> Statement:
    """The statement from one day to another, both counted; None: from the first, to the last.

    most: how many lines at most, the latest; what the others come to is brought forward.
    """
    entries = every = entries_of(player, currency)
    if since:
        entries = entries.filter(on__gte=since)
    if until:
        entries = entries.filter(on__lte=until)
    earlier = every.filter(on__lt=since) if since else every.none()
    left_out = max(entries.count() - most, 0) if most else 0
    if left_out:
        first = entries[left_out]
        before_first = Q(on__lt=first.on) | Q(on=first.on, pk__lt=first.pk)
        entries, earlier = entries.exclude(before_first), every.filter(before_first)
    before = _sum(player, earlier)
    return Statement(player, currency, before, tuple(_lines(player, before, entries)), left_out)


def _lines(player: Player, running: int, entries: EntryQuerySet) -> Iterator[StatementLine]:
    for entry in entries.marked():
        owed = entry.debtor_id == player.pk
        change = -entry.amount if owed else entry.amount
        counts = not entry.struck and not entry.disputed
        running += change if counts else 0
        yield StatementLine(
            entry, entry.creditor if owed else entry.debtor, change, running, counts
        )


def _sum(player: Player, entries: EntryQuerySet) -> int:
    change = Case(When(creditor=player, then=F("amount")), default=-F("amount"))
    return entries.settling().order_by().aggregate(total=Sum(change))["total"] or 0


CSV_HEAD = ("day", "what", "with", "points", "note", "amount", "balance", "currency", "counts")


def csv_rows(found: Statement) -> Iterator[tuple[Cell, ...]]:
    """The statement as rows of the CSV, what was brought forward first."""
    code = found.currency
    if found.before or found.lines:
        yield (
            "", "Brought forward", "", None, "", None, Decimal(plain(found.before, code)), code, ""
        )  # fmt: skip
    for line in found.lines:
        entry = line.entry
        yield (
            entry.on.isoformat(), entry.get_kind_display(), line.other.name, entry.points,
            entry.note, Decimal(plain(line.change, code)), Decimal(plain(line.running, code)),
            code, "yes" if line.counts else entry.struck_why or "disputed",
        )  # fmt: skip
