"""A database of an older version has what this one keeps after it is migrated."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.management import call_command

from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand
from ginledger.matches.models import Match
from ginledger.money import sums
from ginledger.money.models import Subtotal
from ginledger.seasons.filling import fill_missing
from ginledger.seasons.models import HandResult, Played, Rating, Tally, Total
from ginledger.seasons.periods import all_time
from ginledger.seasons.standings import standings
from tests.cast import ANN, BEN, Cast, won
from tests.money.ledgers import DIME, balances, carry_over
from tests.seasons.tables import played

pytestmark = pytest.mark.django_db

SPREADS = CardsHand(
    knocker=ANN, opponent=BEN,
    knocker_cards=parse_cards("8C 9C TC 8H 9H TH 8S 9S TS JD"),
    opponent_cards=parse_cards("2C 5C QC AD 3D 8D 9D 5H 4S 5S"),
)  # fmt: skip


def older() -> None:
    """Leave of the database what the version before kept: tallies with fewer figures."""
    for model in (HandResult, Played, Rating, Subtotal, Total):
        model.objects.all().delete()
    Tally.objects.update(spreads=0)


def test_all_that_is_kept_is_filled_in_once(cast: Cast) -> None:
    played(cast.ann, date(2026, 1, 2), SPREADS, won(ANN, 80), names=("Ann", "Ben"), stake=DIME)
    carry_over(cast.ann, cast.club, "Ben", "Ann", 5)
    owed, table = balances(cast.club), standings(all_time(cast.club))
    older()
    assert fill_missing() == 2  # the results of a match, the sums of a club
    assert fill_missing() == 0
    assert balances(cast.club) == owed
    assert standings(all_time(cast.club)) == table
    assert table.lines[0].figures["spreads"] == 1
    call_command("audit", stdout=io.StringIO())


def test_a_club_with_nothing_but_a_ledger_has_its_balances(cast: Cast) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 5)
    owed = balances(cast.club)
    older()
    assert fill_missing() == 1
    assert balances(cast.club) == owed


def test_what_was_stored_before_a_filling_that_was_broken_off_hides_nothing(cast: Cast) -> None:
    played(cast.ann, date(2026, 1, 2), SPREADS, won(ANN, 80), names=("Ann", "Ben"), stake=DIME)
    played(cast.ann, date(2026, 1, 2), won(ANN, 100), names=("Ann", "Ben"), stake=DIME)
    older()
    # Nothing was filled in, and yet somebody goes on playing and paying.
    played(cast.ann, date(2026, 1, 3), won(ANN, 100), names=("Ann", "Cleo"), stake=DIME)
    carry_over(cast.ann, cast.club, "Ben", "Ann", 5)
    assert standings(all_time(cast.club)).matches == 1
    assert fill_missing() == 3
    assert standings(all_time(cast.club)).matches == 3
    call_command("audit", stdout=io.StringIO())
    assert fill_missing() == 0


@pytest.mark.parametrize("model", [Tally, Rating, Total, Played, Subtotal])
def test_each_kind_that_is_missing_is_filled_in(cast: Cast, model) -> None:
    played(cast.ann, date(2026, 1, 2), won(ANN, 100), names=("Ann", "Ben"), stake=DIME)
    played(cast.ann, date(2026, 1, 3), won(ANN, 100), names=("Ann", "Ben"), stake=DIME)
    days = "played_on" if model in (Tally, Rating) else "day"
    model.objects.filter(**{days: date(2026, 1, 2)}).delete()
    if model is Total:
        # Sums are written together: where the one is missing the other is, too.
        Played.objects.filter(day=date(2026, 1, 2)).delete()
    assert fill_missing() == 1
    call_command("audit", stdout=io.StringIO())


def test_a_disputed_entry_is_not_missing(cast: Cast) -> None:
    match = played(cast.ann, date(2026, 1, 2), won(ANN, 100), names=("Ann", "Ben"), stake=DIME)
    match.signatures.create(
        club=cast.club, seat=BEN, verdict="dispute", fingerprint="x", result={}, note="no"
    )
    sums.remake(cast.club)
    assert balances(cast.club) == {}
    assert fill_missing() == 0


def test_a_book_that_does_not_replay_stops_nothing(cast: Cast) -> None:
    played(cast.ann, date(2026, 1, 2), won(ANN, 100), names=("Ann", "Ben"))
    broken = played(cast.ann, date(2026, 1, 3), won(ANN, 100), names=("Ann", "Cleo"))
    Match.objects.filter(pk=broken.pk).update(rules={"preset": "none"})
    older()
    Tally.objects.all().delete()
    fill_missing()
    assert [line.player.name for line in standings(all_time(cast.club)).lines] == ["Ann", "Ben"]
    call_command("tally", stdout=io.StringIO())


def test_tally_takes_away_what_does_not_count(cast: Cast) -> None:
    match = played(cast.ann, date(2026, 1, 2), won(ANN, 100), names=("Ann", "Ben"))
    running = played(cast.ann, date(2026, 1, 2), won(ANN, 10), names=("Ann", "Ben"))
    Tally.objects.filter(match=match).update(match=running)
    HandResult.objects.filter(match=match).update(points=1)
    call_command("tally", stdout=io.StringIO())
    assert set(Tally.objects.values_list("match", flat=True)) == {match.pk}
    call_command("audit", stdout=io.StringIO())
