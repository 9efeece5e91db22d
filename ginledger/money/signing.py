"""Signing the result of a match: who may, what for, and what has changed since.

Two ways to sign for a side: the account of one of its players, or a link that a scorer hands to
that side. Neither of them changes the match.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2s
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules
from ginledger.gin.sheet import Sheet
from ginledger.matches.book import Book, load_book
from ginledger.matches.errors import StaleMatch, WrongState
from ginledger.matches.models import Match, Seat
from ginledger.matches.querysets import find_match

from . import sums
from .sign_models import SIGN_NOTE_LONGEST, SideLink, Signature, Verdict

LINK_LIFETIME = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Side:
    """A side as it signs. seat: its lasting number; players: the ids of who sits there."""

    seat: int
    index: int
    name: str
    accounts: frozenset[int]


def sides_of(seats: Iterable[Seat]) -> tuple[Side, ...]:
    """The sides of a match in the order of the sheet; seats: by side and number, with players."""
    grouped: dict[int, list[Seat]] = {}
    for seat in seats:
        grouped.setdefault(seat.side, []).append(seat)
    return tuple(
        Side(
            min(seat.number for seat in group),
            index,
            " & ".join(seat.player.name for seat in group),
            frozenset(seat.player.user_id for seat in group if seat.player.user_id),
        )
        for index, group in sorted(grouped.items())
    )


def result_of(match: Match, sheet: Sheet, rows: Iterable[str], sides: Sequence[Side]) -> Any:
    """What is agreed to, as plain data: each row that counts, the margins, the stake.

    rows: the keys of the rows that count, in order. Sides go by their lasting seat, so that
    showing them the other way round changes nothing.
    """
    seats = {side.index: side.seat for side in sides}
    return {
        "net": {str(seats[index]): points for index, points in enumerate(sheet.net or ())},
        "winner": None if sheet.winner is None else seats[sheet.winner],
        "stake": match.stake or None,
        "hands": [
            [key, hand.kind, None if hand.side is None else seats[hand.side], hand.points]
            for key, hand in zip(rows, sheet.hands, strict=True)
        ],
    }


def fingerprint_of(result: Any) -> str:
    """The fingerprint of a result, of 32 characters; the same for equal ones."""
    text = json.dumps(result, sort_keys=True, separators=(",", ":"))
    return blake2s(text.encode(), digest_size=16).hexdigest()


def book_result(book: Book) -> Any:
    """The result of a book as it stands."""
    keys = [line.row.key for line in book.lines if not line.row.void]
    return result_of(book.match, book.sheet, keys, sides_of(book.terms.seats))


def post(match: Match, sheet: Sheet) -> None:
    """Have the signatures of the match stand where its result is theirs; a poster."""
    if not match.signatures.exists():
        return
    now = _standing(match, sheet)
    match.signatures.update(stands=False)
    match.signatures.filter(fingerprint=now).update(stands=True)


def check(match: Match, sheet: Sheet) -> Iterator[str]:
    """Signatures that stand, or do not, otherwise than the result says; for the audit."""
    signatures = list(match.signatures.all())
    now = _standing(match, sheet) if signatures else None
    for signature in signatures:
        if signature.stands != (signature.fingerprint == now):
            yield f"signature {signature.pk} stands: {signature.stands}, its result says otherwise"


def _standing(match: Match, sheet: Sheet) -> str | None:
    """The fingerprint of the result as it stands; None while there is none to sign."""
    if not match.counts:
        return None
    seats = match.seats.select_related("player").order_by("side", "number")
    keys = match.rows.filter(voided_at=None).order_by("position").values_list("key", flat=True)
    return fingerprint_of(result_of(match, sheet, keys, sides_of(seats)))


def signing_state(match_id: int) -> str:
    """How far the signing of a match is, for a page that asks whether anything changed."""
    signatures = Signature.objects.filter(match_id=match_id).order_by("-pk")
    latest = signatures.values_list("pk", "stands").first()
    return "" if latest is None else f"{latest[0]}-{latest[1]}"


def sign(
    *, user: Asker, match_key: str, seat: int, verdict: str, seen: str, note: str = ""
) -> Signature:
    """Sign for a side as one of its players; ``seen``: the fingerprint of the result shown.

    Raises Http404 for a stranger, PermissionDenied for who does not play on that side, and what
    ``_sign`` raises.
    """
    with transaction.atomic():
        book = load_book(find_match(user, match_key, lock=True))
        side = _side(book, seat)
        if user.pk not in side.accounts:
            raise PermissionDenied("Each side signs for itself.")
        return _sign(book, side, verdict, seen, note, user_id=user.pk)


def sign_by_link(*, token: str, verdict: str, seen: str, note: str = "") -> Signature:
    """Sign for the side that the link was made for."""
    with transaction.atomic():
        link = find_link(token)
        match = Match.objects.select_for_update().get(pk=link.match_id)
        book = load_book(match)
        return _sign(book, _side(book, link.seat), verdict, seen, note, link=link)


def _sign(book: Book, side: Side, verdict: str, seen: str, note: str, **by: Any) -> Signature:
    """Store a signature. The same word on the same result again is the same signature.

    Raises WrongState ("not-over"), StaleMatch when the result is no longer the one that was
    seen, AgainstRules ("verdict", "note-long").
    """
    if not book.match.counts:
        raise WrongState("A match is signed when it is over.", "not-over")
    if verdict not in Verdict.values:
        raise AgainstRules("verdict", "Say whether you agree or dispute it.", "verdict")
    words = " ".join(note.split())
    if len(words) > SIGN_NOTE_LONGEST:
        raise AgainstRules(
            "note-long", f"A reason has up to {SIGN_NOTE_LONGEST} characters.", "note"
        )
    result = book_result(book)
    if seen != fingerprint_of(result):
        raise StaleMatch
    last = latest(book.match).get(side.seat)
    if last and (last.verdict, last.fingerprint, last.note) == (verdict, seen, words):
        return last
    signature = Signature.objects.create(
        club_id=book.match.club_id,
        match=book.match,
        seat=side.seat,
        verdict=verdict,
        fingerprint=seen,
        result=result,
        note=words,
        **by,
    )
    # A disputed match counts in no sum.
    sums.follow(book.match.club_id, book.match.played_on)
    return signature


def _side(book: Book, seat: int) -> Side:
    side = next((one for one in sides_of(book.terms.seats) if one.seat == seat), None)
    if side is None:
        raise Http404("No such side.")
    return side


def latest(match: Match) -> dict[int, Signature]:
    """The last word of every side that has signed, by seat; one query."""
    signatures = match.signatures.select_related("user").order_by("pk")
    return {signature.seat: signature for signature in signatures}


def alive() -> Q:
    """The links by which one may still sign."""
    return Q(revoked_at=None, expires_at__gt=timezone.now(), match__deleted_at=None)


def find_link(token: str) -> SideLink:
    """The link with this token; Http404 when it is taken back, over or unknown."""
    found = SideLink.objects.filter(alive(), token=token)
    link = found.select_related("match__club").first()
    if link is None:
        raise Http404("No such link.")
    return link


def side_links(match: Match) -> dict[int, SideLink]:
    """The links of a match that still open something, by seat."""
    return {link.seat: link for link in SideLink.objects.filter(alive(), match=match)}


def open_link(*, user: Asker, match_key: str, seat: int) -> SideLink:
    """The link of a side, made when there is none; for thirty days."""
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        _side(load_book(match), seat)
        standing = side_links(match).get(seat)
        if standing is not None:
            return standing
        _revoke(match, seat)
        return SideLink.objects.create(
            club_id=match.club_id,
            match=match,
            seat=seat,
            created_by_id=user.pk,
            expires_at=timezone.now() + LINK_LIFETIME,
        )


def close_link(*, user: Asker, match_key: str, seat: int) -> None:
    """Take a side's link back; what was signed by it stays."""
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        _revoke(match, _side(load_book(match), seat).seat)


def _revoke(match: Match, seat: int) -> None:
    SideLink.objects.filter(match=match, seat=seat, revoked_at=None).update(
        revoked_at=timezone.now()
    )
