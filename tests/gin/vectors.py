"""The golden files: rulings, sheets and refused inputs made by a separate, slow reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "vectors"


def load(name: str) -> list[dict[str, Any]]:
    """The entries of one golden file ("matches", "spreads", "bad")."""
    entries: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return entries


def named(name: str) -> dict[str, Any]:
    """The golden match whose name starts like this."""
    (found,) = [entry for entry in load("matches") if entry["name"].startswith(name)]
    return found
