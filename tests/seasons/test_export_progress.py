"""The command tells a person at a terminal how far it is, and nobody else."""

from __future__ import annotations

import io
from itertools import count
from pathlib import Path

import pytest
from django.core.management import call_command

from ginledger.seasons.management.commands import export
from tests.cast import ANN, Cast, make_match, won

pytestmark = pytest.mark.django_db


class Screen(io.StringIO):
    """What a person sees, or (a file) does not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def told(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    *options: str,
    terminal: bool = True,
    step: float = 0.5,
) -> str:
    """What the export says while each look at the clock finds it ``step`` seconds later."""
    clock = count()
    monkeypatch.setattr(export.time, "monotonic", lambda: next(clock) * step)
    screen = Screen(terminal)
    call_command("export", cast.club.key, *options, stderr=screen)
    return screen.getvalue()


@pytest.mark.parametrize("form", [["--table=hands"], ["--table=matches"], ["--json"], ["--xlsx"]])
def test_an_export_that_takes_long_shows_how_far_it_is(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: list[str]
) -> None:
    for _ in range(10):
        make_match(cast.ann, won(ANN, 5))
    where = ["-o", str(tmp_path / "out")]
    bars = told(cast, monkeypatch, *form, *where).split("\r")[1:]
    assert bars[0].startswith("[###")
    assert bars[-1] == f"[{'#' * 30}] 100%\n"
    # Nothing of the colours of errors, and nothing below 0 or beyond 100.
    assert {len(one.strip()) for one in bars} == {37}
    assert told(cast, monkeypatch, *form, *where, terminal=False) == ""
    assert told(cast, monkeypatch, *form, *where, step=0.001) == ""
