"""A player's figures of a match: worked out from its sheet, kept in step, checked by the audit."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from ginledger.gin.hands import Adjustment, DeadHand, PointsHand, Round, Table
from ginledger.gin.ruleset import read_rules
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import score
from ginledger.matches import life, services
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.seasons.models import FIELDS, Tally
from ginledger.seasons.tally import figures
from tests.cast import ANN, BEN, CLEO, Cast, adjust, dead, fresh, gin, knock, make_match, won

pytestmark = pytest.mark.django_db

# Ann deals first; the loser of a hand deals the next one.
HANDS = (
    knock(ANN, 6, 21),  # Ann 15, dealt by Ann
    gin(BEN, 30),  # Ben 55, dealt by Ben
    dead(),  # dealt by Ann
    knock(BEN, 8, 8),  # Ann undercuts: 25, dealt by Ann
    adjust(ANN, -5),
    won(BEN, 50, "gin"),  # Ben 105 and out, dealt by Ben
)


def nonzero(one: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in one.items() if value}


def test_every_figure_of_a_match_by_hand() -> None:
    match = GinMatch(read_rules("house-modern"), Table((("Ann",), ("Ben",))), ANN, HANDS)
    ann, ben = figures(score(match))
    shared = {"matches": 1, "by_hands": 1, "hands": 5, "dead": 1, "hands_won": 2, "hands_lost": 2}
    # Ann 15 + 25 - 5 + 2 boxes of 25; Ben 105 + 2 boxes + the game, 100.
    assert nonzero(ann) == shared | {
        "lost": 1, "net": -170, "boxes": 2, "points_won": 40, "points_lost": 105,
        "knocks": 1, "undercuts": 1, "gins_against": 2, "knocked": 1, "faced": 1,
        "knock_known": 1, "knock_sum": 6, "caught_known": 1, "caught_sum": 30,
        "dealt": 2, "dealt_won": 2, "first": 2, "biggest": 25,
    }  # fmt: skip
    assert nonzero(ben) == shared | {
        "won": 1, "net": 170, "boxes": 2, "points_won": 105, "points_lost": 40,
        "gins": 2, "knocks_against": 1, "undercuts_against": 1, "knocked": 1, "faced": 1,
        "knock_known": 1, "knock_sum": 8, "caught_known": 1, "caught_sum": 21,
        "dealt": 2, "dealt_won": 2, "first": 2, "biggest": 55, "comeback": 15,
    }  # fmt: skip
    assert set(ann) == set(FIELDS)


@pytest.mark.parametrize(
    ("when", "hands", "shut"),
    [
        ("no-hand", (won(ANN, 100),), 1),
        ("no-hand", (won(BEN, 1), won(ANN, 100)), 0),
        ("no-point", (won(BEN, 5), adjust(BEN, -5), won(ANN, 100)), 1),
    ],
)
def test_a_shutout_is_one_also_where_it_adds_nothing(when, hands, shut) -> None:
    rules = read_rules({"preset": "house-modern", "shutout": "none", "shutout_when": when})
    ann, ben = figures(score(GinMatch(rules, Table((("Ann",), ("Ben",))), ANN, hands)))
    assert (ann["shutouts_given"], ben["shutouts_taken"]) == (shut, shut)
    assert (ann["shutouts_taken"], ben["shutouts_given"]) == (0, 0)


def test_three_at_a_table_have_only_the_hands_they_played() -> None:
    rules = read_rules("three-handed")
    table = Table((("Ann",), ("Ben",), ("Cleo",)))
    hands = (won(ANN, 60), won(ANN, 30), dead(), won(CLEO, 90), won(CLEO, 20))
    # Ann meets Ben, then Cleo (twice, a dead hand between), then Cleo meets the newcomer.
    found = figures(score(GinMatch(rules, table, ANN, (*hands[:2], won(ANN, 40)))))
    assert [one["hands"] for one in found] == [3, 2, 1]
    assert [one["won"] for one in found] == [1, 0, 0]
    assert [one["lost"] for one in found] == [0, 1, 1]
    assert found[ANN]["shutouts_given"] == 2
    assert sum(one["net"] for one in found) == 0


def test_partners_share_the_side_and_keep_their_own_hands() -> None:
    rules = read_rules("partners-125")
    table = Table((("Ann", "Cleo"), ("Ben", "Dev")))
    first = PointsHand(kind="gin", winner=0, points=80, opponent=2)
    second = PointsHand(kind="knock", winner=3, points=20)
    third = PointsHand(kind="knock", winner=1, points=90, opponent=2)
    unsaid = DeadHand()
    rounds = (Round(tables=(first, second)), Round(tables=(third, unsaid)))
    ann, cleo, ben, dev = figures(score(GinMatch(rules, table, 0, rounds)))
    assert ann["net"] == cleo["net"] == -ben["net"] == -dev["net"] > 0
    assert [one["hands_won"] for one in (ann, cleo, ben, dev)] == [1, 1, 0, 1]
    assert [one["hands"] for one in (ann, cleo, ben, dev)] == [1, 1, 2, 1]
    assert (ann["points_won"], cleo["points_won"], dev["points_won"]) == (80, 90, 20)


def test_tallies_follow_the_match(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 60))
    assert not Tally.objects.exists()
    services.enter_row(
        user=cast.ann, match_key=match.key, hand=won(ANN, 50), once_key="x", version=match.version
    )
    ann, ben = Tally.objects.order_by("-net")
    assert (ann.player.name, ann.opponent, ann.net, ann.won) == ("Ann", ben.player, 520, 1)
    assert ann.played_on == match.played_on
    assert (ben.opponent, ben.net, ben.lost) == (ann.player, -520, 1)
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert not Tally.objects.exists()


def test_a_match_in_the_bin_counts_nowhere_and_a_new_day_moves_it(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    life.describe_match(
        user=cast.ann, match_key=match.key, version=match.version,
        played_on=date(2026, 1, 2), note="",
    )  # fmt: skip
    assert set(Tally.objects.values_list("played_on", flat=True)) == {date(2026, 1, 2)}
    life.delete_match(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert not Tally.objects.exists()
    life.undelete_match(user=cast.ann, match_key=match.key)
    assert Tally.objects.count() == 2


def test_a_merge_moves_tallies_and_back(cast: Cast) -> None:
    make_match(cast.ann, won(ANN, 100), names=("Ann", "Cleo"))
    make_match(cast.ann, won(ANN, 100), names=("Kleo", "Ben"))
    cleo, kleo = (cast.club.players.get(name=name) for name in ("Cleo", "Kleo"))
    merge = merge_players(user=cast.ann, kept_key=cleo.key, gone_key=kleo.key)
    assert Tally.objects.filter(player=cleo).count() == 2
    assert Tally.objects.filter(opponent=cleo).count() == 2
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    assert Tally.objects.filter(player=cleo).count() == 1
    assert Tally.objects.filter(opponent=kleo).count() == 1


def test_the_audit_sees_a_wrong_tally(cast: Cast) -> None:
    make_match(cast.ann, won(ANN, 100))
    call_command("audit", stdout=io.StringIO())
    Tally.objects.filter(net__gt=0).update(gins=7)
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("audit", stdout=out)
    assert "differs from its rows in gins" in out.getvalue()
    Tally.objects.all().delete()
    with pytest.raises(CommandError, match="6 differences"):
        call_command("audit", stdout=io.StringIO())
    call_command("tally", stdout=io.StringIO())
    call_command("audit", stdout=io.StringIO())


def test_a_result_alone_is_a_match_without_hands() -> None:
    """Nobody is shut out of hands that are not there, and nobody came back from behind."""
    rules = read_rules({
        "preset": "house-modern", "target": 90, "box_bonus": 0, "game_bonus": 0, "shutout": "none",
    })  # fmt: skip
    hands = (adjust(BEN, 40), adjust(ANN, 90))
    ann, ben = figures(score(GinMatch(rules, Table((("Ann",), ("Ben",))), ANN, hands)))
    assert nonzero(ann) == {"matches": 1, "won": 1, "net": 50}
    assert nonzero(ben) == {"matches": 1, "lost": 1, "net": -50}


def test_an_adjustment_is_no_hand() -> None:
    hands = (Adjustment(player=BEN, points=-10), won(ANN, 100))
    match = GinMatch(read_rules("house-modern"), Table((("Ann",), ("Ben",))), ANN, hands)
    ann, ben = figures(score(match))
    assert (ann["hands"], ben["hands"], ben["points_lost"]) == (1, 1, 100)
