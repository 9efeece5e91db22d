"""The signing panel as values for its templates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS
from ginledger.clubs.querysets import Asker
from ginledger.matches.book import Book
from ginledger.matches.wording import KIND_LABELS, named, signed

from .sign_models import Signature, Verdict
from .signing import Side, book_result, fingerprint_of, latest, sides_of


@dataclass(frozen=True, slots=True)
class SideWord:
    """What a side says. stands: of the present result; changes: what is new since it signed."""

    seat: int
    name: str
    signed: bool
    stands: bool
    agrees: bool
    by: str
    at: datetime | None
    note: str
    changes: tuple[SafeString, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class SignPage:
    """Every side's word; agreed: all of them on the result as it stands."""

    key: str
    seen: str
    sides: tuple[SideWord, ...]
    agreed: bool
    disputed: bool
    may_write: bool


def sign_page(book: Book, user: Asker | None, seat: int | None = None) -> SignPage:
    """The panel for a user, or for who has the link of a side (seat)."""
    now, words = book_result(book), latest(book.match)
    sides = sides_of(book.terms.seats)
    found = tuple(
        _word(
            side,
            words.get(side.seat),
            now,
            sides,
            mine=side.seat == seat or (user is not None and user.pk in side.accounts),
        )
        for side in sides
    )
    return SignPage(
        key=book.match.key,
        seen=fingerprint_of(now),
        sides=found,
        agreed=all(side.stands and side.agrees for side in found),
        disputed=any(side.stands and not side.agrees for side in found),
        may_write=user is not None and book.match.role in WRITERS,
    )


def _word(
    side: Side, last: Signature | None, now: Any, sides: tuple[Side, ...], *, mine: bool
) -> SideWord:
    stands = last is not None and last.fingerprint == fingerprint_of(now)
    by = ""
    if last is not None:
        by = "by the link" if last.user is None and last.link_id else str(last.user or "")
    return SideWord(
        seat=side.seat,
        name=side.name,
        signed=last is not None,
        stands=stands,
        agrees=last is not None and last.verdict == Verdict.AGREE,
        by=by,
        at=last.at if last else None,
        note=last.note if last else "",
        changes=() if last is None or stands else changes(last.result, now, sides),
        mine=mine,
    )


def changes(before: Any, now: Any, sides: tuple[Side, ...]) -> tuple[SafeString, ...]:
    """What of a result is another than when it was signed, in sentences."""
    names = {side.seat: side.name for side in sides}
    was = {row[0]: (place, row[1:]) for place, row in enumerate(before["hands"], 1)}
    lines = []
    for place, (key, *row) in enumerate(now["hands"], 1):
        old = was.pop(key, None)
        if old is None:
            lines.append(format_html("Hand {} is new: {}.", place, _said(row, names)))
        elif old[1] != row:
            lines.append(
                format_html(
                    "Hand {} was {}; now {}.", place, _said(old[1], names), _said(row, names)
                )
            )
    lines += [
        format_html("What was hand {} no longer counts: {}.", place, _said(row, names))
        for place, row in was.values()
    ]
    if before["net"] != now["net"] or before["winner"] != now["winner"]:
        lines.append(
            format_html("The margin was {}; now {}.", _margin(before, names), _margin(now, names))
        )
    if before["stake"] != now["stake"]:
        lines.append(format_html("What it is played for is another."))
    return tuple(lines) or (format_html("The hands stand in another order."),)


def _said(row: list[Any], names: dict[int, str]) -> SafeString:
    kind, seat, points = row
    label = KIND_LABELS[kind].lower()
    if seat is None:
        return format_html("{}", label)
    return format_html("{} {} ({})", named(names[seat]), signed(points), label)


def _margin(result: Any, names: dict[int, str]) -> SafeString:
    winner = result["winner"]
    if winner is None:
        return format_html("{}", "level")
    return format_html("{} by {}", named(names[winner]), result["net"][str(winner)])
