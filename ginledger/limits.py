"""How large a request may be, before anything of it is read."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# A match file has up to 5 MB; the rest is for the form around it.
MOST_BYTES = 6_000_000


class LimitBody:
    """Refuse a request whose body is larger than anything here needs: 413."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > MOST_BYTES:
            return render(request, "413.html", status=413)
        return self.get_response(request)
