"""What every page shares: the choice between page and fragment, and refusals that htmx can show."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.csrf import csrf_failure as page_for_csrf_failure

from . import typed
from .clock import page_time

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def own_path(url: str) -> bool:
    """Whether an address is a path of this site: no host, no scheme, nothing a browser bends."""
    return url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)


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
    (``Vary``). Where htmx is refused, the browser loads the address it is at as a whole page, so
    that no other page lands inside a part of this one. Whoever has no session and does more than
    open an address had one a while ago: the whole page goes to the login, and what was typed
    waits on the page it was typed on.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            with page_time():
                response = view(request, *args, **kwargs)
        except (Http404, PermissionDenied) as refusal:
            if request.user.is_anonymous and (request.method == "POST" or wants_fragment(request)):
                response = _to_login(request)
            elif wants_fragment(request):
                response = load_afresh(403 if isinstance(refusal, PermissionDenied) else 404)
            else:
                raise
        patch_cache_control(response, private=True, no_store=True)
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response

    return guarded


def aside(view: View[P]) -> View[P]:
    """Declare that pages ask this by themselves while somebody types.

    Where the session has ended the page is told so, with the event ``session-ended`` and the
    address of the login, and is left as it is.
    """
    view.aside = True  # type: ignore[attr-defined]
    return view


def _is_aside(request: HttpRequest) -> bool:
    asked = request.resolver_match
    return asked is not None and hasattr(asked.func, "aside")


def login_address(after: str) -> str:
    """The address of the login that goes on to a path of ours afterwards."""
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': after})}"


def _to_login(request: HttpRequest) -> HttpResponse:
    """The whole page goes to the login and from there back to where one was."""
    if wants_fragment(request) and _is_aside(request):
        ended = {"session-ended": {"login": login_address(_page_at(request))}}
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(ended)})
    address = login_address(typed.keep(request) or _page_at(request))
    if wants_fragment(request):
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def _page_at(request: HttpRequest) -> str:
    """The path of the page that asked, as the browser says; the first page when it says nothing."""
    address = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}):
        return resolve_url("start")
    path = urlsplit(address).path
    return path if own_path(path) else "/"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Why a form was not taken: its token or cookie is gone. Nothing was stored.

    A script of another site cannot send htmx's header, so what came with it was typed on a page
    of ours, before a login in another tab say: it waits on that page, to be sent once more.
    """
    if wants_fragment(request):
        typed.keep(request)
        return load_afresh(403)
    return page_for_csrf_failure(request, reason=reason)


def load_afresh(status: int) -> HttpResponse:
    """A refusal after which the browser loads the address it is at as a whole page."""
    return HttpResponse(status=status, headers={"HX-Refresh": "true"})
