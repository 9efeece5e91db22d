"""Tables as files: their formats, names and answers."""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Iterator
from datetime import date

from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from ginledger.clubs.models import Club
from ginledger.csv_files import csv_chunks
from ginledger.snapshot import as_of_now, snapshot

from .backup import backup_text
from .export_json import json_chunks
from .export_rows import Scope, Topic
from .export_xlsx import write_workbook

# What a spreadsheet splits lines at depends on its language.
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
# Bytes of one part of a file name, and of all of them.
PART_LONGEST, ALL_LONGEST = 40, 160
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def safe_name(*parts: str | date | None) -> str:
    """A file name without ending that any system takes: letters, figures and hyphens.

    However many names there are and in whatever script, it stays below the 255 bytes of a file
    system.
    """
    words = [str(part) for part in parts if part]
    most = min(PART_LONGEST, ALL_LONGEST // max(len(words), 1))
    return "-".join(["ginledger", *(_safe(word, most) for word in words)])


def _safe(word: str, most: int) -> str:
    clean = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", word)).strip("-")
    return clean.encode()[:most].decode(errors="ignore").strip("-") or "x"


def table_name(scope: Scope, topic: str) -> str:
    """The name of a file of this topic: of the club or the match, with the days asked for."""
    if scope.match is None:
        days = (scope.name,) if scope.name else (scope.since, scope.until)
        return safe_name(scope.club.name, topic, *days)
    names = [seat.player.name for seat in scope.match.seats.select_related("player")]
    return safe_name(*names, scope.match.played_on, topic)


def csv_download(scope: Scope, topic: Topic, delimiter: str) -> StreamingHttpResponse:
    """The table as a download that is sent while it is read."""
    pieces = as_of_now(csv_chunks(topic.head, topic.rows(scope), delimiter))
    answer = StreamingHttpResponse(
        (piece.encode() for piece in pieces), content_type="text/csv; charset=utf-8"
    )
    as_download(answer, f"{table_name(scope, topic.name)}.csv")
    return answer


def xlsx_download(scope: Scope) -> FileResponse:
    """Every table in one workbook as a download, by way of a file on the disk."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the answer closes it)
    try:
        with snapshot():
            write_workbook(scope, file)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = FileResponse(file, content_type=XLSX)
    answer.headers["Content-Length"] = str(size)
    as_download(answer, f"{table_name(scope, 'book')}.xlsx")
    return answer


def json_download(scope: Scope) -> StreamingHttpResponse:
    """Every table in one JSON document as a download that is sent while it is read."""
    return _sent_json(json_chunks(scope), table_name(scope, "tables"))


def backup_download(club: Club) -> StreamingHttpResponse:
    """The whole club as one JSON document."""
    return _sent_json(backup_text(club), safe_name(club.name, "backup", club.today()))


def _sent_json(pieces: Iterator[str], name: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(
        (piece.encode() for piece in as_of_now(pieces)),
        content_type="application/json; charset=utf-8",
    )
    as_download(answer, f"{name}.json")
    return answer


def as_download(answer: HttpResponseBase, name: str) -> None:
    """Have the browser keep the answer as a file of this name."""
    disposition = content_disposition_header(True, name)
    assert disposition is not None
    answer.headers["Content-Disposition"] = disposition
