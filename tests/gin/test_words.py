"""A rule set in words: nothing that counts is left unsaid, nothing is said that is not so."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ginledger.gin.ruleset import AGREEMENTS, RULES, Agreements, ExtraBoxes, RuleSet, presets
from ginledger.gin.sheet import Match, score
from ginledger.gin.shutouts import least_shutout, shutout_cost, shutout_example
from ginledger.gin.words import (
    FIELDS,
    LABELS,
    NOT_USED,
    agreement,
    agreement_parts,
    choice_words,
    compared,
    differences_in_words,
    field_words,
    hint_words,
    matters,
    rules_line,
    sentence,
    value_of,
    value_words,
)
from tests.gin.deals import matches, rule_sets

PARTS = {"extra_boxes": ExtraBoxes, "agreements": Agreements}
NUMBERS: dict[str, tuple[Any, ...]] = {
    "target": (0, 50, 100, 250),
    "knock_limit": (0, 7, 10),
    "knock_bonus": (0, 15),
    "gin_bonus": (20, 25),
    "undercut_bonus": (10, 25),
    "big_gin_bonus": (None, 31, 50),
    "box_bonus": (0, 20, 25),
    "game_bonus": (0, 100, "target"),
    "shutout_bonus": (0, 100),
    "extra_boxes.gin": (0, 2),
    "extra_boxes.undercut": (0, 1),
    "extra_boxes.big_gin": (0, 3),
    "columns": (1, 3, 5),
}


def values(name: str, rules: RuleSet) -> tuple[Any, ...]:
    """Some values a field may have in these rules."""
    if name == "column_weights":
        return (), (2,) * rules.columns
    if name.startswith("agreements."):
        return tuple(AGREEMENTS[name.removeprefix("agreements.")])
    return NUMBERS.get(name) or RULES[name].choices


def changed(rules: RuleSet, name: str, value: Any) -> RuleSet:
    """The rules with another value in one field, also a part of one."""
    if name == "columns":
        rules = rules.replace(column_weights=())
    whole, _, part = name.partition(".")
    if part:
        value = replace(getattr(rules, whole), **{part: value})
    return rules.replace(**{whole: value})


@st.composite
def changes(draw: st.DrawFn, rules: RuleSet) -> tuple[str, RuleSet]:
    """One field and the rules with another value in it."""
    name = draw(st.sampled_from(FIELDS))
    now = value_of(rules, name)
    # Weights of once each say what no weights say.
    now = rules.weights if name == "column_weights" else now
    other = draw(st.sampled_from([one for one in values(name, rules) if one != now]))
    again = changed(rules, name, other)
    assume(name != "column_weights" or again.weights != rules.weights)
    return name, again


def test_every_field_has_words() -> None:
    whole = {name for name in RULES if name not in PARTS}
    parts = {f"{name}.{one.name}" for name, kind in PARTS.items() for one in fields(kind)}
    assert sorted(FIELDS) == sorted(whole | parts) == sorted(LABELS)
    assert len({field_words(name) for name in FIELDS}) == len(FIELDS)
    for name in FIELDS:
        assert hint_words(name).endswith(".")
        assert "null" not in hint_words(name)


@pytest.mark.parametrize("name", FIELDS)
def test_every_choice_has_words(name: str) -> None:
    base = RuleSet(columns=3, spade_doubles=True, oklahoma=True)
    for value in values(name, base):
        used = changed(base, name, value)
        assert value_words(used, name)
        if RULES.get(name) and RULES[name].choices:
            # A slug ("no-score") is for files, not for people.
            assert "-" not in choice_words(name, value)


@given(rule_sets(), st.data())
def test_what_matters_is_said_and_what_does_not_is_not(rules: RuleSet, data: st.DataObject) -> None:
    name, other = data.draw(changes(rules))
    if matters(rules, name) or matters(other, name):
        assert agreement(rules) != agreement(other)
        assert name in {one.name for one in compared(rules, other)}
        assert differences_in_words(rules, other) or differences_in_words(other, rules)
    else:
        assert agreement(rules) == agreement(other)
        assert compared(rules, other) == differences_in_words(rules, other) == ()


@given(matches(), st.data())
def test_what_does_not_matter_changes_no_figure(match: Match, data: st.DataObject) -> None:
    idle = [one for one in FIELDS if not matters(match.rules, one)]
    assume(idle)
    name = data.draw(st.sampled_from(idle))
    value = data.draw(st.sampled_from(values(name, match.rules)))
    one, other = score(match), score(replace(match, rules=changed(match.rules, name, value)))
    assert one.net == other.net
    assert one.winner == other.winner
    for mine, theirs in zip(one.columns, other.columns, strict=True):
        assert [side.total for side in mine.sides] == [side.total for side in theirs.sides]


@given(rule_sets())
def test_a_clause_speaks_once_and_only_of_what_matters(rules: RuleSet) -> None:
    clauses = [clause for part in agreement_parts(rules) for clause in part.clauses]
    assert len({clause.text for clause in clauses}) == len(clauses)
    for clause in clauses:
        assert clause.text == clause.text.strip(". ")
        assert "None" not in clause.text
        assert set(clause.fields) <= set(FIELDS)
    for one in compared(RuleSet(), rules):
        assert one.one != one.other
        assert (one.other == NOT_USED) == (not matters(rules, one.name))


def test_b109_the_settings_of_the_match_are_said_and_not_the_presets() -> None:
    rules = RuleSet(knock_limit=7, gin_bonus=20, target=150)
    said = agreement(rules)
    assert {"knock with 7 or less", "gin 20", "played to 150"} <= set(said)
    assert not {"knock with 10 or less", "gin 25", "played to 100"} & set(said)
    assert rules_line(rules) == "Game to 150 · boxes 25 · game 100"
    assert differences_in_words(RuleSet(), rules) == (
        "knock with 7 or less",
        "gin 20",
        "played to 150",
    )


def test_the_usual_rules_in_a_sentence() -> None:
    said = sentence(agreement(RuleSet()))
    assert said.startswith("Knock with 10 or less; gin 25; big gin 31; undercut 25, a tie counts;")
    assert "a shutout doubles everything; shut out is who won no hand;" in said
    assert "no one may throw back the card just taken" in said
    assert sentence(()) == ""


@pytest.mark.parametrize(
    ("slug", "line"),
    [
        ("house-modern", "Game to 100 · boxes 25 · game 100"),
        ("hollywood-100", "Three games to 100 · boxes 25 · game 100"),
        ("one-deal", "Game of one hand"),
        ("straight", "Game to 100 · boxes 25 · game 100 · straight gin"),
        (
            "club-hollywood-250",
            "Three games to 250 · boxes 25 · game 250 · Oklahoma · spades double",
        ),
    ],
)
def test_rules_in_a_line(slug: str, line: str) -> None:
    assert rules_line(presets()[slug].rules) == line


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("house-modern", ()),
        (
            "short-50",
            ("played to 50", "a shutout doubles the points of the hands", "the deal alternates"),
        ),
        ("straight", ("straight gin: only gin ends a hand",)),
        (
            "partners-125",
            (
                "played to 125",
                "a shutout adds 100",
                "partners: only the net of a round counts",
                "the winner of the hand deals",
            ),
        ),
    ],
)
def test_what_a_preset_has_otherwise_than_the_usual(slug: str, said: tuple[str, ...]) -> None:
    assert differences_in_words(RuleSet(), presets()[slug].rules) == said


def test_what_is_taken_away_is_said_too() -> None:
    boxes = ExtraBoxes(gin=2)
    both = RuleSet(knock_bonus=15, spade_doubles=True, extra_boxes=boxes, play="partners")
    assert differences_in_words(both, RuleSet()) == (
        "knock bonus: 0",
        "extra boxes for gin: 0",
        "a spade as upcard doubles the hand: no",
        "at the table: two players",
    )


# Worked out by hand. Four hands of 25 to 100: 100 + 4 boxes of 25 + the game of 100 = 300. Three
# games in six hands: 4, 4 and 4 wins of 25 each, entered as the fronts move, so 300 in each.
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({}, "adds at least 200. Won in 4 hands of 25, it comes to 600 instead of 300."),
        (
            {"shutout": "flat", "shutout_bonus": 100},
            "adds exactly 100. Won in 4 hands of 25, it comes to 400 instead of 300.",
        ),
        (
            {"shutout": "flat", "shutout_bonus": 100, "play": "three"},
            "adds exactly 100 for each player shut out. "
            "Won in 4 hands of 25, it comes to 400 instead of 300.",
        ),
        (
            {"shutout": "double-game-bonus"},
            "adds exactly 100. Won in 4 hands of 25, it comes to 400 instead of 300.",
        ),
        (
            {"shutout": "double-hand-points", "target": 50},
            "adds at least 50. Won in 2 hands of 25, it comes to 250 instead of 200.",
        ),
        (
            {"shutout": "double-difference"},
            "adds the difference again. Won in 4 hands of 25, it comes to 600 instead of 300.",
        ),
        (
            {"columns": 3},
            "adds at least 200 in each game. "
            "All three games won in 6 hands of 25, it comes to 1800 instead of 900.",
        ),
        (
            {"columns": 3, "column_weights": [1, 1, 2], "rounding": 500},
            "adds at least 200 in each game before its weight. "
            "All three games won in 6 hands of 25, it comes to 2500 instead of 1000.",
        ),
        (
            {"target": 0, "box_bonus": 0, "game_bonus": 0},
            "adds at least 0. Won in 1 hand of 25, it comes to 50 instead of 25.",
        ),
        ({"shutout": "none"}, "adds nothing."),
        (
            {"target": 100_000, "columns": 12},
            "adds at least 100100 in each game. "
            # 1000 wins of 100 in each game: 100000 + 1000 boxes of 25 + 100, twelve times.
            "All twelve games won in 1011 hands of 100, it comes to 3002400 instead of 1501200.",
        ),
    ],
)
def test_what_a_shutout_could_cost(rules: dict[str, Any], said: str) -> None:
    rules = {**rules, "column_weights": tuple(rules.get("column_weights", ()))}
    assert shutout_cost(RuleSet(**rules)) == f"A shutout {said}"


@given(matches(play="two"))
def test_a_shutout_never_adds_less_than_is_said(match: Match) -> None:
    least, always = least_shutout(match.rules)
    for column in score(match).columns:
        if column.first_over is None:
            continue
        loser = column.sides[1 - column.first_over]
        counted = loser.wins if match.rules.shutout_when == "no-hand" else loser.points
        shut_out = counted <= 0
        bonus = column.sides[column.first_over].shutout_bonus
        if not shut_out:
            assert bonus == 0
        elif always:
            assert bonus == least
        elif match.rules.shutout != "double-difference":
            assert bonus >= least


@given(rule_sets())
def test_the_example_of_a_shutout_is_a_whole_match(rules: RuleSet) -> None:
    example = shutout_example(rules)
    assert example.hands * example.points >= rules.target
    assert example.pays >= example.plain >= 0
    assert str(example.pays) in shutout_cost(rules) or rules.shutout == "none"
