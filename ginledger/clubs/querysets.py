"""Reads of clubs, players and house rules: each starts from the user who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F

if TYPE_CHECKING:
    from .models import Club, HouseRules, Player, User  # noqa: F401

Asker: TypeAlias = "User | AnonymousUser"


class ClubQuerySet(models.QuerySet["Club"]):
    def visible_to(self, user: Asker) -> ClubQuerySet:
        """The clubs where the user is a member, each with his ``role`` there."""
        if not user.pk:
            return self.none()
        return self.filter(memberships__user_id=user.pk).annotate(role=F("memberships__role"))


class PlayerQuerySet(models.QuerySet["Player"]):
    def visible_to(self, user: Asker) -> PlayerQuerySet:
        """The players of the user's clubs, archived ones too, each with the user's ``role``."""
        if not user.pk:
            return self.none()
        mine = self.filter(club__memberships__user_id=user.pk)
        return mine.annotate(role=F("club__memberships__role"))

    def playing(self) -> PlayerQuerySet:
        """Those who are not archived, in the order of their names."""
        return self.filter(archived_at=None).order_by("folded")


class HouseRulesQuerySet(models.QuerySet["HouseRules"]):
    def visible_to(self, user: Asker) -> HouseRulesQuerySet:
        """The rule sets of the user's clubs, archived ones too, each with the user's ``role``."""
        if not user.pk:
            return self.none()
        mine = self.filter(club__memberships__user_id=user.pk)
        return mine.annotate(role=F("club__memberships__role"))

    def kept(self) -> HouseRulesQuerySet:
        """Those that are not archived, in the order of their names."""
        return self.filter(archived_at=None).order_by("folded", "pk")
