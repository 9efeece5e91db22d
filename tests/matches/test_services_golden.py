"""Golden matches entered row by row through the service give the golden sheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ginledger.gin.matchfile import read_match, write_match
from tests.cast import Cast, book_of, enter, fresh, make_match

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "matches.json"
# The named ones, which show a rule each, and of the random ones some of every preset.
SAMPLE = [*range(26), 26, 27, 29, 32, 34, 36, 39, 40, 51, 55, 65, 81, 105, 117, 119]
GOLDEN = [vector for vector in json.loads(VECTORS.read_text()) if vector]


@pytest.mark.parametrize(
    "vector", [GOLDEN[number] for number in SAMPLE], ids=lambda vector: vector["name"]
)
def test_a_golden_match_entered_row_by_row(cast: Cast, vector: dict[str, Any]) -> None:
    golden = read_match(vector["match"])
    match = make_match(
        cast.ann, rules=golden.rules, names=golden.table.names, first_dealer=golden.first_dealer
    )
    for hand in golden.hands:
        enter(cast.ann, match, hand)
    book = book_of(match)
    assert book.sheet.to_json() == vector["sheet"]
    assert write_match(book.gin_match) == write_match(golden)
    stored = fresh(match)
    assert (stored.over, stored.net) == (vector["sheet"]["over"], vector["sheet"]["net"])
    assert stored.winner == vector["sheet"]["winner"]
