"""Hands out of a table: choose, look at what was understood, store; and take it back."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.gin.errors import GinError, Unreadable
from ginledger.gin.ruleset import DEFAULT_PRESET, Preset, presets
from ginledger.web import private

from .import_hands import COLUMNS, NEEDED, Understood, store, take_back, understand
from .import_text import DAY_FORMATS, MOST_BYTES, read_text

SHOWN = 200


def two_player_presets() -> dict[str, Preset]:
    """The rule sets of two, which is whom a table of hands is about."""
    return {slug: preset for slug, preset in presets().items() if preset.rules.play == "two"}


class ImportForm(forms.Form):
    """A table, by which rules it was played and how its days are written.

    text: of a table that was looked at already; file: of one that was not.
    """

    file = forms.FileField(label="Table (CSV)", required=False, allow_empty_file=True)
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    rules = forms.ChoiceField(label="Rules")
    days = forms.ChoiceField(
        label="Days are written",
        required=False,
        choices=[("", "as found out"), *((one.name, one.label) for one in DAY_FORMATS.values())],
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choices = [(slug, preset.name) for slug, preset in two_player_presets().items()]
        self.fields["rules"].choices = choices  # type: ignore[attr-defined]

    def table(self) -> str:
        """The text of the table; raises Unreadable."""
        file = self.cleaned_data["file"]
        if file is None and not self.cleaned_data["text"]:
            raise Unreadable("file-missing", "Choose a file first.", "file")
        if file is None:
            return read_text(self.cleaned_data["text"].encode())
        if file.size > 2 * MOST_BYTES:  # UTF-16
            text = f"A table has up to {MOST_BYTES // 1000} kB; split it."
            raise Unreadable("file-large", text, "file")
        return read_text(file.read())


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def import_table(request: HttpRequest, key: str) -> HttpResponse:
    """A table is looked at, and stored when that is what the button says."""
    club = find_club(request.user, key, role=Role.SCORER)
    if request.method != "POST":
        usual = club.usual_rules if club.usual_rules in two_player_presets() else DEFAULT_PRESET
        return _page(request, club, ImportForm(initial={"rules": usual}, auto_id=False))
    form = ImportForm(request.POST, request.FILES, auto_id=False)
    if not form.is_valid():
        return _page(request, club, form, problem="Choose a file and the rules.", status=422)
    preset, days = two_player_presets()[form.cleaned_data["rules"]], form.cleaned_data["days"]
    found, text = None, ""
    try:
        text = form.table()
        found = understand(club, text, preset, days)
        if request.POST.get("step") == "store":
            return _store(request, club, text, preset, days)
    except GinError as error:
        return _page(request, club, form, found, text, problem=str(error), status=422)
    return _page(request, club, form, found, text)


def _store(request: HttpRequest, club: Club, text: str, preset: Preset, days: str) -> HttpResponse:
    assert isinstance(request.user, User)
    made = store(
        user=request.user,
        club_key=club.key,
        text=text,
        preset=preset,
        form_name=days,
        some=request.POST.get("some") == "1",
    )
    return render(request, "seasons/import_done.html", {"club": club, "made": made})


@access("scorer")
@private
@require_POST
def import_back(request: HttpRequest, key: str) -> HttpResponse:
    """All that one import stored goes to the bin, as one act."""
    club = find_club(request.user, key, role=Role.SCORER)
    assert isinstance(request.user, User)
    keys = request.POST.get("matches", "").split()
    count = take_back(user=request.user, club_key=club.key, keys=keys)
    said = "1 match is" if count == 1 else f"{count} matches are"
    messages.success(request, f"{said} in the bin.")
    return HttpResponseRedirect(reverse("club", args=[club.key]))


def _page(
    request: HttpRequest,
    club: Club,
    form: ImportForm,
    found: Understood | None = None,
    text: str = "",
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "club": club,
        "form": form,
        "found": found,
        "text": text,
        "problem": problem,
        "matches": found.matches[:SHOWN] if found else (),
        "faults": found.faults[:SHOWN] if found else (),
        "most": MOST_BYTES // 1000,
        "needed": NEEDED,
        "optional": [name for name in COLUMNS if name not in NEEDED],
    }
    return render(request, "seasons/import.html", context, status=status)
