"""docs/money.md says what the code does."""

from __future__ import annotations

from pathlib import Path

from ginledger.matches.cash import MOST_AMOUNT, MOST_RATE, shown_exact
from ginledger.money.models import MOST, Kind
from ginledger.money.plan import EXACT

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "money.md").read_text("utf-8")


def test_every_kind_of_entry_is_described() -> None:
    for kind in Kind:
        assert f"| {kind.label.lower()} |" in DOCS


def test_the_limits_are_those_of_the_code() -> None:
    assert MOST == MOST_AMOUNT == 10**12
    assert "from 1 to 10¹²" in DOCS
    assert f"at most {shown_exact(MOST_RATE, 'USD').removeprefix('$')} in a currency" in DOCS
    assert f"exact up to {EXACT} people" in DOCS
