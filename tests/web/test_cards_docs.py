"""docs/cards.md holds: its link is ruled as it says, and every field of a link is in it."""

import re
from pathlib import Path

from django.test import Client

from ginledger.matches.check_forms import JUDGE_FIELDS, RULE_FIELDS
from tests.web.page import text_of

DOC = (Path(__file__).resolve().parents[2] / "docs" / "cards.md").read_text()


def test_the_example_link_is_ruled() -> None:
    found = re.search(r"`(/judge/\?\S+)`", DOC)
    assert found
    assert "Knocker scores 16" in text_of(Client().get(found[1]))


def test_every_field_of_a_link_is_described() -> None:
    table = DOC[DOC.index("## The link of a ruling") : DOC.index("## For programmers")]
    described = set(re.findall(r"`(\w+)`", table))
    assert {*JUDGE_FIELDS, "m", "rules", "upcard", *RULE_FIELDS} <= described
