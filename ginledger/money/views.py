"""Balances, payments, the ledger and statements: find and authorise, form, service, answer."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import WRITERS, Club, Player, Role
from ginledger.csv_files import csv_response
from ginledger.gin.errors import GinError
from ginledger.matches.cash import shown
from ginledger.typed import keeps_typed, take
from ginledger.web import own_path, private

from . import ledger as services
from .club_page import (
    CSV_HEAD,
    PAGE,
    csv_rows,
    ledger_entries,
    ledger_line,
    ledger_lines,
    recent_payments,
    settlements,
)
from .forms import DaysForm, DealForm, PaymentForm, RecordForm
from .ledger import OverPaid
from .models import Entry, Kind
from .querysets import find_entry
from .statement import CSV_HEAD as STATEMENT_HEAD
from .statement import csv_rows as statement_rows
from .statement import statement as statement_of

# Lines of a statement on one page; the CSV has them all.
MOST_LINES = 500


def _to(name: str, *args: Any) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(name, args=args))


def currencies_of(club: Club) -> list[str]:
    """The club's currency first, then every other one that it has entries in."""
    used = Entry.objects.filter(club=club).order_by().values_list("currency", flat=True).distinct()
    return [*filter(None, [club.currency]), *sorted({*used} - {club.currency})]


def _empty(form: type[DealForm], club: Club, data: QueryDict | None = None) -> Any:
    """The form with a new one-time key, or with what was posted."""
    initial = {"once_key": secrets.token_urlsafe(16)}
    return form(data, club=club, currencies=currencies_of(club), initial=initial)


@keeps_typed("settle")
@access("viewer", write="scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def settle(request: HttpRequest, key: str) -> HttpResponse:
    """Who owes whom, and the payments that even it; a post records one."""
    if request.method != "POST":
        club, kept = find_club(request.user, key), take(request)
        return _settle_page(request, club, _empty(PaymentForm, club, kept), kept=bool(kept))
    club = find_club(request.user, key, role=Role.SCORER)
    form = _empty(PaymentForm, club, request.POST)
    if not form.is_valid():
        return _settle_page(request, club, form, status=422)
    try:
        entry = services.record_payment(
            user=request.user,
            club_key=key,
            deal=form.deal,
            once_key=form.cleaned_data["once_key"],
            over_ok=form.cleaned_data["over_ok"],
        )
    except OverPaid as error:
        form.add_problems(error)
        return _settle_page(request, club, form, asked=True, status=422)
    except GinError as error:
        form.add_problems(error)
        return _settle_page(request, club, form, status=422)
    amount = shown(entry.amount, entry.currency)
    messages.success(request, f"{entry.creditor.name} paid {entry.debtor.name} {amount}: recorded.")
    return _to("settle", key)


def _settle_page(
    request: HttpRequest,
    club: Club,
    form: PaymentForm,
    *,
    asked: bool = False,
    kept: bool = False,
    status: int = 200,
) -> HttpResponse:
    """asked: whether to record more than is owed is asked about; kept: the form holds what was
    typed before a login."""
    context = {
        "club": club,
        "may_write": club.role in WRITERS,
        "settlements": settlements(club),
        "recent": [ledger_line(entry) for entry in recent_payments(club)],
        "form": form,
        "asked": asked,
        "kept": kept,
    }
    return render(request, "money/settle.html", context, status=status)


@access("scorer")
@private
@require_POST
def entry_strike(request: HttpRequest, key: str, entry_key: str) -> HttpResponse:
    """Strike an entry through: undo a payment, take back a correction."""
    entry = find_entry(request.user, entry_key, write=True)
    if entry.club.key != key:
        raise Http404("No such entry.")
    try:
        services.strike_entry(
            user=request.user, entry_key=entry_key, why=request.POST.get("why", "")
        )
    except GinError as error:
        messages.warning(request, str(error))
    after = request.POST.get("next", "")
    if own_path(after):
        return HttpResponseRedirect(after)
    return _to("settle", key)


@access("viewer")
@private
@require_GET
def ledger(request: HttpRequest, key: str) -> HttpResponse:
    """Every entry of the club, the latest first, struck ones too."""
    club = find_club(request.user, key)
    page = Paginator(ledger_entries(club), PAGE).get_page(request.GET.get("page"))
    context = {
        "club": club,
        "may_write": club.role in WRITERS,
        "page": page,
        "lines": ledger_lines(page),
    }
    return render(request, "money/ledger.html", context)


@access("viewer")
@private
@require_GET
def ledger_csv(request: HttpRequest, key: str) -> HttpResponse:
    """The whole ledger as a table."""
    club = find_club(request.user, key)
    return csv_response("ledger", CSV_HEAD, csv_rows(ledger_entries(club)))


@keeps_typed("ledger_record")
@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def ledger_record(request: HttpRequest, key: str) -> HttpResponse:
    """An opening balance carried over from a paper book, or a correction."""
    club = find_club(request.user, key, role=Role.SCORER)
    if request.method != "POST":
        kept = take(request)
        return _record_page(request, club, _empty(RecordForm, club, kept), kept=bool(kept))
    form = _empty(RecordForm, club, request.POST)
    if not form.is_valid():
        return _record_page(request, club, form, status=422)
    opens = form.cleaned_data["kind"] == Kind.OPENING
    try:
        (services.open_balance if opens else services.correct)(
            user=request.user,
            club_key=key,
            deal=form.deal,
            once_key=form.cleaned_data["once_key"],
        )
    except GinError as error:
        form.add_problems(error)
        return _record_page(request, club, form, status=422)
    return _to("ledger", key)


def _record_page(
    request: HttpRequest, club: Club, form: RecordForm, *, kept: bool = False, status: int = 200
) -> HttpResponse:
    context = {"club": club, "form": form, "kept": kept}
    return render(request, "money/record.html", context, status=status)


@access("viewer")
@private
@require_GET
def statement(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """A player's lines with what he has coming after each, for any days."""
    club, player = _find_player(request, key, player_key)
    form = DaysForm(request.GET, auto_id=False)
    since, until = form.days
    found = [statement_of(player, code, since, until, MOST_LINES) for code in currencies_of(club)]
    context = {
        "club": club,
        "player": player,
        "form": form,
        "since": since,
        "until": until,
        "statements": [one for one in found if one.lines or one.before] or found[:1],
    }
    status = 200 if form.is_valid() else 422
    return render(request, "money/statement.html", context, status=status)


@access("viewer")
@private
@require_GET
def statement_csv(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """The same lines as a table."""
    club, player = _find_player(request, key, player_key)
    since, until = DaysForm(request.GET).days
    found = (statement_of(player, code, since, until) for code in currencies_of(club))
    rows = (row for one in found for row in statement_rows(one))
    return csv_response("statement", STATEMENT_HEAD, rows)


def _find_player(request: HttpRequest, key: str, player_key: str) -> tuple[Club, Player]:
    club = find_club(request.user, key)
    player = club.players.filter(key=player_key).first()
    if player is None:
        raise Http404("No such player.")
    return club, player
