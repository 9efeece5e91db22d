"""The history of a match as values for its page: every act, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils import dateformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS

from .book import Book, Change
from .models import Action, Amendment
from .pages import before_after
from .wording import named

ACTS_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """What an act did to one row (url: "" for the match itself), in sentences."""

    label: str
    url: str
    lines: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class ActLine:
    """One act: what, who and when, why, and the rows it changed.

    stands: false when it was taken back; from_file: told by the file that the match was read from.
    """

    what: str
    who: str
    at: datetime
    why: str
    stands: bool
    from_file: bool
    rows: tuple[ChangedRow, ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history of a match."""

    key: str
    names: tuple[str, ...]
    may_write: bool
    count: int
    acts: tuple[ActLine, ...]
    pages: Page[int]

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def history_page(book: Book, number: str) -> HistoryPage:
    """A page of the acts; number: as asked for, the nearest one there is."""
    versions = list(dict.fromkeys(amendment.version for amendment in reversed(book.amendments)))
    pages = Paginator(versions, ACTS_A_PAGE).get_page(number)
    shown = set(pages.object_list)
    acts: dict[int, list[Change]] = {}
    for change in book.changes_of(shown):
        acts.setdefault(change.amendment.version, []).append(change)
    labels = _labels(book)
    return HistoryPage(
        key=book.match.key,
        names=tuple(book.table.side_name(side) for side in range(len(book.table.sides))),
        may_write=book.match.role in WRITERS,
        count=len(versions),
        acts=tuple(_act(book, acts[version], labels) for version in pages.object_list),
        pages=pages,
    )


def _labels(book: Book) -> dict[int, tuple[str, str]]:
    """What each row is called now, and its address."""
    return {
        line.row.pk: (
            f"Hand {line.scored.number}" if line.scored else "A void row",
            reverse("row", args=[book.match.key, line.row.key]),
        )
        for line in book.lines
    }


def _act(book: Book, changes: Sequence[Change], labels: dict[int, tuple[str, str]]) -> ActLine:
    first = changes[0].amendment
    return ActLine(
        what=str(first.get_action_display()).capitalize(),
        who=first.by,
        at=first.at,
        why=first.why,
        stands=changes[0].stands,
        from_file=first.who is None and bool(first.who_said),
        rows=tuple(_row(book, change, labels) for change in changes),
    )


def _row(book: Book, change: Change, labels: dict[int, tuple[str, str]]) -> ChangedRow:
    amendment = change.amendment
    if amendment.row_id is None:
        return ChangedRow("", "", _match_lines(amendment))
    label, url = labels[amendment.row_id]
    return ChangedRow(label, url, before_after(book, change))


def _match_lines(amendment: Amendment) -> tuple[SafeString, ...]:
    before, after = amendment.before, amendment.after
    if amendment.action != Action.DESCRIBE or not before or not after:
        return ()
    lines = []
    if before["played_on"] != after["played_on"]:
        days = [
            dateformat.format(date.fromisoformat(one["played_on"]), "j F Y")
            for one in (before, after)
        ]
        lines.append(format_html("Played on {}, not {}.", days[1], days[0]))
    if before["note"] != after["note"]:
        lines.append(
            format_html("Note: {}", named(after["note"]))
            if after["note"]
            else SafeString("No note any more.")
        )
        if before["note"]:
            lines.append(format_html("Before: {}", named(before["note"])))
    return tuple(lines)
