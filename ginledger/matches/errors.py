"""Why a write was not made; whatever is raised, nothing was stored.

What gin refuses comes as gin's own ``GinError`` (one or ``Problems``), with its field.
"""

from __future__ import annotations

from typing import NamedTuple

from ginledger.gin.errors import AgainstRules


class BookError(Exception):
    """The book is not in the state the write supposed. code: a stable word for programs."""

    code = "book"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code


class StaleMatch(BookError):
    """Somebody wrote in this match since the page was made; show it afresh and ask again."""

    code = "stale"

    def __init__(self) -> None:
        super().__init__("Someone else wrote in this match meanwhile. Look at it and try again.")


class WrongState(BookError):
    """The row or match is past that: already struck out, nothing to undo, stopped, not over."""


class LeftRow(NamedTuple):
    """A row that would stand after the end; number: its place among those that count."""

    key: str
    number: int


class LeftOver(AgainstRules):
    """The change ends the match earlier and rows are left over: settle them or leave it.

    rows: those rows in order. The same call with ``void_rest=True`` strikes them out too.
    """

    def __init__(
        self, code: str, message: str, field: str = "", rows: tuple[LeftRow, ...] = ()
    ) -> None:
        super().__init__(code, message, field)
        self.rows = rows
