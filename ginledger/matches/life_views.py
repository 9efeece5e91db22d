"""A match beside its hands: note and date, stopped, archived, in the bin; and lists of matches."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.models import WRITERS
from ginledger.gin.errors import GinError
from ginledger.web import own_path, private

from . import life, services
from .book import Book, load_book
from .errors import BookError, StaleMatch
from .forms import posted_version
from .life_forms import DescribeForm, description_of
from .listing import SHELVES, listed_match
from .models import Match
from .pages import Notice, stale_notice
from .querysets import find_match
from .wording import plural

MATCHES_A_PAGE = 30


@access("viewer", write="scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, key: str) -> HttpResponse:
    """A match's note, day and life; a post sets note and day."""
    write = request.method == "POST"
    book = load_book(find_match(request.user, key, write=write))
    if not write:
        return _about(request, book)
    form = DescribeForm(request.POST)
    if not form.is_valid():
        return _about(request, book, form, status=422)
    try:
        life.describe_match(
            user=request.user,
            match_key=key,
            note=form.cleaned_data["note"],
            played_on=form.cleaned_data["played_on"],
            version=form.seen_version,
        )
    except GinError as error:
        form.add_problems(error)
        return _about(request, book, form, status=422)
    except BookError as error:
        return _refused(request, key, error, form)
    messages.success(request, "Kept.")
    after = request.POST.get("next", "")
    return HttpResponseRedirect(after) if own_path(after) else _to_about(key)


def _to_about(key: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("about", args=[key]))


def _about(
    request: HttpRequest,
    book: Book,
    form: DescribeForm | None = None,
    *,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    match = book.match
    # Whoever came from a list of matches goes back to it.
    asked = request.POST.get("next", "") or request.GET.get("next", "")
    last = max((line.row.entered_at for line in book.lines), default=None)
    context: dict[str, Any] = {
        "page": {
            "key": match.key,
            "names": [book.table.side_name(side) for side in range(len(book.table.sides))],
            "may_write": match.role in WRITERS,
        },
        "match": match,
        "form": form or DescribeForm(initial=description_of(match)),
        "running": not match.over and not match.stopped,
        "swappable": len(book.table.sides) == 2,
        "hands": plural(match.hand_count, "hand", "hands"),
        "last": last,
        "today": timezone.localdate(),
        "kept_for": life.KEPT_FOR.days,
        "notice": notice,
        "next": asked if own_path(asked) else "",
    }
    return render(request, "matches/about.html", context, status=status)


def _refused(
    request: HttpRequest, key: str, error: BookError, form: DescribeForm | None = None
) -> HttpResponse:
    stale = isinstance(error, StaleMatch)
    notice = stale_notice() if stale else Notice((error.message,))
    return _about(
        request, load_book(find_match(request.user, key)), form, notice=notice, status=409
    )


_ACTS: dict[str, tuple[Any, str]] = {
    "stop": (services.stop_match, "Stopped: it has no winner and no margin."),
    "reopen": (services.reopen_match, "Taken up again."),
    "swap": (services.swap_sides, "The sides are swapped; every hand stays with its people."),
    "archive": (life.archive_match, "Archived: it is out of the usual lists."),
    "unarchive": (life.unarchive_match, "Back in the usual lists."),
    "delete": (life.delete_match, "In the bin."),
}
_WITH_WHY = ("stop", "reopen", "delete")


@access("scorer")
@private
@require_POST
def act(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """Stop, take up again, swap, archive or bin a match."""
    find_match(request.user, key, write=True)
    service, said = _ACTS[name]
    asked = {"why": request.POST.get("why", "")} if name in _WITH_WHY else {}
    try:
        service(user=request.user, match_key=key, version=posted_version(request.POST), **asked)
    except GinError as error:
        notice = Notice(tuple(problem.message for problem in error.problems))
        return _about(request, load_book(find_match(request.user, key)), notice=notice, status=422)
    except BookError as error:
        return _refused(request, key, error)
    messages.success(request, said)
    if name == "delete":
        return HttpResponseRedirect(f"{reverse('matches')}?show=bin")
    return HttpResponseRedirect(reverse("pad" if name == "reopen" else "about", args=[key]))


@access("scorer")
@private
@require_POST
def undelete(request: HttpRequest, key: str) -> HttpResponse:
    """Take a match out of the bin."""
    life.undelete_match(user=request.user, match_key=key)
    messages.success(request, "Taken out of the bin, as it was.")
    return _to_about(key)


@access("public")
@private
@require_GET
def matches(request: HttpRequest) -> HttpResponse:
    """The matches of the user's clubs, shelf by shelf; a stranger has none."""
    shelf = request.GET.get("show", "")
    if shelf not in SHELVES:
        shelf = "running"
    found = Match.objects.shelf(request.user, shelf)
    pages = Paginator(found, MATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "shelf": shelf,
        "shelves": SHELVES.items(),
        "pages": pages,
        "matches": [listed_match(match) for match in pages],
        "kept_for": life.KEPT_FOR.days,
    }
    return render(request, "matches/matches.html", context)
