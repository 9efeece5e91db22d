"""A rule set is checked when it is built, and every field of it is documented."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from ginledger.gin.errors import GinError
from ginledger.gin.ruleset import (
    AGREEMENTS,
    RULES,
    Agreements,
    RuleSet,
    differences,
    presets,
    read_rules,
)


def test_every_field_has_its_rule() -> None:
    assert [one.name for one in fields(RuleSet)] == list(RULES)
    assert [one.name for one in fields(Agreements)] == list(AGREEMENTS)


def test_a_rule_set_round_trips() -> None:
    for preset in presets().values():
        assert read_rules(preset.rules.to_json()) == preset.rules


def test_presets_differ_from_the_default_as_written() -> None:
    modern = presets()["house-modern"].rules
    assert modern == RuleSet()
    assert next(iter(presets())) == "house-modern"
    short = presets()["short-50"].rules
    assert differences(modern, short) == {
        "target": (100, 50),
        "shutout": ("double-total", "double-hand-points"),
        "next_dealer": ("loser", "alternate"),
    }
    assert len(presets()) == 13


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"target": -1}, "target"),
        ({"target": True}, "target"),
        ({"target": 10**20}, "target"),
        ({"knock_limit": 11}, "knock_limit"),
        ({"tie": "both"}, "tie"),
        ({"oklahoma": 1}, "oklahoma"),
        ({"rounding": 7}, "rounding"),
        ({"rounding": True}, "rounding"),
        ({"game_bonus": "much"}, "game_bonus"),
        ({"big_gin_bonus": "none"}, "big_gin_bonus"),
        ({"extra_boxes": 3}, "extra_boxes"),
        ({"extra_boxes": {"gin": -1}}, "extra_boxes.gin"),
        ({"extra_boxes": {"knock": 1}}, "extra_boxes"),
        ({"agreements": {"throw_back": "maybe"}}, "agreements.throw_back"),
        ({"columns": 3, "column_weights": [1, 2]}, "column_weights"),
        ({"column_weights": [0]}, "column_weights"),
        ({"column_weights": 3}, "column_weights"),
        ({"gin_bonuss": 3}, "gin_bonuss"),
        ({"preset": "house-antique"}, "preset"),
        ({"preset": ["house-modern"]}, "preset"),
        (7, ""),
    ],
)
def test_a_wrong_value_names_its_field(raw: Any, field: str) -> None:
    with pytest.raises(GinError) as refused:
        read_rules(raw)
    assert [one.field for one in refused.value.problems] == [field]


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(GinError) as refused:
        read_rules({"target": -1, "gin_bonuss": 3, "tie": 1})
    assert {one.field for one in refused.value.problems} == {"target", "gin_bonuss", "tie"}
