"""Matches as files: one to take along, and one that becomes a match here."""

from __future__ import annotations

import json
import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from ginledger.access import access
from ginledger.clubs.services import ensure_guest
from ginledger.gin.bookfile import write_book
from ginledger.gin.errors import GinError, Unreadable
from ginledger.gin.text import problem_line
from ginledger.web import private

from .book import load_book
from .files import MOST_BYTES, book_file, file_name, import_match, read_file
from .models import KEY_LONGEST
from .querysets import find_match
from .start_club import start_club

SHOWN_PROBLEMS = 100


@access("viewer")
@private
@require_GET
def match_file(request: HttpRequest, key: str) -> HttpResponse:
    """The match as a file, with every row and amendment."""
    book = load_book(find_match(request.user, key))
    text = json.dumps(write_book(book_file(book)), ensure_ascii=False, indent=1)
    disposition = content_disposition_header(True, file_name(book))
    assert disposition is not None
    return HttpResponse(
        text + "\n",
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """A match file becomes a match; a bad one gets all its problems listed and stores nothing."""
    if request.method != "POST":
        return _page(request, request.GET.get("club", ""))
    club_key = request.POST.get("club", "")
    place = start_club(request.user, club_key)
    try:
        file = read_file(_data(request))
        match = import_match(
            user=ensure_guest(request),
            file=file,
            once_key=request.POST.get("once_key", "")[: KEY_LONGEST + 1],
            club_key=place.club.key if place.club else "",
        )
    except GinError as error:
        return _page(request, club_key, error)
    count = len(file.rows)
    messages.success(
        request, f"Read: {count} row{'' if count == 1 else 's'}, as the file has them."
    )
    return HttpResponseRedirect(reverse("pad", args=[match.key]))


def _data(request: HttpRequest) -> bytes:
    """The bytes of the chosen file; raises Unreadable when there is none, or too many."""
    file = request.FILES.get("file")
    if file is None:
        raise Unreadable("file-missing", "Choose a file first.", "file")
    if (file.size or 0) > MOST_BYTES:
        text = f"A match file has up to {MOST_BYTES // 1_000_000} MB; this one is larger."
        raise Unreadable("file-large", text, "file")
    return bytes(file.read())


def _page(request: HttpRequest, club_key: str, error: GinError | None = None) -> HttpResponse:
    problems = [problem_line(one) for one in error.problems] if error else []
    context = {
        "place": start_club(request.user, club_key),
        "once_key": secrets.token_urlsafe(16),
        "problems": problems[:SHOWN_PROBLEMS],
        "count": len(problems),
        "most": MOST_BYTES // 1_000_000,
    }
    return render(request, "matches/upload.html", context, status=422 if error else 200)
