"""What somebody typed when a session had ended: kept until he is logged in again, then shown.

It lies in the new session of the same browser, on the server, for an hour. Nothing of it is in
an address or in the browser's own store, so who is at that browser next reads it only where he
may open the page that it was typed on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse

V = TypeVar("V", bound=Callable[..., Any])

_KEY = "typed"
LIFETIME = 60 * 60  # seconds
LONGEST = 8_000  # characters


def keeps_typed(page: str) -> Callable[[V], V]:
    """Declare on which page (a name among the addresses) what is posted to a view was typed.

    The page's own arguments are those of the view.
    """

    def declare(view: V) -> V:
        view.typed_on = page  # type: ignore[attr-defined]
        return view

    return declare


def keep(request: HttpRequest) -> str | None:
    """Keep what was posted; the path of the page that will show it, None when none will."""
    asked = request.resolver_match
    page = getattr(asked.func, "typed_on", None) if asked else None
    if asked is None or page is None or request.method != "POST":
        return None
    path = reverse(page, args=asked.args, kwargs=asked.kwargs)
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    text = urlencode(fields)
    if len(text) <= LONGEST:
        request.session[_KEY] = {"path": path, "text": text, "at": int(time.time())}
    return path


def take(request: HttpRequest) -> QueryDict | None:
    """What was typed on the page of this request, once; None when there is nothing."""
    kept = request.session.get(_KEY)
    if kept is None or kept["path"] != request.path:
        return None
    del request.session[_KEY]
    return QueryDict(kept["text"]) if time.time() - kept["at"] < LIFETIME else None
