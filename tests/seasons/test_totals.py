"""Sums of days and months: streaks put together, and always what the tallies come to."""

from __future__ import annotations

import io
from datetime import date, timedelta
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Max, Sum
from django.http import Http404
from hypothesis import given
from hypothesis import strategies as st

from ginledger.clubs.models import Club
from ginledger.clubs.services import seat_players
from ginledger.gin.errors import GinError
from ginledger.matches import life, posters, services
from ginledger.matches.errors import BookError
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import Match
from ginledger.money.sums import check as check_sums
from ginledger.seasons import totals
from ginledger.seasons.models import FIELDS, MOST, SUMMED, Played, Tally, Total
from ginledger.seasons.periods import Period, all_time
from ginledger.seasons.standings import standings, totals_of_two
from ginledger.seasons.statistics import meeting, statistics
from ginledger.seasons.totals import Streak
from ginledger.spans import Span
from tests.cast import ANN, BEN, Cast, enter, fresh, gin, knock, won
from tests.seasons.tables import PEOPLE, fill, played

RESULTS = st.lists(st.integers(0, 1), max_size=12)


def streak_of(results: list[int]) -> Streak:
    """A streak counted one match after another."""
    runs, run = [], 0
    for result in results:
        run = run + 1 if result else 0
        runs.append(run)
    ends = [place for place, result in enumerate([*results, 0]) if not result]
    return Streak(len(results), ends[0], runs[-1] if runs else 0, max(runs, default=0))


@given(RESULTS, RESULTS, RESULTS)
def test_streaks_are_put_together_in_whatever_parts(one, two, three) -> None:
    whole = streak_of([*one, *two, *three])
    parts = [streak_of(part) for part in (one, two, three)]
    assert parts[0].then(parts[1]).then(parts[2]) == whole
    assert parts[0].then(parts[1].then(parts[2])) == whole


def verify(club: Club, *periods: Period) -> None:
    """Standings and statistics are what the tallies of the days come to, one by one."""
    assert [*totals.check(club), *check_sums(club)] == []
    for period in (all_time(club), *periods):
        tallies = Tally.objects.filter(period.days(), club=club)
        table, found = standings(period), statistics(period)
        assert table.matches == tallies.values("match").distinct().count()
        assert {line.player.pk for line in table.lines} == set(
            tallies.values_list("player", flat=True)
        )
        for line, person in zip(table.lines, found.people, strict=True):
            own = tallies.filter(player=line.player).order_by("played_on", "match_id")
            sums = own.aggregate(**{f"all_{name}": Sum(name) for name in SUMMED})
            sums |= own.aggregate(**{f"all_{name}": Max(name) for name in MOST})
            assert line.figures == {name: sums[f"all_{name}"] for name in FIELDS}
            assert person.streak == streak_of([one.won for one in own]).best
            assert person.hot.net >= person.cold.net
            months: dict[tuple[int, int], int] = {}
            for one in own:
                month = one.played_on.year, one.played_on.month
                months[month] = months.get(month, 0) + one.net
            assert (person.hot.net, person.cold.net) == (
                max(months.values()), min(months.values()),
            )  # fmt: skip


def test_whatever_is_done_the_sums_are_those_of_the_tallies(cast: Cast) -> None:
    random = Random(3)
    first = date(2026, 1, 20)
    pairs = [("Ann", "Ben"), ("Ann", "Cleo"), ("Ben", "Cleo")]
    matches = [
        played(
            cast.ann, first + timedelta(days=7 * number), won(number % 2, 60), gin(ANN, 80),
            names=pairs[number % 3],
        )
        for number in range(6)
    ]  # fmt: skip
    halves = Period(cast.club, "x", "x", date(2026, 1, 25), date(2026, 2, 20))
    month = Period(cast.club, "x", "x", date(2026, 2, 1), date(2026, 2, 28))

    def version(match: Match) -> dict[str, object]:
        return {"user": cast.ann, "match_key": match.key, "version": fresh(match).version}

    def move(match: Match) -> None:
        day = first + timedelta(days=random.randrange(60))
        life.describe_match(**version(match), note="", played_on=day)

    acts = [
        lambda match: services.undo(**version(match)),
        lambda match: services.redo(**version(match)),
        lambda match: enter(cast.ann, match, knock(random.randrange(2), 3, 90)),
        move,
        lambda match: life.delete_match(**version(match)),
        lambda match: life.undelete_match(user=cast.ann, match_key=match.key),
    ]
    done = 0
    for _ in range(50):
        try:
            random.choice(acts)(random.choice(matches))
        except (GinError, BookError, Http404):
            continue
        done += 1
        verify(cast.club, halves, month)
    assert done > 20


def test_who_are_one_have_one_sum_and_part_again(cast: Cast) -> None:
    played(cast.ann, date(2026, 1, 1), won(ANN, 100), names=("Ann", "Ben"))
    played(cast.ann, date(2026, 1, 1), won(BEN, 100), names=("Ann", "Benny"))
    before = [(line.player.name, line.figures) for line in standings(all_time(cast.club)).lines]
    kept, gone = (cast.club.players.get(name=name) for name in ("Ben", "Benny"))
    merge = merge_players(user=cast.ann, kept_key=kept.key, gone_key=gone.key)
    verify(cast.club)
    assert len(standings(all_time(cast.club)).lines) == 2
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    verify(cast.club)
    assert before == [
        (line.player.name, line.figures) for line in standings(all_time(cast.club)).lines
    ]


def test_two_of_a_made_up_club_met_as_often_as_their_tallies_say(cast: Cast) -> None:
    fill(cast.club, 300)
    one, other = (cast.club.players.get(name=name) for name in PEOPLE[:2])
    period = Period(cast.club, "x", "x", date(2020, 3, 10), date(2024, 7, 19))
    own = Tally.objects.filter(period.days(), player=one, opponent=other)
    found = meeting(period, one, other)
    assert found.figures is not None
    assert found.figures[0]["matches"] == own.count() > 3
    assert found.figures[0]["net"] == own.aggregate(all=Sum("net"))["all"]
    # Months and the days of two ends, whatever was played.
    assert totals_of_two(period, one, other).count() <= 2 * (22 + 51 + 19)


@pytest.mark.parametrize("model", [Total, Played])
def test_the_audit_finds_a_sum_that_is_wrong_and_tally_puts_it_right(cast: Cast, model) -> None:
    played(cast.ann, date(2026, 1, 1), won(ANN, 100), names=("Ann", "Ben"))
    model.objects.filter(span=Span.MONTH).update(hands=9)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 differences"):
        call_command("audit", stdout=out)
    assert "month 2026-01-01 differ" in out.getvalue()
    call_command("tally", stdout=io.StringIO())
    verify(cast.club)
    call_command("audit", stdout=io.StringIO())


def test_an_act_of_many_matches_writes_the_sums_of_a_day_once(cast: Cast, monkeypatch) -> None:
    asked: list[int] = []
    real = totals.rewrite

    def rewrite(days) -> None:
        asked.append(len(days))
        real(days)

    monkeypatch.setattr(totals, "rewrite", rewrite)
    with transaction.atomic(), posters.together():
        for number in range(3):
            played(cast.ann, date(2026, 1, 1 + number // 2), won(ANN, 100), names=("Ann", "Ben"))
        assert asked == []
    # Those of today, on which each was written at first, of the two others.
    assert asked == [3]
    verify(cast.club)
    asked.clear()
    ann, other = cast.club.players.get(name="Ann"), seat_players(club=cast.club, names=["Annie"])
    merge_players(user=cast.ann, kept_key=other[0].key, gone_key=ann.key)
    # All of the club is made anew then.
    assert asked == []
    verify(cast.club)
