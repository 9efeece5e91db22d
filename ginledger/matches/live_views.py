"""The live view, which anybody with its link may read, and the panel that hands the link out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Role
from ginledger.logs import SECRET_PATHS
from ginledger.qr import qr_code
from ginledger.web import answer, load_afresh, private, wants_fragment

from . import live
from .book import load_book
from .live_pages import LiveClub, live_card, live_match
from .models import LiveLink, Match
from .polling import tag_of, tagged, unchanged
from .querysets import find_match

# Names by which nobody but this machine reaches this machine.
ONLY_HERE = ("localhost", "127.0.0.1", "[::1]")


@access("token")
@private
@require_GET
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """The match or the club's matches as they stand; nothing else of either."""
    try:
        watched = live.watch(token)
    except Http404:
        if wants_fragment(request):  # the page that asked loads itself again and comes here
            return unlisted(load_afresh(404))
        return unlisted(render(request, "live/ended.html", status=404))
    if watched.match_id is None:
        return unlisted(_watch_club(request, watched))
    if same := unchanged(request, watched.tag):
        return unlisted(same)
    page = live_match(load_book(Match.objects.get(pk=watched.match_id)), watched.tag)
    response = answer(request, "live/match.html", "live/_match.html", {"page": page})
    return unlisted(tagged(response, watched.tag))


def _watch_club(request: HttpRequest, watched: live.Watched) -> HttpResponse:
    matches = live.running(watched.club_id)
    tag = tag_of(watched.club_name, [list(asdict(match).values()) for match in matches])
    if same := unchanged(request, tag):
        return same
    page = LiveClub(tag, watched.club_name, tuple(live_card(match) for match in matches))
    return tagged(answer(request, "live/club.html", "live/_club.html", {"page": page}), tag)


def unlisted(response: HttpResponse) -> HttpResponse:
    """Keep a page whose address is a secret out of every index."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


def _panel(
    request: HttpRequest, link: LiveLink | None, url: str, end_url: str, **context: Any
) -> HttpResponse:
    context |= {"link": link, "url": url, "end_url": end_url}
    if link is not None:
        address = request.build_absolute_uri(reverse("live", args=[link.token]))
        context["address"] = address
        context["qr"] = qr_code(address, "QR code of the live view")
        context["only_here"] = split_domain_port(request.get_host())[0] in ONLY_HERE
    return answer(request, "live/show.html", "live/_show.html", context)


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, key: str) -> HttpResponse:
    """The link of a match with its QR code; a post makes it."""
    match = find_match(request.user, key, write=True)
    if request.method != "POST":
        return _match_panel(request, match, live.match_link(match))
    link = live.open_match_link(user=request.user, match_key=key)
    if not wants_fragment(request):
        return HttpResponseRedirect(request.path)
    return _match_panel(request, match, link)


@access("scorer")
@private
@require_POST
def show_end(request: HttpRequest, key: str) -> HttpResponse:
    """Take the link of a match back."""
    live.close_match_link(user=request.user, match_key=key)
    if not wants_fragment(request):
        return HttpResponseRedirect(reverse("live_show", args=[key]))
    return _match_panel(request, find_match(request.user, key, write=True), None)


def _match_panel(request: HttpRequest, match: Match, link: LiveLink | None) -> HttpResponse:
    return _panel(
        request,
        link,
        reverse("live_show", args=[match.key]),
        reverse("live_end", args=[match.key]),
        back=reverse("pad", args=[match.key]),
        what="this match",
    )


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def show_club(request: HttpRequest, key: str) -> HttpResponse:
    """The link of all that a club is playing; a post makes it."""
    club = find_club(request.user, key, role=Role.SCORER)
    if request.method != "POST":
        return _club_panel(request, key, live.club_link(club))
    link = live.open_club_link(user=request.user, club_key=key)
    if not wants_fragment(request):
        return HttpResponseRedirect(request.path)
    return _club_panel(request, key, link)


@access("scorer")
@private
@require_POST
def show_club_end(request: HttpRequest, key: str) -> HttpResponse:
    """Take the link of a club back."""
    live.close_club_link(user=request.user, club_key=key)
    if not wants_fragment(request):
        return HttpResponseRedirect(reverse("live_club", args=[key]))
    return _club_panel(request, key, None)


def _club_panel(request: HttpRequest, key: str, link: LiveLink | None) -> HttpResponse:
    return _panel(
        request,
        link,
        reverse("live_club", args=[key]),
        reverse("live_club_end", args=[key]),
        back=reverse("club", args=[key]),
        what="all that the club is playing",
    )


@access("public")
@require_GET
def robots(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """What no crawler needs to read: everything behind an unguessable address."""
    paths = (*SECRET_PATHS, "/m/", "/club/")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in paths), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
