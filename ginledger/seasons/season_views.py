"""Standings of a club for a season, a year or all time, and the seasons themselves."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import WRITERS, Club, Role
from ginledger.gin.errors import GinError
from ginledger.web import private

from . import seasons as services
from .charts import MOST_LINES, endings, race
from .forms import SeasonForm
from .models import Season
from .periods import Period, current, find_period, find_season, periods
from .rates import FEW
from .season_page import even_card, head
from .standings import standings


@access("viewer")
@private
@require_GET
def now(request: HttpRequest, key: str) -> HttpResponse:
    """The standings of the season that runs; of all time where none does."""
    club = find_club(request.user, key)
    return _season_page(request, current(club))


@access("viewer")
@private
@require_GET
def season(request: HttpRequest, key: str, period: str) -> HttpResponse:
    """The standings of a season, a year, or all time."""
    club = find_club(request.user, key)
    return _season_page(request, find_period(club, period))


def _season_page(request: HttpRequest, period: Period) -> HttpResponse:
    table = standings(period)
    context = {
        "club": period.club,
        "period": period,
        "periods": periods(period.club),
        "table": table,
        "race": race(table),
        "endings": endings(table),
        "most_lines": MOST_LINES,
        "few": FEW,
        "even": even_card(period.club),
        "may_write": period.club.role in WRITERS,
        "is_owner": period.club.role == Role.OWNER,
        **head(table),
    }
    return render(request, "seasons/season.html", context)


@access("viewer", write="owner")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def season_list(request: HttpRequest, key: str) -> HttpResponse:
    """The seasons of a club; a post adds one."""
    post = request.method == "POST"
    club = find_club(request.user, key, role=Role.OWNER if post else Role.VIEWER)
    form = SeasonForm(request.POST if post else None)
    if post and form.is_valid():
        try:
            added = services.add_season(user=request.user, club_key=key, terms=form.terms)
        except GinError as error:
            form.add_problems(error)
        else:
            return _to(key, added)
    context = {"form": form, "seasons": Season.objects.filter(club=club)}
    return _page(request, club, "seasons/list.html", context, bool(form.errors))


@access("owner")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, key: str, season_key: str) -> HttpResponse:
    """Name and days of a season; a post changes, closes, reopens or removes it."""
    club = find_club(request.user, key, role=Role.OWNER)
    found = find_season(club, season_key)
    asked: Any = {"user": request.user, "club_key": key, "season_key": season_key}
    post, act = request.method == "POST", request.POST.get("act", "save")
    said = {"name": found.name, "begins": found.begins, "ends": found.ends}
    form = SeasonForm(request.POST if post and act == "save" else None, initial=said)
    try:
        if post and act in ("close", "reopen"):
            services.close_season(**asked, closed=act == "close")
            return _to(key, found)
        if post and act == "remove":
            services.remove_season(**asked)
            messages.success(request, f"{found.name} is no season any more.")
            return HttpResponseRedirect(reverse("season_list", args=[key]))
        if post and form.is_valid():
            services.change_season(**asked, terms=form.terms)
            return _to(key, found)
    except GinError as error:
        if not form.is_bound:
            form = SeasonForm(said)
            form.is_valid()
        form.add_problems(error)
    return _page(
        request, club, "seasons/edit.html", {"form": form, "season": found}, bool(form.errors)
    )


def _page(
    request: HttpRequest, club: Club, template: str, context: dict[str, Any], wrong: bool
) -> HttpResponse:
    context = {"club": club, "is_owner": club.role == Role.OWNER, **context}
    return render(request, template, context, status=422 if wrong else 200)


def _to(key: str, season: Season) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("season", args=[key, season.key]))
