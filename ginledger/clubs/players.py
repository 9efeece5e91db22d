"""Which account is which player: a member says so, an owner agrees; either may take it back."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from ginledger.gin.errors import AgainstRules

from .club_services import find_club
from .models import Claim, Player, Role, User
from .querysets import Asker
from .services import find_player, seat_players


def add_player(*, user: Asker, club_key: str, name: str) -> Player:
    """A player of the club by name, before the first match; who is there already is that one.

    Raises the problems of ``clean_name``, field "name".
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER)
        try:
            return seat_players(club=club, names=[name])[0]
        except AgainstRules as problem:
            raise AgainstRules(problem.code, problem.message, "name") from problem


def claim_player(*, user: User, player_key: str) -> bool:
    """Say that one is this player. True when it holds at once, as the claim of an owner does.

    A later claim in the same club takes the place of one's earlier. Raises AgainstRules:
    "player-merged", "player-claimed" by somebody, "is-player": one is another player here.
    """
    with transaction.atomic():
        player = find_player(user, player_key)
        _verify_free(player, user)
        player.club.claims.filter(user=user).delete()
        if player.role == Role.OWNER:
            _become(player, user)
            return True
        Claim.objects.create(club=player.club, player=player, user=user)
        return False


def settle_claim(*, user: Asker, club_key: str, claim_key: str, agree: bool) -> None:
    """An owner's word on a claim. Raises what ``claim_player`` raises, should it hold no more."""
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        claim = club.claims.select_related("player", "user").filter(key=claim_key).first()
        if claim is None:
            raise Http404("No such claim.")
        if agree:
            if not club.memberships.filter(user=claim.user).exists():
                raise Http404("No such member.")
            _verify_free(claim.player, claim.user)
            _become(claim.player, claim.user)
        claim.delete()


def unclaim_player(*, user: Asker, player_key: str) -> None:
    """Have the player be nobody's account again: by himself or an owner. Results stay."""
    with transaction.atomic():
        player = find_player(user, player_key)
        if player.user_id != user.pk and player.role != Role.OWNER:
            raise PermissionDenied("An owner or the player himself may do this.")
        player.user = None
        player.save(update_fields=["user"])


def _verify_free(player: Player, user: User) -> None:
    if player.merged_into_id is not None:
        raise AgainstRules("player-merged", "This player was merged into another.")
    if player.user_id is not None:
        raise AgainstRules("player-claimed", f"{player.name} is somebody's account already.")
    mine = Player.objects.filter(club_id=player.club_id, user=user).first()
    if mine is not None:
        raise AgainstRules(
            "is-player", f"{user} is {mine.name} here. If the two are one, an owner merges them."
        )


def _become(player: Player, user: User) -> None:
    player.user = user
    player.save(update_fields=["user"])
    player.claims.all().delete()
