"""docs/seasons.md says what the code does."""

from __future__ import annotations

from pathlib import Path

from ginledger.seasons.rates import FEW
from ginledger.seasons.standings import TIE_BREAK
from ginledger.seasons.statistics import AVERAGES, MEASURES

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "seasons.md").read_text("utf-8").lower()


def test_every_figure_is_described() -> None:
    for name in [one.name for one in MEASURES] + [name for name, _, _ in AVERAGES]:
        assert name.lower() in DOCS, name


def test_the_order_and_the_least_number_are_those_of_the_code() -> None:
    order, shared = TIE_BREAK.removesuffix(".").lower().split(". ")
    assert order.removeprefix("order: ") in DOCS
    assert shared in DOCS
    assert f"under {FEW} cases" in DOCS
