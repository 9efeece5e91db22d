"""The lines of a table by its headings: cells as days, people and numbers, or as faults."""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import date
from itertools import chain

from ginledger.clubs.names import clean_name, fold
from ginledger.csv_files import unguarded
from ginledger.gin.errors import AgainstRules
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import Table
from ginledger.matches.life import day_problems

from .import_found import Fault
from .import_text import DayFormat, Record, read_day

PLAYERS = ("player_1", "player_2", "player_3", "player_4")
# Other words for a heading; those of our own exports are among them.
ALSO = {
    "date": "day",
    "side": "winner",
    "row": "round",
    **{f"player{number}": f"player_{number}" for number in range(1, 5)},
    **{f"side_{number}": f"player_{number}" for number in range(1, 4)},
}
MOST_FIGURES = 6
_SIDES, _PARTNERS = " – ", " & "
# A name as it is written, and its heading.
_Placed = tuple[str, str]


def headings(head: Record, wanted: Container[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Where each heading stands that is wanted, and the others as they are written."""
    places: dict[str, int] = {}
    ignored = []
    for place, name in enumerate(names_of(head)):
        if name in wanted and name not in places:
            places[name] = place
        elif head.cells[place].strip():
            ignored.append(head.cells[place].strip())
    return places, tuple(ignored)


def names_of(head: Record) -> list[str]:
    """The headings of a table as they are known here."""
    texts = ["_".join(text.casefold().split()) for text in head.cells]
    return [ALSO.get(text, text) for text in texts]


class TableRow:
    """One line of a table; what is wrong in it is added to ``faults``.

    known: the folded names of the club's players, who may be called "Tom & Jerry".
    """

    def __init__(self, record: Record, places: dict[str, int], known: Container[str]) -> None:
        self.line = record.line
        self.known = known
        self.faults: list[Fault] = []
        self.cells = {
            name: unguarded(record.cells[place].strip())
            for name, place in places.items()
            if place < len(record.cells)
        }

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def fail(self, column: str, text: str) -> None:
        self.faults.append(Fault(self.line, column, text))

    def word(self, column: str) -> str:
        """A word of ours: "Big gin" is big_gin."""
        return "_".join(self[column].casefold().split())

    def day(self, form: DayFormat) -> date | None:
        """The day of the line in this format."""
        day = read_day(self["day"], form)
        if day is None:
            self.fail("day", f"{self['day']!r} is no day written {form.label}.")
        else:
            for problem in day_problems(day):
                self.fail("day", problem.message)
        return day

    def note(self) -> str:
        """The note of the line."""
        if len(self["note"]) > MOST_NOTE:
            self.fail("note", f"A note has up to {MOST_NOTE} characters.")
        return self["note"]

    def number(self, column: str, *, signed: bool = False) -> int | None:
        """A whole number; with ``signed`` it may be less than nothing."""
        text = self[column].replace("\N{MINUS SIGN}", "-")
        sign = "[+-]?" if signed else ""
        if re.fullmatch(rf"{sign}[0-9]{{1,{MOST_FIGURES}}}", text):
            return int(text)
        self.fail(column, f"{self[column]!r} is no number of points.")
        return None

    def seat(self, column: str, table: Table) -> int | None:
        """The seat of the person, or the first one of the side, that a cell names."""
        text = fold(self[column])
        names = [fold(name) for name in table.names]
        if text in names:
            return names.index(text)
        for side in range(len(table.sides)):
            if text == fold(table.side_name(side)):
                return table.seats(side)[0]
        self.fail(column, f"{self[column]!r} does not play in this match.")
        return None

    def table(self) -> Table:
        """Who plays: two, three, or the first two of four against the others."""
        sides = self._sides()
        if len(sides) not in (2, 3):
            self.fail("sides", f"{self['sides']!r} is not two or three sides, as in Ann – Ben.")
        table = Table(tuple(tuple(self._name(*one) for one in side) for side in sides))
        seen: set[str] = set()
        for name, (_, column) in zip(table.names, chain(*sides), strict=True):
            if name and fold(name) in seen:
                self.fail(column, f"{name} stands twice among those who play.")
            seen.add(fold(name))
        return table

    def _sides(self) -> list[list[_Placed]]:
        """The people of each side as they are written, each with the heading he stands under."""
        found = [(self[column], column) for column in PLAYERS]
        while len(found) > 2 and not found[-1][0]:
            found.pop()
        if self["sides"] and not any(text for text, _ in found):
            found = [(text, "sides") for text in self["sides"].split(_SIDES)]
        elif len(found) == 4:
            return [found[:2], found[2:]]
        apart = [self._people(*one) for one in found]
        together = len(found) == 2 and len(apart[0]) == len(apart[1])
        return apart if together else [[one] for one in found]

    def _people(self, text: str, column: str) -> list[_Placed]:
        """ "Ann & Cleo" are two people, unless the club has one who is called so."""
        texts = [text] if fold(text) in self.known else text.split(_PARTNERS)
        return [(one, column) for one in texts]

    def _name(self, text: str, column: str) -> str:
        try:
            return clean_name(text)
        except AgainstRules as error:
            self.fail(column, error.message)
            return text
