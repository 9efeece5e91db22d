"""Who may use an address: every view says it, and tests/web/test_access_walk.py holds it to it.

The word is a declaration; what enforces it is the helper that finds the object for the user
(``find_match`` and its like), which answers 404 to a stranger and 403 to a viewer who writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from django.urls import URLPattern

Level: TypeAlias = Literal[
    "public", "user", "account", "viewer", "player", "scorer", "owner", "token"
]
V = TypeVar("V", bound=Callable[..., Any])


class Access(NamedTuple):
    """Who may read an address and who may write there.

    public: anybody. user: anybody logged in, a guest too. account: whoever signed up. viewer,
    scorer, owner: members of the club that the address names, with this role or a higher one.
    player: a member who plays in the match, or is the player. token: whoever knows the secret in
    the address.
    """

    read: Level
    write: Level


def access(read: Level, *, write: Level | None = None) -> Callable[[V], V]:
    """Declare who may use a view. write: who may post, when others may than may read."""

    def declare(view: V) -> V:
        view.access = Access(read, write or read)  # type: ignore[attr-defined]
        return view

    return declare


def declared(pattern: URLPattern) -> Access | None:
    """What the view of this address declares."""
    found = getattr(pattern.callback, "access", None)
    return found if isinstance(found, Access) else None
