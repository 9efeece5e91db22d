"""Seasons of a club, and what is worked out from its matches and kept.

A match belongs to the season whose days hold its own, so that it moves with its date and stands
in one season at most. All but ``Season`` is derived and written whole: ``HandResult`` and
``Tally`` from a match, ``Total`` and ``Played`` from the tallies of a day or a month, ``Rating``
from the tallies of all that came before.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from ginledger.clubs.models import Club, Player, new_key
from ginledger.matches.models import Match, Row
from ginledger.spans import Spanned

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

    by_hands: the matches whose hands are in the book, not their result alone. net: the margin of
    his side; boxes: of his side, over all columns; hands and all below are those he played
    himself. knocks, gins, big_gins, undercuts: how he won; with ``_against``: how he lost
    (``undercuts_against``: he knocked and was undercut). knocked, faced: knocks that were no gin,
    by him and against him, however they ended. knock_sum: his counts at ``knock_known`` knocks;
    caught_sum: what he was left with in ``caught_known`` lost hands, both only where the counts
    are known. dealt, first: hands somebody won in which he dealt, and in which he did not.
    spreads: his hands of which the book holds both spreads; missed: those in which his layout, or
    a count that stands against the cards, cost him missed_points; put_right: those in which a
    count was said that would have cost him put_right_points, and the cards stand.
    """

    matches = models.PositiveIntegerField(default=1)
    by_hands = models.PositiveIntegerField(default=0)
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
    spreads = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    missed_points = models.PositiveIntegerField(default=0)
    put_right = models.PositiveIntegerField(default=0)
    put_right_points = models.PositiveIntegerField(default=0)
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


class Total(Figures, Spanned):
    """A player's figures of a day or a month. opponent: None for all his matches, else those of
    two with him.

    head, tail, best: the most matches won in a row at the beginning of the span, at its end, and
    anywhere in it, so that streaks of spans that follow each other can be put together.
    """

    posted = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    head = models.PositiveIntegerField(default=0)
    tail = models.PositiveIntegerField(default=0)
    best = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["day", "pk"]
        indexes = [
            models.Index(fields=["club", "span", "opponent", "day"], name="seasons_totals"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player", "span", "day"],
                condition=Q(opponent=None),
                name="seasons_total_once",
            ),
            models.UniqueConstraint(
                fields=["club", "player", "opponent", "span", "day"],
                name="seasons_total_of_two_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in the {self.get_span_display()} of {self.day}"


class Played(Spanned):
    """How much a club played in a day or a month: finished matches and their hands."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    matches = models.PositiveIntegerField()
    hands = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "played"
        constraints = [
            models.UniqueConstraint(fields=["club", "span", "day"], name="seasons_played_once"),
        ]

    def __str__(self) -> str:
        return f"{self.matches} matches in the {self.get_span_display()} of {self.day}"


class Rating(models.Model):
    """A player's rating before and after a finished match, each with its standard deviation."""

    posted = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    played_on = models.DateField()
    before = models.FloatField()
    before_spread = models.FloatField()
    after = models.FloatField()
    after_spread = models.FloatField()

    class Meta:
        ordering = ["played_on", "match", "pk"]
        indexes = [
            models.Index(fields=["club", "played_on", "match"], name="seasons_ratings"),
            models.Index(fields=["player", "played_on", "match"], name="seasons_rating_of_player"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="seasons_rating_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} after {self.match_id}"


class HandResult(models.Model):
    """What a row of a book came to, as the table of hands has it (``export_hands.HandLine``).

    table: 0 for the row, from 1 for the tables of a partners' round; state: counts, void or not
    scored; number: of the hand, where it counts; columns: their numbers; winner: the seat that
    won (of a round, one of the side that did), knocker, opponent and, set apart by spaces,
    dealers are seats too. Seats go by their lasting numbers, so that names are always today's.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    row = models.ForeignKey(Row, on_delete=models.CASCADE, related_name="results")
    played_on = models.DateField()
    position = models.PositiveIntegerField()
    table = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10)
    number = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=10, blank=True)
    winner = models.PositiveSmallIntegerField(null=True)
    points = models.IntegerField(null=True)
    boxes = models.PositiveIntegerField(null=True)
    entered = models.IntegerField(null=True)
    columns = models.CharField(max_length=60, blank=True)
    knocker = models.PositiveSmallIntegerField(null=True)
    knocker_deadwood = models.PositiveSmallIntegerField(null=True)
    opponent = models.PositiveSmallIntegerField(null=True)
    opponent_deadwood = models.PositiveSmallIntegerField(null=True)
    upcard = models.CharField(max_length=2, blank=True)
    dealers = models.CharField(max_length=60, blank=True)
    knocker_cards = models.CharField(max_length=32, blank=True)
    opponent_cards = models.CharField(max_length=32, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["played_on", "match", "position", "table"]
        indexes = [
            # The order in which hands go out, so that none of them is sorted.
            models.Index(
                fields=["club", "played_on", "match", "position", "table"],
                name="seasons_results_by_day",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "position", "table"], name="seasons_result_once"
            ),
        ]

    def __str__(self) -> str:
        return f"row {self.position} of {self.match_id}"
