"""A stake set with the start of a match, and how the pad and the result show it."""

from __future__ import annotations

import pytest
from django.test import Client

from ginledger.matches.models import Match
from ginledger.matches.stake import Stake
from ginledger.money.models import Entry
from tests.cast import ANN, Cast, enter, make_match, won
from tests.money.ledgers import DIME
from tests.web.page import address, text_of
from tests.web.test_start import FORM

pytestmark = pytest.mark.django_db


def test_a_guest_starts_for_ten_cents_a_point(client: Client) -> None:
    stake = {"stake_rate": "0.10", "stake_currency": "USD", "stake_cap": "20"}
    answer = client.post("/", FORM | stake)
    assert answer.status_code == 302
    match = Match.objects.get()
    assert match.stake == {"currency": "USD", "rate": 1000, "cap": 2000, "pairs": []}
    assert match.club.currency == "USD"
    assert "Stake: 10¢ a point" in text_of(client.get(answer.url))
    # The next match is asked for no currency.
    page = client.get("/").content.decode()
    assert '<input type="hidden" name="stake_currency" value="USD">' in page
    assert "<select" not in page[page.index('name="stake_rate"') : page.index('name="stake_cap"')]


def test_without_a_stake_the_club_keeps_no_money(client: Client) -> None:
    answer = client.post("/", FORM)
    match = Match.objects.get()
    assert match.stake is None
    assert match.club.currency == ""
    assert "Stake: " not in text_of(client.get(answer.url))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"stake_rate": "x"}, "digits and a point"),
        ({"stake_rate": "0.1", "stake_currency": ""}, "In which currency?"),
        ({"stake_rate": "0.00001"}, "Up to 4 digits after the point."),
        ({"stake_rate": "1000000"}, "A point is $100,000.00 at most."),
    ],
)
def test_a_wrong_stake_starts_nothing(client: Client, typed: dict[str, str], said: str) -> None:
    answer = client.post("/", FORM | {"stake_currency": "USD"} | typed)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert f'value="{typed["stake_rate"]}"' in answer.content.decode()
    assert '<details class="stake" open>' in answer.content.decode()
    assert not Match.objects.exists()


def test_a_stake_in_another_currency_than_the_clubs(cast: Cast, browser_of) -> None:
    cast.club.currency = "EUR"
    cast.club.save()
    stake = {"stake_rate": "1", "stake_currency": "USD", "club": cast.club.key}
    answer = browser_of(cast.ann).post("/", FORM | stake)
    assert answer.status_code == 422
    assert "This club keeps its money in EUR." in text_of(answer)
    assert not Match.objects.exists()


def test_the_result_says_what_it_comes_to(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, won(ANN, 60), stake=DIME)
    client = browser_of(cast.ann)
    assert "pays" not in text_of(client.get(address("pad", match)))
    enter(cast.ann, match, won(ANN, 44))
    for name in ("pad", "sheet"):
        assert "Ben pays Ann $50.80" in text_of(client.get(address(name, match)))
    words = make_match(cast.ann, won(ANN, 100), stake=Stake(words="loser <cooks>"))
    page = client.get(address("pad", words))
    assert "Stake: loser <cooks>" in text_of(page)
    assert "<cooks>" not in page.content.decode()
    assert Entry.objects.count() == 1


def test_partners_start_with_a_stake_across_the_table(client: Client) -> None:
    people = {"first": "Ann", "second": "Ben", "third": "Cleo", "fourth": "Dev"}
    stake = {"stake_rate": "0.05", "stake_currency": "USD"}
    answer = client.post("/", FORM | people | stake | {"play": "partners", "rules": "partners-125"})
    assert answer.status_code == 302, text_of(answer)
    match = Match.objects.get()
    assert match.stake["pairs"] == []
    page = client.get(address("stake", match)).content.decode()
    # Ann and Cleo sit against Ben and Dev; each settles with the one across.
    assert "Ann settles with" in page
    assert "Cleo settles with" in page
