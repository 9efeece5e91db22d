"""The ledger: entries of whole minor units (cents), each between two people.

An entry says that one player owes another an amount, so whatever happens every entry, and with it
every club, sums to zero. What a player has coming is the sum of the entries that count; it is
read from the sums of each month (``Subtotal``), which are written whole from the entries. An
entry is never changed: one that was wrong is struck through, with the reason, and stays to be
read.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from ginledger.clubs.models import Club, Player, new_key
from ginledger.matches.models import KEY_LONGEST, Match
from ginledger.spans import Spanned

from .querysets import EntryQuerySet
from .sign_models import SideLink as SideLink
from .sign_models import Signature as Signature
from .sign_models import Verdict as Verdict

# The largest amount of an entry, in minor units: ten billion of a currency with cents.
MOST = 10**12
NOTE_LONGEST = 200
# Why an entry is struck: the act, and the reason that was given for it.
STRUCK_WHY_LONGEST = 300


class Kind(models.TextChoices):
    MATCH = "match", "Match"
    PAYMENT = "payment", "Payment"
    OPENING = "opening", "Carried over"
    CORRECTION = "correction", "Correction"


class Entry(models.Model):
    """``debtor`` owes ``creditor`` this amount more. A payment is owed by who received it.

    amount: minor units of the currency, 1 to MOST; points: the margin it comes from, for a match;
    on: the day it belongs to.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    once_key = models.CharField(  # noqa: DJ001 (empty ones would collide)
        max_length=KEY_LONGEST, null=True, editable=False
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    currency = models.CharField(max_length=3)
    debtor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries_owed")
    creditor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries_due")
    amount = models.BigIntegerField()
    on = models.DateField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    note = models.CharField(max_length=NOTE_LONGEST, blank=True)
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, related_name="entries")
    points = models.BigIntegerField(null=True)
    struck_at = models.DateTimeField(null=True)
    struck_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    struck_why = models.CharField(max_length=STRUCK_WHY_LONGEST, blank=True)

    objects = EntryQuerySet.as_manager()

    # Set by querysets that know the asking user: his role in the club.
    role: str
    # Set by ``marked``: whether its match is disputed.
    disputed: bool

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["on", "pk"]
        indexes = [
            # Holds all that balances are summed from.
            models.Index(
                fields=["club", "struck_at", "currency", "debtor", "creditor", "match", "amount"],
                name="money_balances",
            ),
            models.Index(fields=["debtor", "on"], name="money_owed_by_day"),
            models.Index(fields=["creditor", "on"], name="money_due_by_day"),
            models.Index(fields=["club", "on"], name="money_by_day"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["club", "once_key"], name="money_entry_once"),
            models.UniqueConstraint(
                fields=["match", "debtor", "creditor"],
                condition=Q(struck_at=None),
                name="money_match_posted_once",
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MOST), name="money_amount_within"
            ),
            models.CheckConstraint(condition=~Q(debtor=F("creditor")), name="money_of_two_people"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="money_kind_known"),
            models.CheckConstraint(condition=~Q(currency=""), name="money_in_a_currency"),
            # A match that is purged leaves no entry that counts.
            models.CheckConstraint(
                condition=~Q(kind=Kind.MATCH) | Q(match__isnull=False) | Q(struck_at__isnull=False),
                name="money_counts_with_its_match",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def struck(self) -> bool:
        """Struck through: still to be read, no longer counted."""
        return self.struck_at is not None


class Decision(models.Model):
    """An owner's word that a disputed match counts as it stands; disputes after it hold again."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="decisions")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="decisions")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    why = models.CharField(max_length=NOTE_LONGEST)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(why=""), name="money_decision_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"decision {self.pk}"


class Subtotal(Spanned):
    """What one owes another by all the entries of a day or a month that count; derived.

    of_matches: those of kind MATCH, or all the others; amount: minor units of the currency, more
    than nothing.
    """

    # Made anew for the whole club after its entries changed hands; merging players leaves it.
    posted = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    currency = models.CharField(max_length=3)
    debtor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    creditor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    of_matches = models.BooleanField()
    amount = models.BigIntegerField()

    class Meta:
        ordering = ["day", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "span", "day", "currency", "of_matches", "debtor", "creditor"],
                name="money_subtotal_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.debtor_id} owes {self.creditor_id} of the {self.span} {self.day}"
