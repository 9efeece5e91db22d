"""Seasons of a club, and what each player did in each finished match.

A match belongs to the season whose days hold its own, so that it moves with its date and stands
in one season at most. Tallies are derived: ``tally.post`` rewrites those of a match whole.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from ginledger.clubs.models import Club, Player, new_key
from ginledger.matches.models import Match

NAME_LONGEST = 60


class Season(models.Model):
    """Days of a club under a name, the first and the last counted. A closed one keeps its days."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    key = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=NAME_LONGEST)
    begins = models.DateField()
    ends = models.DateField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-begins"]
        constraints = [
            models.UniqueConstraint(fields=["club", "begins"], name="seasons_begin_once"),
            models.CheckConstraint(condition=Q(begins__lte=F("ends")), name="seasons_in_order"),
            models.CheckConstraint(condition=~Q(name=""), name="seasons_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Figures(models.Model):
    """What a player did, in counts and points; every field but the two of MOST can be added up.

    net: the margin of his side; boxes: of his side, over all columns; hands and all below are
    those he played himself. knocks, gins, big_gins, undercuts: how he won; with ``_against``: how
    he lost (``undercuts_against``: he knocked and was undercut). knocked, faced: knocks that were
    no gin, by him and against him, however they ended. knock_sum: his counts at ``knock_known``
    knocks; caught_sum: what he was left with in ``caught_known`` lost hands, both only where the
    counts are known. dealt, first: hands somebody won in which he dealt, and in which he did not.
    """

    matches = models.PositiveIntegerField(default=1)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    level = models.PositiveIntegerField(default=0)
    net = models.BigIntegerField(default=0)
    boxes = models.PositiveIntegerField(default=0)
    shutouts_given = models.PositiveIntegerField(default=0)
    shutouts_taken = models.PositiveIntegerField(default=0)
    hands = models.PositiveIntegerField(default=0)
    dead = models.PositiveIntegerField(default=0)
    hands_won = models.PositiveIntegerField(default=0)
    hands_lost = models.PositiveIntegerField(default=0)
    points_won = models.BigIntegerField(default=0)
    points_lost = models.BigIntegerField(default=0)
    knocks = models.PositiveIntegerField(default=0)
    gins = models.PositiveIntegerField(default=0)
    big_gins = models.PositiveIntegerField(default=0)
    undercuts = models.PositiveIntegerField(default=0)
    knocks_against = models.PositiveIntegerField(default=0)
    gins_against = models.PositiveIntegerField(default=0)
    big_gins_against = models.PositiveIntegerField(default=0)
    undercuts_against = models.PositiveIntegerField(default=0)
    knocked = models.PositiveIntegerField(default=0)
    faced = models.PositiveIntegerField(default=0)
    knock_known = models.PositiveIntegerField(default=0)
    knock_sum = models.PositiveIntegerField(default=0)
    caught_known = models.PositiveIntegerField(default=0)
    caught_sum = models.PositiveIntegerField(default=0)
    dealt = models.PositiveIntegerField(default=0)
    dealt_won = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    first_won = models.PositiveIntegerField(default=0)
    # The most points of one hand, and the most that a match which was won stood behind.
    biggest = models.PositiveIntegerField(default=0)
    comeback = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


MOST = ("biggest", "comeback")
FIELDS = tuple(field.name for field in Figures._meta.local_fields)
SUMMED = tuple(name for name in FIELDS if name not in MOST)


class Tally(Figures):
    """One player's figures of one finished match. opponent: where just two played."""

    # Rewritten whole from the match; merging players leaves it to the poster.
    posted = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tallies")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="tallies")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tallies")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    played_on = models.DateField()

    class Meta:
        verbose_name_plural = "tallies"
        ordering = ["played_on", "match", "pk"]
        indexes = [
            models.Index(fields=["club", "played_on"], name="seasons_by_day"),
            models.Index(fields=["player", "opponent", "played_on"], name="seasons_head_to_head"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="seasons_tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.match_id}"
