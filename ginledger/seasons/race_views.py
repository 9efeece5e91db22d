"""The race of one match: its points hand by hand, as a chart, and what it did to the ratings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.matches.book import load_book
from ginledger.matches.querysets import find_match
from ginledger.matches.sheet_page import sheet_page
from ginledger.web import private

from .charts import match_race
from .ratings import ratings_of


@access("viewer")
@private
@require_GET
def race(request: HttpRequest, key: str) -> HttpResponse:
    """The running points of every column against the target, the numbers, and the ratings."""
    book = load_book(find_match(request.user, key))
    page = sheet_page(book)
    charts = [
        (column.name if page.many else "", chart)
        for place, column in enumerate(page.columns)
        if (chart := match_race(book.sheet, place)) is not None
    ]
    context = {
        "page": page,
        "charts": charts,
        "club": book.match.club,
        "ratings": ratings_of([book.match.pk])[book.match.pk],
    }
    return render(request, "seasons/race.html", context)
