"""What apps above show on a finished match: they put their panels here at start-up.

A panel is shown on the pad and on the sheet below the result. ``state`` tells its state in a
word from at most one query, so that a pad that asks whether anything changed hears of it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from django.http import HttpRequest

    from .book import Book


class Panel(NamedTuple):
    """render: the markup for the person who asks; state: of the match with this id."""

    render: Callable[[HttpRequest, Book], SafeString]
    state: Callable[[int], str]


_panels: list[Panel] = []


def register(panel: Panel) -> Panel:
    """Show the panel on every finished match from now on; the same one is shown once."""
    if panel not in _panels:
        _panels.append(panel)
    return panel


def unregister(panel: Panel) -> None:
    """Show it no more."""
    _panels.remove(panel)


def render(request: HttpRequest, book: Book) -> SafeString:
    """Every panel of a finished match, in the order they were registered; else nothing."""
    if not book.match.counts:
        return SafeString()
    return format_html_join("", "{}", ((panel.render(request, book),) for panel in _panels))


def states(match_id: int, over: bool) -> list[str]:
    """The state of every panel of a finished match; nothing while it is played."""
    return [panel.state(match_id) for panel in _panels] if over else []
