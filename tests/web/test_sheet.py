"""The sheet: every figure of the golden matches, open columns, void rows, the result in words."""

import html
import json
import re
from pathlib import Path

import pytest
from django.test import Client

from ginledger.gin.matchfile import read_match
from ginledger.matches.models import Match
from tests.cast import ANN, BEN, Cast, adjust, gin, knock, make_match, won
from tests.web.page import address, text_of

pytestmark = pytest.mark.django_db

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "matches.json").read_text())
TWO = [case for case in VECTORS if read_match(case["match"]).rules.play == "two"]


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


def table_of(client: Client, match: Match) -> tuple[list[list[str]], list[list[str]]]:
    """The cells of the body and of the foot, row by row, as one reads them."""
    page = client.get(address("sheet", match)).content.decode()
    found = []
    for part in ("tbody", "tfoot"):
        inner = re.search(rf"(?s)<{part}>(.*?)</{part}>", page)
        assert inner
        rows = re.findall(r"(?s)<tr.*?</tr>", inner[1])
        cells = (re.findall(r"(?s)<t[hd].*?</t[hd]>", row) for row in rows)
        found.append([[_words(cell) for cell in row] for row in cells])
    return found[0], found[1]


def _words(cell: str) -> str:
    cell = re.sub(r'(?s)<ul class="why">.*?</ul>|<span class="vh">.*?</span>', "", cell)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", cell))).strip()


def number(points: int) -> str:
    return str(points).replace("-", "−")


@pytest.mark.parametrize("case", TWO, ids=[case["name"] for case in TWO])
def test_every_golden_figure_stands_on_the_sheet(cast: Cast, client: Client, case) -> None:
    game, wanted = read_match(case["match"]), case["sheet"]
    match = make_match(cast.ann, *game.hands, rules=game.rules, first_dealer=game.first_dealer)
    body, foot = table_of(client, match)
    columns = wanted["columns"]
    for hand, row in zip(wanted["hands"], body, strict=True):
        assert row[0] == str(hand["number"])
        entered = [
            number(entry["running"][side]) if entry and entry["side"] == side else ""
            for column in columns
            for entry in [next((e for e in column["entries"] if e["hand"] == hand["number"]), None)]
            for side in (ANN, BEN)
        ]
        assert row[3:] == entered
        assert ("–" if hand["side"] is None else str(hand["points"])) == row[2].lstrip("+").replace(
            "−", "-"
        )
    totals = [number(side["total"]) for column in columns for side in column["sides"]]
    assert foot[-1] == ["Total", *totals]
    for line in foot[:-1]:
        name = {"Boxes": "box_bonus", "Game": "game_bonus", "Shutout": "shutout_bonus"}[
            line[0].split()[0]
        ]
        wanted_cells = [
            "–" if column["net"] is None else side[name]
            for column in columns
            for side in column["sides"]
        ]
        assert [cell or "0" for cell in line[1:]] == [str(cell) for cell in wanted_cells]
    words = text_of(client.get(address("sheet", match)))
    for column in columns:
        if column["net"] is None:
            assert "still open" in words
        else:
            margin = max(column["net"])
            who = "Ann" if column["net"][0] > 0 else "Ben"
            assert f"{who} +{margin}" in words or margin == 0
    if not wanted["over"]:
        assert " wins by " not in words
    elif wanted["winner"] is None:
        assert "The match is level: nobody wins." in words
    else:
        margin = wanted["net"][wanted["winner"]]
        who = ("Ann", "Ben")[wanted["winner"]]
        assert f"{who} wins by {margin}." in words or margin == 0


def test_every_figure_is_explained(cast: Cast, client: Client) -> None:
    match = make_match(
        cast.ann, won(ANN, 18), won(ANN, 90), won(ANN, 80), knock(BEN, 6, 21), rules="hollywood-100"
    )
    words = text_of(client.get(address("sheet", match)))
    assert "Ben knocks with 6, Ann has 21." in words
    assert "Ben scores 21 − 6 = 15." in words
    assert "First game Ann +516" in words
    assert (
        "Ann: 108 (2 hands won) + 50 (2 boxes at 25) + 100 (first to reach the target) "
        "+ 258 (shutout: the whole total again) = 516." in words
    )
    assert "516 − 0 = 516." in words


def test_open_columns_say_so(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(ANN, 18), won(ANN, 90), rules="hollywood-100")
    words = text_of(client.get(address("sheet", match)))
    assert "Second open" in words
    assert "First open" not in words
    assert "Third game, still open 0 – 0" in words
    assert "wins by" not in words


def test_weights_and_rounding_are_told(cast: Cast, client: Client) -> None:
    rules = {"preset": "hollywood-100", "column_weights": [1, 1, 2], "rounding": 50}
    match = make_match(
        cast.ann, won(ANN, 30), won(ANN, 90), won(BEN, 20), won(ANN, 90), won(ANN, 70), rules=rules
    )
    words = text_of(client.get(address("sheet", match)))
    assert "Third counts × 2" in words
    settled = re.search(r"Ann: (\d+) \+ (\d+) \+ (\d+) = \+(\d+), rounded to 50: \+(\d+)\.", words)
    assert settled, words
    first, second, third, together, rounded = map(int, settled.groups())
    assert first + second + third == together
    assert rounded % 50 == 0
    assert f"Ann wins by {rounded}." in words


def test_void_rows_are_read_and_do_not_count(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(ANN, 30), gin(BEN, 19), won(ANN, 5))
    row = match.rows.get(position=2)
    client.post(address("row_void", match, row), {"version": 3})
    body, foot = table_of(client, match)
    assert [line[0] for line in body] == ["1", "–", "2"]
    assert body[1][1:3] == ["Ben Gin Void", "44"]
    assert foot[-1] == ["Total", "35", "0"]
    assert '<tr class="void">' in client.get(address("sheet", match)).content.decode()


def test_the_note_on_a_hand_stands_on_the_sheet(cast: Cast, client: Client) -> None:
    match = make_match(
        cast.ann, won(ANN, 30, note="by <candle> light"), adjust(BEN, -10, note="exposed a card")
    )
    words = text_of(client.get(address("sheet", match)))
    assert "Note: by <candle> light" in words
    assert words.count("exposed a card") == 1
    assert "<candle>" not in client.get(address("sheet", match)).content.decode()


def test_the_rules_of_this_match_in_words(cast: Cast, client: Client) -> None:
    """B109: what is shown is what this match is played by."""
    rules = {"knock_limit": 7, "gin_bonus": 20, "target": 150}
    match = make_match(cast.ann, rules=rules)
    words = text_of(client.get(address("sheet", match))).lower()
    for said in ("game to 150", "knock with 7 or less", "gin 20"):
        assert said in words


def test_rematch_from_the_finished_sheet_only(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(ANN, 30))
    assert "Rematch" not in text_of(client.get(address("sheet", match)))
    assert client.post(address("rematch", match)).status_code == 409
    over = make_match(cast.ann, won(BEN, 99), won(BEN, 5))
    assert "Rematch" in text_of(client.get(address("sheet", over)))
    first = client.post(address("rematch", over))
    second = client.post(address("rematch", over))
    assert first.status_code == second.status_code == 302
    assert first.url == second.url
    again = Match.objects.get(rematch_of=over)
    assert first.url == address("pad", again)
    assert again.rules == over.rules
    assert "Ann deals" in text_of(client.get(first.url)), "the loser deals"
