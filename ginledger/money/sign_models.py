"""Both sides' word on a finished match: each agrees to its result or disputes it.

A signature is given for one result and holds it. When the match is amended it no longer stands,
and the side is asked again; it is never changed or deleted, so who agreed to what stays to be
read. ``seat`` is the lasting number of the first seat of the side.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from ginledger.clubs.models import Club
from ginledger.matches.models import Match, new_token

SIGN_NOTE_LONGEST = 200


class SideLink(models.Model):
    """A way to sign for one side without an account: whoever has the token may, until it ends."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="side_links")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="side_links")
    seat = models.PositiveSmallIntegerField()
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
                fields=["match", "seat"],
                condition=Q(revoked_at=None),
                name="money_side_link_once",
            ),
        ]

    def __str__(self) -> str:
        # Never the token: this may end up in a log.
        return f"side link {self.pk}"


class Verdict(models.TextChoices):
    AGREE = "agree", "agrees"
    DISPUTE = "dispute", "disputes"


class Signature(models.Model):
    """One side's word on one result.

    result: what it was given for, as ``signing.result_of`` tells it; fingerprint: of that;
    stands: derived, whether the match has that result now (the poster rewrites it); user: the
    account that signed, none by a link or when the account is gone.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="signatures")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="signatures")
    seat = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    fingerprint = models.CharField(max_length=32)
    result = models.JSONField()
    note = models.CharField(max_length=SIGN_NOTE_LONGEST, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    link = models.ForeignKey(SideLink, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    stands = models.BooleanField(default=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["match", "seat"], name="money_signatures"),
            models.Index(
                fields=["match"], condition=Q(verdict=Verdict.DISPUTE), name="money_disputes"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict__in=Verdict.values), name="money_verdict_known"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} {self.get_verdict_display()}"
