"""Writes of accounts: keyword-only, one transaction each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Count, ForeignKey, Model, ProtectedError, Q, RestrictedError
from django.utils import timezone
from django.utils.formats import date_format

from ginledger.gin.errors import AgainstRules

from .models import Club, Membership, Player, Role, User
from .names import clean_name, fold
from .services import RANK

REMOVED = "Removed player"


def rename_user(*, user: User, name: str) -> None:
    """Have the account called so; raises the problems of ``clean_name``."""
    user.name = clean_name(name)
    user.save(update_fields=["name"])


def absorb_guest(*, guest: User, user: User) -> bool:
    """Give an account all that a guest has, and let the guest go. True when there was anything.

    The guest's clubs become clubs of the account, the higher of two roles winning; each stays a
    club of its own, so that no match, link or address changes. What the guest entered is now
    entered by the account. A club in which nothing was ever played goes with the guest. The same
    person twice (a guest who just signed up) is left as he is.
    """
    if guest.pk == user.pk:
        return False
    with transaction.atomic():
        for membership in guest.memberships.select_related("club"):
            _drop_if_unused(membership.club, guest)
        kept = list(guest.memberships.select_related("club"))
        for membership in kept:
            _hand_membership(membership, user)
        for model, field in _pointing_to_users():
            _repoint(model, field, guest, user)
        guest.delete()
        return bool(kept)


def _drop_if_unused(club: Club, guest: User) -> None:
    if not club.players.exists() and not club.memberships.exclude(user=guest).exists():
        try:
            with transaction.atomic():
                club.delete()
        except ProtectedError:
            pass  # something of an app above hangs on it


def _hand_membership(membership: Membership, user: User) -> None:
    club = membership.club
    mine = club.memberships.filter(user=user).first()
    if mine is None:
        if user.memberships.filter(club__name=club.name).exists():
            club.name = f"{club.name}, {date_format(timezone.localdate(), 'j M Y')}"[:60]
            club.save(update_fields=["name"])
        membership.user = user
        membership.save(update_fields=["user"])
        return
    if RANK[membership.role] > RANK[mine.role]:
        mine.role = membership.role
        mine.save(update_fields=["role"])
    membership.delete()


def _pointing_to_users() -> Iterator[tuple[type[Model], str]]:
    """Every foreign key to an account, in whatever app; memberships are handled by themselves."""
    for relation in User._meta.get_fields(include_hidden=True):
        field = getattr(relation, "field", None)
        model = relation.related_model
        if not isinstance(field, ForeignKey) or not isinstance(model, type):
            continue
        if relation.auto_created and model is not Membership and not model._meta.auto_created:
            yield model, field.name


def _repoint(model: type[Model], field: str, guest: User, user: User) -> None:
    """Have the rows that name the guest name the account, but for those it has already."""
    for pk in model._default_manager.filter(**{field: guest}).values_list("pk", flat=True):
        try:
            with transaction.atomic():
                model._default_manager.filter(pk=pk).update(**{field: user})
        except IntegrityError:
            continue


def add_email(*, user: User, email: str) -> EmailAddress:
    """The address one wants to have instead; it counts once it is confirmed.

    Only one waits at a time. Raises AgainstRules ("email-same"). Whether another account has the
    address is not told to a stranger: that is found out by who can read the mail.
    """
    email = email.lower()
    if user.email.lower() == email:
        raise AgainstRules("email-same", "That is your address already.", "email")
    with transaction.atomic():
        addresses = EmailAddress.objects.filter(user=user)
        addresses.filter(verified=False, primary=False).delete()
        address: EmailAddress = EmailAddress.objects.create(user=user, email=email)
        return address


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What the end of an account means.

    ownerless: clubs with others in them that would have no owner left; alone: clubs with nobody
    else in them, which go with the account; players: the players that the account is.
    """

    ownerless: tuple[Club, ...]
    alone: tuple[Club, ...]
    players: tuple[Player, ...]


def leftovers(user: User) -> Leftovers:
    """What the end of this account would mean as things stand; two queries."""
    mine = Membership.objects.filter(user=user).values("club_id")
    found = list(
        Club.objects.filter(pk__in=mine)
        .annotate(
            members=Count("memberships", distinct=True),
            owners=Count("memberships", filter=Q(memberships__role=Role.OWNER), distinct=True),
            mine=Count(
                "memberships",
                filter=Q(memberships__role=Role.OWNER, memberships__user=user),
                distinct=True,
            ),
        )
        .order_by("pk")
    )
    return Leftovers(
        tuple(c for c in found if c.members > 1 and c.owners == c.mine == 1),
        tuple(c for c in found if c.members == 1),
        tuple(user.players.order_by("pk")),
    )


def delete_account(*, user: User) -> None:
    """End an account: its memberships go, results stay, its players become removed players.

    Raises AgainstRules ("last-owner") while a club with others in it has no other owner.
    """
    with transaction.atomic():
        _lock_clubs(user)
        left = leftovers(user)
        if left.ownerless:
            names = ", ".join(club.name for club in left.ownerless)
            raise AgainstRules("last-owner", f"Hand over or close first: {names}.")
        for player in left.players:
            _remove_player(player)
        for club in left.alone:
            erase_club(club)
        user.delete()


def _lock_clubs(user: User) -> None:
    """Hold the user's clubs until the transaction ends, so that no other owner leaves meanwhile."""
    mine = Membership.objects.filter(user=user).values("club_id")
    list(Club.objects.select_for_update().filter(pk__in=mine).order_by("pk"))


def _remove_player(player: Player) -> None:
    """Take the name off a player; everything he played stays."""
    taken = set(player.club.players.exclude(pk=player.pk).values_list("folded", flat=True))
    number, name = 1, REMOVED
    while fold(name) in taken:
        number += 1
        name = f"{REMOVED} {number}"
    player.name, player.folded, player.user = name, fold(name), None
    player.archived_at = player.archived_at or timezone.now()
    player.save(update_fields=["name", "folded", "user", "archived_at"])


def erase_club(club: Club) -> None:
    """Delete a club that nobody is in any more, with everything of every app that is in it."""
    waiting = [
        model
        for model in apps.get_models()
        if any(
            isinstance(field, ForeignKey) and field.name == "club" and field.related_model is Club
            for field in model._meta.get_fields()
        )
    ]
    while True:
        gone = [_erase(model, club) for model in waiting]
        if not any(gone):
            break
    club.delete()


def _erase(model: type[Model], club: Club) -> int:
    """Delete what of a model nothing holds on to; the newest first, as they point to older ones."""
    gone = 0
    for row in model._default_manager.filter(club=club).order_by("-pk"):
        try:
            with transaction.atomic():
                row.delete()
                gone += 1
        except (ProtectedError, RestrictedError, IntegrityError):
            continue
    return gone
