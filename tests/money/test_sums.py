"""The sums of days and months are what the entries come to, whatever was done to them."""

from __future__ import annotations

import io
from datetime import date, timedelta
from random import Random

import pytest
from django.core.management import CommandError, call_command

from ginledger.clubs.models import Club
from ginledger.gin.errors import GinError
from ginledger.matches import life, services
from ginledger.matches.errors import BookError
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import Match
from ginledger.money import ledger, signing, sums
from ginledger.money.disputes import decide
from ginledger.money.models import Entry, Subtotal
from ginledger.spans import Span
from tests.cast import ANN, Cast, book_of, fresh, make_match, won
from tests.money.ledgers import DIME, balances, carry_over, deal, pay, player

pytestmark = pytest.mark.django_db


def added_up(club: Club) -> dict[str, int]:
    """The balances from the entries themselves, one by one, those of disputed matches left out."""
    found: dict[str, int] = {}
    for entry in Entry.objects.filter(club=club).standing().marked():
        if not entry.disputed:
            found[entry.creditor.name] = found.get(entry.creditor.name, 0) + entry.amount
            found[entry.debtor.name] = found.get(entry.debtor.name, 0) - entry.amount
    return {name: amount for name, amount in found.items() if amount}


def verify(club: Club) -> None:
    assert balances(club) == added_up(club)
    assert list(sums.check(club)) == []


def played(cast: Cast, day: date) -> Match:
    match = make_match(cast.ann, won(ANN, 60), won(ANN, 44), stake=DIME)
    life.describe_match(
        user=cast.ann, match_key=match.key, version=match.version, note="", played_on=day
    )
    return fresh(match)


def dispute(cast: Cast, match: Match, seat: int, verdict: str) -> None:
    link = signing.open_link(user=cast.ann, match_key=match.key, seat=seat)
    seen = signing.fingerprint_of(signing.book_result(book_of(match)))
    signing.sign_by_link(token=link.token, verdict=verdict, seen=seen, note="no")


def test_whatever_is_done_the_sums_are_those_of_the_entries(cast: Cast) -> None:
    random = Random(7)
    matches = [played(cast, date(2026, 1, 30) + timedelta(days=one)) for one in range(4)]
    verify(cast.club)

    def undo(match: Match) -> None:
        services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)

    def redo(match: Match) -> None:
        services.redo(user=cast.ann, match_key=match.key, version=fresh(match).version)

    def move(match: Match) -> None:
        day = date(2026, 1, 25) + timedelta(days=random.randrange(20))
        life.describe_match(
            user=cast.ann, match_key=match.key, version=fresh(match).version, note="",
            played_on=day,
        )  # fmt: skip

    def bin_it(match: Match) -> None:
        life.delete_match(user=cast.ann, match_key=match.key, version=fresh(match).version)
        verify(cast.club)
        life.undelete_match(user=cast.ann, match_key=match.key)

    acts = [
        undo, redo, move, bin_it,
        lambda match: dispute(cast, match, random.randrange(2), "dispute"),
        lambda match: dispute(cast, match, random.randrange(2), "agree"),
        lambda match: decide(user=cast.ann, match_key=match.key, why="as it stands"),
        lambda _: pay(cast.ann, cast.club, "Ben", "Ann", random.randint(1, 99), over_ok=True),
        lambda _: carry_over(cast.ann, cast.club, "Ann", "Ben", random.randint(1, 99)),
        lambda _: ledger.strike_entry(
            user=cast.ann, entry_key=random.choice(list(cast.club.entries.all())).key, why="no"
        ),
    ]  # fmt: skip
    done = 0
    for _ in range(70):
        try:
            random.choice(acts)(random.choice(matches))
        except (GinError, BookError):
            continue
        done += 1
        verify(cast.club)
    assert done > 30


def test_who_are_one_take_their_payments_along_and_back(cast: Cast) -> None:
    played(cast, date(2026, 2, 3))
    pay(cast.ann, cast.club, "Benny", "Ann", 1200, over_ok=True)
    before = balances(cast.club)
    ben, benny = player(cast.club, "Ben"), player(cast.club, "Benny")
    merge = merge_players(user=cast.ann, kept_key=ben.key, gone_key=benny.key)
    verify(cast.club)
    assert balances(cast.club)["Ben"] == before["Ben"] + before["Benny"]
    undo_merge(user=cast.ann, club_key=cast.club.key, merge_key=merge.key)
    verify(cast.club)
    assert balances(cast.club) == before


def test_a_month_is_the_sum_of_its_days_and_kinds_stay_apart(cast: Cast) -> None:
    for day in (date(2026, 1, 31), date(2026, 2, 1), date(2026, 2, 28)):
        played(cast, day)
    ledger.record_payment(
        user=cast.ann, club_key=cast.club.key, once_key="p",
        deal=deal(cast.club, "Ben", "Ann", 100, on=date(2026, 2, 1)),
    )  # fmt: skip
    found = Subtotal.objects.filter(club=cast.club).values_list(
        "span", "day", "debtor__name", "of_matches", "amount"
    )
    one = Entry.objects.filter(match__isnull=False).standing()[0].amount
    assert set(found) == {
        (Span.DAY, date(2026, 1, 31), "Ben", True, one),
        (Span.DAY, date(2026, 2, 1), "Ben", True, one),
        (Span.DAY, date(2026, 2, 1), "Ann", False, 100),
        (Span.DAY, date(2026, 2, 28), "Ben", True, one),
        (Span.MONTH, date(2026, 1, 1), "Ben", True, one),
        (Span.MONTH, date(2026, 2, 1), "Ben", True, 2 * one),
        (Span.MONTH, date(2026, 2, 1), "Ann", False, 100),
    }


def test_the_audit_finds_a_sum_that_is_wrong_and_remaking_puts_it_right(cast: Cast) -> None:
    played(cast, date(2026, 2, 3))
    Subtotal.objects.filter(span=Span.MONTH).update(amount=1)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 differences"):
        call_command("audit", stdout=out)
    assert f"club {cast.club.key}: the sums of the month 2026-02-01 differ" in out.getvalue()
    sums.remake(cast.club)
    verify(cast.club)


def test_a_refused_payment_leaves_the_sums_alone(cast: Cast) -> None:
    played(cast, date(2026, 2, 3))
    before = list(Subtotal.objects.order_by("pk").values())
    with pytest.raises(GinError):
        pay(cast.ann, cast.club, "Ann", "Ben", 5)
    assert list(Subtotal.objects.order_by("pk").values()) == before
