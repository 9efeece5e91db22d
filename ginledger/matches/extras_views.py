"""Pages beside the pad, all read only: what was agreed, the count, the match under other rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.clubs import rulebook
from ginledger.gin.errors import GinError
from ginledger.web import answer, private

from .book import load_book
from .count_page import count_page
from .listing import start_agreement
from .querysets import find_match
from .under_page import fitting, under_page
from .views import opened_start_form


@access("public")
@private
@require_GET
def start_agreed(request: HttpRequest) -> HttpResponse:
    """What is agreed by the rules chosen in the form of a new match, for the card in it."""
    context = {"agreed": start_agreement(opened_start_form(request))}
    return render(request, "matches/_start_agreed.html", context)


@access("viewer")
@private
@require_GET
def agreed(request: HttpRequest, key: str) -> HttpResponse:
    """The rules this match is played by, as they were agreed before its first deal."""
    book = load_book(find_match(request.user, key))
    context = {
        "page": count_page(book),
        "agreed": rulebook.agreement_of(book.match.rules_name, book.rules),
    }
    return render(request, "matches/agreed.html", context)


@access("viewer")
@private
@require_GET
def count(request: HttpRequest, key: str) -> HttpResponse:
    """What each side needs, and what the other may be caught with."""
    book = load_book(find_match(request.user, key))
    context = {"page": count_page(book)}
    return answer(request, "matches/count.html", "matches/_count.html", context)


@access("viewer")
@private
@require_GET
def under(request: HttpRequest, key: str) -> HttpResponse:
    """The match by its own rules and by others, side by side; the book is not touched."""
    book = load_book(find_match(request.user, key))
    offered = fitting(book, rulebook.choices(request.user))
    chosen = request.GET.get("rules", "")
    context: dict[str, Any] = {"page": count_page(book), "offered": offered, "chosen": chosen}
    status = 200
    if chosen:
        try:
            context["under"] = under_page(book, rulebook.find_rules(request.user, chosen))
        except (Http404, GinError) as error:
            unknown = isinstance(error, Http404)
            context["problem"] = "There is no such rule set here." if unknown else str(error)
            status = 422
    return render(request, "matches/under.html", context, status=status)
