"""What must follow when a match changes: apps above put their posters here at start-up.

A poster takes the match and its sheet and rewrites whole what it derives from them; nothing of it
may stand while ``match.counts`` is false (not over, or in the bin). It runs in
the transaction of the write, after the match's own figures are stored; if it raises, nothing of
the write stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ginledger.gin.sheet import Sheet

    from .models import Match

Poster: TypeAlias = "Callable[[Match, Sheet], None]"

_posters: list[Poster] = []


def register(poster: Poster) -> Poster:
    """Have the poster called on every write from now on; the same one is called once."""
    if poster not in _posters:
        _posters.append(poster)
    return poster


def unregister(poster: Poster) -> None:
    """Call it no more."""
    _posters.remove(poster)


def post(match: Match, sheet: Sheet) -> None:
    """Call every poster, in the order they were registered."""
    for poster in _posters:
        poster(match, sheet)
