"""What a club or a match takes along as files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role
from ginledger.matches.querysets import find_match
from ginledger.money.forms import DaysForm
from ginledger.web import private

from .export_files import DELIMITERS, backup_download, csv_download, json_download, xlsx_download
from .export_rows import TOPICS, Scope, Topic
from .periods import periods


def _named(found: Iterable[Topic]) -> list[tuple[str, str]]:
    return [(topic.name, topic.label) for topic in found]


FORMATS = (
    ("comma", "CSV, commas"),
    ("semicolon", "CSV, semicolons (where a comma is the decimal point)"),
    ("tab", "CSV, tabs"),
    ("xlsx", "Excel workbook, every table"),
    ("json", "JSON, every table"),
)


class TableForm(forms.Form):
    """A table and how it is written."""

    topic = forms.ChoiceField(label="Table", choices=_named(TOPICS.values()))
    form = forms.ChoiceField(label="As", choices=FORMATS, required=False)


class MatchTableForm(TableForm):
    """A table of one match."""

    topic = forms.ChoiceField(
        choices=_named(topic for topic in TOPICS.values() if topic.of_match)
    )  # fmt: skip


class ExportForm(TableForm, DaysForm):
    """A table of a club: of a season or a year, of some days, or of all of them."""

    season = forms.ChoiceField(label="Season or year", required=False)
    field_order = ("topic", "season", "since", "until", "form")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": False, **kwargs})
        self.club = club
        self.periods = {period.slug: period for period in periods(club)}
        field = self.fields["season"]
        assert isinstance(field, forms.ChoiceField)
        names = [(slug, period.name) for slug, period in self.periods.items()]
        field.choices = [("", "The days below, or all"), *names]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("season") and (cleaned.get("since") or cleaned.get("until")):
            self.add_error("season", "Choose a season or days, not both.")
        return cleaned

    @property
    def scope(self) -> Scope:
        """What is asked for, when the form is valid."""
        if season := self.cleaned_data["season"]:
            return Scope.of(self.periods[season])
        since, until = self.days
        return Scope(self.club, since=since, until=until)


@access("viewer")
@private
@require_GET
def export(request: HttpRequest, key: str) -> HttpResponse:
    """What can be taken along, to be chosen."""
    club = find_club(request.user, key)
    return _page(request, club, ExportForm(club=club))


@access("viewer")
@private
@require_GET
def export_table(request: HttpRequest, key: str) -> HttpResponse:
    """A table of the club as a file."""
    club = find_club(request.user, key)
    form = ExportForm(request.GET, club=club)
    if not form.is_valid():
        return _page(request, club, form, status=422)
    return _download(form.scope, form)


@access("viewer")
@private
@require_GET
def match_table(request: HttpRequest, key: str) -> HttpResponse:
    """A table of one match as a file: its hands where nothing else is asked for."""
    match = find_match(request.user, key)
    form = MatchTableForm({"topic": "hands", **request.GET.dict()})
    if not form.is_valid():
        return HttpResponse("There is no such table.", status=422, content_type="text/plain")
    return _download(Scope(match.club, match), form)


@access("owner")
@private
@require_GET
def backup(request: HttpRequest, key: str) -> HttpResponse:
    """Everything of the club, to be restored on any server."""
    club = find_club(request.user, key, role=Role.OWNER)
    return cast("HttpResponse", backup_download(club))


def _download(scope: Scope, form: TableForm) -> HttpResponse:
    topic, chosen = TOPICS[form.cleaned_data["topic"]], form.cleaned_data["form"] or "comma"
    if chosen == "xlsx":
        answer: StreamingHttpResponse = xlsx_download(scope)
    elif chosen == "json":
        answer = json_download(scope)
    else:
        answer = csv_download(scope, topic, DELIMITERS[chosen])
    # What guards a view only touches the headers, which a streamed answer has too.
    return cast("HttpResponse", answer)


def _page(request: HttpRequest, club: Club, form: ExportForm, *, status: int = 200) -> HttpResponse:
    return render(request, "seasons/export.html", {"club": club, "form": form}, status=status)
