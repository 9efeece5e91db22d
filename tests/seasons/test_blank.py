"""The blank sheet: the columns and sums of the rules it is for, for anybody."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ginledger.gin.ruleset import presets
from ginledger.seasons.blank_views import LINES

pytestmark = pytest.mark.django_db


def sheet(rules: str = "") -> str:
    answer = Client().get("/blank/", {"rules": rules} if rules else {})
    assert answer.status_code == 200
    return answer.content.decode()


def sums(page: str) -> list[str]:
    (foot,) = re.findall(r"<tfoot>.*</tfoot>", page, re.DOTALL)
    return re.findall(r'<th scope="row"[^>]*>([^<]+)<', foot)


def test_one_column_has_a_line_for_every_sum() -> None:
    page = sheet()
    assert sums(page) == ["Points", "Boxes at 25", "Game 100", "Shutout", "Total", "Margin"]
    assert len(re.findall(r'<tr><th scope="row">\d+</th>', page)) == LINES
    assert page.count("Side 1") == page.count("Side 2") == 1
    assert "Upcard" not in page


def test_hollywood_has_three_columns_of_two() -> None:
    page = sheet("hollywood-100")
    assert [page.count(f"Side {side}") for side in (1, 2, 3)] == [3, 3, 0]
    assert page.count('scope="colgroup"') == 3
    assert "counts × 2" in sheet("club-hollywood-250")


@pytest.mark.parametrize("slug", list(presets()))
def test_every_preset_has_its_sheet(slug: str) -> None:
    page, rules = sheet(slug), presets()[slug].rules
    assert page.count("Side 3") == (rules.columns if rules.play == "three" else 0)
    assert (">Upcard<" in page) == rules.needs_upcard
    assert any(label.startswith("Boxes") for label in sums(page)) == (rules.box_bonus > 0)
    assert ("Shutout" in sums(page)) == (rules.shutout != "none")
    lines = re.findall(r"<tr.*?</tr>", page[page.index("<tbody>") :], re.DOTALL)
    cells = {
        sum(int(span or 1) for span in re.findall(r'<t[hd](?:[^>]*colspan="(\d+)")?', line))
        for line in lines
    }
    assert len(cells) == 1  # every line is as wide as every other


def test_rules_that_are_none_are_said_and_the_usual_sheet_shown() -> None:
    answer = Client().get("/blank/", {"rules": "no-such"})
    assert answer.status_code == 422
    assert "Boxes at 25" in answer.content.decode()
