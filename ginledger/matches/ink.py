"""Undo and redo, told by the log of a match alone.

The log is only ever added to. An act is the group of amendments that made one version of the
match. An undo takes back the latest act that stands; a redo makes the latest one taken back stand
again; any new act ends what could be redone. Nothing about this is stored: it is read from the
log each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .models import Action, Amendment

# Acts on the match as a whole (stopped, sides swapped) are not hands: undo passes them by.
ROW_ACTS = frozenset({Action.ENTER, Action.INSERT, Action.AMEND, Action.VOID, Action.RESTORE})
# Acts that change nothing of the game: a match is not "last played" by them.
SHELF_ACTS = frozenset(
    {Action.DESCRIBE, Action.ARCHIVE, Action.UNARCHIVE, Action.DELETE, Action.UNDELETE}
)


class Acts(NamedTuple):
    """Versions of the acts that stand, oldest first, and of those to redo, the next one last."""

    standing: tuple[int, ...]
    undone: tuple[int, ...]

    @property
    def last(self) -> int | None:
        """The act that an undo would take back."""
        return self.standing[-1] if self.standing else None

    @property
    def next(self) -> int | None:
        """The act that a redo would make stand again."""
        return self.undone[-1] if self.undone else None


def acts(log: Iterable[Amendment]) -> Acts:
    """Replay a match's log, in its recorded order."""
    standing: list[int] = []
    undone: list[int] = []
    latest = None
    for amendment in log:
        if amendment.version == latest:
            continue
        latest = amendment.version
        if amendment.action == Action.UNDO:
            undone.append(standing.pop())
        elif amendment.action == Action.REDO:
            standing.append(undone.pop())
        elif amendment.action in ROW_ACTS:
            standing.append(amendment.version)
            undone.clear()
    return Acts(tuple(standing), tuple(undone))
