"""Standings and statistics as tables: the same figures as on their pages, of any days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from ginledger.clubs.models import Player
from ginledger.seasons.export_figures import StandingLine, StatisticLine
from ginledger.seasons.export_rows import TOPICS, Scope
from ginledger.seasons.models import Season
from ginledger.seasons.periods import all_time, find_period
from ginledger.seasons.rates import wilson
from ginledger.seasons.statistics import AVERAGES, MEASURES, statistics
from tests.cast import ANN, BEN, Cast, knock, won
from tests.money.ledgers import DIME
from tests.seasons.tables import played
from tests.seasons.test_export import as_user, body, club_table, table

pytestmark = pytest.mark.django_db

MARCH, APRIL, MAY = date(2026, 3, 10), date(2026, 4, 10), date(2025, 5, 10)
NAMES = ("Ann", "Ben")


@pytest.fixture
def season(cast: Cast) -> Season:
    """A season with one of three matches: Ann won it, Ben the others."""
    played(cast.ann, MARCH, won(ANN, 100), names=NAMES, stake=DIME)
    played(cast.ann, APRIL, knock(BEN, 6, 21), won(BEN, 100), names=NAMES)
    played(cast.ann, MAY, won(BEN, 100), names=NAMES)
    return Season.objects.create(
        club=cast.club, name="Lent / 2026", begins=date(2026, 3, 1), ends=date(2026, 3, 31)
    )


def statistic_lines(scope: Scope) -> list[StatisticLine]:
    return [StatisticLine(*line) for line in TOPICS["statistics"].rows(scope)]


def test_standings_are_as_on_the_page(cast: Cast, season: Season) -> None:
    lines = [StandingLine(*line) for line in TOPICS["standings"].rows(Scope(cast.club))]
    assert [(one.place, one.player, one.matches, one.won, one.lost) for one in lines] == [
        (1, "Ben", 3, 2, 1), (2, "Ann", 3, 1, 2),
    ]  # fmt: skip
    assert lines[0].net == -lines[1].net > 0
    (best, _) = (StandingLine(*line) for line in TOPICS["standings"].rows(scope_of(cast, "2025")))
    assert (best.player, best.matches, best.amount, best.currency) == ("Ben", 1, None, "")


def test_amounts_are_exact_where_a_club_has_money(cast: Cast, season: Season) -> None:
    cast.club.currency = "USD"
    cast.club.save(update_fields=["currency"])
    lines = club_table(cast, "standings", season=season.key)
    assert [(one["player"], one["currency"]) for one in lines] == [("Ann", "USD"), ("Ben", "USD")]
    assert Decimal(lines[0]["amount"]) == -Decimal(lines[1]["amount"]) == Decimal(
        int(lines[0]["net"])
    ) / 10  # fmt: skip


def scope_of(cast: Cast, slug: str) -> Scope:
    return Scope.of(find_period(cast.club, slug))


def test_every_rate_and_average_of_the_page_is_in_the_table(cast: Cast, season: Season) -> None:
    lines = statistic_lines(Scope(cast.club))
    found = statistics(all_time(cast.club))
    told = {(one.player, one.figure, one.column): one for one in lines}
    assert len(told) == len(lines)
    for measure, rows in found.measures:
        for player, rates in rows:
            for column, rate in zip(measure.columns, rates, strict=True):
                one = told[player.name, measure.name, column.lower()]
                assert (one.counted, one.n) == (rate.count, rate.n)
                if rate.n:
                    low, high = wilson(rate.count, rate.n)
                    shares = (rate.count / rate.n, low, high)
                    for value, share in zip((one.rate, one.low, one.high), shares, strict=True):
                        assert value is not None
                        assert float(value) == pytest.approx(100 * share, abs=1e-4)
    for person in found.people:
        name = person.line.player.name
        for (figure, _, _), average in zip(AVERAGES, person.averages, strict=True):
            assert (told[name, figure, ""].counted, told[name, figure, ""].n) == (
                average.total, average.n,
            )  # fmt: skip
        assert told[name, "Longest streak", ""].value == person.streak
        assert (told[name, "Hot month", ""].value, told[name, "Hot month", ""].month) == (
            person.hot.net, person.hot.day,
        )  # fmt: skip
    assert told["", "The dealer’s edge", ""].n == found.dealer.n == 4


def test_too_few_to_tell_is_marked_and_not_left_out(cast: Cast, season: Season) -> None:
    lines = statistic_lines(scope_of(cast, season.key))
    (one,) = [one for one in lines if (one.player, one.figure) == ("Ann", "Matches won")]
    assert (one.counted, one.n, one.rate, one.few) == (1, 1, Decimal("100.0000"), "yes")
    (none,) = [one for one in lines if (one.player, one.figure) == ("Ann", "Count at the knock")]
    assert (none.n, none.value, none.few) == (0, None, "yes")
    assert (
        len([one for one in lines if one.player == "Ann"])
        == sum(len(measure.columns) for measure in MEASURES) + len(AVERAGES) + 5
    )


@pytest.mark.parametrize("topic", ["hands", "matches", "standings", "statistics", "ledger"])
def test_a_season_and_its_days_are_the_same_table(cast: Cast, season: Season, topic: str) -> None:
    by_name = club_table(cast, topic, season=season.key)
    assert by_name
    assert by_name == club_table(cast, topic, since="2026-03-01", until="2026-03-31")
    assert by_name != club_table(cast, topic, season="all")
    assert club_table(cast, topic, season="all") == club_table(cast, topic)
    assert club_table(cast, topic, until="2026-03-31", since="2026-02-01") == by_name


def test_one_open_end_is_open(cast: Cast, season: Season) -> None:
    for asked, wins in (({"since": "2026-04-01"}, 1), ({"until": "2026-03-31"}, 1)):
        ben = next(one for one in club_table(cast, "standings", **asked) if one["player"] == "Ben")
        assert int(ben["won"]) == wins


def test_the_page_offers_seasons_and_refuses_both(cast: Cast, season: Season) -> None:
    client = as_user(cast.cleo)
    page = client.get(reverse("export", args=[cast.club.key])).content.decode()
    for slug in (season.key, "2026", "2025", "all"):
        assert f'<option value="{slug}">' in page
    address = reverse("export_table", args=[cast.club.key])
    asked = {"topic": "hands", "season": season.key, "since": "2026-03-01"}
    answer: Any = client.get(address, asked)
    assert answer.status_code == 422
    assert "not both" in answer.content.decode()
    assert client.get(address, {"topic": "hands", "season": "1999"}).status_code == 422


def test_the_command_takes_a_season_a_year_and_all(
    cast: Cast, season: Season, tmp_path: Path
) -> None:
    file = tmp_path / "out.csv"
    counts = {}
    for slug in (season.key, "2026", "2024", "all"):
        call_command("export", cast.club.key, "--table=matches", f"--season={slug}", "-o", file)
        counts[slug] = len(table(file.read_bytes()))
    assert list(counts.values()) == [1, 2, 0, 3]
    with pytest.raises(CommandError, match="no season"):
        call_command("export", cast.club.key, "--season", "nothing")
    with pytest.raises(CommandError, match="not both"):
        call_command("export", cast.club.key, "--season", "all", "--since", "2026-01-01")
    with pytest.raises(CommandError, match="of a club"):
        call_command("export", cast.club.matches.all()[0].key, "--season", "all")


def test_a_season_names_its_file(cast: Cast, season: Season) -> None:
    address = reverse("export_table", args=[cast.club.key])
    answer: Any = as_user(cast.ann).get(address, {"topic": "standings", "season": season.key})
    assert "standings-Lent-2026.csv" in answer.headers["Content-Disposition"]
    assert body(answer)


def test_a_player_is_told_as_he_is_called_now(cast: Cast, season: Season) -> None:
    Player.objects.filter(name="Ben").update(name="=Ben")
    names = {one["player"] for one in club_table(cast, "standings")}
    assert names == {"Ann", "'=Ben"}
