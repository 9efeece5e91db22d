"""What the README shows is what happens; every document is reachable from it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_prints_what_it_says() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    said = re.findall(r"^# (.*)$", example, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.splitlines() == said


def test_every_link_leads_somewhere() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_every_command_of_ours_is_documented() -> None:
    documents = "\n".join(
        path.read_text(encoding="utf-8")
        for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    )
    ours = [name for name, app in get_commands().items() if str(app).startswith("ginledger.")]
    assert {"score", "judge"} <= set(ours)
    for name in ours:
        assert re.search(rf"manage\.py {name}\b", documents), f"{name} is undocumented"


def test_every_document_is_linked_from_the_readme() -> None:
    for document in (ROOT / "docs").glob("*.md"):
        assert f"(docs/{document.name})" in README, f"{document.name} is nowhere linked"
