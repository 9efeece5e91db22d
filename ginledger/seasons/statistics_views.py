"""The statistics of a club for a season, a year or all time."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.web import private

from .charts import pair_race
from .forms import MeetingForm
from .periods import find_period, periods
from .rates import FEW
from .ratings import ratings_card
from .season_page import head
from .statistics import AVERAGES, meeting, statistics


@access("viewer")
@private
@require_GET
def statistics_page(request: HttpRequest, key: str, period: str) -> HttpResponse:
    """Rates, averages, streaks; how any two stand against each other, where they are named."""
    club = find_club(request.user, key)
    days = find_period(club, period)
    found = statistics(days)
    players = {line.player.key: line.player for line in found.table.lines}
    form = MeetingForm(request.GET or None, players=list(players.values()))
    pair = race = None
    if form.is_valid():
        one, other = (players[form.cleaned_data[name]] for name in ("one", "other"))
        pair, race = meeting(days, one, other), pair_race(days, one, other)
    context = {
        "club": club,
        "period": days,
        "periods": periods(club),
        "table": found.table,
        "found": found,
        "averages": [name for name, _, _ in AVERAGES],
        "few": FEW,
        "form": form,
        "meeting": pair,
        "race": race,
        **head(found.table),
        **ratings_card(days),
    }
    return render(request, "seasons/statistics.html", context, status=422 if form.errors else 200)
