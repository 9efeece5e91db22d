"""A match file that holds a whole book: void rows, note, day, every amendment."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from ginledger.gin.bookfile import BookFile, read_book, score_file, write_book
from ginledger.gin.errors import GinError
from ginledger.gin.hands import PointsHand
from ginledger.gin.matchfile import Row, read_match
from ginledger.gin.sheet import score

ANN = {"kind": "knock", "winner": "Ann", "points": 60}
BEN = {"kind": "gin", "winner": "Ben", "points": 40}
LATE = {"kind": "knock", "winner": "Ann", "points": 45}
AT = "2026-03-01T20:00:00+00:00"


def amendment(act: int, action: str, hand: int, **more: Any) -> dict[str, Any]:
    return {"act": act, "action": action, "hand": hand, "who": "Ann", "at": AT, **more}


@pytest.fixture
def document() -> dict[str, Any]:
    return {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "rules_name": "As at home",
        "played_on": "2026-03-01",
        "note": "Rain.\nBen was late.",
        "stopped_at": "2026-03-01T21:00:00+00:00",
        "hands": [ANN, BEN | {"void": True}, LATE],
        "amendments": [
            amendment(1, "enter", 1, after=BEN),
            amendment(2, "amend", 1, before=BEN, after=ANN, why="it was Ann"),
            amendment(3, "enter", 2, after=BEN),
            amendment(4, "void", 2, before=BEN, after=BEN | {"void": True}),
            amendment(5, "enter", 3, after=LATE),
            amendment(6, "undo", 3, before=LATE, after=LATE | {"void": True}),
            amendment(7, "redo", 3, before=LATE | {"void": True}, after=LATE),
            {
                "act": 8,
                "action": "describe",
                "before": {"note": "", "played_on": "2026-03-02"},
                "after": {"note": "Rain.\nBen was late.", "played_on": "2026-03-01"},
                "who": "Ben",
                "at": AT,
            },
        ],
    }


def problems_of(document: Any) -> dict[str, str]:
    with pytest.raises(GinError) as refusal:
        read_book(document)
    return {problem.field: problem.code for problem in refusal.value.problems}


def test_a_whole_book_survives_a_round_trip(document: dict[str, Any]) -> None:
    book = read_book(document)
    written = write_book(book)
    assert written == document | {"rules": book.match.rules.to_json()}
    assert read_book(json.loads(json.dumps(written))) == book
    assert book.rows[1] == Row(PointsHand(kind="gin", winner=1, points=40), void=True)
    assert book.amendments[1].why == "it was Ann"


def test_void_rows_count_nowhere(document: dict[str, Any]) -> None:
    match = read_match(document)
    assert [hand.points for hand in match.hands if isinstance(hand, PointsHand)] == [60, 45]
    sheet = score_file(document)
    assert sheet == score(match)
    assert sheet.over
    assert [hand.number for hand in sheet.hands] == [1, 2]


def test_a_file_by_hand_says_nothing_of_the_book() -> None:
    document = {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "hands": [],
    }
    book = read_book(document)
    assert (book.rules_name, book.note, book.played_on, book.stopped_at) == ("", "", None, None)
    assert write_book(book) == document | {"rules": book.match.rules.to_json()}
    assert isinstance(book, BookFile)


def test_problems_name_hands_as_the_file_counts_them(document: dict[str, Any]) -> None:
    document["hands"][2] = {"kind": "knock", "knocker": "Ann", "deadwood": {"Ann": 11, "Ben": 20}}
    del document["amendments"]
    for read in (read_book, score_file):
        with pytest.raises(GinError) as refusal:
            read(document)
        assert refusal.value.field == "hands.3.deadwood.knocker"


def test_all_that_is_wrong_is_told_at_once(document: dict[str, Any]) -> None:
    document |= {"played_on": "01/03/2026", "note": "x" * 2001, "stopped_at": "2026-03-01"}
    document["amendments"][1] |= {"at": "yesterday", "act": 0, "colour": "red"}
    document["amendments"][2]["after"] = {"kind": "gin", "winner": "Zoe", "points": 1}
    document["amendments"][3]["action"] = "erase"
    document["amendments"][7]["after"] = {"note": 5}
    assert problems_of(document) == {
        "played_on": "value-unreadable",
        "note": "value-unreadable",
        "stopped_at": "value-unreadable",
        "amendments.2.at": "value-unreadable",
        "amendments.2.act": "value-unreadable",
        "amendments.2.colour": "key-unknown",
        "amendments.3.after.winner": "name-unknown",
        "amendments.4.action": "value-unreadable",
        "amendments.8.after": "value-unreadable",
    }


@pytest.mark.parametrize("void", [1, "yes", None, []])
def test_void_is_true_or_false(document: dict[str, Any], void: Any) -> None:
    document["hands"][1] = BEN | {"void": void}
    assert problems_of(document) == {"hands.2.void": "value-unreadable"}


def _broken(document: dict[str, Any], number: int, **changes: Any) -> dict[str, Any]:
    broken = copy.deepcopy(document)
    broken["amendments"][number - 1] |= changes
    return broken


@pytest.mark.parametrize(
    ("number", "changes", "field"),
    [
        (1, {"hand": 9}, "amendments.1.hand"),
        (1, {"before": ANN}, "amendments.1.before"),
        (2, {"before": ANN}, "amendments.2.before"),
        (2, {"before": None}, "amendments.2.before"),
        (2, {"after": None}, "amendments.2.after"),
        (7, {"after": LATE | {"points": 44}}, "hands.3"),
        (3, {"act": 1}, "amendments.3.act"),
        (3, {"act": 2}, "amendments.3"),
        (1, {"action": "insert"}, ""),
        (7, {"action": "undo"}, ""),
        (6, {"action": "redo"}, "amendments.6"),
    ],
)
def test_amendments_tell_how_the_rows_came_to_be(
    document: dict[str, Any], number: int, changes: dict[str, Any], field: str
) -> None:
    broken = _broken(document, number, **changes)
    if field:
        assert problems_of(broken) == {field: "amendments-broken"}
    else:
        assert read_book(broken)


def test_every_row_was_entered(document: dict[str, Any]) -> None:
    del document["amendments"][4:7]
    assert problems_of(document) == {"hands.3": "amendments-broken"}


@pytest.mark.parametrize("amendments", ["x", {}, 5, [5], [None], [[]]])
def test_amendments_are_a_list_of_objects(document: dict[str, Any], amendments: Any) -> None:
    document["amendments"] = amendments
    assert problems_of(document)


def test_void_belongs_to_a_row_and_not_to_a_table_of_a_round() -> None:
    table = {"kind": "dead", "players": ["Ann", "Ben"], "void": True}
    document = {
        "format": "ginledger/match/1",
        "rules": "partners-125",
        "sides": [["Ann", "Cleo"], ["Ben", "Dev"]],
        "first_dealer": "Ann",
        "hands": [{"round": [table]}],
    }
    assert "hands.1.round.1.void" in problems_of(document)


@pytest.mark.parametrize(
    ("action", "after", "broken"),
    [
        ("insert", BEN | {"void": True}, False),
        ("enter", BEN | {"void": True}, True),
        ("insert", BEN, True),
        ("insert", LATE | {"void": True}, True),
    ],
)
def test_an_insert_may_strike_out_another_hand_and_does_nothing_else_to_it(
    action: str, after: dict[str, Any], broken: bool
) -> None:
    """A hand put in before another may end the match; the rest of it is struck out with it."""
    document = {
        "format": "ginledger/match/1",
        "rules": "house-modern",
        "sides": [["Ann"], ["Ben"]],
        "first_dealer": "Ann",
        "hands": [LATE, after],
        "amendments": [
            amendment(1, "enter", 2, after=BEN),
            amendment(2, action, 1, after=LATE),
            amendment(2, action, 2, before=BEN, after=after),
        ],
    }
    if broken:
        assert problems_of(document) == {"amendments.3.before": "amendments-broken"}
    else:
        assert write_book(read_book(document))["amendments"] == document["amendments"]
