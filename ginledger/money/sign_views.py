"""Agreeing to a result or disputing it: on the pad and the sheet, or by a side's own link."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST

from ginledger.access import access
from ginledger.clock import tell_time_of
from ginledger.gin.errors import GinError
from ginledger.matches.book import Book, load_book
from ginledger.matches.errors import BookError, StaleMatch
from ginledger.matches.live_pages import live_match
from ginledger.matches.live_views import unlisted
from ginledger.matches.models import Match
from ginledger.matches.querysets import find_match
from ginledger.qr import qr_code
from ginledger.web import private, wants_fragment

from . import signing
from .sign_pages import sign_page

CHANGED = "The result changed meanwhile, and nothing was signed. Look at it and say it again."


def panel(request: HttpRequest, book: Book) -> SafeString:
    """The panel of a finished match, for ``matches.panels``."""
    return _panel(request, book)


def _panel(request: HttpRequest, book: Book, trouble: str = "") -> SafeString:
    context = {"sign": sign_page(book, request.user), "trouble": trouble}
    return render_to_string("money/_sign.html", context, request)


@access("player")
@private
@require_POST
def sign(request: HttpRequest, key: str, seat: int) -> HttpResponse:
    """Sign for a side with the account of one of its players."""
    trouble, status = "", 200
    try:
        signing.sign(user=request.user, match_key=key, seat=seat, **_posted(request))
    except (GinError, BookError) as error:
        trouble, status = _trouble(error), 409 if isinstance(error, BookError) else 422
    if not wants_fragment(request) and not trouble:
        return HttpResponseRedirect(f"{reverse('sheet', args=[key])}#sign")
    book = load_book(find_match(request.user, key))
    if not wants_fragment(request):
        context = {"match": book.match, "panel": _panel(request, book, trouble)}
        return render(request, "money/sign_refused.html", context, status=status)
    return HttpResponse(_panel(request, book, trouble), status=status)


def _posted(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in ("verdict", "seen", "note")}


def _trouble(error: GinError | BookError) -> str:
    return CHANGED if isinstance(error, StaleMatch) else error.message


@access("token")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The result, for who has the link of a side, and his word on it."""
    try:
        link = signing.find_link(token)
    except Http404:
        return unlisted(render(request, "live/ended.html", status=404))
    tell_time_of(link.match.club.time_zone)
    trouble, status = "", 200
    if request.method == "POST":
        try:
            signing.sign_by_link(token=token, **_posted(request))
            return unlisted(HttpResponseRedirect(request.path))
        except (GinError, BookError) as error:
            trouble, status = _trouble(error), 409 if isinstance(error, BookError) else 422
    book = load_book(link.match)
    context = {
        "page": live_match(book, ""),
        "sign": sign_page(book, None, link.seat) if book.match.counts else None,
        "url": request.path,
        "trouble": trouble,
    }
    return unlisted(render(request, "money/by_link.html", context, status=status))


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def side_link(request: HttpRequest, key: str, seat: int) -> HttpResponse:
    """The link by which a side signs, with its QR code; a post makes it."""
    match = find_match(request.user, key, write=True)
    if request.method == "POST":
        signing.open_link(user=request.user, match_key=key, seat=seat)
        return HttpResponseRedirect(request.path)
    return _side_link(request, match, seat)


@access("scorer")
@private
@require_POST
def side_link_end(request: HttpRequest, key: str, seat: int) -> HttpResponse:
    """Take a side's link back."""
    signing.close_link(user=request.user, match_key=key, seat=seat)
    return HttpResponseRedirect(reverse("sign_link", args=[key, seat]))


def _side_link(request: HttpRequest, match: Match, seat: int) -> HttpResponse:
    sides = signing.sides_of(match.seats.select_related("player").order_by("side", "number"))
    side = next((one for one in sides if one.seat == seat), None)
    if side is None:
        raise Http404("No such side.")
    link = signing.side_links(match).get(seat)
    context: dict[str, object] = {"match": match, "side": side, "link": link}
    if link is not None:
        address = request.build_absolute_uri(reverse("sign_by_link", args=[link.token]))
        context |= {"address": address, "qr": qr_code(address, f"QR code for {side.name} to sign")}
    return render(request, "money/side_link.html", context)
