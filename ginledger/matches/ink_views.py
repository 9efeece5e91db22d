"""Rows put in between, signed points, who really dealt, and every change there ever was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.gin.errors import GinError
from ginledger.gin.hands import Adjustment
from ginledger.typed import keeps_typed, take
from ginledger.web import aside, private

from . import services
from .book import Book, Line, load_book
from .entry import Forecast, entry_view, forecast, forecast_hand, refusal
from .errors import BookError, LeftOver, StaleMatch
from .history import history_page
from .ink_forms import AdjustForm, DealerForm, InkForm, adjustment_initial
from .models import Row
from .pages import Notice, kept_notice, left_over_words, stale_notice
from .querysets import find_match
from .round_forms import RowForm, row_form
from .wording import hand_sentence


def _book(request: HttpRequest, key: str) -> Book:
    """The book of a match that the user may write."""
    return load_book(find_match(request.user, key, write=True))


def _line(book: Book, row_key: str) -> Line:
    line = book.line(row_key)
    if line is None:
        raise Http404("No such row.")
    return line


def _to_pad(key: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("pad", args=[key]))


def _heading(line: Line) -> str:
    return f"hand {line.scored.number}" if line.scored else "the void row"


def _context(book: Book, line: Line | None = None) -> dict[str, Any]:
    """What every page of this module shows of its match and row."""
    sides = range(len(book.table.sides))
    context: dict[str, Any] = {
        "page": {
            "key": book.match.key,
            "names": [book.table.side_name(side) for side in sides],
            "may_write": True,
        },
    }
    if line is not None:
        context |= {
            "row_url": reverse("row", args=[book.match.key, line.row.key]),
            "heading": _heading(line),
            "says": hand_sentence(book.rules, book.table, line.hand),
        }
    return context


def _refusal_notice(error: BookError) -> Notice:
    return stale_notice() if isinstance(error, StaleMatch) else Notice((error.message,))


def _left_over(error: GinError) -> str:
    """The choice to void the rows that would be left over; "" where there are none."""
    if not isinstance(error, LeftOver):
        return ""
    return left_over_words([left.number for left in error.rows])


# A row in between


@dataclass(frozen=True, slots=True)
class Gap:
    """Where a row is to be inserted: beside a line of a book.

    then: the book as it stood there, so that the form shows who dealt and who played then.
    """

    book: Book
    line: Line
    behind: bool

    @property
    def then(self) -> Book:
        return self.book.until(self.book.lines.index(self.line) + self.behind)

    @property
    def beside(self) -> dict[str, Row]:
        return {"after" if self.behind else "before": self.line.row}


def _gap(book: Book, row_key: str, data: QueryDict) -> Gap:
    return Gap(book, _line(book, row_key), data.get("place") != "before")


@access("scorer")
@keeps_typed("insert")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def insert(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """A forgotten hand, before or after a row."""
    book = _book(request, key)
    if request.method != "POST":
        kept = take(request)
        gap = _gap(book, row_key, kept or request.GET)
        return _insert_page(request, gap, kept, notice=kept_notice() if kept else None)
    gap = _gap(book, row_key, request.POST)
    form = row_form(gap.then, request.POST)
    if not form.is_valid():
        return _insert_page(request, gap, form=form, status=422)
    try:
        services.insert_row(
            user=request.user,
            match_key=key,
            hand=form.hand,
            once_key=form.cleaned_data["once_key"],
            version=form.seen_version,
            why=form.cleaned_data["why"],
            void_rest=form.cleaned_data["void_rest"],
            **{side: row.key for side, row in gap.beside.items()},
        )
    except GinError as error:
        form.add_problems(error)
        return _insert_page(request, gap, form=form, left_over=_left_over(error), status=422)
    except BookError as error:
        gap = _gap(_book(request, key), row_key, request.POST)
        return _insert_page(request, gap, form=form, notice=_refusal_notice(error), status=409)
    return _to_pad(key)


def _insert_page(
    request: HttpRequest,
    gap: Gap,
    data: QueryDict | None = None,
    *,
    form: RowForm | None = None,
    notice: Notice | None = None,
    left_over: str = "",
    status: int = 200,
) -> HttpResponse:
    then = gap.then
    form = form or row_form(then, data)
    args = [gap.book.match.key, gap.line.row.key]
    preview_url = reverse("insert_preview", args=args)
    again = str(form["once_key"].value() or "")
    context = _context(gap.book, gap.line) | {
        "form": form,
        "url": reverse("insert", args=args),
        "entry": entry_view(then, form, preview_url, again),
        "outcome": Forecast(limit=then.rules.knock_limit),
        "behind": gap.behind,
        "notice": notice,
        "left_over": left_over,
    }
    return render(request, "matches/insert.html", context, status=status)


@access("scorer")
@aside
@private
@require_POST
def insert_preview(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """What the match would come to with the typed hand in between."""
    gap = _gap(_book(request, key), row_key, request.POST)
    form = row_form(gap.then, request.POST)
    outcome = forecast(gap.book, form, **gap.beside)
    return render(request, "matches/_entry_action.html", {"outcome": outcome})


# Signed points


@access("scorer")
@keeps_typed("adjust")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def adjust(request: HttpRequest, key: str) -> HttpResponse:
    """Points added or taken off, with the reason: at the end, or where it belongs."""
    return _adjust(request, _book(request, key), None)


@access("scorer")
@keeps_typed("row_adjust")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def row_adjust(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """An adjustment that was entered, amended."""
    book = _book(request, key)
    return _adjust(request, book, _adjustment(book, row_key))


def _adjustment(book: Book, row_key: str) -> Line:
    line = _line(book, row_key)
    if not isinstance(line.hand, Adjustment) or line.row.void:
        raise Http404("No adjustment that counts.")
    return line


def _adjust(request: HttpRequest, book: Book, line: Line | None) -> HttpResponse:
    if request.method != "POST":
        kept = take(request)
        form = AdjustForm(kept, book=book, line=line, initial=adjustment_initial(book, line))
        return _adjust_page(request, form, notice=kept_notice() if kept else None)
    form = AdjustForm(request.POST, book=book, line=line)
    if not form.is_valid():
        return _adjust_page(request, form, status=422)
    try:
        _store_adjustment(request, form)
    except GinError as error:
        form.add_problems(error)
        return _adjust_page(request, form, left_over=_left_over(error), status=422)
    except BookError as error:
        fresh = _book(request, book.match.key)
        line = fresh.line(line.row.key) if line else None
        form = AdjustForm(request.POST, book=fresh, line=line)
        return _adjust_page(request, form, notice=_refusal_notice(error), status=409)
    return _to_pad(book.match.key)


def _store_adjustment(request: HttpRequest, form: AdjustForm) -> None:
    asked: dict[str, Any] = {"user": request.user, "hand": form.hand, "version": form.seen_version}
    settled = {name: form.cleaned_data[name] for name in ("why", "void_rest")}
    if form.line is not None:
        services.amend_row(row_key=form.line.row.key, **asked, **settled)
        return
    asked |= {"match_key": form.book.match.key, "once_key": form.cleaned_data["once_key"]}
    if form.before is None:
        services.enter_row(**asked)
    else:
        services.insert_row(before=form.before.key, **asked, **settled)


def _adjust_page(
    request: HttpRequest,
    form: AdjustForm,
    *,
    notice: Notice | None = None,
    left_over: str = "",
    status: int = 200,
) -> HttpResponse:
    book, line = form.book, form.line
    args = [book.match.key] if line is None else [book.match.key, line.row.key]
    name = "adjust" if line is None else "row_adjust"
    context = _context(book, line) | {
        "form": form,
        "hidden": form.hidden(),
        "url": reverse(name, args=args),
        "preview_url": reverse(f"{name}_preview", args=args),
        "outcome": Forecast(),
        "notice": notice,
        "left_over": left_over,
    }
    return render(request, "matches/adjust.html", context, status=status)


@access("scorer")
@aside
@private
@require_POST
def adjust_preview(request: HttpRequest, key: str) -> HttpResponse:
    """What the typed points would come to."""
    return _adjust_preview(request, _book(request, key), None)


@access("scorer")
@aside
@private
@require_POST
def row_adjust_preview(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """What the amended points would come to."""
    book = _book(request, key)
    return _adjust_preview(request, book, _adjustment(book, row_key))


def _adjust_preview(request: HttpRequest, book: Book, line: Line | None) -> HttpResponse:
    data = request.POST.copy()
    if not data.get("note", "").strip():
        data["note"] = "?"  # the reason changes no figure, and comes last
    form = AdjustForm(data, book=book, line=line)
    outcome = Forecast()
    if form.is_valid():
        try:
            row = line.row if line else None
            outcome = forecast_hand(book, form.hand, row, before=form.before)
        except GinError as error:
            outcome = refusal(error)
    elif data.get("points"):
        said = " ".join(str(error) for error in form.errors.get("points", []))
        outcome = replace(outcome, said=said, trouble=bool(said))
    return render(request, "matches/_entry_action.html", {"outcome": outcome})


# Who dealt


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def dealer(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """Who really dealt a hand, when the table did otherwise than the rule."""
    book = _book(request, key)
    line = _line(book, row_key)
    if request.method != "POST":
        said = "" if line.hand.dealer is None else str(line.hand.dealer)
        return _dealer_page(request, line, DealerForm(initial={"dealer": said}, book=book))
    form = DealerForm(request.POST, book=book)
    if not form.is_valid():
        return _dealer_page(request, line, form, status=422)
    try:
        services.correct_dealer(
            user=request.user,
            row_key=row_key,
            dealer=form.dealer_seat,
            version=form.seen_version,
            why=form.cleaned_data["why"],
            void_rest=form.cleaned_data["void_rest"],
        )
    except GinError as error:
        notice = Notice(tuple(problem.message for problem in error.problems))
        return _dealer_page(
            request, line, form, notice=notice, left_over=_left_over(error), status=422
        )
    except BookError as error:
        form = DealerForm(request.POST, book=_book(request, key))
        notice = _refusal_notice(error)
        return _dealer_page(request, _line(form.book, row_key), form, notice=notice, status=409)
    return _to_pad(key)


def _dealer_page(
    request: HttpRequest,
    line: Line,
    form: InkForm,
    *,
    notice: Notice | None = None,
    left_over: str = "",
    status: int = 200,
) -> HttpResponse:
    book = form.book
    context = _context(book, line) | {
        "form": form,
        "hidden": form.hidden(),
        "seats": [(str(at), name) for at, name in enumerate(book.table.names)],
        "notice": notice,
        "left_over": left_over,
        "void": line.row.void,
    }
    return render(request, "matches/dealer.html", context, status=status)


@access("viewer")
@private
@require_GET
def history(request: HttpRequest, key: str) -> HttpResponse:
    """Every act of the match, the newest first."""
    book = load_book(find_match(request.user, key))
    page = history_page(book, request.GET.get("page", ""))
    return render(request, "matches/history.html", {"page": page})
