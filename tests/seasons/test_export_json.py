"""Every table as JSON: the same rows as in the other formats, numbers as numbers."""

from __future__ import annotations

import io
import json
from itertools import islice
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from ginledger.matches.models import Match
from ginledger.seasons.export_json import FORMAT, json_chunks
from ginledger.seasons.export_rows import TOPICS, Scope, topics
from tests.cast import ANN, BEN, Cast, adjust, enter, gin, make_match, won
from tests.money.ledgers import DIME
from tests.seasons.test_export import as_user, body

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of ten-cent points that Ann won, and one that is being played."""
    found = make_match(cast.ann, gin(ANN, 90), stake=DIME)
    running = make_match(cast.ann, won(BEN, 5), names=('A "B" </script>', "José"))
    enter(cast.ann, running, adjust(BEN, -10, note="=1+1\nline"))
    return found


def read(client: Any, address: str, **asked: str) -> dict[str, Any]:
    answer = client.get(address, {"topic": "hands", "form": "json", **asked})
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith('.json"')
    found = json.loads(body(answer))
    assert isinstance(found, dict)
    return found


def test_every_table_is_there_with_numbers_as_numbers(cast: Cast, match: Match) -> None:
    found = read(as_user(cast.cleo), reverse("export_table", args=[cast.club.key]))
    assert list(found) == ["format", "club", *TOPICS]
    assert (found["format"], found["club"]) == (FORMAT, cast.club.name)
    for topic in TOPICS.values():
        assert found[topic.name]
        assert all(list(line) == list(topic.head) for line in found[topic.name])
    first, _, last = found["hands"]
    assert (first["points"], first["table"], first["day"]) == (115, None, str(match.played_on))
    # What a spreadsheet would take for a formula is left alone where there is none.
    assert (last["entered"], last["note"]) == (-10, "=1+1\nline")
    assert found["matches"][0]["amount_1"] == match.net[0] / 10  # type: ignore[index]
    assert found["matches"][1]["side_1"] == 'A "B" </script>'


def test_of_a_match_there_are_its_own_tables(cast: Cast, match: Match) -> None:
    found = read(as_user(cast.cleo), reverse("match_table", args=[match.key]))
    assert list(found) == ["format", "club", "hands", "matches", "ledger"]
    assert [len(found[name]) for name in ("hands", "matches", "ledger")] == [1, 1, 1]


def test_nothing_at_all_is_a_document_too(cast: Cast) -> None:
    found = json.loads("".join(json_chunks(Scope(cast.club))))
    assert [found[topic.name] for topic in topics(Scope(cast.club))] == [[]] * len(TOPICS)


def test_the_command_writes_tables_of_less_than_a_club(cast: Cast, match: Match) -> None:
    for options in (["--season=all"], ["--since=2020-01-01"]):
        out = io.StringIO()
        call_command("export", cast.club.key, "--json", *options, stdout=out)
        assert json.loads(out.getvalue())["format"] == FORMAT
    out = io.StringIO()
    call_command("export", cast.club.key, "--json", stdout=out)
    assert json.loads(out.getvalue())["format"] == "ginledger/club/1"


def test_it_is_sent_while_it_is_read(cast: Cast, match: Match) -> None:
    pieces = json_chunks(Scope(cast.club))
    assert [piece[:9] for piece in islice(pieces, 3)] == ['{"format"', ',\n"hands"', '\n{"day": ']
