"""Half-entered spreads, kept in the session of who enters them and nowhere else.

A draft belongs to one hand in one state: the next hand of a match, by its number, or a row, by
how often it was changed. It is dropped when the hand is stored, and no page or answer of anybody
else is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

_KEY = "cards"
MOST_DRAFTS = 6
FIELDS = (
    "first",
    "second",
    "who",
    "active",
    "mode_now",
    "start",
    "m",
    "upcard",
    "said_0",
    "said_1",
    "said_how",
    "stands",
    "note",
    "why",
)
LONGEST = 2_000


def load(request: HttpRequest, key: str, state: int) -> dict[str, str] | None:
    """The fields of the draft for this hand; key: of the match or row."""
    draft = request.session.get(_KEY, {}).get(key)
    return draft["fields"] if draft and draft["state"] == state else None


def keep(request: HttpRequest, key: str, state: int, data: Mapping[str, Any]) -> None:
    """Keep the fields as they came; the oldest draft makes room."""
    fields = {name: str(data.get(name, ""))[:LONGEST] for name in FIELDS if data.get(name)}
    drafts = {one: kept for one, kept in request.session.get(_KEY, {}).items() if one != key}
    drafts[key] = {"state": state, "fields": fields}
    request.session[_KEY] = dict(list(drafts.items())[-MOST_DRAFTS:])


def drop(request: HttpRequest, key: str) -> None:
    """The hand is stored: forget its draft."""
    drafts = request.session.get(_KEY, {})
    if key in drafts:
        request.session[_KEY] = {one: kept for one, kept in drafts.items() if one != key}
