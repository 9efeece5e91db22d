"""Keys that stand in addresses, on command lines and in tables."""

import re
import secrets

import pytest

from ginledger.clubs.models import new_key


def test_no_key_looks_like_an_option_or_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-aaaaaaaaaaaaaaa", "-bbbbbbbbbbbbbbb", "c-ccccccccccccc_"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _bytes: next(made))
    assert new_key() == "c-ccccccccccccc_"


def test_keys_differ_and_are_whole() -> None:
    keys = {new_key() for _ in range(500)}
    assert len(keys) == 500
    assert all(re.fullmatch(r"[\w][\w-]{15}", key, re.ASCII) for key in keys)
