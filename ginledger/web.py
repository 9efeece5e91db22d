"""What every page shares: the choice between page and fragment, and refusals that htmx can show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.csrf import csrf_failure as page_for_csrf_failure

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; a history restore asks for all of it."""
    asked = request.headers.get("HX-Request") == "true"
    return asked and request.headers.get("HX-History-Restore-Request") != "true"


def answer(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """The fragment for htmx and the whole page for everybody else, from the same context."""
    template = fragment if wants_fragment(request) else page
    return render(request, template, dict(context), status=status)


def private(view: View[P]) -> View[P]:
    """Mark a view's answers as this browser's own, and make a refusal whole for htmx.

    Nothing private stays in a cache (``no-store``), and page and fragment are told apart
    (``Vary``). Where htmx is refused, by a session that ended say, the browser loads the address
    it is at as a whole page, so that no other page lands inside a part of this one.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except (Http404, PermissionDenied) as refusal:
            if not wants_fragment(request):
                raise
            response = _load_afresh(403 if isinstance(refusal, PermissionDenied) else 404)
        patch_cache_control(response, private=True, no_store=True)
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response

    return guarded


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Why a form was not taken: its token or cookie is gone. Nothing was stored."""
    if wants_fragment(request):
        return _load_afresh(403)
    return page_for_csrf_failure(request, reason=reason)


def _load_afresh(status: int) -> HttpResponse:
    return HttpResponse(status=status, headers={"HX-Refresh": "true"})
