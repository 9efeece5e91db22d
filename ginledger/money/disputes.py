"""Matches whose result a side disputes: they settle nothing until it agrees or an owner decides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction

from ginledger.clubs.models import Role
from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules
from ginledger.matches.book import load_terms
from ginledger.matches.models import Match, Seat
from ginledger.matches.querysets import find_match

from . import sums
from .models import NOTE_LONGEST, Decision, Signature, Verdict
from .signing import latest, sides_of


@dataclass(frozen=True, slots=True)
class Dispute:
    """A side's dispute that holds: its name, what it said, when."""

    side: str
    note: str
    at: datetime


def disputes_of(match: Match) -> tuple[Dispute, ...]:
    """The disputes that hold on a match, none where everybody agrees or an owner decided."""
    words = [word for word in latest(match).values() if word.verdict == Verdict.DISPUTE]
    if not words:
        return ()
    decided = match.decisions.order_by("at").last()
    names = {side.seat: side.name for side in sides_of(load_terms(match).seats)}
    return tuple(
        Dispute(names[word.seat], word.note, word.at)
        for word in words
        if decided is None or decided.at < word.at
    )


def signed(match_ids: Iterable[int]) -> set[int]:
    """Those of these matches that every side agreed to as they stand; two queries."""
    ids = list(match_ids)
    sides: dict[int, dict[int, int]] = {}
    for match, side, number in Seat.objects.filter(match__in=ids).values_list(
        "match_id", "side", "number"
    ):
        seats = sides.setdefault(match, {})
        seats[side] = min(number, seats.get(side, number))
    words = Signature.objects.filter(match__in=ids).order_by("pk")
    last = {(word.match_id, word.seat): word for word in words}
    return {
        match
        for match, seats in sides.items()
        if all(_agrees(last.get((match, seat))) for seat in seats.values())
    }


def _agrees(word: Signature | None) -> bool:
    return word is not None and word.stands and word.verdict == Verdict.AGREE


def decide(*, user: Asker, match_key: str, why: str) -> Decision:
    """An owner has a disputed match count as it stands, with the reason.

    Raises PermissionDenied for everybody but an owner, AgainstRules: "not-disputed",
    "reason-needed", "note-long".
    """
    reason = " ".join(why.split())
    with transaction.atomic():
        match = find_match(user, match_key, lock=True)
        if match.role != Role.OWNER:
            raise PermissionDenied("An owner of the club decides.")
        if not disputes_of(match):
            raise AgainstRules("not-disputed", "Nobody disputes this match.")
        if not reason:
            raise AgainstRules("reason-needed", "Say why it counts as it stands.", "why")
        if len(reason) > NOTE_LONGEST:
            raise AgainstRules("note-long", f"A reason has up to {NOTE_LONGEST} characters.", "why")
        decision = Decision.objects.create(
            club_id=match.club_id, match=match, by_id=user.pk, why=reason
        )
        sums.follow(match.club_id, match.played_on)
        return decision
