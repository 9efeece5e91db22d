"""Writes of accounts, clubs and players: keyword-only, one transaction each."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import ProtectedError
from django.http import Http404, HttpRequest
from django.utils import timezone

from ginledger.clock import known_zone
from ginledger.gin.errors import AgainstRules

from .models import Club, Membership, Player, Role, User
from .names import clean_name, clean_names, fold
from .querysets import Asker

# Who may do more: an owner all that a scorer may, a scorer all that a viewer may.
RANK: dict[str, int] = {Role.VIEWER: 0, Role.SCORER: 1, Role.OWNER: 2}
GUEST_SECONDS = 365 * 24 * 60 * 60
GUEST_CLUB = "Our table"
LONGEST_ZONE = 64
_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def ensure_guest(request: HttpRequest) -> User:
    """The user of this request; without one, a new guest with a club, logged in for a year."""
    if isinstance(request.user, User):
        return request.user
    with transaction.atomic():
        user = User(is_guest=True)
        user.set_unusable_password()
        user.save()
        home_club(user, posted_zone(request))
    login(request, user, backend=_BACKEND)
    request.session.set_expiry(GUEST_SECONDS)
    return user


def posted_zone(request: HttpRequest) -> str:
    """The time zone that the browser tells in a form's "zone" (an IANA name); else UTC."""
    zone = request.POST.get("zone", "")
    return zone if 0 < len(zone) <= LONGEST_ZONE and known_zone(zone) else "UTC"


def home_club(user: User, time_zone: str = "UTC") -> Club:
    """The first club the user owns: new matches go there.

    Made when there is none, and keeps the time of this zone then.
    """
    with transaction.atomic():
        User.objects.select_for_update().filter(pk=user.pk).first()
        owned = (
            Membership.objects.filter(user=user, role=Role.OWNER)
            .select_related("club")
            .order_by("pk")
            .first()
        )
        if owned is not None:
            return owned.club
        club = Club.objects.create(name=GUEST_CLUB, time_zone=time_zone)
        Membership.objects.create(club=club, user=user, role=Role.OWNER)
        return club


def find_player(user: Asker, key: str, *, write: bool = False, role: str = Role.VIEWER) -> Player:
    """The player with this key in a club where the user has at least this role.

    write: short for the role of a scorer. Raises Http404 for a stranger and PermissionDenied for
    a member with a lower role.
    """
    found = Player.objects.visible_to(user).select_related("club", "user").filter(key=key)
    player = found.first()
    if player is None:
        raise Http404("No such player.")
    if RANK[player.role] < RANK[Role.SCORER if write else role]:
        raise PermissionDenied("Another role is needed for this.")
    return player


def seat_players(*, club: Club, names: Sequence[str], field: str = "names") -> tuple[Player, ...]:
    """The club's players of these names in the same order; who is not known yet is added.

    An archived player who is named plays again, and the name of one who was merged into another
    means that other. Raises the problems of ``clean_names``, and "name-twice" when two names mean
    one player.
    """
    cleaned = clean_names(names, field)
    with transaction.atomic():
        known = {
            player.folded: player
            for player in club.players.filter(folded__in=[fold(name) for name in cleaned])
        }
        players = [_seat(club, name, known.get(fold(name))) for name in cleaned]
        for number, player in enumerate(players):
            if player in players[:number]:
                text = f"{cleaned[number]} is {player.name}, who already sits at this table."
                raise AgainstRules("name-twice", text, f"{field}.{number}")
        return tuple(players)


def real_player(player: Player) -> Player:
    """The player himself, or whom he turned out to be."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def _seat(club: Club, name: str, player: Player | None) -> Player:
    if player is None:
        made = Player.objects.get_or_create(club=club, folded=fold(name), defaults={"name": name})
        return made[0]
    player = real_player(player)
    if player.archived_at is not None:
        player.archived_at = None
        player.save(update_fields=["archived_at"])
    return player


def rename_player(*, user: Asker, player_key: str, name: str) -> Player:
    """The same player under another name; every match shows it from now on.

    Raises AgainstRules: the problems of ``clean_name``, or "name-taken" by another player.
    """
    with transaction.atomic():
        player = find_player(user, player_key, write=True)
        player.name = clean_name(name)
        player.folded = fold(player.name)
        if player.club.players.exclude(pk=player.pk).filter(folded=player.folded).exists():
            raise AgainstRules("name-taken", f"{player.name} is another player here.", "name")
        player.save(update_fields=["name", "folded"])
        return player


def remove_player(*, user: Asker, player_key: str) -> bool:
    """Delete a player who never sat in a match; archive one who did. True when deleted.

    Results stay in either case: the database refuses to delete a player with a seat. Raises
    AgainstRules ("player-merged") for one who was merged into another: take that back first.
    """
    with transaction.atomic():
        player = find_player(user, player_key, write=True)
        if player.merged_into_id is not None:
            raise AgainstRules("player-merged", "Take the merge back first.")
        try:
            with transaction.atomic():
                player.delete()
        except ProtectedError:
            player.archived_at = player.archived_at or timezone.now()
            player.save(update_fields=["archived_at"])
            return False
        return True


def restore_player(*, user: Asker, player_key: str) -> Player:
    """Offer an archived player's name again; raises AgainstRules ("player-merged")."""
    with transaction.atomic():
        player = find_player(user, player_key, write=True)
        if player.merged_into_id is not None:
            raise AgainstRules("player-merged", "Take the merge back first.")
        player.archived_at = None
        player.save(update_fields=["archived_at"])
        return player
