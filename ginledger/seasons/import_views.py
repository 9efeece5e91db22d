"""Matches out of files: choose, look at what was understood, store; and take it back."""

from __future__ import annotations

from itertools import groupby

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.gin.errors import GinError
from ginledger.typed import keeps_typed, take
from ginledger.web import private

from . import import_hands, import_results
from .import_found import Shelf, Understood
from .import_look import MOST_MATCHES, understand
from .import_pages import KIND_LINES, SHOWN, items
from .import_store import batch_of, in_batch, latest, store, take_back
from .import_text import DAY_FORMATS
from .import_text import MOST_BYTES as MOST_TABLE
from .import_uploads import MOST_BYTES, MOST_FILES, Upload, drop, find, keep, read_uploads

PLAYS = {"two": "Two people", "three": "Three at a table", "partners": "Partners"}


class ImportForm(forms.Form):
    """What hands are read by and how days are written.

    draft: the word under which files wait that were looked at; plays: for which numbers of
    people rule sets are offered.
    """

    draft = forms.CharField(required=False, widget=forms.HiddenInput)
    rules = forms.ChoiceField(label="Rules, where the table names none", required=False)
    days = forms.ChoiceField(
        label="Days are written",
        required=False,
        choices=[("", "as found out"), *((one.name, one.label) for one in DAY_FORMATS.values())],
    )

    def __init__(self, data: QueryDict | None, shelf: Shelf, plays: set[str], **more: str) -> None:
        super().__init__(data, initial=more, auto_id=False)
        offered = [one for one in shelf.rules.values() if one.rules.play in plays]
        offered.sort(key=lambda one: list(PLAYS).index(one.rules.play))
        self.fields["rules"].choices = [  # type: ignore[attr-defined]
            (PLAYS[play], [(one.slug, one.name) for one in group])
            for play, group in groupby(offered, key=lambda one: one.rules.play)
        ]


@access("scorer")
@private
@keeps_typed("import")
@require_http_methods(["GET", "HEAD", "POST"])
def import_table(request: HttpRequest, key: str) -> HttpResponse:
    """Files are looked at, and stored when that is what the button says."""
    club = find_club(request.user, key, role=Role.SCORER)
    posted = request.POST if request.method == "POST" else None
    kept = take(request) if posted is None else None
    if posted is None and (kept is None or not kept.get("draft")):
        return _page(request, club)
    form = ImportForm(posted or kept, Shelf(club), set(PLAYS))
    if not form.is_valid():
        return _page(request, club, problem="Choose the rules from the list.", status=422)
    token, chosen = form.cleaned_data["draft"], request.FILES.getlist("file")
    # Nothing is stored that was not seen: new files are looked at whatever the button says.
    storing = request.POST.get("step") == "store" and not chosen
    if storing and in_batch(club, batch_of(token)).exists():
        return _to_done(club, token)  # The button was pressed twice.
    found = None
    try:
        uploads = find(_user(request), token) if token and not chosen else read_uploads(chosen)
        found = understand(club, uploads, form.cleaned_data["rules"], form.cleaned_data["days"])
        if storing:
            return _store(request, club, uploads, form)
        token = keep(_user(request), uploads) if chosen else token
    except GinError as error:
        token = token if found else ""
        return _page(request, club, found, form, token, problem=str(error), status=422)
    return _page(request, club, found, form, token)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _store(
    request: HttpRequest, club: Club, uploads: list[Upload], form: ImportForm
) -> HttpResponse:
    user, token = _user(request), form.cleaned_data["draft"]
    store(
        user=user,
        club_key=club.key,
        uploads=uploads,
        batch=batch_of(token),
        rules=form.cleaned_data["rules"],
        form_name=form.cleaned_data["days"],
        some=request.POST.get("some") == "1",
    )
    drop(user, token)
    return _to_done(club, token)


def _to_done(club: Club, token: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("import_done", args=[club.key, batch_of(token)]))


@access("scorer")
@private
@require_GET
def import_done(request: HttpRequest, key: str, batch: str) -> HttpResponse:
    """What one import stored and is still there."""
    club = find_club(request.user, key, role=Role.SCORER)
    count = in_batch(club, batch).count()
    if not count:
        raise Http404("No such import.")
    return render(
        request, "seasons/import_done.html", {"club": club, "count": count, "batch": batch}
    )


@access("scorer")
@private
@require_POST
def import_back(request: HttpRequest, key: str, batch: str) -> HttpResponse:
    """All that one import stored goes to the bin, as one act."""
    club = find_club(request.user, key, role=Role.SCORER)
    count = take_back(user=_user(request), club_key=club.key, batch=batch)
    said = "1 match is" if count == 1 else f"{count} matches are"
    messages.success(request, f"{said} in the bin.")
    return HttpResponseRedirect(reverse("import", args=[club.key]))


def _page(
    request: HttpRequest,
    club: Club,
    found: Understood | None = None,
    asked: ImportForm | None = None,
    token: str = "",
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page; with what was understood, or with what can come in and what came in of late."""
    said = asked.cleaned_data if asked else {}
    shelf = Shelf(club, said.get("rules", ""))
    rules = found.rules.slug if found and found.rules else shelf.chosen.slug
    plays = found.plays if found and found.rules and found.plays else set(PLAYS)
    context = {
        "club": club,
        "form": ImportForm(None, shelf, plays, rules=rules, days=said.get("days", "")),
        "found": found,
        "draft": token,
        "problem": problem,
        "kind": KIND_LINES[found.kind] if found else "",
        "items": items(found) if found else (),
        "faults": found.faults[:SHOWN] if found else (),
        "most": MOST_TABLE // 1000,
        "most_files": MOST_FILES,
        "most_matches": MOST_MATCHES,
        "most_together": MOST_BYTES // 1_000_000,
        "needed_of_hands": import_hands.NEEDED,
        "needed_of_results": import_results.NEEDED,
        "latest": () if found else latest(club),
    }
    return render(request, "seasons/import.html", context, status=status)
