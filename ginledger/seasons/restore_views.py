"""A club out of its backup: choose the file, look at what is in it, store; and take it back."""

from __future__ import annotations

from django.contrib import messages
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

# In the session: the word the file waited under, the club it became, and its fingerprint.
_RESTORED = "restored"


@access("account")
@private
@typed.keeps_typed("club_restore")
@require_http_methods(["GET", "HEAD", "POST"])
def club_restore(request: HttpRequest) -> HttpResponse:
    """A backup is looked at, and stored when that is what the button says."""
    if not is_account(request):
        typed.keep(request)
        return to_login(request)
    user = request.user
    assert isinstance(user, User)
    posted = request.POST if request.method == "POST" else typed.take(request)
    if posted is None or (request.method != "POST" and not posted.get("draft")):
        return _page(request)
    token, chosen = posted.get("draft", ""), request.FILES.getlist("file")
    storing = posted.get("step") == "store" and request.method == "POST" and not chosen
    before = request.session.get(_RESTORED, {})
    if storing and token and token == before.get("token"):
        return _to_restored(before["club"])  # The button was pressed twice.
    document = None
    try:
        uploads = find(user, token) if token and not chosen else read_uploads(chosen[:1])
        document = read_backup(uploads[0].data)
        if storing:
            club = restore(user=user, document=document)
            drop(user, token)
            made = {"token": token, "club": club.key, "unchanged": fingerprint(club)}
            request.session[_RESTORED] = made
            return _to_restored(club.key)
        inside = look_inside(document)
    except GinError as error:
        return _page(request, problems=error, here=club_here(user, document))
    return _page(request, inside, keep(user, uploads) if chosen else token)


def _to_restored(key: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("club_restored", args=[key]))


@access("owner")
@private
@require_GET
def club_restored(request: HttpRequest, key: str) -> HttpResponse:
    """What the backup became; in the browser that restored it."""
    club = find_club(request.user, key, role=Role.OWNER)
    if request.session.get(_RESTORED, {}).get("club") != club.key:
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    context = {"club": club, "inside": inside_of(club)}
    return render(request, "seasons/restored.html", context)


@access("owner")
@private
@require_POST
def club_restored_back(request: HttpRequest, key: str) -> HttpResponse:
    """The club is removed again, unless anything in it was changed."""
    club = find_club(request.user, key, role=Role.OWNER)
    made = request.session.get(_RESTORED, {})
    if made.get("club") != club.key:
        messages.error(request, "This browser did not restore this club: it can be closed.")
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    assert isinstance(request.user, User)
    try:
        remove_restored(user=request.user, club_key=key, unchanged=made["unchanged"])
    except GinError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(reverse("club", args=[club.key]))
    del request.session[_RESTORED]
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
