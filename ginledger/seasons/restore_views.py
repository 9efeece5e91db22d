"""A club out of its backup: choose the file, look at what is in it, store; and take it back."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger import typed
from ginledger.access import access
from ginledger.clubs.account_views import is_account, to_login
from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Club, Role, User
from ginledger.gin.errors import GinError
from ginledger.gin.text import problem_line
from ginledger.web import private

from .import_uploads import MOST_BYTES, drop, find, keep, read_uploads
from .restore_page import (
    Inside,
    club_here,
    fingerprint,
    inside_of,
    look_inside,
    read_backup,
    remove_restored,
    restore,
)

# In the session, by the key of the club that a file became: the word it waited under, and the
# club's fingerprint then.
_RESTORED = "restored_clubs"


@access("account")
@private
@typed.keeps_typed("club_restore")
@require_http_methods(["GET", "HEAD", "POST"])
def club_restore(request: HttpRequest) -> HttpResponse:
    """A backup is looked at, and stored when that is what the button says.

    A look has an address of its own, so that a browser can go back to it.
    """
    if not is_account(request):
        typed.keep(request)
        return to_login(request)
    chosen = request.FILES.getlist("file")
    if request.method != "POST":
        said = request.GET if "draft" in request.GET else typed.take(request)
        token = said.get("draft", "") if said is not None else ""
        return _look(request, token) if token else _page(request)
    if request.POST.get("step") == "store" and not chosen:
        return _store(request, request.POST.get("draft", ""))
    return _to_look(request, chosen, request.POST.get("draft", ""))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _to_look(request: HttpRequest, chosen: list[UploadedFile], token: str) -> HttpResponse:
    """Have the file wait and go to where it is looked at."""
    try:
        if chosen or not token:
            token = keep(_user(request), read_uploads(chosen[:1]))
    except GinError as error:
        return _page(request, problems=error)
    return HttpResponseRedirect(f"{reverse('club_restore')}?{urlencode({'draft': token})}")


def _look(request: HttpRequest, token: str) -> HttpResponse:
    """What is in the file, or why it cannot be restored."""
    if key := _stored_as(request, token):
        return _to_restored(key)  # It was stored, and somebody went back.
    document = None
    try:
        document = read_backup(find(_user(request), token)[0].data)
        return _page(request, look_inside(document), token)
    except GinError as error:
        return _page(request, problems=error, here=club_here(_user(request), document))


def _store(request: HttpRequest, token: str) -> HttpResponse:
    if key := _stored_as(request, token):
        return _to_restored(key)  # The button was pressed twice.
    user, document = _user(request), None
    try:
        document = read_backup(find(user, token)[0].data)
        club = restore(user=user, document=document)
    except GinError as error:
        return _page(request, problems=error, here=club_here(user, document))
    drop(user, token)
    made = {"token": token, "unchanged": fingerprint(club)}
    request.session[_RESTORED] = {**_made(request), club.key: made}
    return _to_restored(club.key)


def _made(request: HttpRequest) -> dict[str, dict[str, str]]:
    """What this browser restored."""
    found: dict[str, dict[str, str]] = request.session.get(_RESTORED, {})
    return found


def _stored_as(request: HttpRequest, token: str) -> str | None:
    """The key of the club that the file of this word became, in this browser."""
    return next((key for key, one in _made(request).items() if one["token"] == token), None)


def _to_restored(key: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("club_restored", args=[key]))


@access("owner")
@private
@require_GET
def club_restored(request: HttpRequest, key: str) -> HttpResponse:
    """What the backup became; in the browser that restored it."""
    club = find_club(request.user, key, role=Role.OWNER)
    if club.key not in _made(request):
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    context = {"club": club, "inside": inside_of(club)}
    return render(request, "seasons/restored.html", context)


@access("owner")
@private
@require_POST
def club_restored_back(request: HttpRequest, key: str) -> HttpResponse:
    """The club is removed again, unless anything in it was changed."""
    club = find_club(request.user, key, role=Role.OWNER)
    made = _made(request)
    if club.key not in made:
        messages.error(request, "This browser did not restore this club: it can be closed.")
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    try:
        unchanged = made[club.key]["unchanged"]
        remove_restored(user=_user(request), club_key=key, unchanged=unchanged)
    except GinError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    request.session[_RESTORED] = {one: said for one, said in made.items() if one != club.key}
    messages.success(request, f"{club.name} is removed, as if it had not been restored.")
    return HttpResponseRedirect(reverse("clubs"))


def _page(
    request: HttpRequest,
    inside: Inside | None = None,
    draft: str = "",
    *,
    problems: GinError | None = None,
    here: Club | None = None,
) -> HttpResponse:
    context = {
        "inside": inside,
        "draft": draft,
        "problems": [problem_line(one) for one in problems.problems[:100]] if problems else [],
        "here": here,
        "most": MOST_BYTES // 1_000_000,
    }
    return render(request, "seasons/restore.html", context, status=422 if problems else 200)
