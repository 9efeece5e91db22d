"""Match files as matches: one or many at a time, each with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from ginledger.clubs.models import Club
from ginledger.clubs.names import clean_names
from ginledger.gin.bookfile import BookFile
from ginledger.gin.errors import GinError, Unreadable, raise_all
from ginledger.gin.sheet import score
from ginledger.gin.text import problem_line
from ginledger.matches.files import moment_problems, read_file, rules_name_of

from .backup_shape import FORMAT as BACKUP
from .import_found import Fault, FoundMatch
from .import_uploads import Upload


def is_match_file(upload: Upload) -> bool:
    """Whether a file is no table: by its name, or because it begins like JSON."""
    return upload.name.casefold().endswith(".json") or upload.data.lstrip()[:1] == b"{"


def read_files(club: Club, uploads: Sequence[Upload]) -> tuple[list[FoundMatch], list[Fault]]:
    """The matches of files; of one that is wrong, its faults.

    Raises Unreadable for a club's backup, which comes in elsewhere.
    """
    matches: list[FoundMatch] = []
    faults: list[Fault] = []
    for upload in uploads:
        if BACKUP.encode() in upload.data[:200]:
            text = f"{upload.name} is the backup of a club: it is restored on a page of its own."
            raise Unreadable("file-backup", text, "file")
        try:
            matches.append(_match(club, upload.name, _read(upload.data)))
        except GinError as error:
            faults += [Fault(0, "", problem_line(one), upload.name) for one in error.problems]
    return matches, faults


def _read(data: bytes) -> BookFile:
    book = read_file(data)
    raise_all(moment_problems(book))
    clean_names(book.match.table.names, "sides")
    return book


def _match(club: Club, name: str, book: BookFile) -> FoundMatch:
    hands = [row.hand for row in book.rows if not row.void]
    return FoundMatch(
        book.played_on or club.today(),
        book.match.table,
        book.match.rules,
        rules_name_of(book),
        file=name,
        book=book,
        hands=hands,
        sheet=score(book.match),
    )
