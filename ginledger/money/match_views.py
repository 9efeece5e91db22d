"""What a match is for and what it comes to: find and authorise, form, service, answer."""

from __future__ import annotations

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.csv_files import csv_response
from ginledger.gin.errors import GinError
from ginledger.matches.book import Terms, load_book, load_terms
from ginledger.matches.errors import BookError
from ginledger.matches.models import Match
from ginledger.matches.querysets import find_match
from ginledger.matches.stake import read_stake
from ginledger.matches.stake_forms import PartnersStakeForm, StakeForm, initial_of
from ginledger.web import private

from .disputes import decide
from .match_page import CSV_HEAD, csv_rows, settlement_page, to_json
from .stakes import change_stake, frozen, tick_stake


def _to_settlement(key: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("settlement", args=[key]))


@access("viewer")
@private
@require_GET
def settlement(request: HttpRequest, key: str) -> HttpResponse:
    """The match from its points to what is paid, as a column; also to be printed."""
    page = settlement_page(load_book(find_match(request.user, key)))
    return render(request, "money/settlement.html", {"page": page})


@access("viewer")
@private
@require_GET
def settlement_csv(request: HttpRequest, key: str) -> HttpResponse:
    """The same column as a table."""
    book = load_book(find_match(request.user, key))
    return csv_response(f"settlement-{book.match.played_on}", CSV_HEAD, csv_rows(book))


@access("viewer")
@private
@require_GET
def settlement_json(request: HttpRequest, key: str) -> HttpResponse:
    """The same column for programs."""
    return JsonResponse(to_json(load_book(find_match(request.user, key))))


@access("viewer", write="scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def stake(request: HttpRequest, key: str) -> HttpResponse:
    """What the match is for; to be changed until its first hand is entered."""
    match = find_match(request.user, key, write=request.method == "POST")
    if frozen(match):
        if request.method == "POST":
            messages.warning(request, "The stake stands as it was at the first hand.")
        return _to_settlement(key)
    terms = load_terms(match)
    if request.method != "POST":
        now = read_stake(match.stake)
        return _stake_page(request, match, terms, _form(match, terms, initial=initial_of(now)))
    form = _form(match, terms, data=request.POST)
    if form.is_valid():
        version = request.POST.get("version", "")
        try:
            change_stake(
                user=request.user,
                match_key=key,
                stake=form.stake,
                version=int(version) if version.isdecimal() and len(version) < 11 else -1,
            )
        except GinError as error:
            form.add_problems(error)
        except BookError as error:
            form.add_error(None, error.message)
        else:
            return HttpResponseRedirect(reverse("pad", args=[key]))
    return _stake_page(request, match, terms, form, status=422)


def _form(match: Match, terms: Terms, **how: object) -> StakeForm:
    currency = match.club.currency
    if terms.rules.play == "partners":
        numbers = [seat.number for seat in terms.seats]
        return PartnersStakeForm(currency=currency, table=terms.table, numbers=numbers, **how)
    return StakeForm(currency=currency, **how)


def _stake_page(
    request: HttpRequest, match: Match, terms: Terms, form: StakeForm, status: int = 200
) -> HttpResponse:
    names = [terms.table.side_name(side) for side in range(len(terms.table.sides))]
    context = {"match": match, "names": names, "title": " v ".join(names), "stake_form": form}
    return render(request, "money/stake.html", context, status=status)


@access("scorer")
@private
@require_POST
def stake_done(request: HttpRequest, key: str) -> HttpResponse:
    """Tick off a stake in words, or take the tick away."""
    try:
        tick_stake(user=request.user, match_key=key, done="done" in request.POST)
    except GinError as error:
        messages.warning(request, str(error))
    return _to_settlement(key)


@access("owner")
@private
@require_POST
def decide_dispute(request: HttpRequest, key: str) -> HttpResponse:
    """An owner has a disputed match count as it stands, with a reason."""
    try:
        decide(user=request.user, match_key=key, why=request.POST.get("why", ""))
    except GinError as error:
        messages.warning(request, str(error))
    return _to_settlement(key)
