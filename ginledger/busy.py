"""What is said while somebody else's long write (an import, a restore) holds the database."""

from __future__ import annotations

from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# Seconds after which it is worth while to try again.
AFTER = 10


class SayBusy:
    """Answer 503 where the one writer of the database could not be waited for any longer.

    Nothing was stored then; a page that htmx asked from stays as it is, with what was typed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for a lock that was waited for in vain; None for any other error."""
        if not isinstance(error, OperationalError) or "locked" not in str(error):
            return None
        answer = render(request, "503.html", status=503)
        answer.headers["Retry-After"] = str(AFTER)
        return answer
