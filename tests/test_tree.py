"""What must not stand in a tracked file: paths of somebody's machine, package registries."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Written in two parts, so that this file does not hold them.
NEEDLES = [
    "/wo" + "rk/",
    "/tmp/" + "brief",
    "--index" + "-url",
    "--extra-index" + "-url",
    "--find" + "-links",
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "deb.debian" + ".org",
]


def tracked() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_the_project_stands_alone() -> None:
    files = tracked()
    assert len(files) > 20
    found = [
        f"{file.relative_to(ROOT)}: {needle}"
        for file in files
        for needle in NEEDLES
        if needle.encode() in file.read_bytes()
    ]
    assert found == []
