"""Ten thousand matches of a club settle on a page, within a fixed number of queries."""

from __future__ import annotations

from datetime import date, timedelta
from time import perf_counter

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.matches.models import Match
from ginledger.money import sums
from ginledger.money.models import Entry, Kind
from tests.cast import Cast
from tests.money.ledgers import DIME, balances, player

pytestmark = pytest.mark.django_db

PEOPLE = tuple(f"Player {number}" for number in range(12))
QUERIES = {"settle": 9, "ledger": 9, "statement": 11}
SECONDS = 5


def fill(cast: Cast, count: int) -> dict[str, int]:
    """So many finished matches between all kinds of pairs; the balances, added up here."""
    people = [player(cast.club, name) for name in PEOPLE]
    found = dict.fromkeys(PEOPLE, 0)
    matches = Match.objects.bulk_create(
        Match(
            club=cast.club,
            rules={},
            rules_name="Modern 100",
            first_dealer=0,
            stake=DIME.to_json(),
            over=True,
            played_on=date(2020, 1, 1) + timedelta(days=number // 5),
        )
        for number in range(count)
    )
    entries = []
    for number, match in enumerate(matches):
        debtor, creditor = people[number % 12], people[(number * 7 + 1 + number % 5) % 12]
        if debtor == creditor:
            continue
        amount = number * 37 % 4001 + 1
        found[debtor.name] -= amount
        found[creditor.name] += amount
        entries.append(
            Entry(
                club=cast.club,
                kind=Kind.MATCH,
                currency="USD",
                debtor=debtor,
                creditor=creditor,
                amount=amount,
                points=amount // 10,
                on=match.played_on,
                match=match,
            )
        )
    Entry.objects.bulk_create(entries, batch_size=1000)
    sums.remake(cast.club)
    return {name: amount for name, amount in found.items() if amount}


def pages(cast: Cast) -> dict[str, str]:
    club, one = cast.club.key, player(cast.club, PEOPLE[0]).key
    return {
        "settle": reverse("settle", args=[club]),
        "ledger": reverse("ledger", args=[club]),
        "statement": reverse("statement", args=[club, one]),
    }


def test_ten_thousand_matches_settle_within_the_budget(
    cast: Cast, django_assert_max_num_queries
) -> None:
    found = fill(cast, 10_000)
    assert balances(cast.club) == found
    client = Client()
    client.force_login(cast.ann)
    for name, asked in pages(cast).items():
        begun = perf_counter()
        with django_assert_max_num_queries(QUERIES[name]):
            page = client.get(asked)
        assert page.status_code == 200
        assert perf_counter() - begun < SECONDS, name
        if name == "statement":
            (one,) = page.context["statements"]
            assert len(one.lines) == 500
            assert one.after == found[PEOPLE[0]]
