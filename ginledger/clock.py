"""The time a page tells: that of the club it is about, in UTC where it is about none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

_on_a_page: ContextVar[bool] = ContextVar("on_a_page", default=False)


@contextmanager
def page_time() -> Iterator[None]:
    """While a page is made, ``tell_time_of`` holds; afterwards nothing of it is left."""
    token = _on_a_page.set(True)
    try:
        with timezone.override(None):
            yield
    finally:
        _on_a_page.reset(token)


def tell_time_of(zone: str) -> None:
    """From here on the page tells the time of this zone (an IANA name); elsewhere no effect."""
    if _on_a_page.get():
        timezone.activate(ZoneInfo(zone))


def known_zone(name: str) -> bool:
    """Whether this is the name of a time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
