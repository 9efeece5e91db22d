"""What a match owes, kept in step with its sheet: the poster of ``matches.posters``.

On every write of a match its entries are worked out anew. Where they differ from those that
stand, all that stand are struck through, with the reason, and the new ones are posted, whole.
Nothing else in the ledger moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils import timezone

from ginledger.gin.errors import AgainstRules
from ginledger.gin.sheet import Sheet
from ginledger.matches.book import load_terms
from ginledger.matches.cash import shown
from ginledger.matches.models import Amendment, Match
from ginledger.matches.stake import read_stake

from . import sums
from .models import MOST, STRUCK_WHY_LONGEST, Entry, Kind
from .settlement import shares


class Owed(NamedTuple):
    """What one player owes another by a match. debtor, creditor: ids of players; amount: minor
    units of the currency; points: the margin it comes from; on: the day of the match."""

    debtor: int
    creditor: int
    amount: int
    points: int
    currency: str


def owed(match: Match, sheet: Sheet) -> list[Owed]:
    """What everybody owes by the match as it stands; nothing while it does not count."""
    stake = read_stake(match.stake)
    if stake is None or not stake.money or not match.counts:
        return []
    seats = load_terms(match).seats
    found = [
        Owed(
            seats[share.loser].player_id,
            seats[share.winner].player_id,
            share.amount,
            share.points,
            stake.currency,
        )
        for share in shares(sheet, stake, [seat.number for seat in seats])
        if share.amount
    ]
    for one in found:
        if one.amount > MOST:
            raise AgainstRules(
                "amount-large",
                f"At this stake the match would come to more than {shown(MOST, stake.currency)}, "
                "the most that the ledger holds.",
            )
    return found


def post(match: Match, sheet: Sheet) -> None:
    """Have the entries of the match say what it owes now; a poster."""
    if not match.stake:
        return
    now = owed(match, sheet)
    standing = list(match.entries.standing().order_by("pk"))
    if _says(standing) == (sorted(now), {match.played_on} if now else set()):
        return
    last = match.amendments.select_related("who").last()
    if standing:
        Entry.objects.filter(pk__in=[entry.pk for entry in standing]).update(
            struck_at=timezone.now(),
            struck_by_id=last.who_id if last else None,
            struck_why=why_struck(last),
        )
    Entry.objects.bulk_create(
        Entry(
            club_id=match.club_id,
            kind=Kind.MATCH,
            currency=one.currency,
            debtor_id=one.debtor,
            creditor_id=one.creditor,
            amount=one.amount,
            points=one.points,
            on=match.played_on,
            by_id=last.who_id if last else None,
            match=match,
        )
        for one in now
    )
    sums.follow(match.club_id, match.played_on, *(entry.on for entry in standing))


def check(match: Match, sheet: Sheet) -> Iterator[str]:
    """Whether the entries that stand are those that the match owes; for the audit."""
    now = owed(match, sheet)
    standing = list(match.entries.standing())
    right = (sorted(now), {match.played_on} if now else set())
    if _says(standing) != right:
        (said, days), (owes, own) = (_says(standing), right)
        on, day = (" and ".join(sorted(map(str, one))) or "no day" for one in (days, own))
        yield f"its entries in the ledger say {said} on {on}, it owes {owes} on {day}"


def _says(entries: list[Entry]) -> tuple[list[Owed], set[object]]:
    return (
        sorted(
            Owed(one.debtor_id, one.creditor_id, one.amount, one.points or 0, one.currency)
            for one in entries
        ),
        {one.on for one in entries},
    )


def why_struck(last: Amendment | None) -> str:
    """Why what stood was struck: the latest act on the match, and the reason given for it."""
    if last is None:
        return "The match changed."
    said = f"The match changed: {last.get_action_display()}"
    return f"{said}, {last.why}"[:STRUCK_WHY_LONGEST] if last.why else f"{said}."
