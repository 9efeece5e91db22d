"""Start, pad, sheet and a row's page: find and authorise, form, service, answer."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.rulebook import agreement_of, own_rules
from ginledger.clubs.services import ensure_guest, posted_zone
from ginledger.gin.errors import GinError
from ginledger.typed import keeps_typed, take
from ginledger.web import answer, aside, private, wants_fragment

from . import panels, services
from .book import Book, Line, load_book
from .check_page import laid_out
from .entry import Forecast, entry_view, forecast
from .errors import BookError, LeftOver, StaleMatch
from .forms import posted_version
from .listing import recent, start_context
from .models import Match
from .pages import Notice, kept_notice, left_over_words, pad_page, row_page, stale_notice
from .polling import csrf_of, find_pad_tag, pad_tag, unchanged
from .querysets import find_match
from .round_forms import RowForm, row_form
from .sheet_page import sheet_page
from .stake_forms import StakeForm
from .start_club import start_club
from .start_form import USUAL_RULES, StartForm


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Names, a rule set, who deals: a match, and this browser's matches."""
    if request.method != "POST":
        return _start_page(request, opened_start_form(request))
    form = StartForm(request.POST, own=own_rules(request.user))
    stake = StakeForm(request.POST)
    if not form.is_valid() or not stake.is_valid():
        return _start_page(request, form, stake, status=422)
    cleaned = form.cleaned_data
    cut = cleaned["dealer"] == "cut"
    rules, rules_name = form.chosen_rules
    try:
        match = services.start_match(
            user=ensure_guest(request),
            club_key=cleaned["club"],
            names=form.names,
            rules=rules,
            rules_name=rules_name,
            first_dealer=form.first_dealer(
                secrets.randbelow(form.sides) if cut else int(cleaned["dealer"])
            ),
            once_key=cleaned["once_key"],
            stake=stake.stake,
            time_zone=posted_zone(request),
        )
    except GinError as error:
        form.add_problems(error)
        return _start_page(request, form, stake, status=422)
    return _to_pad(match.key, **({"cut": "1"} if cut else {}))


def opened_start_form(request: HttpRequest) -> StartForm:
    """The form as the address asks for it ("?rules=straight"), nothing stored."""
    own = own_rules(request.user)
    asked = {
        name: request.GET[name]
        for name in ("play", "rules", "target", "sheet", "club")
        if name in request.GET
    }
    place = start_club(request.user, asked.get("club", ""))
    form = StartForm(initial={"rules": place.usual_rules} | asked, own=own, place=place)
    known = form.presets.get(form.initial["rules"])
    if known is None or known.rules.play != form.seating:
        # A form of its own: this one has read what it shows first already.
        other = {**form.initial, "rules": USUAL_RULES[form.seating]}
        return StartForm(initial=other, own=own, place=place)
    return form


def _start_page(
    request: HttpRequest, form: StartForm, stake: StakeForm | None = None, status: int = 200
) -> HttpResponse:
    context = start_context(form) | recent(Match.objects.visible_to(request.user))
    place = form.place or start_club(request.user, form["club"].value() or "")
    stake = stake or StakeForm()
    stake.currency = place.club.currency if place.club else ""
    context |= {"place": place, "stake_form": stake}
    return render(request, "matches/start.html", context, status=status)


def _to_pad(key: str, **query: str) -> HttpResponseRedirect:
    address = reverse("pad", args=[key])
    return HttpResponseRedirect(f"{address}?{urlencode(query)}" if query else address)


@access("viewer")
@private
@require_GET
def pad(request: HttpRequest, key: str) -> HttpResponse:
    """The score pad: standing, hands, and the form for the next one."""
    book = load_book(find_match(request.user, key))
    if kept := take(request):
        form = row_form(book, kept)
        return _pad(request, book, form, notice=kept_notice())
    return _pad(request, book, cut="cut" in request.GET and not book.lines)


@access("viewer")
@aside
@private
@require_GET
def pad_now(request: HttpRequest, key: str) -> HttpResponse:
    """The pad for the page that shows it and asks whether it has changed."""
    tag = find_pad_tag(request.user, key, csrf_of(request))
    if tag is None:
        raise Http404("No such match.")
    return unchanged(request, tag) or _pad(request, load_book(find_match(request.user, key)))


def _pad(
    request: HttpRequest,
    book: Book,
    form: RowForm | None = None,
    *,
    notice: Notice | None = None,
    outcome: Forecast | None = None,
    cut: bool = False,
    status: int = 200,
) -> HttpResponse:
    form = form or row_form(book)
    again = str(form["once_key"].value() or "")
    preview_url = reverse("preview", args=[book.match.key])
    context: dict[str, Any] = {
        "page": pad_page(book, cut),
        "form": form,
        "entry": entry_view(book, form, preview_url, again),
        "outcome": outcome or Forecast(limit=book.rules.knock_limit),
        "notice": notice,
        "tag": pad_tag(book, csrf_of(request)),
        "panels": panels.render(request, book),
        "agreed": None if book.lines else agreement_of(book.match.rules_name, book.rules),
    }
    return answer(request, "matches/pad.html", "matches/_pad.html", context, status=status)


@access("scorer")
@keeps_typed("pad")
@private
@require_POST
def enter(request: HttpRequest, key: str) -> HttpResponse:
    """Store a hand; the same one-time key twice makes one row."""
    book = load_book(find_match(request.user, key, write=True))
    form = row_form(book, request.POST)
    if not form.is_valid():
        return _pad(request, book, form, status=422)
    try:
        services.enter_row(
            user=request.user,
            match_key=key,
            hand=form.hand,
            once_key=form.cleaned_data["once_key"],
            version=form.seen_version,
        )
    except GinError as error:
        form.add_problems(error)
        return _pad(request, book, form, notice=_said_instead(book, error), status=422)
    except BookError as error:
        return _pad_refused(request, key, error, form)
    return _pad_afterwards(request, key)


def _said_instead(book: Book, error: GinError) -> Notice | None:
    """The problems in a notice, where a finished match has no form to show them in."""
    if not book.sheet.over:
        return None
    return Notice(tuple(problem.message for problem in error.problems))


def _pad_afterwards(request: HttpRequest, key: str) -> HttpResponse:
    """After a write: the pad read afresh for htmx, a redirect to it otherwise."""
    if not wants_fragment(request):
        return _to_pad(key)
    return _pad(request, load_book(find_match(request.user, key)))


def _pad_refused(
    request: HttpRequest, key: str, error: BookError, form: RowForm | None = None
) -> HttpResponse:
    """Nothing was stored: the pad as it stands now, with what was typed."""
    stale = isinstance(error, StaleMatch)
    notice = stale_notice() if stale else Notice((error.message,))
    book = load_book(find_match(request.user, key))
    return _pad(request, book, form, notice=notice, status=409)


@access("scorer")
@aside
@private
@require_POST
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """What the typed hand would come to: for the button, or the whole pad without htmx."""
    book = load_book(find_match(request.user, key, write=True))
    form = row_form(book, request.POST)
    outcome = forecast(book, form)
    if wants_fragment(request):
        return render(request, "matches/_entry_action.html", {"outcome": outcome})
    return _pad(request, book, form, outcome=outcome)


@access("scorer")
@private
@require_POST
def undo(request: HttpRequest, key: str) -> HttpResponse:
    """Take back the latest change of the book."""
    return _replay(request, key, services.undo)


@access("scorer")
@private
@require_POST
def redo(request: HttpRequest, key: str) -> HttpResponse:
    """Let the change that was taken back last stand again."""
    return _replay(request, key, services.redo)


def _replay(request: HttpRequest, key: str, service: Any) -> HttpResponse:
    find_match(request.user, key, write=True)
    try:
        service(user=request.user, match_key=key, version=posted_version(request.POST))
    except GinError as error:
        # Rows read from a file are whole now, but never were replayed as they once stood.
        notice = Notice(tuple(problem.message for problem in error.problems))
        return _pad(request, load_book(find_match(request.user, key)), notice=notice, status=422)
    except BookError as error:
        return _pad_refused(request, key, error)
    return _pad_afterwards(request, key)


@access("scorer")
@private
@require_POST
def rematch(request: HttpRequest, key: str) -> HttpResponse:
    """The same people by the same rules again: one new match, however often it is asked for."""
    try:
        again = services.rematch(user=request.user, match_key=key)
    except BookError as error:
        return _pad_refused(request, key, error)
    return _to_pad(again.key)


@access("viewer")
@private
@require_GET
def sheet(request: HttpRequest, key: str) -> HttpResponse:
    """The whole sheet, to be read and printed."""
    book = load_book(find_match(request.user, key))
    context = {"page": sheet_page(book), "panels": panels.render(request, book)}
    return render(request, "matches/sheet.html", context)


def _find_line(request: HttpRequest, key: str, row_key: str, write: bool) -> tuple[Book, Line]:
    book = load_book(find_match(request.user, key, write=write))
    line = book.line(row_key)
    if line is None:
        raise Http404("No such row.")
    return book, line


@access("viewer", write="scorer")
@keeps_typed("row")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def row(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """One row with its history; a post amends it."""
    write = request.method == "POST"
    book, line = _find_line(request, key, row_key, write)
    if not write:
        return _row_page(request, book, line)
    form = row_form(book, request.POST, line=line)
    if not form.is_valid():
        return _row(request, book, line, form, status=422)
    if form.hand == line.hand and not line.row.void:
        return _to_pad(key)
    try:
        services.amend_row(
            user=request.user,
            row_key=row_key,
            hand=form.hand,
            version=form.seen_version,
            why=form.cleaned_data["why"],
            void_rest=form.cleaned_data["void_rest"],
        )
    except LeftOver as error:
        words = left_over_words([left.number for left in error.rows])
        notice = Notice((error.message,))
        return _row(request, book, line, form, notice=notice, left_over=words, status=422)
    except GinError as error:
        form.add_problems(error)
        return _row(request, book, line, form, status=422)
    except BookError as error:
        return _row_refused(request, key, row_key, error, form)
    return _to_pad(key)


def _row_page(request: HttpRequest, book: Book, line: Line) -> HttpResponse:
    """The page as it is opened, with what was typed on it before a login."""
    if kept := take(request):
        form = row_form(book, kept, line=line)
        return _row(request, book, line, form, notice=kept_notice())
    return _row(request, book, line)


def _row(
    request: HttpRequest,
    book: Book,
    line: Line,
    form: RowForm | None = None,
    *,
    notice: Notice | None = None,
    left_over: str = "",
    left_over_void: str = "",
    outcome: Forecast | None = None,
    status: int = 200,
) -> HttpResponse:
    form = form or row_form(book, line=line)
    preview_url = reverse("row_preview", args=[book.match.key, line.row.key])
    context = {
        "page": row_page(book, line, left_over=left_over, left_over_void=left_over_void),
        "form": form,
        "entry": entry_view(book, form, preview_url),
        "outcome": outcome or Forecast(limit=book.rules.knock_limit),
        "notice": notice,
        "laid": laid_out(book.rules, book.table, line.hand),
    }
    return render(request, "matches/row.html", context, status=status)


def _row_refused(
    request: HttpRequest, key: str, row_key: str, error: BookError, form: RowForm | None = None
) -> HttpResponse:
    stale = isinstance(error, StaleMatch)
    notice = stale_notice() if stale else Notice((error.message,))
    book, line = _find_line(request, key, row_key, write=False)
    return _row(request, book, line, form, notice=notice, status=409)


@access("scorer")
@aside
@private
@require_POST
def row_preview(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """What the row would come to if it were amended so."""
    book, line = _find_line(request, key, row_key, write=True)
    form = row_form(book, request.POST, line=line)
    outcome = Forecast() if line.row.void else forecast(book, form, line.row)
    if wants_fragment(request):
        return render(request, "matches/_entry_action.html", {"outcome": outcome})
    return _row(request, book, line, form, outcome=outcome)


@access("scorer")
@private
@require_POST
def row_void(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """Strike a row out; it stays to be read."""
    return _strike(request, key, row_key, services.void_row)


@access("scorer")
@private
@require_POST
def row_restore(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """Let a struck out row count again."""
    return _strike(request, key, row_key, services.restore_row)


def _strike(request: HttpRequest, key: str, row_key: str, service: Any) -> HttpResponse:
    book, line = _find_line(request, key, row_key, write=True)
    try:
        service(
            user=request.user,
            row_key=row_key,
            version=posted_version(request.POST),
            why=request.POST.get("why", ""),
            void_rest="void_rest" in request.POST,
        )
    except LeftOver as error:
        words = left_over_words([left.number for left in error.rows])
        notice = Notice((error.message,))
        return _row(request, book, line, notice=notice, left_over_void=words, status=422)
    except GinError as error:
        notice = Notice(tuple(problem.message for problem in error.problems))
        return _row(request, book, line, notice=notice, status=422)
    except BookError as error:
        return _row_refused(request, key, row_key, error)
    return _to_pad(key)
