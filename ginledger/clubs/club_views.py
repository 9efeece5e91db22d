"""Clubs and their members: terms, roles, invitations, joining and leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.gin.errors import AgainstRules, GinError
from ginledger.qr import qr_code
from ginledger.web import private

from . import club_services as services
from . import invitations
from .accounts import rename_user
from .club_forms import ClubForm, InviteForm, JoinForm, terms_of
from .club_services import find_club
from .models import Club, Invitation, Role, User
from .players import settle_claim
from .services import ensure_guest


def to(name: str, *args: Any) -> HttpResponseRedirect:
    """A redirect to one of our addresses."""
    return HttpResponseRedirect(reverse(name, args=args))


@access("public")
@private
@require_GET
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs one is in."""
    found = Club.objects.visible_to(request.user).order_by("closed_at", "name", "pk")
    members = dict(
        Club.objects.filter(pk__in=[club.pk for club in found])
        .annotate(members=Count("memberships"))
        .values_list("pk", "members")
    )
    context = {"clubs": [(club, members[club.pk]) for club in found]}
    return render(request, "clubs/list.html", context)


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """A new club; who has no account yet gets it as a guest."""
    form = ClubForm(
        request.POST if request.method == "POST" else None, initial={"time_zone": "UTC"}
    )
    if request.method == "POST" and form.is_valid():
        try:
            club = services.create_club(user=ensure_guest(request), terms=form.terms)
        except GinError as error:
            form.add_problems(error)
        else:
            return to("club_members", club.key)
    return render(request, "clubs/new.html", {"form": form}, status=422 if form.errors else 200)


@access("owner")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, key: str) -> HttpResponse:
    """The terms of the club, and closing it."""
    club = find_club(request.user, key, role=Role.OWNER)
    data = request.POST if request.method == "POST" else None
    form = ClubForm(data, club=club, initial=terms_of(club))
    if data is not None and form.is_valid():
        try:
            services.change_club(user=request.user, club_key=key, terms=form.terms)
        except GinError as error:
            form.add_problems(error)
        else:
            messages.success(request, "Saved.")
            return to("club", key)
    context = {"club": club, "form": form}
    return render(request, "clubs/settings.html", context, status=422 if form.errors else 200)


@access("viewer")
@private
@require_GET
def club_members(request: HttpRequest, key: str) -> HttpResponse:
    """Who is in the club; for owners also claims and invitations."""
    return _members(request, find_club(request.user, key))


def _members(
    request: HttpRequest, club: Club, form: InviteForm | None = None, trouble: str = ""
) -> HttpResponse:
    owner = club.role == Role.OWNER
    members = list(club.memberships.select_related("user").order_by("joined_at", "pk"))
    context = {
        "club": club,
        "members": members,
        "owners": sum(member.role == Role.OWNER for member in members),
        "roles": Role.choices,
        "claims": club.claims.select_related("user", "player").order_by("pk") if owner else (),
        "invitations": invitations.open_invitations(club) if owner else (),
        "form": form or InviteForm(),
        "trouble": trouble,
        "may_reopen": club.closed_at is not None and club.closed_by_id == request.user.pk,
    }
    status = 422 if trouble or (form is not None and form.errors) else 200
    return render(request, "clubs/members.html", context, status=status)


def _settled(
    request: HttpRequest, key: str, act: Callable[[], str], onward: str = "club_members"
) -> HttpResponse:
    """Do it and say so on the next page; or show the members with what stands in the way."""
    try:
        said = act()
    except GinError as error:
        trouble = " ".join(problem.message for problem in error.problems)
        return _members(request, find_club(request.user, key), trouble=trouble)
    if said:
        messages.success(request, said)
    return to(onward, key)


@access("owner")
@private
@require_POST
def member_role(request: HttpRequest, key: str, member_key: str) -> HttpResponse:
    """Another role for a member."""

    def act() -> str:
        member = services.change_role(
            user=request.user,
            club_key=key,
            member_key=member_key,
            role=request.POST.get("role", ""),
        )
        return f"{member.user} is {member.get_role_display()} now."

    return _settled(request, key, act)


@access("owner")
@private
@require_POST
def member_remove(request: HttpRequest, key: str, member_key: str) -> HttpResponse:
    """Put a member out of the club."""

    def act() -> str:
        revoked = services.remove_member(user=request.user, club_key=key, member_key=member_key)
        return "Removed." + (" Open invitations were taken back." if revoked else "")

    return _settled(request, key, act)


@access("viewer")
@private
@require_POST
def club_leave(request: HttpRequest, key: str) -> HttpResponse:
    """Leave the club."""
    try:
        services.leave_club(user=request.user, club_key=key)
    except AgainstRules as problem:
        club = find_club(request.user, key)
        return _members(request, club, trouble=problem.message)
    messages.success(request, "You left the club.")
    return to("clubs")


@access("owner")
@private
@require_POST
def club_close(request: HttpRequest, key: str) -> HttpResponse:
    """Have the club be read only."""
    find_club(request.user, key, role=Role.OWNER)
    if "sure" not in request.POST:
        return to("club_settings", key)
    services.close_club(user=request.user, club_key=key)
    messages.success(request, "The club is closed: everybody in it may still look.")
    return to("club", key)


@access("owner")
@private
@require_POST
def club_reopen(request: HttpRequest, key: str) -> HttpResponse:
    """Open a club again that one closed."""
    services.reopen_club(user=request.user, club_key=key)
    messages.success(request, "The club is open again. The others are viewers; set their roles.")
    return to("club_members", key)


@access("owner")
@private
@require_POST
def club_invite(request: HttpRequest, key: str) -> HttpResponse:
    """A new invitation."""
    club = find_club(request.user, key, role=Role.OWNER)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _members(request, club, form)
    try:
        made = invitations.invite(user=request.user, club_key=key, **form.cleaned_data)
    except GinError as error:
        form.add_problems(error)
        return _members(request, club, form)
    return to("invitation", key, made.key)


@access("owner")
@private
@require_GET
def invitation(request: HttpRequest, key: str, invitation_key: str) -> HttpResponse:
    """The link of an invitation and its QR code, as often as an owner wants to see them."""
    found = invitations.find_invitation(request.user, key, invitation_key)
    path = reverse("join", args=[invitations.code_of(found)])
    address = request.build_absolute_uri(path)
    try:
        invitations.verify_usable(found)
        trouble = ""
    except invitations.Unusable as problem:
        trouble = problem.message
    context = {
        "club": found.club,
        "invitation": found,
        "may": invitations.MAY[found.role],
        "address": address,
        "qr": qr_code(address, "QR code of the invitation"),
        "trouble": trouble,
    }
    return render(request, "clubs/invitation.html", context)


@access("owner")
@private
@require_POST
def invitation_revoke(request: HttpRequest, key: str, invitation_key: str) -> HttpResponse:
    """Take an invitation back."""
    invitations.revoke(user=request.user, club_key=key, invitation_key=invitation_key)
    messages.success(request, "The invitation is taken back.")
    return to("club_members", key)


@access("owner")
@private
@require_POST
def claim_settle(request: HttpRequest, key: str, claim_key: str) -> HttpResponse:
    """Agree to a member's claim to be a player, or decline it."""

    def act() -> str:
        agree = request.POST.get("agree") == "1"
        settle_claim(user=request.user, club_key=key, claim_key=claim_key, agree=agree)
        return "Agreed." if agree else "Declined."

    return _settled(request, key, act)


@access("token")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Follow an invitation: with an account, or as a guest of this browser with a name."""
    found = invitations.find_by_code(code)
    user = request.user if isinstance(request.user, User) else None
    if user is not None and found.club.memberships.filter(user=user).exists():
        return to("club", found.club.key)
    try:
        invitations.verify_usable(found)
    except invitations.Unusable as problem:
        return _join_page(request, found, None, problem.message)
    nameless = user is None or (user.is_guest and not user.name)
    form = JoinForm(request.POST if request.method == "POST" else None) if nameless else None
    if request.method != "POST" or (form is not None and not form.is_valid()):
        return _join_page(request, found, form)
    member = ensure_guest(request)
    if form is not None:
        rename_user(user=member, name=form.cleaned_data["name"])
    try:
        joined = invitations.accept(user=member, code=code)
    except invitations.Unusable as problem:
        return _join_page(request, found, None, problem.message)
    messages.success(request, f"Welcome to {joined.club.name}.")
    return to("club", joined.club.key)


def _join_page(
    request: HttpRequest,
    found: Invitation,
    form: JoinForm | None,
    trouble: str = "",
) -> HttpResponse:
    context = {
        "club": found.club,
        "invitation": found,
        "may": invitations.MAY[found.role],
        "form": form,
        "trouble": trouble,
        "path": request.path,
    }
    status = 410 if trouble else 422 if form is not None and form.errors else 200
    response = render(request, "clubs/join.html", context, status=status)
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response
