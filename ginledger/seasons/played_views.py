"""The finished matches of a season, the latest first: which season a match is in is its day."""

from __future__ import annotations

from functools import cached_property

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import WRITERS
from ginledger.matches.listing import listed_match
from ginledger.matches.models import Match
from ginledger.web import private

from .periods import find_period, periods
from .season_page import head
from .standings import Standings, standings

A_PAGE = 50


class _Pages(Paginator):
    """Pages of the matches of these days. known: how many there are, from the kept sums."""

    known = 0

    @cached_property
    def count(self) -> int:
        """How many matches, without counting them."""
        return self.known


def _pages(table: Standings) -> _Pages:
    period = table.period
    found = Match.objects.filter(period.days(), club=period.club, over=True, deleted_at=None)
    ordered = found.prefetch_related("seats__player").order_by("-played_on", "-pk")
    pages = _Pages(ordered, A_PAGE)
    pages.known = table.matches
    return pages


@access("viewer")
@private
@require_GET
def played(request: HttpRequest, key: str, period: str) -> HttpResponse:
    """Every match of a season, a year or all time that counts, with its result."""
    club = find_club(request.user, key)
    days = find_period(club, period)
    table = standings(days)
    pages = _pages(table).get_page(request.GET.get("page"))
    context = {
        "club": club,
        "period": days,
        "periods": periods(club),
        "table": table,
        "pages": pages,
        "matches": [(match, listed_match(match)) for match in pages],
        "may_write": club.role in WRITERS,
        "back": urlencode({"next": request.get_full_path()}),
        **head(table),
    }
    return render(request, "seasons/played.html", context)
