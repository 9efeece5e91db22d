"""The entries of a match follow its sheet whole; whatever else is settled never moves."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.management import CommandError, call_command

from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand
from ginledger.gin.matchfile import read_match
from ginledger.matches import life, services
from ginledger.matches.models import Match
from ginledger.matches.stake import PairStake, Stake, read_stake
from ginledger.money.models import Entry
from ginledger.money.stakes import change_stake
from tests.cast import ANN, BEN, Cast, adjust, book_of, enter, fresh, make_match, won
from tests.gin.vectors import named
from tests.money.ledgers import DIME, balances, pay, standing

pytestmark = pytest.mark.django_db

# Ann 60 and 44: 104 points, 2 boxes 50, game 100, and the shutout doubles it: 508.
SHUTOUT: tuple[AnyHand, ...] = (won(ANN, 60), won(ANN, 44))


def golden(cast: Cast, name: str, stake: Stake) -> Match:
    """A golden match, entered hand by hand."""
    match = read_match(named(name)["match"])
    return make_match(
        cast.ann,
        *match.hands,
        rules=match.rules,
        names=match.table.names,
        first_dealer=match.first_dealer,
        stake=stake,
    )


def test_a_finished_match_posts_what_it_owes(cast: Cast) -> None:
    match = make_match(cast.ann, SHUTOUT[0], stake=DIME)
    assert standing(cast.club) == []
    enter(cast.ann, match, SHUTOUT[1])
    assert standing(cast.club) == [("Ben", "Ann", 5080)]
    entry = Entry.objects.get()
    assert (entry.points, entry.on, entry.by) == (508, match.played_on, cast.ann)
    assert (entry.currency, entry.kind) == ("USD", "match")


def test_without_a_stake_nothing_is_posted(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT)
    make_match(cast.ann, *SHUTOUT, stake=Stake(words="loser cooks"))
    assert not Entry.objects.exists()


def test_three_and_partners_post_every_pair(cast: Cast) -> None:
    golden(cast, "three at a table", Stake("USD", 100))
    assert standing(cast.club) == [("Q", "P", 183), ("R", "P", 379), ("R", "Q", 96)]
    assert balances(cast.club) == {"P": 562, "Q": -87, "R": -475}


def test_partners_post_as_they_agreed(cast: Cast) -> None:
    pairs = (PairStake(0, 3, 500), PairStake(1, 2, 2500))
    golden(cast, "partners", Stake("USD", 500, pairs=pairs))
    assert standing(cast.club) == [("D", "A", 1290), ("B", "C", 6450)]


def test_partners_shown_the_other_way_round_pay_the_same(cast: Cast) -> None:
    pairs = (PairStake(0, 3, 500), PairStake(1, 2, 2500))
    match = golden(cast, "partners", Stake("USD", 500, pairs=pairs))
    before = list(Entry.objects.values())
    services.swap_sides(user=cast.ann, match_key=match.key, version=match.version)
    assert list(Entry.objects.values()) == before


def test_a_level_match_owes_nothing(cast: Cast) -> None:
    golden(cast, "level totals", DIME)
    assert standing(cast.club) == []


def test_a_hollywood_match_at_709(cast: Cast) -> None:
    golden(cast, "Hollywood with a late starter", DIME)
    assert standing(cast.club) == [("B", "A", 7090)]


def test_an_amendment_strikes_and_posts_again(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    paid = pay(cast.ann, cast.club, "Ben", "Ann", 5080)
    row = match.rows.first()
    assert row is not None
    services.amend_row(
        user=cast.ben, row_key=row.key, hand=won(BEN, 60), version=match.version, why="Ben’s hand"
    )
    # Ann has 44 and Ben 60: the match is open again, and owes nothing.
    old = Entry.objects.get(kind="match")
    assert (old.struck, old.struck_by) == (True, cast.ben)
    assert old.struck_why == "The match changed: amended, Ben’s hand"
    assert standing(cast.club) == [("Ann", "Ben", 5080)]
    assert balances(cast.club) == {"Ann": -5080, "Ben": 5080}
    # 60 + 50 by Ben, 44 by Ann: 110 + 50 + 100 against 44 + 25 is 191.
    enter(cast.ann, match, won(BEN, 50))
    assert standing(cast.club) == [("Ann", "Ben", 5080), ("Ann", "Ben", 1910)]
    paid.refresh_from_db()
    assert not paid.struck
    assert Entry.objects.count() == 3


def test_a_change_that_moves_nothing_posts_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    before = list(Entry.objects.values())
    services.swap_sides(user=cast.ann, match_key=match.key, version=match.version)
    row = match.rows.first()
    assert row is not None
    for points in (60, 60):
        services.amend_row(
            user=cast.ann,
            row_key=row.key,
            hand=won(BEN, points, note="after the swap Ann sits second"),
            version=fresh(match).version,
        )
    assert list(Entry.objects.values()) == before


def test_b13_undoing_the_last_hand_takes_the_payment_back(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80), won(ANN, 30), stake=DIME)
    assert balances(cast.club)
    services.undo(user=cast.ann, match_key=match.key, version=match.version)
    assert balances(cast.club) == {}
    assert [one.struck_why for one in Entry.objects.all()] == ["The match changed: undone."]
    services.redo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert len(standing(cast.club)) == 1


def test_b73_a_stopped_match_owes_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80), won(BEN, 80), stake=DIME)
    services.stop_match(user=cast.ann, match_key=match.key, version=match.version)
    assert not Entry.objects.exists()


def test_b40_only_the_loser_pays_also_by_a_shutout(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    entry = Entry.objects.get()
    assert (entry.debtor.name, entry.creditor.name) == ("Ben", "Ann")


def test_who_crossed_the_target_may_lose_on_boxes(cast: Cast) -> None:
    golden(cast, "the side that crossed loses on boxes", DIME)
    assert standing(cast.club) == [("A", "B", 200)]


def test_b116_the_limit_is_told_and_nothing_is_stored(cast: Cast) -> None:
    steep = Stake("USD", 10**9)  # 100,000 a point
    # 508 points: 50,800,000.00, well past 2^31 cents.
    make_match(cast.ann, *SHUTOUT, stake=steep)
    assert standing(cast.club) == [("Ben", "Ann", 5_080_000_000)]
    rules = {"preset": "house-modern", "game_bonus": 100_000}
    match = make_match(cast.ann, SHUTOUT[0], rules=rules, stake=steep)
    with pytest.raises(GinError, match="more than") as refused:
        enter(cast.ann, match, SHUTOUT[1])
    assert refused.value.code == "amount-large"
    assert match.rows.count() == 1
    assert not fresh(match).over
    assert len(standing(cast.club)) == 1


def test_a_rematch_is_for_the_same(cast: Cast) -> None:
    pairs = (PairStake(0, 3, 500), PairStake(1, 2, 2500))
    match = golden(cast, "partners", Stake("USD", 500, 900, pairs, "and the dishes"))
    services.swap_sides(user=cast.ann, match_key=match.key, version=match.version)
    again = services.rematch(user=cast.ann, match_key=match.key)
    stake = read_stake(again.stake)
    assert stake is not None
    assert (stake.rate, stake.cap, stake.words) == (500, 900, "and the dishes")
    names = {seat.number: seat.player.name for seat in again.seats.all()}
    said = {(names[one.one], names[one.other], one.rate) for one in stake.pairs}
    assert said == {("B", "C", 2500), ("D", "A", 500)}
    book = book_of(again)
    assert {one.one for one in stake.pairs} == set(book.table.seats(0))
    # It can be taken off before the first hand.
    change_stake(user=cast.ann, match_key=again.key, stake=Stake(), version=again.version)
    assert fresh(again).stake is None


def test_an_adjustment_moves_what_is_owed(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 60), stake=DIME)
    enter(cast.ann, match, adjust(BEN, 10, note="a bonus"))
    enter(cast.ann, match, won(ANN, 44))
    # 104 + 50 + 100 = 254; Ben won no hand, so the whole total again: 508; less his 10: 498.
    assert standing(cast.club) == [("Ben", "Ann", 4980)]


def test_b47_b54_what_is_owed_outlives_names_and_accounts(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    cast.ben.delete()
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}


def test_the_audit_finds_an_entry_that_is_not_what_the_match_owes(cast: Cast) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    call_command("audit")
    Entry.objects.update(amount=5081)
    # The entry, and with it the sums of its day and of its month.
    with pytest.raises(CommandError, match="3 differences"):
        call_command("audit")


def test_the_day_of_an_entry_is_that_of_its_match(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    life.describe_match(
        user=cast.ann,
        match_key=match.key,
        version=match.version,
        note="",
        played_on=date(2026, 3, 1),
    )
    assert [str(one.on) for one in Entry.objects.standing()] == ["2026-03-01"]


def test_a_match_in_the_bin_owes_nothing_until_it_is_taken_out(cast: Cast) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    life.delete_match(user=cast.ann, match_key=match.key, version=match.version)
    assert balances(cast.club) == {}
    assert Entry.objects.get().struck_why == "The match changed: put in the bin."
    life.undelete_match(user=cast.ann, match_key=match.key)
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}
