"""A match as a file and back (docs/format.md), the whole book included."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Role, User
from ginledger.clubs.services import home_club, seat_players
from ginledger.gin.bookfile import BookFile, FileAmendment, read_book
from ginledger.gin.errors import AgainstRules, GinError, Problems, Unreadable, raise_all
from ginledger.gin.hands import Table
from ginledger.gin.matchfile import Row as FileRow
from ginledger.gin.ruleset import presets

from .act import MOST_ROWS
from .book import Book, Terms, load_book, load_terms
from .ink import SHELF_ACTS
from .life import FIRST_DAY, day_problems
from .models import Action, Amendment, Match, Row
from .record import rewrite
from .start import clean_once_key, once, seat_match

MOST_BYTES = 5_000_000
# A clock elsewhere may be ahead of ours by this much.
AHEAD = timedelta(days=1)
FIRST_MOMENT = datetime.combine(FIRST_DAY, time(), UTC)


def book_file(book: Book) -> BookFile:
    """A match as a file holds it: all of the book, nothing of the club or of the shelf it is on."""
    match = book.match
    places = {row.pk: place for place, row in enumerate(book.rows)}
    return BookFile(
        book.gin_match,
        tuple(FileRow(line.hand, line.row.void) for line in book.lines),
        rules_name=match.rules_name,
        played_on=match.played_on,
        note=match.note,
        stopped_at=match.stopped_at,
        amendments=tuple(
            _amendment(book.terms, one, places)
            for one in book.amendments
            if one.action not in SHELF_ACTS or one.action == Action.DESCRIBE
        ),
    )


def _amendment(terms: Terms, one: Amendment, places: dict[int, int]) -> FileAmendment:
    def row(state: dict[str, Any] | None) -> FileRow | None:
        return FileRow(terms.read(state["fact"]), state["void"]) if state else None

    of_row = one.row_id is not None
    description = None
    if one.action == Action.DESCRIBE and one.before and one.after:
        description = (one.before, one.after)
    return FileAmendment(
        act=one.version,
        action=one.action,
        row=places[one.row_id] if one.row_id is not None else None,
        before=row(one.before) if of_row else None,
        after=row(one.after) if of_row else None,
        who=one.who.name or "Guest" if one.who else one.who_said,
        at=one.at,
        why=one.why,
        description=description,
    )


def file_name(book: Book) -> str:
    """A name for the file that any system takes: letters, figures and hyphens."""
    names = "-v-".join(
        re.sub(r"\W+", "-", book.table.side_name(side)).strip("-_")[:40] or "x"
        for side in range(len(book.table.sides))
    )
    return f"ginledger-{names}-{book.match.played_on.isoformat()}.json"


def read_file(data: bytes) -> BookFile:
    """The book of an uploaded file; raises a GinError, or Problems with all that is wrong."""
    if len(data) > MOST_BYTES:
        text = f"A match file has up to {MOST_BYTES // 1_000_000} MB."
        raise Unreadable("file-large", text)
    if not data.strip():
        raise Unreadable("file-empty", "The file is empty.")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable("json-unreadable", "This is no match file: it is not JSON.") from None
    if any(_unwritable(text) for text in _texts(document)):
        raise Unreadable("text-unreadable", "There are characters in it that no text can hold.")
    book = read_book(document)
    if len(book.rows) > MOST_ROWS:
        text = f"A match has up to {MOST_ROWS} rows; this one has {len(book.rows)}."
        raise AgainstRules("match-full", text, "hands")
    return book


def _texts(document: object) -> Iterator[str]:
    """Every text in a document, names of fields included; no recursion, however deep it is."""
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one


def _unwritable(text: str) -> bool:
    """Half characters and NUL can be stored nowhere."""
    return "\0" in text or any(unicodedata.category(one) == "Cs" for one in text)


def import_match(*, user: User, file: BookFile, once_key: str, club_key: str = "") -> Match:
    """A match of its own from a file's book; the same one-time key again answers with that match.

    club_key: of a club where the user scores; without one, the first club he owns. Whoever is
    known there by a name of the file plays, others are added. Who made an amendment is kept as
    the file says it, and is no account. Raises Problems: names, days and moments ahead.
    """
    key = clean_once_key(once_key)
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER) if club_key else home_club(user)
        raise_all(moment_problems(file))

        def make() -> Match:
            match = _match(file, user, key)
            match.club = club
            table = file.match.table
            players = _players(match, table)
            sides = [table.seats(side) for side in range(len(table.sides))]
            seat_match(match, players, sides)
            _fill(match, file, user)
            return match

        return once(lambda: club.matches.filter(once_key=key).first() if key else None, make)


def moment_problem(moment: datetime) -> str:
    """Why nothing can have happened then; "" where it can. Raises TypeError without a zone."""
    if moment > timezone.now() + AHEAD:
        return "This lies ahead."
    return f"This is before {FIRST_DAY.year}." if moment < FIRST_MOMENT else ""


def moment_problems(file: BookFile) -> list[GinError]:
    """What is wrong with the day and the moments of a file: they lie ahead, or before the game."""
    problems = list(day_problems(file.played_on)) if file.played_on else []
    moments: list[tuple[str, datetime | None]] = [("stopped_at", file.stopped_at)]
    moments += [(f"amendments.{at}.at", one.at) for at, one in enumerate(file.amendments, 1)]
    for field, moment in moments:
        if moment is not None and (problem := moment_problem(moment)):
            problems.append(AgainstRules("moment-out-of-range", problem, field))
    return problems


def rules_name_of(file: BookFile) -> str:
    """What the rules of a match from a file are called: as it says, or as the preset is."""
    rules = file.match.rules
    name = next((one.name for one in presets().values() if one.rules == rules), "")
    return file.rules_name.strip() or name or "The rules of the file"


def _match(file: BookFile, user: User, key: str | None) -> Match:
    match = Match(
        once_key=key,
        rules=file.match.rules.to_json(),
        rules_name=rules_name_of(file),
        first_dealer=file.match.first_dealer,
        created_by=user,
        note=file.note,
        stopped_at=file.stopped_at,
    )
    if file.played_on is not None:
        match.played_on = file.played_on
    return match


def _players(match: Match, table: Table) -> Sequence[Any]:
    """The club's players of the file's names; problems name them as the file does."""
    try:
        return seat_players(club=match.club, names=table.names)
    except GinError as error:
        raise Problems(
            type(one)(one.code, one.message, one.field.replace("names", "sides", 1))
            for one in error.problems
        ) from None


def _fill(match: Match, file: BookFile, user: User) -> None:
    """Store the rows and the log of a match that has just been seated, and what is derived."""
    terms = load_terms(match)
    log = list(file.amendments) or _entered(file)
    states = [{"fact": terms.write(row.hand), "void": row.void} for row in file.rows]
    first: dict[int, FileAmendment] = {}
    last: dict[int, FileAmendment] = {}
    for one in log:
        if one.row is not None:
            first.setdefault(one.row, one)
            last[one.row] = one
    said = bool(file.amendments)
    rows = Row.objects.bulk_create(
        Row(
            club_id=match.club_id,
            match=match,
            position=place + 1,
            fact=state["fact"],
            voided_at=last[place].at if state["void"] else None,
            entered_by=None if said else user,
            entered_at=first[place].at,
        )
        for place, state in enumerate(states)
    )
    Amendment.objects.bulk_create(
        Amendment(
            club_id=match.club_id,
            match=match,
            row=None if one.row is None else rows[one.row],
            version=one.act,
            action=one.action,
            before=one.description[0] if one.description else _stored(terms, one.before),
            after=one.description[1] if one.description else _stored(terms, one.after),
            who=None if said else user,
            who_said=one.who,
            at=one.at,
            why=one.why,
        )
        for one in log
    )
    match.version = max((one.act for one in log), default=0)
    match.save(update_fields=["version"])
    book = load_book(match)
    rewrite(match, book.sheet, book.amendments)


def _stored(terms: Terms, row: FileRow | None) -> dict[str, Any] | None:
    return {"fact": terms.write(row.hand), "void": row.void} if row else None


def _entered(file: BookFile) -> list[FileAmendment]:
    """The acts that enter a file written by hand: each row, then what is void is struck out."""
    now = timezone.now()
    log: list[FileAmendment] = []

    def act(action: Action, place: int, before: FileRow | None, after: FileRow) -> None:
        log.append(
            FileAmendment(
                act=len(log) + 1,
                action=action,
                row=place,
                before=before,
                after=after,
                who="",
                at=now,
            )
        )

    for place, row in enumerate(file.rows):
        act(Action.ENTER, place, None, row._replace(void=False))
    for place, row in enumerate(file.rows):
        if row.void:
            act(Action.VOID, place, row._replace(void=False), row)
    return log
