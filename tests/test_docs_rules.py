"""docs/rules.md names every field of a rule set and every value it may hold, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginledger.gin.ruleset import AGREEMENTS, RULES, presets

DOCS = Path(__file__).resolve().parent.parent / "docs"


def table(heading: str) -> dict[str, str]:
    """The rows of the first table after a line, by the name in their first cell."""
    text = (DOCS / "rules.md").read_text("utf-8")
    after = text.split(heading, 1)[1].lstrip()
    rows = re.match(r"(?:\|.*\n)+", after)
    assert rows, heading
    cells = (re.match(r"\| `([\w.-]+)` \|(.*)\|$", row) for row in rows[0].splitlines()[2:])
    return {cell[1]: cell[2] for cell in cells if cell}


FIELDS = table("## Fields of a rule set")
AGREED = table("Agreements:")


def test_every_field_is_documented_and_no_other() -> None:
    assert list(FIELDS) == list(RULES)
    assert list(AGREED) == list(AGREEMENTS)


@pytest.mark.parametrize("name", RULES)
def test_every_choice_of_a_field_is_documented(name: str) -> None:
    for choice in RULES[name].choices:
        if name != "play":
            assert str(choice).lower() in FIELDS[name].lower()
        else:
            assert f"`{choice}`" in FIELDS[name]


@pytest.mark.parametrize("name", AGREEMENTS)
def test_every_choice_of_an_agreement_is_documented(name: str) -> None:
    for choice in AGREEMENTS[name]:
        assert f"`{choice}`" in AGREED[name]


def test_every_preset_is_documented_and_no_other() -> None:
    assert sorted(table("## Presets (files under `seeds/rules/`)")) == sorted(presets())


def test_bounds_are_documented() -> None:
    text = (DOCS / "rules.md").read_text("utf-8")
    (said,) = [line for line in text.splitlines() if line.startswith("Bounds: ")]
    for name in ("target", "game_bonus", "shutout_bonus"):
        assert RULES[name].high == 100_000
        assert f"`{name}`" in said
    assert "up to 100,000 points, other bonuses up to 10,000" in said
    others = ("knock_bonus", "gin_bonus", "undercut_bonus", "big_gin_bonus", "box_bonus")
    assert {RULES[name].high for name in others} == {10_000}
    for name in ("knock_limit", "columns"):
        assert f"`{name}` {RULES[name].low} to {RULES[name].high}" in said


def test_the_addresses_in_the_docs_answer(client) -> None:
    text = (DOCS / "house-rules.md").read_text("utf-8")
    found = re.findall(r"`(/(?:rules/|\?rules=)[^`<…]*)`", text)
    assert len(found) >= 3
    for address in found:
        assert client.get(address).status_code == 200
