"""A paper sheet copied in, twenty hands at a go: all of them are stored or none."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from ginledger.access import access
from ginledger.gin.errors import GinError
from ginledger.gin.sheet import ScoredHand, Sheet
from ginledger.typed import keeps_typed, take
from ginledger.web import private

from . import services
from .book import load_book
from .errors import BookError, StaleMatch
from .forms import KINDS, posted_version
from .models import KEY_LONGEST
from .pages import Notice, kept_notice, stale_notice
from .paper_forms import ROWS, PaperForm
from .querysets import find_match
from .wording import named, plural, signed, verdict


@access("scorer")
@keeps_typed("paper")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def paper(request: HttpRequest, key: str) -> HttpResponse:
    """Twenty rows to fill from the keyboard; "check" says what they come to and stores nothing."""
    book = load_book(find_match(request.user, key, write=True))
    if request.method != "POST":
        kept = take(request)
        form = PaperForm(book, kept)
        return _page(request, form, kept or {}, notice=kept_notice() if kept else None)
    form = PaperForm(book, request.POST)
    if not form.is_valid():
        return _page(request, form, request.POST, status=422)
    if not form.filled:
        return _page(
            request, form, request.POST, notice=Notice(("Nothing is typed yet.",)), status=422
        )
    try:
        if "enter" in request.POST:
            return _enter(request, form)
        sheet = services.preview_rows(book.match, form.hands())
        return _page(request, form, request.POST, sheet=sheet)
    except GinError as error:
        form.add_problems(error)
        return _page(request, form, request.POST, status=422)
    except BookError as error:
        stale = isinstance(error, StaleMatch)
        notice = stale_notice() if stale else Notice((error.message,))
        form = PaperForm(load_book(find_match(request.user, key)), request.POST)
        return _page(request, form, request.POST, notice=notice, status=409)


def _enter(request: HttpRequest, form: PaperForm) -> HttpResponse:
    key = form.book.match.key
    written = services.enter_rows(
        user=request.user,
        match_key=key,
        hands=form.hands(),
        once_key=request.POST.get("once_key", ""),
        version=posted_version(request.POST),
    )
    count = len(form.filled)
    messages.success(request, f"{plural(count, 'hand', 'hands')} entered.")
    more = count == ROWS and not written.sheet.over
    return HttpResponseRedirect(reverse("paper" if more else "pad", args=[key]))


def _page(
    request: HttpRequest,
    form: PaperForm,
    data: Mapping[str, Any],
    *,
    sheet: Sheet | None = None,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    book = form.book
    standing = len(book.sheet.hands)
    outcomes: dict[int, str] = {}
    if sheet is not None:
        new = sheet.hands[standing:]
        outcomes = {
            row.number: _outcome(sheet, hand) for row, hand in zip(form.filled, new, strict=True)
        }
    seats = [(str(at), name) for at, name in enumerate(book.table.names)]
    context = {
        "page": {
            "key": book.match.key,
            "names": [book.table.side_name(side) for side in range(len(book.table.sides))],
            "may_write": True,
        },
        "rows": [(standing + row.number, row, outcomes.get(row.number, "")) for row in form.rows],
        "seats": seats,
        "kinds": KINDS,
        "needs_upcard": book.rules.needs_upcard,
        "rounds": book.rules.play == "partners",
        "over": book.sheet.over,
        "wrong": form.wrong,
        "totals": _totals(sheet) if sheet is not None else [],
        "verdict": verdict(sheet) if sheet is not None else "",
        "once_key": str(data.get("once_key") or secrets.token_urlsafe(16))[:KEY_LONGEST],
        "version": book.match.version,
        "notice": notice,
    }
    return render(request, "matches/paper.html", context, status=status)


def _outcome(sheet: Sheet, hand: ScoredHand) -> str:
    """What a row came to: "Ann +15"."""
    if hand.side is None:
        return "nobody scores"
    return f"{sheet.match.table.side_name(hand.side)} {signed(hand.points)}"


def _totals(sheet: Sheet) -> list[tuple[str, str]]:
    """The points of each side after the last row, column by column."""
    table = sheet.match.table
    return [
        (
            named(table.side_name(side)),
            " · ".join(str(column.sides[side].points) for column in sheet.columns),
        )
        for side in range(len(table.sides))
    ]
