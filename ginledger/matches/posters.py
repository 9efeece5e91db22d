"""What must follow when a match changes: apps above put their posters here at start-up.

A poster takes the match and its sheet and rewrites whole what it derives from them; nothing of it
may stand while ``match.counts`` is false (not over, or in the bin). It runs in
the transaction of the write, after the match's own figures are stored; if it raises, nothing of
the write stays.

What is derived from many matches (the sums of a day, say) follows once at the end of the act,
however many matches it wrote: a poster asks for it by ``follow``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ginledger.clubs.models import Club
    from ginledger.gin.sheet import Sheet

    from .models import Match

Poster: TypeAlias = "Callable[[Match, Sheet], None]"

# What is stored for a match otherwise than its sheet says, a sentence each; asked by the audit.
Check: TypeAlias = "Callable[[Match, Sheet], Iterable[str]]"

# The same for what a club has of all its matches together.
ClubCheck: TypeAlias = "Callable[[Club], Iterable[str]]"

# Works out anew all that is derived from many matches of a club.
Remaker: TypeAlias = "Callable[[Club], None]"

_posters: list[Poster] = []
_checks: list[Check] = []
_club_checks: list[ClubCheck] = []
_remakers: list[Remaker] = []
# What is to follow at the end of the act that runs, with what it is to follow of.
_waiting: ContextVar[dict[Callable[[Any], None], set[Any]] | None] = ContextVar(
    "_waiting", default=None
)


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


def register_club(remaker: Remaker, check: ClubCheck) -> None:
    """Have what is derived from many matches of a club made anew by the one, where rows were
    stored past the posters, and checked by the other; the same ones are asked once."""
    if remaker not in _remakers:
        _remakers.append(remaker)
        _club_checks.append(check)


def differences(match: Match, sheet: Sheet) -> Iterator[str]:
    """What every check of a match finds, in the order they were registered."""
    for check in _checks:
        yield from check(match, sheet)


def club_differences(club: Club) -> Iterator[str]:
    """What every check of a club finds, in the order they were registered."""
    for check in _club_checks:
        yield from check(club)


def post(match: Match, sheet: Sheet) -> None:
    """Call every poster, in the order they were registered."""
    with together():
        for poster in _posters:
            poster(match, sheet)


def remake(club: Club) -> None:
    """Work out anew all that is derived from many matches of a club; in a transaction."""
    for remaker in _remakers:
        remaker(club)


@contextmanager
def together(*, then_remade: bool = False) -> Iterator[None]:
    """An act that writes many matches: what they have in common follows once, at its end.

    Acts within an act are part of it. To be opened within the transaction; what waits is dropped
    where the act fails. then_remade: nothing follows, because the caller has all of the club
    remade afterwards.
    """
    if _waiting.get() is not None:
        yield
        return
    token = _waiting.set({})
    try:
        yield
        while (waiting := _waiting.get()) and not then_remade:
            what = next(iter(waiting))
            what(waiting.pop(what))
    finally:
        _waiting.reset(token)


def follow(what: Callable[[Collection[Any]], None], of: Hashable) -> None:
    """Have this called at the end of the act that runs, once, with all that was asked for.

    Called outside of any act, it follows at once.
    """
    waiting = _waiting.get()
    if waiting is None:
        what({of})
    else:
        waiting.setdefault(what, set()).add(of)
