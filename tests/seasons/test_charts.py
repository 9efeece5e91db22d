"""Charts: the numbers they draw are the right ones, and nothing in them is style or script."""

from __future__ import annotations

import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.gin.hands import Table
from ginledger.gin.ruleset import read_rules
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import score
from ginledger.seasons.charts import MOST_LINES, Chart, endings, match_race, pair_race, race
from ginledger.seasons.drawing import shortened
from ginledger.seasons.nets import nets, pair_nets
from ginledger.seasons.periods import all_time, year_of
from ginledger.seasons.standings import standings
from tests.cast import ANN, BEN, Cast, adjust, gin, knock, make_match, won
from tests.seasons.tables import fill, played
from tests.web.page import text_of

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
PAIR = Table((("Ann <b>&",), ("Ben",)))


def drawings(chart: Chart) -> list[ET.Element]:
    """The drawings for a wide and for a narrow screen."""
    return list(ET.fromstring(f"<div>{chart.drawing}</div>"))


def lines(root: ET.Element) -> list[list[float]]:
    """The heights of each line's points, as drawn."""
    paths = [
        path.get("d", "")
        for series in root.iter(f"{SVG}g")
        if "series" in series.get("class", "")
        for path in series.iter(f"{SVG}path")
    ]
    return [[float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", path)] for path in paths]


def test_the_race_of_a_match_is_its_running_points() -> None:
    hands = (won(ANN, 40), won(BEN, 25), adjust(BEN, 5), won(ANN, 60))
    sheet = score(GinMatch(read_rules("house-modern"), PAIR, ANN, hands))
    chart = match_race(sheet, 0)
    assert chart is not None
    assert chart.rows == (
        ("Hand 1", (40, 0)), ("Hand 2", (40, 25)), ("Hand 3", (40, 30)), ("Hand 4", (100, 30)),
    )  # fmt: skip
    assert chart.names == ("Ann <b>&", "Ben", "Target 100")
    for drawing in drawings(chart):
        ann, ben, target = lines(drawing)
        # Higher on the page is a smaller y; a point is as high everywhere.
        point = (ann[0] - ann[4]) / 100
        assert [round((ann[0] - y) / point) for y in ann] == [0, 40, 40, 40, 100]
        assert [round((ann[0] - y) / point) for y in ben] == [0, 0, 25, 30, 30]
        assert {round((ann[0] - y) / point) for y in target} == {100}


def ends(root: ET.Element) -> dict[str, float]:
    """The names at the ends of lines, and how far down they stand."""
    texts = [one for one in root.iter(f"{SVG}text") if "end" in one.get("class", "").split()]
    return {one.text or "": float(one.get("y", 0)) for one in texts}


def test_names_stand_at_the_ends_of_their_lines_and_never_on_each_other() -> None:
    table = Table((("A" * 60,), ("Ben",), ("金" * 10,)))
    # Two of them end at 0.
    sheet = score(GinMatch(read_rules("three-handed"), table, 0, (won(0, 10),)))
    chart = match_race(sheet, 0)
    assert chart is not None
    assert chart.needs_key
    for drawing, most, wide in zip(drawings(chart), (12, 9), (7, 5), strict=True):
        found = ends(drawing)
        assert list(found)[:3] == [f"{'A' * most}…", "Ben", f"{'金' * wide}…"]
        heights = sorted(found.values())
        assert all(low - up >= 13 for up, low in pairwise(heights))
        assert heights[-1] < float(drawing.get("viewBox", "").split()[3])


def test_a_name_is_shortened_by_the_room_it_takes() -> None:
    assert [shortened("Ann", 4), shortened("Bartholomew", 8)] == ["Ann", "Bartho…"]
    assert shortened("Ann of Green Gables", 8) == "Ann of…"
    assert shortened("W" * 60, 10) == "WWWWW…"
    assert shortened("金" * 10, 10) == "金金金金…"


def test_one_deal_has_no_target_and_nothing_is_drawn_of_nothing() -> None:
    sheet = score(GinMatch(read_rules("one-deal"), PAIR, ANN, (won(ANN, 10),)))
    chart = match_race(sheet, 0)
    assert chart is not None
    assert chart.names == ("Ann <b>&", "Ben")
    assert match_race(score(GinMatch(read_rules("house-modern"), PAIR, ANN)), 0) is None


def test_a_drawing_holds_no_style_no_script_and_no_mark_of_a_name(cast: Cast) -> None:
    for day in range(3):
        played(
            cast.ann, date(2025, 1, 1 + day), knock(ANN, 3, 9), gin(ANN, 75),
            names=("<script>alert(1)</script>", "Ben"),
        )  # fmt: skip
    table = standings(all_time(cast.club))
    pair = race(table), endings(table)
    assert pair[0] is not None
    assert pair[1] is not None
    found = drawings(pair[0]) + [ET.fromstring(bar.drawing) for bar in pair[1].bars[:1]]
    assert len(found) == 3
    for root in found:
        for element in root.iter():
            assert element.tag.removeprefix(SVG) in {"svg", "g", "rect", "path", "text", "circle"}
            assert not {"style", "onclick", "href"} & set(element.attrib)
            assert element.get("class") != "bar"  # the head of our pages, hidden in print
        assert root.get("role") == "img"
        assert root.get("aria-label")


def test_pygal_leaves_imports_alone() -> None:
    assert all(hasattr(finder, "find_spec") for finder in sys.meta_path)
    assert importlib.util.find_spec("no_such_module_at_all") is None


@pytest.mark.parametrize(
    ("days", "step"), [(1, "day"), (31, "day"), (32, "week"), (200, "week"), (201, "month")]
)
def test_the_race_of_a_season_adds_up(cast: Cast, days: int, step: str) -> None:
    first = date(2025, 1, 1)
    for day in (first, first, first + timedelta(days=days)):
        played(cast.ann, day, won(ANN, 100), names=("Ann", "Ben"))
    chart = race(standings(all_time(cast.club)))
    assert chart is not None
    assert (chart.step, chart.names) == (step, ("Ann", "Ben"))
    assert [numbers for _, numbers in chart.rows] == [(900, -900), (1350, -1350)]


def test_one_day_is_no_race(cast: Cast) -> None:
    assert race(standings(all_time(cast.club))) is None
    played(cast.ann, date(2025, 1, 1), won(ANN, 100), names=("Ann", "Ben"))
    assert race(standings(all_time(cast.club))) is None


def test_the_net_points_of_a_pair_are_those_of_their_own_matches(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    first = date(2025, 1, 1)
    for day, winner in ((0, ANN), (0, ANN), (1, BEN)):
        played(cast.ann, first + timedelta(days=day), won(winner, 100), names=("Ann", "Ben"))
    played(cast.ann, first, won(ANN, 100), names=("Ann", "Cleo"))
    played(cast.ann, date(2024, 12, 31), won(ANN, 100), names=("Ann", "Ben"))
    days = year_of(cast.club, 2025)
    people = {player.name: player for player in cast.club.players.all()}
    ann, ben, cleo = (people[name] for name in ("Ann", "Ben", "Cleo"))
    with django_assert_num_queries(2):
        found = pair_nets(days, ann, ben)
    assert (found.step, found.sums) == (
        "day", ((first, {ann.pk: 900}), (date(2025, 1, 2), {ann.pk: -450})),
    )  # fmt: skip
    assert pair_nets(days, ben, ann).sums[0][1] == {ben.pk: -900}
    assert pair_nets(days, ben, cleo).sums == ()
    with django_assert_num_queries(2):
        assert nets(days).sums[0][1] == {ann.pk: 1350, ben.pk: -900, cleo.pk: -450}


def test_how_hands_were_won(cast: Cast) -> None:
    hands = (knock(ANN, 6, 21), gin(BEN, 30), knock(BEN, 8, 8), won(BEN, 50, "gin"))
    played(cast.ann, date(2025, 1, 1), *hands, names=("Ann", "Ben"))
    chart = endings(standings(all_time(cast.club)))
    assert chart is not None
    assert chart.head == ("Knock", "Gin", "Big gin", "Undercut", "All won")
    assert chart.rows == (("Ben", (0, 2, 0, 0, 2)), ("Ann", (1, 0, 0, 1, 2)))
    ben, ann = chart.bars
    assert [(one.name, one.won, one.hands) for one in (ben, ann)] == [("Ben", 2, 4), ("Ann", 2, 4)]
    assert parts(ben.drawing) == {"color-1": 1}
    assert parts(ann.drawing) == {"color-0": 0.5, "color-3": 0.5}
    assert 'aria-label="Ann: knock 1, gin 0, big gin 0, undercut 1"' in ann.drawing


def parts(drawing: str) -> dict[str, float]:
    """The share of the bar that each colour has."""
    root = ET.fromstring(drawing)
    whole = float(root.get("viewBox", "").split()[2])
    return {
        rect.get("class", "").split()[-1]: round(float(rect.get("width", 0)) / whole, 2)
        for rect in root
    }


def test_who_won_no_hand_has_no_bar(cast: Cast) -> None:
    played(cast.ann, date(2025, 1, 1), gin(ANN, 75), names=("Ann", "Ben"))
    chart = endings(standings(all_time(cast.club)))
    assert chart is not None
    assert [bool(one.drawing) for one in chart.bars] == [True, False]


def test_the_race_of_a_pair_is_one_line_and_both_numbers(cast: Cast) -> None:
    first = date(2025, 1, 1)
    for day, winner in enumerate((ANN, BEN, BEN)):
        played(cast.ann, first + timedelta(days=day), won(winner, 100), names=("Ann", "Ben"))
    played(cast.ann, first, won(ANN, 100), names=("Ann", "Cleo"))
    people = {player.name: player for player in cast.club.players.all()}
    chart = pair_race(all_time(cast.club), people["Ann"], people["Ben"])
    assert chart is not None
    assert (chart.step, chart.head) == ("day", ("Ann", "Ben"))
    assert [numbers for _, numbers in chart.rows] == [(450, -450), (0, 0), (-450, 450)]
    wide = drawings(chart)[0]
    assert list(ends(wide)) == ["Ann"]
    (line,) = lines(wide)
    point = (line[0] - line[1]) / 450
    assert [round((line[0] - y) / point) for y in line] == [0, 450, 0, -450]
    assert pair_race(all_time(cast.club), people["Ann"], people["Cleo"]) is None


def test_many_players_are_all_in_the_table(cast: Cast) -> None:
    fill(cast.club, 100)
    chart = race(standings(all_time(cast.club)))
    assert chart is not None
    assert (len(chart.names), len(chart.head)) == (MOST_LINES, 8)
    assert all(len(numbers) == 8 for _, numbers in chart.rows)
    assert [sum(numbers) for _, numbers in chart.rows] == [0] * len(chart.rows)


def test_the_page_of_a_match(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.ann)
    match = make_match(cast.ann, won(ANN, 40), won(BEN, 25), rules="hollywood-100")
    page = client.get(reverse("race", args=[match.key]))
    assert "Hand 2" in text_of(page)
    assert page.content.count(b"<svg") == 2  # for a wide and for a narrow screen
    client.force_login(cast.dev)
    assert client.get(reverse("race", args=[match.key])).status_code == 404
    empty = make_match(cast.dev)
    assert "No hand yet." in text_of(client.get(reverse("race", args=[empty.key])))
