"""Who writes while somebody else's long write goes on is told so, and keeps what he typed."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client
from django.urls import reverse

from ginledger.seasons import seasons
from ginledger.seasons.models import Season
from tests.cast import Cast

pytestmark = pytest.mark.django_db
SAID = {"name": "Spring", "begins": "2026-03-01", "ends": "2026-05-31"}


def post(cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, **headers: str):
    def refuse(**_asked: object) -> Season:
        raise error

    monkeypatch.setattr(seasons, "add_season", refuse)
    client = Client(raise_request_exception=False, headers=headers)
    client.force_login(cast.ann)
    return client.post(reverse("season_list", args=[cast.club.key]), SAID)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_database_that_is_held_is_no_mistake_of_ours(cast: Cast, monkeypatch, headers) -> None:
    answer = post(cast, monkeypatch, OperationalError("database is locked"), **headers)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "was not stored" in answer.content.decode()


@pytest.mark.parametrize(
    "error", [OperationalError("disk I/O error"), DatabaseError("database is locked")]
)
def test_any_other_error_is_one(cast: Cast, monkeypatch, error: Exception) -> None:
    assert post(cast, monkeypatch, error).status_code == 500


def test_it_waits_longer_than_the_longest_write_takes(settings) -> None:
    assert settings.DATABASES["default"]["OPTIONS"]["timeout"] >= 30
