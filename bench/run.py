"""Measure the card engine beside OpenSpiel: python bench/run.py (docs/bench.md reads the table)."""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ginledger.gin.cards import iterate  # noqa: E402
from ginledger.gin.layoffs import best_knock, best_reply, least_reply  # noqa: E402
from ginledger.gin.melds import best_layout, least_deadwood  # noqa: E402
from ginledger.gin.ruleset import RuleSet  # noqa: E402
from ginledger.gin.ruling import rule_cards  # noqa: E402

try:
    import pyspiel
except ImportError:
    pyspiel = None

LIMIT = 10
BATCH = 100
ROUNDS = 5
IMPORT = "import time; t = time.process_time(); import {}; print(1e3 * (time.process_time() - t))"

Calls = Sequence[tuple[Any, ...]]


class Figures(NamedTuple):
    """Microseconds a call: over all calls, and of the call in the middle."""

    mean: float
    middle: float


class Task(NamedTuple):
    """What is measured, on which calls, and the calls that OpenSpiel gets for the same hands."""

    name: str
    hands: str
    function: Callable[..., Any]
    calls: Calls
    peer: Calls
    goal: str


def deals(random: Random, number: int) -> list[tuple[int, int]]:
    """Deals of two random hands of ten in which the first can knock."""
    found: list[tuple[int, int]] = []
    while len(found) < number:
        cards = random.sample(range(52), 20)
        knocker, defender = (sum(1 << card for card in part) for part in (cards[:10], cards[10:]))
        if least_deadwood(knocker) <= LIMIT:
            found.append((knocker, defender))
    return found


def spiel(hands: Sequence[int]) -> Calls:
    """Hands as OpenSpiel takes them. Its cards also go suit by suit from the ace."""
    return [(list(iterate(hand)),) for hand in hands]


def tasks(seed: int, scale: float) -> list[Task]:
    random = Random(seed)
    plain = [
        sum(1 << card for card in random.sample(range(52), 10)) for _ in range(int(20_000 * scale))
    ]
    knocks = [knocker for knocker, _ in deals(random, int(5_000 * scale))]
    pairs = deals(random, int(5_000 * scale))
    defenders = [defender for _, defender in pairs]
    laid = [(best_layout(knocker).melds, defender) for knocker, defender in pairs]
    both = [(knocker, defender, LIMIT) for knocker, defender in pairs]
    rules = RuleSet()
    ruled = [(rules, knocker, defender) for knocker, defender in pairs]
    peer = spiel(defenders)
    return [
        Task("least_deadwood", "random", least_deadwood, one(plain), spiel(plain), "0.7 x"),
        Task("least_deadwood", "can knock", least_deadwood, one(knocks), spiel(knocks), "0.7 x"),
        Task("best_layout", "random", best_layout, one(plain), spiel(plain), ""),
        Task("least_reply", "pairs", least_reply, laid, peer, "2 x"),
        Task("best_reply", "pairs", best_reply, laid, peer, "2 x"),
        Task("best_knock", "pairs", best_knock, both, peer, ""),
        Task("rule_cards", "pairs", rule_cards, ruled, peer, "40 us in the middle"),
    ]


def one(hands: Sequence[int]) -> Calls:
    return [(hand,) for hand in hands]


def batch_time(function: Callable[..., Any], calls: Calls) -> float:
    start = time.perf_counter_ns()
    for call in calls:
        function(*call)
    return (time.perf_counter_ns() - start) / 1e3


def call_times(function: Callable[..., Any], calls: Calls) -> list[float]:
    times = []
    for call in calls:
        start = time.perf_counter_ns()
        function(*call)
        times.append((time.perf_counter_ns() - start) / 1e3)
    return times


def nothing(*_: object) -> None:
    """What the clock itself costs is measured on this."""


def measure(contenders: Sequence[tuple[Callable[..., Any], Calls]]) -> list[Figures]:
    """Time contenders batch by batch in turn; of each batch and each call the fastest round."""
    sums = [0.0 for _ in contenders]
    each: list[list[float]] = [[] for _ in contenders]
    size = len(contenders[0][1])
    for start in range(0, size, BATCH):
        parts = [(function, calls[start : start + BATCH]) for function, calls in contenders]
        rounds = [[batch_time(*part) for part in parts] for _ in range(ROUNDS)]
        singles = [[call_times(*part) for part in parts] for _ in range(ROUNDS)]
        for place in range(len(parts)):
            sums[place] += min(times[place] for times in rounds)
            each[place] += map(min, zip(*(times[place] for times in singles), strict=True))
    return [Figures(total / size, median(times)) for total, times in zip(sums, each, strict=True)]


def disagreements(peer: Callable[..., int], todo: Sequence[Task]) -> tuple[int, int]:
    """How many hands were compared with OpenSpiel's least deadwood, how many differ."""
    compared = {
        tuple(cards[0]): hand
        for task in todo
        if task.function is least_deadwood
        for (hand,), cards in zip(task.calls, task.peer, strict=True)
    } | {
        tuple(cards[0]): call[1]
        for task in todo
        if task.function is best_reply
        for call, cards in zip(task.calls, task.peer, strict=True)
    }
    wrong = sum(least_deadwood(hand) != peer(list(cards)) for cards, hand in compared.items())
    return len(compared), wrong


def import_time(module: str) -> float:
    """Milliseconds of processor time to import a module afresh: the middle of five processes."""
    command = [sys.executable, "-c", IMPORT.format(module)]
    runs = [
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
        for _ in range(5)
    ]
    return median(float(run.stdout) for run in runs)


def row(task: Task, peer: Callable[..., int] | None) -> str:
    contenders: list[tuple[Callable[..., Any], Calls]] = [(task.function, task.calls)]
    if peer:
        contenders.append((peer, task.peer))
    figures = measure(contenders)
    clock = mean(min(call_times(nothing, [()] * BATCH)) for _ in range(50))
    ours, *theirs = [Figures(mean, middle - clock) for mean, middle in figures]
    cells = [task.name, task.hands, f"{len(task.calls):,}", f"{ours.mean:.2f}"]
    cells.append(f"{ours.middle:.2f}")
    for other in theirs:
        cells += [f"{other.mean:.2f}", f"{other.middle:.2f}"]
        cells += [f"{ours.mean / other.mean:.2f}", f"{ours.middle / other.middle:.2f}"]
    cells += [""] * (9 - len(cells))
    return "| " + " | ".join([*cells, task.goal]) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="0.1: a tenth of the hands")
    options = parser.parse_args()
    todo = tasks(options.seed, options.scale)
    peer = None
    if pyspiel is None:
        print("OpenSpiel is not installed here (package open_spiel); only ours is measured.\n")
    else:
        peer = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    print(f"Python {platform.python_version()}, seed {options.seed}, microseconds a call.\n")
    print(
        "| call | hands | number | mean | middle | OpenSpiel mean | middle "
        "| ratio mean | middle | to reach |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for task in todo:
        print(row(task, peer), flush=True)
    spent = import_time("ginledger.gin.layoffs")
    print(f"\nImporting the engine with its tables takes {spent:.0f} ms of processor time.")
    if peer is None:
        return 0
    compared, wrong = disagreements(peer, todo)
    print(f"Least deadwood compared with OpenSpiel on {compared:,} hands: {wrong} differ.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
