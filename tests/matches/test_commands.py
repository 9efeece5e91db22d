"""``score`` and ``judge`` as docs/format.md says, also for thousands of lines."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.gin.vectors import load, named

ROOT = Path(__file__).resolve().parents[2]
KNOCKER, DEFENDER = "7S 7H 7C JS QS KS 2D 3D 4D 6C", "TS 9S 8H 8D 8C 5D KH AH 2C 9H"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(name: str, content: object) -> str:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


def run_lines(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> list[dict[str, Any]]:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    out = io.StringIO()
    call_command("judge", "--jsonl", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_score_prints_the_sheet_as_people_read_it(write: Any) -> None:
    out = io.StringIO()
    call_command("score", write("a.json", named("a full game")["match"]), stdout=out)
    text = out.getvalue()
    assert "A v B" in text
    assert "A wins by 142." in text
    assert [line.split()[-2:] for line in text.splitlines() if "Total" in line] == [["275", "133"]]


def test_score_prints_an_open_hollywood_sheet(write: Any) -> None:
    out = io.StringIO()
    call_command("score", write("a.json", named("Hollywood stopped")["match"]), stdout=out)
    assert "Column 3 is open" in out.getvalue()
    assert "Not over: A deals next." in out.getvalue()


def test_score_prints_one_object_a_file(write: Any) -> None:
    entries = load("matches")[:5]
    files = [write(f"{at}.json", entry["match"]) for at, entry in enumerate(entries)]
    out = io.StringIO()
    call_command("score", "--json", *files, stdout=out)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        entry["sheet"] for entry in entries
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (load("bad")[0]["match"], ["hand 1, deadwood.knocker: Ann cannot knock with 11"]),
        (load("bad")[23]["match"], ["rules.target: target is from 0"]),
        ("{", ["The file is not JSON"]),
        ("[" * 100_000, ["The file is not JSON"]),
        ("[]", ["A match file is one JSON object."]),
    ],
    ids=["a wrong hand", "a wrong rule", "cut off", "too deep", "a list"],
)
def test_score_refuses_a_wrong_file(write: Any, content: Any, told: list[str]) -> None:
    good = write("good.json", named("a full game")["match"])
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("score", good, write("bad.json", content), stdout=out, stderr=err)
    assert left.value.code == 2
    assert out.getvalue() == ""
    lines = err.getvalue().splitlines()
    assert len(lines) == len(told)
    for line, start in zip(lines, told, strict=True):
        assert start in line


def test_score_reads_standard_input_and_tells_a_missing_file() -> None:
    def run(name: str, given: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "score", "--json", name]
        return subprocess.run(
            command, input=given, capture_output=True, text=True, cwd=ROOT, check=False
        )

    entry = named("a full game")
    found = run("-", json.dumps(entry["match"]))
    assert (found.returncode, json.loads(found.stdout)) == (0, entry["sheet"])
    missing = run("nowhere.json", "")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "cannot be read" in missing.stderr


def test_judge_rules_one_pair() -> None:
    out = io.StringIO()
    melds = ["7S 7H 7C", "JS QS KS", "2D 3D 4D"]
    stated = [part for meld in melds for part in ("--meld", meld)]
    call_command("judge", "--knocker", KNOCKER, "--defender", DEFENDER, *stated, stdout=out)
    assert "5♦ laid off on 2D 3D 4D" in out.getvalue()
    assert "Knocker knocks with 6, Defender has 22." in out.getvalue()
    with pytest.raises(CommandError) as refused:
        call_command("judge", "--knocker", "7S 7S 1X", "--defender", DEFENDER)
    assert refused.value.returncode == 2
    assert len(str(refused.value).splitlines()) == 2
    with pytest.raises(CommandError):
        call_command("judge", "--knocker", KNOCKER)


def test_judge_answers_every_golden_spread_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    spreads = load("spreads")
    lines = []
    for entry in spreads:
        hands = {"knocker": entry["knocker"], "defender": entry["defender"]}
        lines += [json.dumps(hands), json.dumps({**hands, "melds": entry["declared"]["melds"]})]
    answers = run_lines(monkeypatch, lines)
    for entry, best, declared in zip(spreads, answers[::2], answers[1::2], strict=True):
        assert best["least"] == {
            "knocker": entry["knocker_least"],
            "defender": entry["defender_least"],
        }
        for answer, expected in ((best, entry["best"]), (declared, entry["declared"])):
            counts = (answer["knocker"]["deadwood"], answer["defender"]["deadwood"])
            assert counts == (expected["knocker"], expected["defender"])


def test_judge_tells_a_wrong_line_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    good = json.dumps(
        {"knocker": KNOCKER, "defender": DEFENDER, "upcard": "6S", "rules": "oklahoma-150"}
    )
    wrong = [
        "[1]",
        "no json",
        json.dumps({"knocker": KNOCKER, "defender": DEFENDER, "rules": {"target": -1}}),
        json.dumps({"knocker": KNOCKER, "defender": KNOCKER}),
        json.dumps({"knocker": KNOCKER, "defender": 7, "melds": 3, "upcard": "1X", "odd": 1}),
        json.dumps({"knocker": KNOCKER, "defender": DEFENDER, "rules": "oklahoma-150"}),
    ]
    answers = run_lines(monkeypatch, [good, *wrong, "", good] * 300)
    assert len(answers) == 8 * 300
    assert [answer.get("points") for answer in answers[:8]] == [32, *[None] * 6, 32]
    codes = [answer["error"]["code"] for answer in answers[1:7]]
    assert codes == [
        "line-unreadable",
        "json-unreadable",
        "rule-bounds",
        "card-in-both",
        "key-unknown",
        "upcard-missing",
    ]
