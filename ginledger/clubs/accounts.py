"""Writes of accounts: keyword-only, one transaction each."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import IntegrityError, transaction
from django.db.models import ForeignKey, Model, ProtectedError
from django.utils import timezone
from django.utils.formats import date_format

from .models import Club, Membership, Role, User
from .names import clean_name

_RANK: dict[str, int] = {Role.VIEWER: 0, Role.SCORER: 1, Role.OWNER: 2}


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
    if _RANK[membership.role] > _RANK[mine.role]:
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
