"""Every golden file passes: 126 matches, 300 spreads, 29 refusals."""

from __future__ import annotations

from typing import Any

import pytest

from ginledger.gin.cards import parse_cards
from ginledger.gin.errors import GinError
from ginledger.gin.matchfile import read_match, write_match
from ginledger.gin.melds import least_deadwood
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import rule_cards
from ginledger.gin.sheet import score
from tests.gin.vectors import load

MATCHES, SPREADS, BAD = load("matches"), load("spreads"), load("bad")


def test_the_golden_files_are_whole() -> None:
    assert (len(MATCHES), len(SPREADS), len(BAD)) == (126, 300, 29)


@pytest.mark.parametrize("entry", MATCHES, ids=lambda entry: entry["name"])
def test_match(entry: dict[str, Any]) -> None:
    match = read_match(entry["match"])
    assert score(match).to_json() == entry["sheet"]
    written = write_match(match)
    assert read_match(written) == match
    assert write_match(read_match(written)) == written


@pytest.mark.parametrize("entry", SPREADS, ids=range(1, len(SPREADS) + 1))
def test_spread(entry: dict[str, Any]) -> None:
    knocker, defender = parse_cards(entry["knocker"]), parse_cards(entry["defender"])
    assert least_deadwood(knocker) == entry["knocker_least"]
    assert least_deadwood(defender) == entry["defender_least"]
    best = rule_cards(RuleSet(), knocker, defender)
    assert {
        "gin": best.kind == "gin",
        "knocker": best.own,
        "defender": best.other,
    } == entry["best"]
    declared = entry["declared"]
    stated = rule_cards(
        RuleSet(), knocker, defender, melds=[parse_cards(meld) for meld in declared["melds"]]
    )
    assert (stated.own, stated.other) == (declared["knocker"], declared["defender"])


@pytest.mark.parametrize("entry", BAD, ids=lambda entry: entry["why"])
def test_refusal(entry: dict[str, Any]) -> None:
    with pytest.raises(GinError) as refused:
        score(read_match(entry["match"]))
    for problem in refused.value.problems:
        assert problem.code
        assert problem.message
        inside = problem.field.startswith(f"hands.{entry['hand']}.") or problem.field == (
            f"hands.{entry['hand']}"
        )
        assert inside if entry["hand"] else not problem.field.startswith("hands")
