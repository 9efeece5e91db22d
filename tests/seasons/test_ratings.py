"""Ratings against the library called by hand, after every kind of act."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from openskill.models import PlackettLuce

from ginledger.clubs.models import Club, User
from ginledger.clubs.services import home_club
from ginledger.gin.errors import GinError
from ginledger.gin.hands import PointsHand, Round
from ginledger.matches import life, posters, services
from ginledger.matches.errors import WrongState
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import Match, Seat
from ginledger.seasons import ratings
from ginledger.seasons.models import Rating
from ginledger.seasons.ratings import (
    MOST_SAID,
    SPREAD,
    START,
    outcome_of,
    rate,
    ratings_of,
)
from tests.cast import ANN, BEN, Cast, enter, fresh, make_match, won
from tests.seasons.tables import played

pytestmark = pytest.mark.django_db

DAY = date(2025, 3, 1)
Line = tuple[str, str, float, float, float, float]


def model() -> PlackettLuce:
    return PlackettLuce(mu=1500, sigma=500, beta=250, tau=5)


def stored(club: Club) -> list[Line]:
    """Every rating of a club, in the order of its matches and of the names."""
    found = Rating.objects.filter(club=club).select_related("player", "match")
    ordered = sorted(found, key=lambda one: (one.played_on, one.match_id, one.player.name))
    assert all(one.played_on == one.match.played_on for one in ordered)
    return [
        (one.match.key, one.player.name, one.before, one.before_spread, one.after, one.after_spread)
        for one in ordered
    ]


def from_nothing(club: Club) -> list[Line]:
    """The same, worked out by the library from the margins of all matches."""
    known: dict[str, Any] = {}
    lines: list[Line] = []
    counted = Match.objects.filter(club=club, over=True, deleted_at=None)
    for match in counted.order_by("played_on", "pk"):
        assert match.net is not None
        names: list[list[str]] = [[] for _ in match.net]
        for seat in match.seats.select_related("player"):
            names[seat.side].append(seat.player.name)
        teams = [[known.get(name, model().rating()) for name in side] for side in names]
        first = [-1e9 if side == match.winner else 0 for side in range(len(names))]
        ranks = [lead - net for lead, net in zip(first, match.net, strict=True)]
        rated = model().rate(teams, ranks=ranks)
        own = []
        for side, before, after in zip(names, teams, rated, strict=True):
            for name, old, new in zip(side, before, after, strict=True):
                known[name] = new
                own.append((match.key, name, old.mu, old.sigma, new.mu, new.sigma))
        lines += sorted(own)
    return lines


def assert_right(club: Club) -> None:
    for was, right in zip(stored(club), from_nothing(club), strict=True):
        assert was[:2] == right[:2]
        assert was[2:] == pytest.approx(right[2:], abs=1e-6)


def writes(captured: CaptureQueriesContext) -> int:
    """How often ratings were put in."""
    return sum('INSERT INTO "seasons_rating"' in one["sql"] for one in captured)


def test_a_match_moves_both_and_says_how_sure_one_is(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 60))
    assert not Rating.objects.exists()
    enter(cast.ann, match, won(ANN, 50))
    ann, ben = Rating.objects.order_by("-after")
    assert (ann.player.name, ann.before, ben.before) == ("Ann", START, START)
    assert ann.after - START == pytest.approx(START - ben.after) == pytest.approx(158.1233695884)
    assert ann.before_spread == ben.before_spread == SPREAD > ann.after_spread == ben.after_spread
    assert_right(cast.club)


def test_how_much_was_won_by_changes_nothing(cast: Cast) -> None:
    for hands, names in (((100,), ("Ann", "Ben")), ((10, 10, 99), ("Cleo", "Dev"))):
        make_match(cast.ann, *(won(ANN, points) for points in hands), names=names)
    assert sorted(Rating.objects.values_list("after", flat=True)) == pytest.approx(
        [1341.8766304] * 2 + [1658.1233695] * 2
    )


def test_ratings_come_of_the_library_match_by_match(cast: Cast) -> None:
    random = Random(7)
    for number in range(12):
        one, other = random.sample(("Ann", "Ben", "Cleo", "Dev"), 2)
        played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=(one, other))
    assert_right(cast.club)
    assert len(stored(cast.club)) == 24
    last = Rating.objects.order_by("-played_on").first()
    assert last is not None
    assert last.before_spread < 0.95 * SPREAD


def unsaved(match: Match, *sides: int) -> Any:
    """What a match gives whose players are 1, 2, … at these sides."""
    seats = [Seat(side=side, player_id=number) for number, side in enumerate(sides, 1)]
    return outcome_of(match, seats)


def test_who_won_comes_first_and_the_others_by_their_points() -> None:
    two = Match(pk=1, played_on=DAY, winner=1, net=[-30, 30])
    assert (unsaved(two, 0, 1).sides, unsaved(two, 0, 1).ranks) == (((2,), (1,)), (1, 2))
    # By the bonuses a side may have less points than the one that it beat.
    odd = Match(pk=1, played_on=DAY, winner=0, net=[-10, 10])
    assert unsaved(odd, 0, 1).sides == ((1,), (2,))
    three = Match(pk=1, played_on=DAY, winner=2, net=[-50, -50, 100])
    assert (unsaved(three, 0, 1, 2).sides, unsaved(three, 0, 1, 2).ranks) == (
        ((3,), (1,), (2,)),
        (1, 2, 2),
    )
    partners = Match(pk=1, played_on=DAY, winner=1, net=[-9, 9])
    assert unsaved(partners, 0, 1, 0, 1).sides == ((2, 4), (1, 3))


def test_a_level_match_brings_two_nearer_to_each_other() -> None:
    level = Match(pk=1, played_on=DAY, winner=None, net=[0, 0])
    outcome = unsaved(level, 0, 1)
    assert outcome.ranks == (1, 1)
    one, other = rate(1, outcome, {1: (1700.0, 200.0), 2: (1300.0, 200.0)})
    assert 1300 < other.after < one.after < 1700


def test_partners_and_three_at_a_table(cast: Cast) -> None:
    names = ("Ann", "Cleo", "Ben", "Dev")
    hand = Round(
        tables=(
            PointsHand(kind="gin", winner=0, points=90, opponent=2),
            PointsHand(kind="knock", winner=1, points=60, opponent=3),
        )
    )
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Ben"))
    partners = played(cast.ann, DAY + timedelta(days=1), hand, names=names, rules="partners-125")
    table = (won(ANN, 60), won(ANN, 30), won(ANN, 40))
    played(
        cast.ann, DAY + timedelta(days=2), *table, names=("Cleo", "Ben", "Ann"),
        rules="three-handed",
    )  # fmt: skip
    assert len(stored(cast.club)) == 2 + 4 + 3
    assert_right(cast.club)
    changes = {one.player.name: one.change for one in ratings_of([partners.pk])[partners.pk]}
    assert min(changes["Ann"], changes["Cleo"]) > 0 > max(changes["Ben"], changes["Dev"])


class Play:
    """Acts at random on the matches of a club."""

    def __init__(self, user: User, seed: int) -> None:
        self.user, self.random = user, Random(seed)

    def pick(self, **which: Any) -> Match:
        found = list(Match.objects.filter(deleted_at=None, **which).order_by("pk"))
        return self.random.choice(found)

    def asked(self, match: Match) -> dict[str, Any]:
        return {"user": self.user, "match_key": match.key, "version": match.version}

    def new(self) -> None:
        names = tuple(self.random.sample(("Ann", "Ben", "Cleo", "Dev", "Eva"), 2))
        played(self.user, self.day(), won(self.random.choice((ANN, BEN)), 100), names=names)

    def three(self) -> None:
        names = tuple(self.random.sample(("Ann", "Ben", "Cleo", "Dev", "Eva"), 3))
        hands = (won(ANN, 60), won(ANN, 30), won(ANN, 40))
        played(self.user, self.day(), *hands, names=names, rules="three-handed")

    def day(self) -> date:
        return DAY + timedelta(days=self.random.randrange(8))

    def correct(self) -> None:
        match = self.pick(over=True, seats__number=BEN)
        if match.seats.count() > 2:
            return
        hand = won(self.random.choice((ANN, BEN)), self.random.choice((90, 100)))
        row = match.rows.earliest("pk")
        services.amend_row(user=self.user, row_key=row.key, hand=hand, version=match.version)

    def undo(self) -> None:
        services.undo(**self.asked(self.pick()))

    def redo(self) -> None:
        services.redo(**self.asked(self.pick()))

    def swap(self) -> None:
        services.swap_sides(**self.asked(self.pick()))

    def move(self) -> None:
        life.describe_match(**self.asked(self.pick()), played_on=self.day(), note="")

    def bin(self) -> None:
        life.delete_match(**self.asked(self.pick()))

    def unbin(self) -> None:
        for match in Match.objects.exclude(deleted_at=None)[:1]:
            life.undelete_match(user=self.user, match_key=match.key)

    def act(self) -> None:
        acts = [
            self.new, self.new, self.three, self.correct, self.undo, self.redo, self.swap,
            self.move, self.bin, self.unbin,
        ]  # fmt: skip
        try:
            with transaction.atomic():
                self.random.choice(acts)()
        except (GinError, WrongState):  # nothing to undo, three sides cannot be swapped, …
            pass


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_done_ratings_are_as_from_nothing(cast: Cast, seed: int) -> None:
    play = Play(cast.ann, seed)
    for _ in range(4):
        play.new()
    for _ in range(30):
        play.act()
        assert_right(cast.club)
    assert list(posters.club_differences(cast.club)) == []


def test_an_act_within_another_rates_once(cast: Cast) -> None:
    played(cast.ann, DAY + timedelta(days=9), won(ANN, 100), names=("Ann", "Ben"))
    with CaptureQueriesContext(connection) as captured, transaction.atomic(), posters.together():
        for number in range(5):
            played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=("Cleo", "Ben"))
        assert Rating.objects.count() == 2
    assert writes(captured) == 1
    assert Rating.objects.count() == 12
    assert_right(cast.club)


def test_what_changes_no_result_rates_nothing_anew(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    row = match.rows.get()
    with CaptureQueriesContext(connection) as captured:
        services.amend_row(
            user=cast.ann, row_key=row.key, hand=won(ANN, 110, "gin"), version=match.version
        )
        services.swap_sides(user=cast.ann, match_key=match.key, version=fresh(match).version)
        life.archive_match(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert writes(captured) == 0
    assert fresh(match).winner == 1
    assert_right(cast.club)


def test_a_new_match_costs_the_same_however_many_there_are(cast: Cast) -> None:
    costs = []
    for days in (1, 30):
        for number in range(days):
            played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=("Ann", "Ben"))
        match = make_match(cast.ann)
        with CaptureQueriesContext(connection) as captured:
            enter(cast.ann, match, won(BEN, 100))
        about = [one["sql"] for one in captured if "seasons_rating" in one["sql"]]
        costs.append(len(about))
        assert Rating.objects.filter(match=match).count() == 2
    assert costs[0] == costs[1] <= 6


def test_merged_players_have_one_rating_and_apart_two(cast: Cast) -> None:
    played(cast.ann, DAY, won(ANN, 100), names=("Ann", "Cleo"))
    for number in (1, 2):
        played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=("Kleo", "Ben"))
    played(cast.ann, DAY + timedelta(days=3), won(ANN, 100), names=("Cleo", "Ann"))
    cleo, kleo = (cast.club.players.get(name=name) for name in ("Cleo", "Kleo"))
    merge = merge_players(user=cast.ann, kept_key=cleo.key, gone_key=kleo.key)
    assert Rating.objects.filter(player=cleo).count() == 4
    assert_right(cast.club)
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    assert Rating.objects.filter(player=kleo).count() == 2
    assert_right(cast.club)


def test_clubs_do_not_touch_each_other(cast: Cast) -> None:
    first = make_match(cast.ann, won(ANN, 100))
    make_match(cast.dev, won(BEN, 100))
    others = stored(home_club(cast.dev))
    life.delete_match(user=cast.ann, match_key=first.key, version=first.version)
    assert stored(cast.club) == []
    assert stored(home_club(cast.dev)) == others
    with transaction.atomic(), posters.together():
        for user in (cast.ann, cast.dev):
            make_match(user, won(ANN, 100))
    for club in (cast.club, home_club(cast.dev)):
        assert_right(club)


def test_the_audit_finds_ratings_that_are_wrong(cast: Cast) -> None:
    matches = [
        played(cast.ann, DAY + timedelta(days=number), won(ANN, 100), names=("Ann", "Ben"))
        for number in range(6)
    ]
    Rating.objects.filter(match=matches[3], player__name="Ann").update(after=2000)
    [said] = posters.club_differences(cast.club)
    assert f"in match {matches[3].pk} differs" in said
    Rating.objects.filter(match=matches[1]).delete()
    assert len(list(posters.club_differences(cast.club))) == 3
    Rating.objects.update(before_spread=1)
    assert len(list(posters.club_differences(cast.club))) == MOST_SAID
    posters.remake(cast.club)
    assert list(posters.club_differences(cast.club)) == []
    assert_right(cast.club)
    Match.objects.filter(pk=matches[0].pk).update(deleted_at=matches[0].created_at)
    posters.remake(cast.club)
    Match.objects.filter(pk=matches[5].pk).update(over=False, winner=None)
    assert list(posters.club_differences(cast.club)) == ["ratings of matches that do not count: 2"]


def test_a_match_stored_as_over_that_is_not_stops_no_audit(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 60))
    Match.objects.filter(pk=match.pk).update(over=True)
    assert list(posters.club_differences(cast.club)) == []


def test_a_chunk_goes_on_where_the_one_before_ended(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "CHUNK", 2)
    for number in range(7):
        names = (("Ann", "Ben"), ("Cleo", "Ann"), ("Dev", "Cleo"))[number % 3]
        played(cast.ann, DAY - timedelta(days=number), won(ANN, 100), names=names)
    assert_right(cast.club)
    posters.remake(cast.club)
    assert_right(cast.club)
