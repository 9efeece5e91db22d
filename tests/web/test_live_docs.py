"""docs/live.md and docs/security.md say what the code does: levels, times, limits, names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from django.conf import settings

from ginledger import limits, logs, typed
from ginledger.access import Level
from ginledger.matches import live
from ginledger.matches.files import MOST_BYTES
from ginledger.money import signing

ROOT = Path(__file__).resolve().parents[2]
LIVE = (ROOT / "docs" / "live.md").read_text()
SECURITY = (ROOT / "docs" / "security.md").read_text()


def test_every_level_is_described_and_no_other() -> None:
    rows = re.findall(r"^\| (`.*?`) \| ", SECURITY, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(get_args(Level))


def test_times_and_limits_are_those_of_the_code() -> None:
    assert f"after {live.MATCH_LIFETIME.total_seconds() / 3600:.0f} hours" in LIVE
    assert f"after {live.CLUB_LIFETIME.days} days" in LIVE
    assert f"last {live.LINGER.total_seconds() / 60:.0f} minutes" in LIVE
    assert f"({signing.LINK_LIFETIME.days} days, to be taken back)" in LIVE
    assert f"over {limits.MOST_BYTES // 10**6} MB is refused unread" in SECURITY
    assert f"match file over {MOST_BYTES // 10**6} MB" in SECURITY
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == 1024 * 1024
    assert settings.DATA_UPLOAD_MAX_NUMBER_FIELDS == 1000
    assert typed.LIFETIME == 3600


def test_every_secret_path_is_named_for_the_proxy() -> None:
    found = re.search(r"\^/\(([\w|/]+)\)/", SECURITY)
    assert found
    assert {f"/{name}/" for name in found[1].split("|")} == set(logs.SECRET_PATHS)


def test_every_file_it_names_is_there() -> None:
    for name in re.findall(r"(?:ginledger|tests|docs)/[\w/]+\.\w+", LIVE + SECURITY):
        assert (ROOT / name).exists(), name
