"""The life of a match beside its rows: note and date, archive, bin and the end of it.

Keyword-only, one transaction each; they raise as the writes of rows do (``services``). Each is an
act in the log of the match, with who, when and why.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules, GinError, raise_all

from .act import Written, change_match
from .book import Book, load_book
from .errors import StaleMatch, WrongState
from .models import NOTE_LONGEST, Action, LiveLink, Match
from .querysets import find_binned, find_match

# How long a match lies in the bin before ``manage.py purge`` may end it.
KEPT_FOR = timedelta(days=30)
FIRST_DAY = date(1850, 1, 1)


def _book(user: Asker, match_key: str, version: int) -> Book:
    book = load_book(find_match(user, match_key, write=True, lock=True))
    if book.match.version != version:
        raise StaleMatch
    return book


def describe_match(
    *, user: Asker, match_key: str, note: str, played_on: date, version: int
) -> Written:
    """Set the note on a match and the day it was played; nothing is stored when both say so.

    Raises AgainstRules: "note-long" (field "note"), "day-out-of-range" (field "played_on").
    """
    note = clean_note(note)
    with transaction.atomic():
        book = load_book(find_match(user, match_key, write=True, lock=True))
        match = book.match
        if (match.note, match.played_on) == (note, played_on):
            return Written(match.key, None, match.version, book.sheet, False)
        if match.version != version:
            raise StaleMatch
        raise_all(day_problems(played_on))
        before = said_of(match)
        match.note, match.played_on = note, played_on
        return change_match(
            book,
            user,
            Action.DESCRIBE,
            ["note", "played_on"],
            before=before,
            after=said_of(match),
        )


def said_of(match: Match) -> dict[str, str]:
    """What the log keeps of a match's description."""
    return {"note": match.note, "played_on": match.played_on.isoformat()}


def clean_note(note: str) -> str:
    """A note as it is kept: lines trimmed at their ends, up to 2000 characters."""
    lines = [line.rstrip() for line in note.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    text = "\n".join(lines).strip()
    if len(text) > NOTE_LONGEST:
        raise AgainstRules("note-long", f"A note has up to {NOTE_LONGEST} characters.", "note")
    return text


def day_problems(day: date) -> list[GinError]:
    """What is wrong with the day a match was played: it lies ahead, or before the game."""
    # Where it is already tomorrow somebody may be playing.
    if FIRST_DAY <= day <= timezone.localdate() + timedelta(days=1):
        return []
    text = f"The day of play lies between {FIRST_DAY.year} and today."
    return [AgainstRules("day-out-of-range", text, "played_on")]


def archive_match(*, user: Asker, match_key: str, version: int) -> Written:
    """Take a match out of the usual lists; it stays as it is and counts as it did."""
    with transaction.atomic():
        book = _book(user, match_key, version)
        if book.match.archived:
            raise WrongState("This match is archived already.", "already-archived")
        book.match.archived_at = timezone.now()
        return change_match(book, user, Action.ARCHIVE, ["archived_at"])


def unarchive_match(*, user: Asker, match_key: str, version: int) -> Written:
    """Have it in the usual lists again."""
    with transaction.atomic():
        book = _book(user, match_key, version)
        if not book.match.archived:
            raise WrongState("This match is not archived.", "not-archived")
        book.match.archived_at = None
        return change_match(book, user, Action.UNARCHIVE, ["archived_at"])


def delete_match(*, user: Asker, match_key: str, version: int, why: str = "") -> Written:
    """Put a match in the bin: nobody sees it, nothing of it counts, its live link is taken back.

    It can be taken out for ``KEPT_FOR``; a second call finds no such match (Http404).
    """
    with transaction.atomic():
        book = _book(user, match_key, version)
        book.match.deleted_at = now = timezone.now()
        LiveLink.objects.filter(match=book.match, revoked_at=None).update(revoked_at=now)
        return change_match(book, user, Action.DELETE, ["deleted_at"], why=why)


def undelete_match(*, user: Asker, match_key: str) -> Written:
    """Take a match out of the bin, as it was; Http404 when it is not there."""
    with transaction.atomic():
        book = load_book(find_binned(user, match_key, lock=True))
        book.match.deleted_at = None
        return change_match(book, user, Action.UNDELETE, ["deleted_at"])


def purge(before: datetime) -> int:
    """End every match that was put in the bin before a moment, for good; how many there were."""
    ended = 0
    for pk in list(Match.objects.filter(deleted_at__lt=before).values_list("pk", flat=True)):
        with transaction.atomic():
            # Asked again: somebody may have taken it out of the bin meanwhile.
            for match in Match.objects.select_for_update().filter(pk=pk, deleted_at__lt=before):
                match.delete()
                ended += 1
    return ended
