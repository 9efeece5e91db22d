"""What must follow when a match changes: apps above put their posters here at start-up.

A poster takes the match and its sheet and rewrites whole what it derives from them; nothing of it
may stand while ``match.counts`` is false (not over, or in the bin). It runs in
the transaction of the write, after the match's own figures are stored; if it raises, nothing of
the write stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ginledger.gin.sheet import Sheet

    from .models import Match

Poster: TypeAlias = "Callable[[Match, Sheet], None]"

# What is stored for a match otherwise than its sheet says, a sentence each; asked by the audit.
Check: TypeAlias = "Callable[[Match, Sheet], Iterable[str]]"

_posters: list[Poster] = []
_checks: list[Check] = []


def register(poster: Poster) -> Poster:
    """Have the poster called on every write from now on; the same one is called once."""
    if poster not in _posters:
        _posters.append(poster)
    return poster


def unregister(poster: Poster) -> None:
    """Call it no more."""
    _posters.remove(poster)


def register_check(check: Check) -> Check:
    """Have ``manage.py audit`` ask this of every match, too; the same one is asked once."""
    if check not in _checks:
        _checks.append(check)
    return check


def differences(match: Match, sheet: Sheet) -> Iterator[str]:
    """What every check finds, in the order they were registered."""
    for check in _checks:
        yield from check(match, sheet)


def post(match: Match, sheet: Sheet) -> None:
    """Call every poster, in the order they were registered."""
    for poster in _posters:
        poster(match, sheet)
