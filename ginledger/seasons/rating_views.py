"""The ratings of a club: who stands where, and how every match moved them."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.matches.models import Match
from ginledger.web import private

from .charts import MOST_LINES
from .periods import find_period, periods
from .rating_chart import rating_chart
from .ratings import rated_matches, ratings_card, ratings_of

MATCHES_A_PAGE = 50


@access("viewer")
@private
@require_GET
def rating_page(request: HttpRequest, key: str, period: str) -> HttpResponse:
    """The ratings through a season, a year or all time, and before and after each match."""
    club = find_club(request.user, key)
    days = find_period(club, period)
    card = ratings_card(days)
    pages = Paginator(rated_matches(days), MATCHES_A_PAGE).get_page(request.GET.get("page"))
    order = [match_id for _, match_id in pages]
    matches, rated = Match.objects.in_bulk(order), ratings_of(order)
    context = {
        "club": club,
        "period": days,
        "periods": periods(club),
        **card,
        "chart": rating_chart(days, card["ratings"]),
        "most_lines": MOST_LINES,
        "pages": pages,
        "matches": [(matches[one], rated[one]) for one in order],
    }
    return render(request, "seasons/ratings.html", context)
