"""Matches out of files: choose, look at what was understood, store; and take it back."""

from __future__ import annotations

from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.gin.errors import AgainstRules, GinError, Unreadable
from ginledger.typed import keeps_typed, take
from ginledger.web import private

from . import import_hands, import_results
from .import_found import Shelf, Understood
from .import_look import MOST_MATCHES, understand
from .import_pages import KIND_LINES, SHOWN, items
from .import_store import batch_of, in_batch, latest, store, take_back, was_taken_back
from .import_text import DAY_FORMATS
from .import_text import MOST_BYTES as MOST_TABLE
from .import_uploads import MOST_BYTES, MOST_FILES, drop, find, keep, read_uploads

PLAYS = {"two": "Two people", "three": "Three at a table", "partners": "Partners"}
# What the form says of how files are read.
CHOICES = ("rules", "days", "stand_in")


class ImportForm(forms.Form):
    """What hands are read by and how days are written.

    draft: the word under which files wait; seen: the choices by which they were looked at; plays:
    for which numbers of people rule sets are offered.
    """

    draft = forms.CharField(required=False, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    rules = forms.ChoiceField(label="Rules, where the table names none", required=False)
    days = forms.ChoiceField(
        label="Days are written",
        required=False,
        choices=[("", "as found out"), *((one.name, one.label) for one in DAY_FORMATS.values())],
    )
    stand_in = forms.BooleanField(
        label="Read the hands under rules unknown here by the rules chosen below", required=False
    )

    def __init__(self, data: QueryDict | None, shelf: Shelf, plays: set[str], **more: Any) -> None:
        super().__init__(data, initial=more, auto_id=False)
        offered = [one for one in shelf.rules.values() if one.rules.play in plays]
        offered.sort(key=lambda one: list(PLAYS).index(one.rules.play))
        self.fields["rules"].choices = [  # type: ignore[attr-defined]
            (PLAYS[play], [(one.slug, one.name) for one in group])
            for play, group in groupby(offered, key=lambda one: one.rules.play)
        ]

    @property
    def chosen(self) -> str:
        """The choices as ``seen`` keeps them."""
        return _choices(self.cleaned_data)


def _choices(said: dict[str, Any]) -> str:
    return urlencode({name: said[name] for name in CHOICES if said.get(name)})


@access("scorer")
@private
@keeps_typed("import")
@require_http_methods(["GET", "HEAD", "POST"])
def import_table(request: HttpRequest, key: str) -> HttpResponse:
    """Files are looked at, and stored when that is what the button says.

    A look has an address of its own, so that a browser can go back to it.
    """
    club = find_club(request.user, key, role=Role.SCORER)
    said: QueryDict | None = request.POST
    if request.method != "POST":
        said = request.GET if "draft" in request.GET else take(request)
        if said is None or not said.get("draft"):
            return _page(request, club)
    form = ImportForm(said, Shelf(club), set(PLAYS))
    if not form.is_valid():
        return _page(request, club, problem="Choose the rules from the list.", status=422)
    if request.method != "POST":
        return _look(request, club, form)
    # Nothing is stored that was not seen: new files are looked at whatever the button says.
    if request.FILES.getlist("file") or request.POST.get("step") != "store":
        return _to_look(request, club, form)
    return _store(request, club, form)


def _to_look(request: HttpRequest, club: Club, form: ImportForm) -> HttpResponse:
    """Have the files wait and go to where they are looked at."""
    token, chosen = form.cleaned_data["draft"], request.FILES.getlist("file")
    try:
        if chosen or not token:
            token = keep(_user(request), read_uploads(chosen))
    except GinError as error:
        return _page(request, club, form=form, problem=str(error), status=422)
    return HttpResponseRedirect(_address(club, form, token))


def _address(club: Club, form: ImportForm, token: str) -> str:
    """Where files are looked at with these choices."""
    address = f"{reverse('import', args=[club.key])}?{urlencode({'draft': token})}"
    return f"{address}&{form.chosen}" if form.chosen else address


def _look(request: HttpRequest, club: Club, form: ImportForm) -> HttpResponse:
    """What the files would become."""
    said = form.cleaned_data
    if in_batch(club, batch_of(said["draft"])).exists():
        return _to_done(club, said["draft"])  # It was stored, and somebody went back.
    try:
        uploads = find(_user(request), said["draft"])
        found = understand(club, uploads, said["rules"], said["days"], stand_in=said["stand_in"])
    except GinError as error:
        return _page(request, club, form=form, problem=str(error), status=422)
    return _page(request, club, found, form)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _store(request: HttpRequest, club: Club, form: ImportForm) -> HttpResponse:
    """Store what was seen; anything else is looked at first."""
    user, said = _user(request), form.cleaned_data
    token = said["draft"]
    if in_batch(club, batch_of(token)).exists():
        return _to_done(club, token)  # The button was pressed twice.
    try:
        if form.chosen != said["seen"]:
            text = "Nothing was stored. Look at it once more with these choices."
            raise AgainstRules("import-unseen", text)
        store(
            user=user,
            club_key=club.key,
            uploads=find(user, token),
            batch=batch_of(token),
            rules=said["rules"],
            form_name=said["days"],
            stand_in=said["stand_in"],
            some=request.POST.get("some") == "1",
        )
    except Unreadable as error:
        return _page(request, club, form=form, problem=str(error), status=422)
    except GinError as error:
        messages.warning(request, str(error))
        return HttpResponseRedirect(_address(club, form, token))
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
        return _taken_back(request, club, batch)
    return render(
        request, "seasons/import_done.html", {"club": club, "count": count, "batch": batch}
    )


@access("scorer")
@private
@require_POST
def import_back(request: HttpRequest, key: str, batch: str) -> HttpResponse:
    """All that one import stored goes to the bin, as one act."""
    club = find_club(request.user, key, role=Role.SCORER)
    if not in_batch(club, batch).exists():
        return _taken_back(request, club, batch)
    count = take_back(user=_user(request), club_key=club.key, batch=batch)
    said = "1 match is" if count == 1 else f"{count} matches are"
    messages.success(request, f"{said} in the bin.")
    return HttpResponseRedirect(reverse("import", args=[club.key]))


def _taken_back(request: HttpRequest, club: Club, batch: str) -> HttpResponse:
    """Nothing of an import is here any more: why, or Http404 where there was none."""
    if not was_taken_back(club, batch):
        raise Http404("No such import.")
    messages.info(request, "That import was taken back already.")
    return HttpResponseRedirect(reverse("import", args=[club.key]))


def _page(
    request: HttpRequest,
    club: Club,
    found: Understood | None = None,
    form: ImportForm | None = None,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page; with what was understood, or with what can come in and what came in of late."""
    said = form.cleaned_data if form else {}
    shelf = Shelf(club, said.get("rules", ""))
    rules = found.rules.slug if found and found.rules else shelf.chosen.slug
    plays = found.plays if found and found.rules and found.plays else set(PLAYS)
    shown = {"rules": rules, "days": said.get("days", ""), "stand_in": said.get("stand_in", False)}
    context = {
        "club": club,
        "form": ImportForm(None, shelf, plays, **shown),
        "found": found,
        "draft": said.get("draft", "") if found else "",
        "seen": _seen(found, shown) if found else "",
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


def _seen(found: Understood, shown: dict[str, Any]) -> str:
    """The choices as they are sent back unchanged: only those that the page offers."""
    offered = {
        "rules": shown["rules"] if found.rules else "",
        "days": shown["days"] if found.form else "",
        "stand_in": shown["stand_in"] and bool(found.unknown_rules),
    }
    return _choices(offered)
