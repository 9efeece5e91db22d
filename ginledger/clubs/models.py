"""Accounts, clubs, memberships, players, invitations and house rules.

A club is the unit of access and of sharding: every other table carries its club, and every query
starts from the clubs a user belongs to. Players need no account. Deleting an account deletes its
memberships and nothing else; a player who sits in a match cannot be deleted, only archived.
"""

from __future__ import annotations

import secrets
from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from .querysets import ClubQuerySet, HouseRulesQuerySet, PlayerQuerySet


def new_key() -> str:
    """An unguessable url-safe id of 16 characters (some 96 random bits), for addresses.

    None begins with a hyphen: a command would take it for an option, a spreadsheet for a formula.
    """
    while (key := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return key


def new_username() -> str:
    """An opaque user name of 22 characters: people are known by name and e-mail, never by this."""
    return secrets.token_urlsafe(16)


class User(AbstractUser):
    """An account: a guest of one browser (no e-mail, no password) or a person who signed up."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(max_length=150, unique=True, default=new_username)
    email = models.EmailField(blank=True)
    name = models.CharField(max_length=60, blank=True)
    is_guest = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"), condition=~Q(email=""), name="clubs_user_email_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name or ("Guest" if self.is_guest else self.username)

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class Club(models.Model):
    """A book of matches with its members and players; a guest has one of his own."""

    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=60)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # An ISO code; empty while the club keeps no money.
    currency = models.CharField(max_length=3, blank=True)
    # What the start form offers first: a preset's slug or the key of house rules; may be gone.
    usual_rules = models.CharField(max_length=64, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    # A closed club is only read: its members are viewers, and whoever closed it may open it again.
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    objects = ClubQuerySet.as_manager()

    # Set by querysets that know the asking user: his role in the club.
    role: str

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="clubs_club_named"),
        ]

    def __str__(self) -> str:
        return self.name

    def today(self) -> date:
        """The date where the club is."""
        return timezone.localdate(timezone=ZoneInfo(self.time_zone))


class Role(models.TextChoices):
    OWNER = "owner", "owner"
    SCORER = "scorer", "scorer"
    VIEWER = "viewer", "viewer"


# The roles that may write matches.
WRITERS: tuple[str, ...] = (Role.OWNER, Role.SCORER)


class Membership(models.Model):
    """A user in a club, with one role."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="clubs_membership_once"),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="clubs_membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.club}"


class Player(models.Model):
    """A person who plays in a club; found again by name (``folded``), whatever its case."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=60)
    # names.fold(name): 60 characters can grow to three times as many when their case is folded.
    folded = models.CharField(max_length=180, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    # The account that is this player, by its claim and an owner's word.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="players"
    )
    # The player whom this one turned out to be; his name leads there from then on.
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="merged"
    )

    objects = PlayerQuerySet.as_manager()

    # Set by querysets that know the asking user: his role in the club.
    role: str

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "folded"], name="clubs_player_name_once"),
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False),
                name="clubs_player_one_an_account",
            ),
            models.CheckConstraint(
                condition=~Q(merged_into=models.F("pk")), name="clubs_player_merged_elsewhere"
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(folded=""), name="clubs_player_named"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class HouseRules(models.Model):
    """A rule set of a club's own under a name, to start matches with.

    A match keeps a copy of the rules it was started with: changing these changes no match.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="house_rules")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=60)
    folded = models.CharField(max_length=180, editable=False)
    # Every field of a gin RuleSet, so that a preset that changes changes nothing here.
    rules = models.JSONField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = HouseRulesQuerySet.as_manager()

    # Set by querysets that know the asking user: his role in the club.
    role: str

    class Meta:
        verbose_name_plural = "house rules"
        constraints = [
            models.UniqueConstraint(
                fields=["club", "folded"],
                condition=Q(archived_at=None),
                name="clubs_houserules_name_once",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(folded=""), name="clubs_houserules_named"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Claim(models.Model):
    """An account says that it is a player; an owner agrees (``Player.user``) or declines."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="claims")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="claims")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="clubs_claim_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.player}"


class Merge(models.Model):
    """Two players who were one: who is kept, whose rows moved, and whether it was taken back.

    moved: the ids of the rows that changed hands, by "app.model.field".
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    gone = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    moved = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gone"], condition=Q(undone_at=None), name="clubs_merge_once"
            ),
            models.CheckConstraint(condition=~Q(kept=models.F("gone")), name="clubs_merge_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.gone} into {self.kept}"


class Invitation(models.Model):
    """A link that lets people into a club with a role, for a time and a number of uses.

    The link's code is worked out of the key and the server's secret and stored nowhere: owners
    can see the link again, and a copy of the database opens no door.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    role = models.CharField(max_length=10, choices=Role.choices)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    most_uses = models.PositiveSmallIntegerField(null=True)
    uses = models.PositiveSmallIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="clubs_invitation_role_known"
            ),
            models.CheckConstraint(
                condition=Q(most_uses=None) | Q(uses__lte=models.F("most_uses")),
                name="clubs_invitation_uses_within",
            ),
        ]

    def __str__(self) -> str:
        return self.key
