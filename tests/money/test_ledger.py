"""Any history of matches, amendments, payments and archivings leaves a club that adds up."""

from __future__ import annotations

import contextlib
from collections import Counter
from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ginledger.clubs.services import remove_player
from ginledger.gin.errors import AgainstRules, GinError
from ginledger.matches import services
from ginledger.matches.book import load_book
from ginledger.matches.errors import BookError
from ginledger.matches.models import Match
from ginledger.matches.stake import Stake
from ginledger.money import ledger
from ginledger.money.balances import owing_by_currency
from ginledger.money.ledger import OverPaid
from ginledger.money.models import Entry
from ginledger.money.posting import check
from ginledger.money.statement import statement
from tests.cast import ANN, BEN, Cast, enter, fresh, make_cast, make_match, won
from tests.money.ledgers import balances, carry_over, deal, pay, player, standing
from tests.money.test_plan import least_by_brute_force

PEOPLE = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Fay", "Gus")


@pytest.mark.django_db
class TestPayments:
    def test_too_much_is_told_and_moves_nothing(self, cast: Cast) -> None:
        carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
        with pytest.raises(OverPaid) as asked:
            pay(cast.ann, cast.club, "Ben", "Ann", 2000)
        assert (asked.value.owed, asked.value.field) == (1200, "amount")
        assert balances(cast.club) == {"Ann": 1200, "Ben": -1200}
        pay(cast.ann, cast.club, "Ben", "Ann", 2000, over_ok=True)
        assert balances(cast.club) == {"Ann": -800, "Ben": 800}

    def test_who_owes_nothing_is_asked_too(self, cast: Cast) -> None:
        with pytest.raises(OverPaid, match="owes Ann nothing"):
            pay(cast.ann, cast.club, "Ben", "Ann", 1)

    def test_both_ways_of_evening_are_enough(self, cast: Cast) -> None:
        # Cleo owes Ben, Ben owes Ann: Cleo may pay Ann, or each whom he owes.
        carry_over(cast.ann, cast.club, "Ben", "Ann", 500)
        carry_over(cast.ann, cast.club, "Cleo", "Ben", 500)
        direct = pay(cast.ann, cast.club, "Cleo", "Ann", 500)
        assert balances(cast.club) == {}
        ledger.strike_entry(user=cast.ann, entry_key=direct.key)
        pay(cast.ann, cast.club, "Cleo", "Ben", 500)
        pay(cast.ann, cast.club, "Ben", "Ann", 500)
        assert balances(cast.club) == {}

    def test_the_same_key_is_one_payment(self, cast: Cast) -> None:
        carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
        first = pay(cast.ann, cast.club, "Ben", "Ann", 1200, once_key="k")
        again = pay(cast.ann, cast.club, "Ben", "Ann", 1200, once_key="k")
        assert first == again
        assert balances(cast.club) == {}

    @pytest.mark.parametrize("amount", [0, -5, 10**12 + 1, 10**20])
    def test_b107_amounts_out_of_bounds(self, cast: Cast, amount: int) -> None:
        with pytest.raises(AgainstRules, match="more than nothing"):
            pay(cast.ann, cast.club, "Ben", "Ann", amount, over_ok=True)
        assert not Entry.objects.exists()

    def test_b116_large_amounts_are_exact(self, cast: Cast) -> None:
        most = 10**12
        for _ in range(3):
            carry_over(cast.ann, cast.club, "Ben", "Ann", most)
        assert balances(cast.club) == {"Ann": 3 * most, "Ben": -3 * most}

    def test_who_may(self, cast: Cast) -> None:
        entry = carry_over(cast.ann, cast.club, "Ben", "Ann", 100)
        for user, refusal in ((cast.cleo, PermissionDenied), (cast.dev, Http404)):
            with pytest.raises(refusal):
                pay(user, cast.club, "Ben", "Ann", 100)
            with pytest.raises(refusal):
                ledger.strike_entry(user=user, entry_key=entry.key, why="x")
        assert len(standing(cast.club)) == 1

    def test_notes_and_days_have_bounds(self, cast: Cast) -> None:
        for more in ({"note": "x" * 201}, {"on": date(1800, 1, 1)}, {"currency": "XXX"}):
            with pytest.raises(AgainstRules):
                ledger.open_balance(
                    user=cast.ann,
                    club_key=cast.club.key,
                    deal=deal(cast.club, "Ben", "Ann", 1, **more),
                    once_key="",
                )


@pytest.mark.django_db
def test_b66_who_only_lost_is_never_deleted(cast: Cast) -> None:
    carry_over(cast.ann, cast.club, "Zoe", "Ann", 100)
    for name in ("Zoe", "Ann"):
        assert not remove_player(user=cast.ann, player_key=player(cast.club, name).key)
    assert balances(cast.club) == {"Ann": 100, "Zoe": -100}


@pytest.mark.django_db
def test_b03_what_matches_show_adds_up_to_the_balance(cast: Cast) -> None:
    # Half a cent a point: 33, 33 and 35 are 0.17, 0.17 and 0.18, each rounded for itself: 0.52.
    for points in (33, 33, 35):
        match = make_match(cast.ann, won(ANN, points), rules="one-deal", stake=Stake("USD", 50))
        assert fresh(match).net == [points, -points]
    assert [amount for *_, amount in standing(cast.club)] == [17, 17, 18]
    assert balances(cast.club) == {"Ann": 52, "Ben": -52}
    pay(cast.ann, cast.club, "Ben", "Ann", 52)
    assert balances(cast.club) == {}


names = st.sampled_from(PEOPLE)
pairs = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
acts = st.one_of(
    st.tuples(st.just("match"), pairs, st.integers(1, 9999), st.lists(st.integers(1, 99))),
    st.tuples(st.just("pay"), pairs, st.integers(1, 5000)),
    st.tuples(st.just("open"), pairs, st.integers(1, 5000)),
    st.tuples(st.just("amend"), st.integers(0, 99), st.integers(1, 99), st.booleans()),
    st.tuples(st.just("void"), st.integers(0, 99)),
    st.tuples(st.just("undo"), st.integers(0, 99)),
    st.tuples(st.just("strike"), st.integers(0, 99)),
    st.tuples(st.just("archive"), names),
    st.tuples(st.just("settle"), st.integers(0, 99)),
)


class History:
    """A club that acts are done to; what is refused changes nothing."""

    def __init__(self) -> None:
        self.cast = make_cast()
        self.matches: list[Match] = []

    def do(self, act: tuple[Any, ...]) -> None:
        word, *rest = act
        with contextlib.suppress(GinError, BookError):
            getattr(self, f"_{word}")(*rest)

    def _match(self, people: tuple[str, str], rate: int, points: list[int]) -> None:
        rules = {"preset": "house-modern", "target": 60}
        stake = Stake("USD", rate, cap=4000)
        match = make_match(self.cast.ann, rules=rules, names=people, stake=stake)
        self.matches.append(match)
        for number, worth in enumerate(points):
            if fresh(match).over:
                break
            enter(self.cast.ann, match, won(number * worth % 2, worth))

    def _pay(self, people: tuple[str, str], amount: int) -> None:
        pay(self.cast.ann, self.cast.club, *people, amount, over_ok=amount % 2 == 0)

    def _open(self, people: tuple[str, str], amount: int) -> None:
        carry_over(self.cast.ann, self.cast.club, *people, amount)

    def _row(self, which: int) -> Any:
        rows = [row for match in self.matches for row in match.rows.all()]
        return rows[which % len(rows)] if rows else None

    def _amend(self, which: int, points: int, swap: bool) -> None:
        row = self._row(which)
        if row is not None and not row.void:
            services.amend_row(
                user=self.cast.ben,
                row_key=row.key,
                hand=won(BEN if swap else ANN, points),
                version=row.match.version,
                why="by agreement",
                void_rest=True,
            )

    def _void(self, which: int) -> None:
        row = self._row(which)
        if row is not None:
            service = services.restore_row if row.void else services.void_row
            version = Match.objects.get(pk=row.match_id).version
            service(user=self.cast.ann, row_key=row.key, version=version, void_rest=True)

    def _undo(self, which: int) -> None:
        if self.matches:
            match = fresh(self.matches[which % len(self.matches)])
            if load_book(match).acts.last is not None:
                services.undo(user=self.cast.ann, match_key=match.key, version=match.version)

    def _strike(self, which: int) -> None:
        entries = list(Entry.objects.order_by("pk"))
        if entries:
            entry = entries[which % len(entries)]
            ledger.strike_entry(user=self.cast.ann, entry_key=entry.key, why="a slip")

    def _archive(self, name: str) -> None:
        remove_player(user=self.cast.ann, player_key=player(self.cast.club, name).key)

    def _settle(self, which: int) -> None:
        plan = self.owing()
        if plan is None:
            return
        names = dict(self.cast.club.players.values_list("pk", "name"))
        for payment in plan.plan()[: which % 4]:
            payer, payee = names[payment.payer], names[payment.payee]
            pay(self.cast.ann, self.cast.club, payer, payee, payment.amount)

    def owing(self) -> Any:
        return owing_by_currency(self.cast.club).get("USD")


class AnyHistory(TestCase):
    @hypothesis(max_examples=25)
    @given(st.lists(acts, max_size=14))
    def test_any_history_adds_up(self, wanted: list[tuple[Any, ...]]) -> None:
        history = History()
        for act in wanted:
            before = self.settled()
            history.do(act)
            if act[0] in ("match", "amend", "void", "undo"):
                # A settled cent elsewhere never moves.
                assert self.settled() == before
        self.check(history)

    def settled(self) -> list[Any]:
        return list(Entry.objects.exclude(kind="match").order_by("pk").values())

    def check(self, history: History) -> None:
        club = history.cast.club
        shown: Counter[str] = Counter()
        for debtor, creditor, amount in standing(club):
            shown[debtor] -= amount
            shown[creditor] += amount
        found = balances(club)
        assert sum(found.values()) == 0
        assert found == {name: amount for name, amount in shown.items() if amount}
        for one in club.players.all():
            lines = statement(one, "USD")
            assert lines.after == found.get(one.name, 0)
            assert sum(line.change for line in lines.lines if line.counts) == lines.after
        for match in history.matches:
            match = fresh(match)
            assert not list(check(match, load_book(match).sheet))
        owing = history.owing()
        if owing is not None:
            plan, left = owing.plan(), owing.balances()
            assert len(plan) == least_by_brute_force(tuple(left.values()))
            for payment in plan:
                left[payment.payer] += payment.amount
                left[payment.payee] -= payment.amount
            assert not any(left.values())
