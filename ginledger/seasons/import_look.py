"""What chosen files would become: their kind, matches, faults, new names and duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ginledger.clubs.models import Club
from ginledger.gin.errors import Unreadable

from . import import_hands, import_results
from .import_files import is_match_file, read_files
from .import_found import FoundMatch, Rules, Shelf, Understood
from .import_hands import HandTable
from .import_known import People, mark_known
from .import_results import ResultTable
from .import_rows import TableRow, headings, names_of
from .import_text import DAY_FORMATS, Record, infer_format, read_records, read_text
from .import_uploads import Upload

# They are stored in one transaction, for which other writers wait.
MOST_MATCHES = 500


def understand(
    club: Club,
    uploads: Sequence[Upload],
    rules: str = "",
    form_name: str = "",
    *,
    stand_in: bool = False,
) -> Understood:
    """What the files would become: one table, or match files.

    rules: the slug or key of the rule set that hands are read by; form_name: how days are written
    ("" finds out); stand_in: these rules read the hands, too, that name rules which are none here.
    Raises Unreadable where they are neither.
    """
    are_files = [is_match_file(upload) for upload in uploads]
    if all(are_files):
        return _finish(club, People(club), *_of_files(club, uploads))
    if any(are_files) or len(uploads) > 1:
        text = "Choose one table, or one or several match files."
        raise Unreadable("files-mixed", text, "file")
    text = read_text(uploads[0].data)
    return understand_table(club, text, rules, form_name, stand_in=stand_in)


def _of_files(club: Club, uploads: Sequence[Upload]) -> tuple[Sequence[FoundMatch], Understood]:
    matches, faults = read_files(club, uploads)
    return matches, Understood("files", (), tuple(faults), ())


def understand_table(
    club: Club, text: str, rules: str = "", form_name: str = "", *, stand_in: bool = False
) -> Understood:
    """What the text of a table would become; raises Unreadable."""
    head, *records = read_records(text)
    kind = _kind(head)
    wanted = import_hands.COLUMNS if kind == "hands" else import_results.COLUMNS
    places, ignored = headings(head, wanted)
    if not records:
        raise Unreadable("rows-missing", "There is no line below the headings.", "file")
    people = People(club)
    rows = [TableRow(record, places, people.names) for record in records]
    form, unclear = infer_format([row["day"] for row in rows])
    if form_name:
        form, unclear = DAY_FORMATS[form_name], ()
    shelf = Shelf(club, rules)
    table = HandTable(shelf, form, stand_in=stand_in) if kind == "hands" else ResultTable(form)
    for row in rows:
        table.add(row)
    matches = table.matches()
    looked = Understood(
        kind, (), tuple(table.faults), (), form, unclear, ignored, table.left_out,
        tuple(table.unknown_rules), _read_by(shelf, matches) if kind == "hands" else None,
    )  # fmt: skip
    return _finish(club, people, matches, looked)


def _read_by(shelf: Shelf, matches: Sequence[FoundMatch]) -> Rules:
    """The rule set chosen, or where nobody sits so the one that takes its place."""
    plays = {one.rules.play for one in matches}
    if not plays or shelf.chosen.rules.play in plays:
        return shelf.chosen
    return shelf.fitting(min(plays))


def _kind(head: Record) -> str:
    """Hands or results, by the headings; raises Unreadable naming those that are missing."""
    names = set(names_of(head))
    who = {"day"} if "sides" in names else {"day", "player_1", "player_2"}
    if {"points", "knocker_deadwood"} & names:
        needed = who | ({"winner", "points"} if "knocker" not in names else set())
        kind = "hands"
    elif {"total_1", "margin_1", "margin"} & names:
        needed = who | ({"winner"} if {"total_1", "margin_1"}.isdisjoint(names) else set())
        kind = "results"
    else:
        needed, kind = who | {"winner", "points"}, "hands"
    missing = [name for name in import_hands.COLUMNS if name in needed - names]
    if missing:
        text = f"These headings are missing: {', '.join(missing)}."
        raise Unreadable("columns-missing", text, "file")
    return kind


def _finish(
    club: Club, people: People, matches: Sequence[FoundMatch], looked: Understood
) -> Understood:
    faults = list(looked.faults)
    for match in matches:
        if not match.wrong and (found := people.verify(match)):
            match.wrong = True
            faults += found
    mark_known(club, people, matches)
    good = [one for one in matches if one.good]
    if len(good) > MOST_MATCHES:
        text = f"Up to {MOST_MATCHES} new matches come in at once; these are {len(good)}: split it."
        raise Unreadable("matches-many", text, "file")
    return replace(
        looked,
        matches=tuple(matches),
        faults=tuple(sorted(faults)),
        new_names=people.new_names(good),
    )
