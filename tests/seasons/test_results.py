"""What is kept of every row: written with the match, checked by the audit, filled in later."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ginledger.gin.hands import Round
from ginledger.gin.ruleset import preset
from ginledger.matches import life, services
from ginledger.matches.book import load_book
from ginledger.matches.models import Match, Row
from ginledger.seasons import results
from ginledger.seasons.export_hands import hand_rows
from ginledger.seasons.export_lines import local, local_reader
from ginledger.seasons.filling import fill_after_migrating, fill_missing
from ginledger.seasons.models import HandResult
from ginledger.seasons.results import Result
from tests.cast import ANN, BEN, CLEO, Cast, adjust, dead, enter, fresh, gin, knock, make_match, won
from tests.seasons.test_export import SPREAD

pytestmark = pytest.mark.django_db

HANDS = (
    knock(ANN, 6, 21, upcard=3), gin(BEN, 19), SPREAD, dead(note="two left"), won(BEN, 12),
    adjust(BEN, -10, note="showed a card"), knock(BEN, 8, 3),
)  # fmt: skip


def kept(match: Match) -> list[Result]:
    """What is stored of a match, in the order of its book."""
    found = HandResult.objects.filter(match=match).order_by("position", "table")
    return [Result(*line) for line in found.values_list(*Result._fields)]


def partners(cast: Cast) -> Match:
    return services.start_match(
        user=cast.ann, names=("Ann", "Cleo", "Ben", "Dev"), rules=preset("partners-125").rules,
        rules_name="P", first_dealer=0, once_key="", club_key=cast.club.key,
    )  # fmt: skip


def every_kind(cast: Cast) -> list[Match]:
    """Matches of two, three and partners, with every kind of row, void ones too."""
    two = make_match(cast.ann, *HANDS, rules={"preset": "house-modern", "target": 500})
    for position in (2, 3, 5, 6):
        row = two.rows.get(position=position)
        services.void_row(user=cast.ann, row_key=row.key, version=fresh(two).version)
    three = make_match(
        cast.ann, won(ANN, 20), knock(ANN, 3, 9, opponent=CLEO), rules="three-handed",
        names=("Ann", "Ben", "Cleo"),
    )  # fmt: skip
    four = partners(cast)
    hands = (knock(0, 6, 21, opponent=2, note="quick"), won(3, 10, opponent=1))
    enter(cast.ann, four, Round(tables=hands, upcard=7))
    level = (knock(0, 6, 16, opponent=2), won(3, 10, opponent=1))
    enter(cast.ann, four, Round(tables=level))
    last = four.rows.get(position=2)
    services.void_row(user=cast.ann, row_key=last.key, version=fresh(four).version)
    return [two, three, four]


def test_what_is_kept_is_what_the_book_comes_to_then_and_later(cast: Cast) -> None:
    matches = every_kind(cast)
    before = [kept(match) for match in matches]
    assert [len(lines) for lines in before] == [7, 2, 6]
    assert [(one.kind, one.points, one.state) for one in before[0]] == [
        ("knock", 15, "counts"), ("gin", None, "void"), ("", None, "void"), ("dead", 0, "counts"),
        ("knock", None, "void"), ("adjustment", None, "void"), ("undercut", 30, "counts"),
    ]  # fmt: skip
    assert [(one.table, one.points, one.entered, one.note) for one in before[2][:3]] == [
        (0, 5, 5, ""), (1, 15, None, "quick"), (2, 10, None, ""),
    ]  # fmt: skip
    HandResult.objects.all().delete()
    assert fill_missing() == 3
    assert [kept(match) for match in matches] == before
    assert fill_missing() == 0


def test_every_act_on_a_match_is_followed(cast: Cast) -> None:
    match = make_match(cast.ann, *HANDS[:4])

    def as_book() -> bool:
        fresh_one = fresh(match)
        return kept(match) == results.results(fresh_one, load_book(fresh_one).sheet)

    acts: list[Any] = [
        lambda version: services.swap_sides(
            user=cast.ann, match_key=match.key, version=version
        ),
        lambda version: services.insert_row(
            user=cast.ann, match_key=match.key, hand=won(BEN, 3), once_key="x", version=version,
            before=match.rows.get(position=1).key,
        ),
        lambda version: services.amend_row(
            user=cast.ann, row_key=match.rows.get(position=2).key, hand=won(ANN, 9),
            version=version,
        ),
        lambda version: services.undo(user=cast.ann, match_key=match.key, version=version),
        lambda version: services.stop_match(user=cast.ann, match_key=match.key, version=version),
        lambda version: life.describe_match(
            user=cast.ann, match_key=match.key, version=version, played_on=date(2026, 1, 2),
            note="",
        ),
        lambda version: life.delete_match(user=cast.ann, match_key=match.key, version=version),
    ]  # fmt: skip
    for act in acts:
        before = kept(match)
        act(fresh(match).version)
        assert as_book()
    assert {one.played_on for one in kept(match)} == {date(2026, 1, 2)}
    # What lies in the bin is kept, and goes out nowhere.
    assert kept(match) == before


def test_one_more_hand_writes_one_more_result(cast: Cast) -> None:
    match = make_match(cast.ann, *HANDS[:4], rules={"preset": "house-modern", "target": 500})
    before = set(HandResult.objects.values_list("pk", flat=True))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        enter(cast.ann, match, won(ANN, 5))
    writes = [
        one["sql"] for one in queries if "seasons_handresult" in one["sql"]
        and not one["sql"].startswith("SELECT")
    ]  # fmt: skip
    assert len(writes) == 1
    assert len(set(HandResult.objects.values_list("pk", flat=True)) - before) == 1


def test_the_audit_sees_a_wrong_one_a_missing_one_and_one_too_many(cast: Cast) -> None:
    match = make_match(cast.ann, *HANDS[:3])
    HandResult.objects.filter(position=1).update(points=99, kind="gin")
    HandResult.objects.filter(position=2).update(position=7)
    out = io.StringIO()
    with pytest.raises(CommandError, match="3 differences"):
        call_command("audit", stdout=out)
    for said in (
        "row 1 differs from the book in kind, points",
        "row 2 is missing",
        "row 7 is of no row",
    ):
        assert said in out.getvalue()
    results.post(fresh(match), load_book(fresh(match)).sheet)
    call_command("audit", stdout=io.StringIO())


@pytest.mark.parametrize(
    ("fact", "entered"),
    [
        ({"kind": "knock", "knocker": "0", "deadwood": {"0": 60, "1": 21}}, ("knock", 60)),
        ({"kind": "sneeze"}, ("", None)),
    ],
)
def test_a_book_that_does_not_replay_is_kept_as_it_was_entered(
    cast: Cast, fact: Any, entered: Any
) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(BEN, 5))
    HandResult.objects.all().delete()
    Row.objects.filter(match=match, position=1).update(fact=fact)
    fill_missing()
    first, second = kept(match)
    assert (first.state, first.kind, first.knocker_deadwood) == ("not scored", *entered)
    assert (second.state, second.entered, second.winner) == ("not scored", None, 1)


def test_migrating_fills_in_what_an_older_version_did_not_keep(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 5))
    before = kept(match)
    HandResult.objects.all().delete()
    fill_after_migrating(using="default", verbosity=1, stdout=None)
    assert kept(match) == []
    out = io.StringIO()
    fill_after_migrating(using="default", verbosity=1, stdout=out, plan=[])
    assert kept(match) == before
    assert "1 matches" in out.getvalue()


def test_no_hand_is_sorted_on_the_way_out(cast: Cast) -> None:
    """B103: a sort would hold all of them at once."""
    plan = hand_rows(HandResult.objects.filter(club=cast.club)).explain()
    assert "seasons_results_by_day" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("name", ["Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"])
def test_moments_are_told_as_the_clocks_of_the_club_said(name: str) -> None:
    zone = ZoneInfo(name)
    read = local_reader(zone)
    # Every half hour of a year, the changes of the clocks among them.
    moment = datetime(2026, 1, 1, 0, 17, 59, 123456, tzinfo=UTC)
    for _ in range(2 * 24 * 365):
        moment += timedelta(minutes=30)
        text = moment.replace(tzinfo=None).isoformat(" ")
        assert read(text) == local(moment, zone)
    assert read("2026-03-31 20:15:04") == local(
        datetime.fromisoformat("2026-03-31T20:15:04Z"), zone
    )
