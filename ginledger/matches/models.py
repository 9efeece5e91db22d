"""A match in ink: its terms, its seats, its rows of facts and every change ever made to them.

Only ``Row.fact`` and ``Row.voided_at`` say what happened; the figures on ``Match`` marked as
derived are rewritten whole from the rows by ``services`` in the transaction of each write, and
``manage.py audit`` recomputes them. ``Amendment`` is only ever added to: what it holds is enough
to tell how every row came to be as it is.

A seat's number never changes and is what a fact names its players by ("0", "1"), so renaming a
player or swapping the sides touches no row.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from ginledger.clubs.models import Club, Player, new_key

from .querysets import MatchQuerySet, RowQuerySet

KEY_LONGEST = 64
WHY_LONGEST = 200
NOTE_LONGEST = 2000


class Match(models.Model):
    """One match: terms frozen at the start, a version, and the figures derived from its rows."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="matches")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    once_key = models.CharField(  # noqa: DJ001 (empty ones would collide)
        max_length=KEY_LONGEST, null=True, editable=False
    )
    rules = models.JSONField()
    rules_name = models.CharField(max_length=60)
    first_dealer = models.PositiveSmallIntegerField()
    # What the match is played for (stake.py); null where that is nothing.
    stake = models.JSONField(null=True)
    # When a stake that is no money was made good.
    stake_done_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    played_on = models.DateField(default=timezone.localdate)
    note = models.CharField(max_length=NOTE_LONGEST, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    rematch_of = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, related_name="rematch"
    )

    # Derived: whether the match is over, the side that won it (null also for a level margin over
    # several columns), the margin of each side, each column's total of each side, the hands that
    # stand (adjustments and void rows not counted) and the moment of the last amendment.
    over = models.BooleanField(default=False)
    winner = models.PositiveSmallIntegerField(null=True)
    net = models.JSONField(null=True)
    totals = models.JSONField(default=list)
    hand_count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=timezone.now)

    objects = MatchQuerySet.as_manager()

    # Set by querysets that know the asking user: his role in the match's club.
    role: str

    class Meta:
        indexes = [
            models.Index(fields=["club", "over", "-last_at"], name="matches_list"),
            models.Index(fields=["club", "played_on"], name="matches_by_day"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["club", "once_key"], name="matches_match_once"),
            models.CheckConstraint(
                condition=Q(over=True) | Q(winner=None), name="matches_winner_of_finished"
            ),
            models.CheckConstraint(
                condition=~Q(rematch_of=F("pk")), name="matches_rematch_of_another"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def stopped(self) -> bool:
        """Put away unfinished: no winner and no margin, until it is taken up again."""
        return self.stopped_at is not None and not self.over

    @property
    def counts(self) -> bool:
        """Whether its result stands: for the margin, for money and for statistics."""
        return self.over and not self.deleted

    @property
    def archived(self) -> bool:
        """Out of the usual lists, and otherwise as it was."""
        return self.archived_at is not None

    @property
    def deleted(self) -> bool:
        """In the bin: seen nowhere else and counted nowhere, until it is purged or taken out."""
        return self.deleted_at is not None


class Seat(models.Model):
    """A player's place: ``number`` is his for good, ``side`` is where the sheet shows him."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["side", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="matches_seat_once"),
            models.UniqueConstraint(fields=["match", "player"], name="matches_seat_player_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.match_id}"


class Row(models.Model):
    """One row of the book: a hand or an adjustment, as entered. It is never deleted."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rows")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    position = models.PositiveIntegerField()
    fact = models.JSONField()
    voided_at = models.DateTimeField(null=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    entered_at = models.DateTimeField(default=timezone.now)
    once_key = models.CharField(  # noqa: DJ001 (empty ones would collide)
        max_length=KEY_LONGEST, null=True, editable=False
    )

    objects = RowQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="matches_row_position"),
            models.UniqueConstraint(fields=["match", "once_key"], name="matches_row_once"),
            models.CheckConstraint(condition=Q(position__gte=1), name="matches_row_from_one"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def void(self) -> bool:
        """Struck out: still to be read, no longer counted."""
        return self.voided_at is not None

    def state(self) -> dict[str, Any]:
        """What an amendment remembers of a row: its fact and whether it is void."""
        return {"fact": self.fact, "void": self.void}


class Action(models.TextChoices):
    ENTER = "enter", "entered"
    INSERT = "insert", "inserted"
    AMEND = "amend", "amended"
    VOID = "void", "struck out"
    RESTORE = "restore", "restored"
    UNDO = "undo", "undone"
    REDO = "redo", "redone"
    STOP = "stop", "stopped"
    REOPEN = "reopen", "taken up again"
    SWAP = "swap", "sides swapped"
    DESCRIBE = "describe", "note or date changed"
    ARCHIVE = "archive", "archived"
    UNARCHIVE = "unarchive", "taken out of the archive"
    DELETE = "delete", "put in the bin"
    UNDELETE = "undelete", "taken out of the bin"


class Amendment(models.Model):
    """One change of one row (or, without a row, of the match): before, after, who, when, why.

    Amendments of one act share the version of the match that the act made; they are read in the
    order they were recorded (``pk``), never by time.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="amendments")
    row = models.ForeignKey(Row, on_delete=models.CASCADE, null=True, related_name="amendments")
    version = models.PositiveIntegerField()
    action = models.CharField(max_length=10, choices=Action.choices)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    # Whom the file names that the match was read from; such a name is no account of ours.
    who_said = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField(default=timezone.now)
    why = models.CharField(max_length=WHY_LONGEST, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["match", "version"], name="matches_acts")]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "version", "row"], name="matches_amendment_once"
            ),
            models.CheckConstraint(
                condition=Q(action__in=Action.values), name="matches_amendment_action_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} at version {self.version}"

    @property
    def by(self) -> str:
        """Who made it, as one reads it."""
        if self.who is None:
            return self.who_said or "someone who left"
        return str(self.who)


def new_token() -> str:
    """An unguessable url-safe secret of 22 characters (128 random bits), for links."""
    return secrets.token_urlsafe(16)


class LiveLink(models.Model):
    """A way for anybody to read a match (without one: all that a club is playing) as it goes on.

    Who has the token may look until the link expires or is taken back; there is one at a time.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="live_links")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="live_links")
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(revoked_at=None, match__isnull=False),
                name="matches_live_link_of_match_once",
            ),
            models.UniqueConstraint(
                fields=["club"],
                condition=Q(revoked_at=None, match__isnull=True),
                name="matches_live_link_of_club_once",
            ),
        ]

    def __str__(self) -> str:
        # Never the token: this may end up in a log.
        return f"live link {self.pk}"
