"""A club's own page and its players: what is played, who plays, and who turned out to be whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.clubs import players as player_services
from ginledger.clubs.club_forms import MergeForm, PlayerForm
from ginledger.clubs.club_services import MOST_KEY, find_club
from ginledger.clubs.club_views import to
from ginledger.clubs.models import WRITERS, Club, Player, Role, User
from ginledger.clubs.services import (
    find_player,
    real_player,
    remove_player,
    rename_player,
    restore_player,
)
from ginledger.gin.errors import GinError
from ginledger.web import private

from .listing import recent
from .merging import merge_players, undo_merge
from .models import Match


@access("viewer")
@private
@require_GET
def club(request: HttpRequest, key: str) -> HttpResponse:
    """What the club plays and has played, and by whom."""
    found = find_club(request.user, key)
    context = {
        "club": found,
        "may_write": found.role in WRITERS,
        "claims": found.claims.count() if found.role == Role.OWNER else 0,
        "players": found.players.playing().filter(merged_into=None),
        **recent(Match.objects.visible_to(request.user).filter(club=found)),
    }
    return render(request, "clubs/club.html", context)


@access("viewer", write="scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, key: str) -> HttpResponse:
    """The players of the club; a post adds one."""
    post = request.method == "POST"
    found = find_club(request.user, key, role=Role.SCORER if post else Role.VIEWER)
    form = PlayerForm(request.POST if post else None)
    if post and form.is_valid():
        try:
            player_services.add_player(
                user=request.user, club_key=key, name=form.cleaned_data["name"]
            )
        except GinError as error:
            form.add_problems(error)
        else:
            return to("players", key)
    known = found.players.filter(merged_into=None).select_related("user")
    counted = known.annotate(matches=Count("seats")).order_by("folded")
    context = {
        "club": found,
        "may_write": found.role in WRITERS,
        "form": form,
        "playing": [one for one in counted if one.archived_at is None],
        "archived": [one for one in counted if one.archived_at is not None],
    }
    return render(request, "clubs/players.html", context, status=422 if form.errors else 200)


def _find(
    request: HttpRequest, key: str, player_key: str, role: str = Role.VIEWER
) -> tuple[Club, Player]:
    """The club and a player of it, found and authorised together."""
    if len(key) > MOST_KEY or len(player_key) > MOST_KEY:
        raise Http404("No such player.")
    found = find_player(request.user, player_key, role=role)
    if found.club.key != key:
        raise Http404("No such player.")
    found.club.role = found.role
    return found.club, found


@access("viewer")
@private
@require_GET
def player(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """One player: the matches, the account, the names that lead here."""
    found_club, found = _find(request, key, player_key)
    return _player(request, found_club, found)


def _player(
    request: HttpRequest,
    club: Club,
    found: Player,
    *,
    form: PlayerForm | None = None,
    merge: MergeForm | None = None,
    trouble: str = "",
) -> HttpResponse:
    owner, user = club.role == Role.OWNER, request.user
    assert isinstance(user, User)  # whoever found a player is somebody
    context = {
        "club": club,
        "player": found,
        "real": real_player(found),
        "may_write": club.role in WRITERS,
        "owner": owner,
        "form": form or PlayerForm(initial={"name": found.name}),
        "merge": (merge or _merge_form(club, found)) if owner else None,
        "merges": club.merges.filter(kept=found, undone_at=None).select_related("gone"),
        "claim": found.claims.filter(user=user).first(),
        "mine": found.user_id is not None and found.user_id == user.pk,
        "is_player": club.players.filter(user=user).exists(),
        "trouble": trouble,
        **recent(Match.objects.visible_to(request.user).filter(seats__player=found)),
    }
    wrong = trouble or (form and form.errors) or (merge and merge.errors)
    return render(request, "clubs/player.html", context, status=422 if wrong else 200)


def _merge_form(club: Club, found: Player, data: Any = None) -> MergeForm:
    others = club.players.filter(merged_into=None).exclude(pk=found.pk).order_by("folded")
    return MergeForm(data, others=[(one.key, one.name) for one in others])


def _done(
    request: HttpRequest, key: str, player_key: str, role: str, act: Callable[[], str]
) -> HttpResponse:
    """Do it and go to the player's page; or show the page with what stands in the way."""
    found_club, found = _find(request, key, player_key, role)
    try:
        said = act()
    except GinError as error:
        trouble = " ".join(problem.message for problem in error.problems)
        return _player(request, found_club, found, trouble=trouble)
    if said:
        messages.success(request, said)
    return to("player", key, player_key)


@access("scorer")
@private
@require_POST
def player_rename(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Another name for the player, in every match."""
    found_club, found = _find(request, key, player_key, Role.SCORER)
    form = PlayerForm(request.POST)
    if form.is_valid():
        try:
            rename_player(user=request.user, player_key=player_key, name=form.cleaned_data["name"])
        except GinError as error:
            form.add_problems(error)
        else:
            return to("player", key, player_key)
    return _player(request, found_club, found, form=form)


@access("scorer")
@private
@require_POST
def player_archive(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Offer the name no more; who never played is gone, results always stay."""
    _find(request, key, player_key, Role.SCORER)
    try:
        deleted = remove_player(user=request.user, player_key=player_key)
    except GinError as error:
        found_club, found = _find(request, key, player_key)
        return _player(request, found_club, found, trouble=str(error))
    return to("players", key) if deleted else to("player", key, player_key)


@access("scorer")
@private
@require_POST
def player_restore(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Offer an archived name again."""

    def act() -> str:
        restore_player(user=request.user, player_key=player_key)
        return ""

    return _done(request, key, player_key, Role.SCORER, act)


@access("viewer")
@private
@require_POST
def player_claim(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Say that one is this player."""

    def act() -> str:
        user = request.user
        assert isinstance(user, User)
        at_once = player_services.claim_player(user=user, player_key=player_key)
        return "That is you from now on." if at_once else "An owner of the club has to agree."

    return _done(request, key, player_key, Role.VIEWER, act)


@access("player")
@private
@require_POST
def player_unclaim(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Have the player be nobody's account again."""

    def act() -> str:
        player_services.unclaim_player(user=request.user, player_key=player_key)
        return "The account and the player are two again."

    return _done(request, key, player_key, Role.VIEWER, act)


@access("owner")
@private
@require_POST
def player_merge(request: HttpRequest, key: str, player_key: str) -> HttpResponse:
    """Say that another player is this one."""
    found_club, found = _find(request, key, player_key, Role.OWNER)
    form = _merge_form(found_club, found, request.POST)
    if form.is_valid():
        gone = form.cleaned_data["gone"]
        try:
            merged = merge_players(user=request.user, kept_key=player_key, gone_key=gone)
        except GinError as error:
            form.add_problems(error)
        else:
            messages.success(request, f"{merged.gone.name} is {found.name} from now on.")
            return to("player", key, player_key)
    return _player(request, found_club, found, merge=form)


@access("owner")
@private
@require_POST
def merge_undo(request: HttpRequest, key: str, merge_key: str) -> HttpResponse:
    """Take a merge back."""
    found = find_club(request.user, key, role=Role.OWNER)
    try:
        again = undo_merge(user=request.user, club_key=key, merge_key=merge_key)
    except GinError as error:
        messages.warning(request, str(error))
        return to("players", found.key)
    messages.success(request, f"{again.name} is a player of his own again.")
    return to("player", key, again.key)
