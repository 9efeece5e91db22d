"""Settlements, balances, payments, the ledger and statements, by their pages."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ginledger.clubs.models import Role
from ginledger.clubs.services import remove_player
from ginledger.matches import services
from ginledger.matches.stake import Stake
from ginledger.money import sums
from ginledger.money.models import Entry
from tests.cast import ANN, BEN, Cast, fresh, make_match, won
from tests.money.ledgers import DIME, balances, carry_over, pay, player, standing
from tests.web.page import address, filled, text_of

pytestmark = pytest.mark.django_db

SHUTOUT = (won(ANN, 60), won(ANN, 44))  # Ann is 508 up


def club_page(name: str, cast: Cast, *more: str) -> str:
    return reverse(name, args=[cast.club.key, *more])


def payment(cast: Cast, payer: str, payee: str, amount: str, **more: str) -> dict[str, str]:
    """A payment as the form sends it."""
    return {
        "debtor": player(cast.club, payer).key,
        "creditor": player(cast.club, payee).key,
        "amount": amount,
        "currency": "USD",
        "once_key": f"{payer}-{amount}",
        **more,
    }


def table(answer: Any) -> list[dict[str, str]]:
    """The rows of a CSV answer."""
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


# The settlement of a match


def test_the_settlement_is_the_same_on_the_page_in_csv_and_in_json(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=Stake("USD", 50, cap=200))
    client = browser_of(cast.cleo)
    words = text_of(client.get(address("settlement", match)))
    assert "Ben pays Ann $2.00" in words
    rows = table(client.get(address("settlement_csv", match)))
    pair = client.get(address("settlement_json", match)).json()["pairs"][0]
    assert (pair["winner"], pair["loser"], pair["amount"]) == ("Ann", "Ben", "2.00")
    assert [row["line"] for row in rows] == [line["label"] for line in pair["lines"]]
    for row, line in zip(rows, pair["lines"], strict=True):
        assert line["label"] in words
        assert row["points"] == str(line.get("points", ""))
        assert row["money"] == line.get("money", "")
    # 104 hand points, 2 boxes 50, game 100, shutout 254: 508; at half a cent 2.54, 2.00 at most.
    assert [line.get("points", line.get("money")) for line in pair["lines"]] == [
        104, 50, 100, 254, 508, "2.54", "-0.54", "2.00",
    ]  # fmt: skip


def test_b78_the_same_figure_everywhere(cast: Cast, browser_of) -> None:
    # 77 points at 0.25.
    match = make_match(cast.ann, won(ANN, 77), rules="one-deal", stake=Stake("USD", 2500))
    client = browser_of(cast.ann)
    assert "Ben pays Ann $19.25" in text_of(client.get(address("settlement", match)))
    assert table(client.get(address("settlement_csv", match)))[-1]["money"] == "19.25"
    pairs = client.get(address("settlement_json", match)).json()["pairs"]
    assert [(pair["rate"], pair["amount"]) for pair in pairs] == [("0.25", "19.25")]
    assert table(client.get(club_page("ledger_csv", cast)))[0]["amount"] == "19.25"
    for name in ("settle", "ledger"):
        assert "$19.25" in text_of(client.get(club_page(name, cast)))


def test_without_a_stake_no_page_speaks_of_money(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT)
    client = browser_of(cast.ann)
    page = client.get(address("settlement", match))
    assert "Ann is 508 up on Ben" in text_of(page)
    pages = [page, client.get(reverse("club", args=[cast.club.key]))]
    pages += [client.get(address(name, match)) for name in ("pad", "sheet")]
    for one in pages:
        assert one.status_code == 200
        for word in ("Money", "money", "Settle", "$", "Balances", "owes", "pays"):
            assert word not in text_of(one), word
    assert "amount" not in client.get(address("settlement_json", match)).content.decode()


def test_the_margin_is_added_up_without_a_stake_too(cast: Cast, browser_of) -> None:
    over, running = make_match(cast.ann, *SHUTOUT), make_match(cast.ann, won(ANN, 60))
    client, link = browser_of(cast.cleo), "The margin, added up"
    assert link in text_of(client.get(address("pad", over)))
    assert link not in text_of(client.get(address("pad", running)))
    assert "Ann is 508 up on Ben" in text_of(client.get(address("settlement", over)))


def test_a_match_file_says_nothing_of_the_stake_and_the_pages_tell(cast: Cast, browser_of) -> None:
    client = browser_of(cast.ann)
    plain, played_for = make_match(cast.ann), make_match(cast.ann, stake=Stake("USD", 50))
    told = "does not say what the match is played for"
    assert told not in text_of(client.get(address("about", plain)))
    assert told in text_of(client.get(address("about", played_for)))
    assert "nobody owes anything by opening it" in text_of(client.get(reverse("upload")))


def test_a_match_that_goes_on_has_no_margin(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, SHUTOUT[0], stake=DIME)
    words = text_of(browser_of(cast.ann).get(address("settlement", match)))
    assert "The match is not over" in words
    assert "pays" not in words


def test_a_stake_in_words_is_ticked_off(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=Stake(words="loser cooks"))
    client = browser_of(cast.ben)
    assert "loser cooks" in text_of(client.get(address("settlement", match)))
    client.post(address("stake_done", match), {"done": "1"})
    client.post(address("stake_done", match), {"done": "1"})
    assert "✓ Done" in text_of(client.get(address("settlement", match)))
    client.post(address("stake_done", match), {})
    assert fresh(match).stake_done_at is None


def test_what_stood_before_a_change_is_still_to_be_read(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    services.undo(user=cast.ann, match_key=match.key, version=match.version)
    words = text_of(browser_of(cast.ann).get(address("settlement", match)))
    assert "Ben pays Ann $50.80 The match changed: undone." in words


# The stake


def test_the_stake_is_set_until_the_first_hand(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann)
    client = browser_of(cast.ann)
    form = filled(client.get(address("stake", match)), "stake")
    answer = client.post(
        address("stake", match), form | {"stake_rate": "0.10", "stake_currency": "USD"}
    )
    assert answer.status_code == 302
    assert fresh(match).stake == {"currency": "USD", "rate": 1000, "cap": None, "pairs": []}
    cast.club.refresh_from_db()
    assert cast.club.currency == "USD"
    # A page made before somebody changed it stores nothing.
    again = client.post(address("stake", match), form | {"stake_rate": "5"})
    assert again.status_code == 422
    assert fresh(match).stake["rate"] == 1000


def test_the_stake_is_frozen_with_the_first_hand(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, SHUTOUT[0], stake=DIME)
    client = browser_of(cast.ann)
    row = match.rows.get()
    for _ in range(2):
        data = {"stake_rate": "5", "version": fresh(match).version}
        answer = client.post(address("stake", match), data, follow=True)
        assert "The stake stands as it was at the first hand." in text_of(answer)
        assert fresh(match).stake == DIME.to_json()
        if not row.void:
            services.void_row(user=cast.ann, row_key=row.key, version=match.version)
            row.refresh_from_db()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"stake_rate": "0"}, "stake_rate"),
        ({"stake_rate": "-1"}, "stake_rate"),
        ({"stake_rate": "0.00001"}, "stake_rate"),
        ({"stake_rate": "1e3"}, "stake_rate"),
        ({"stake_rate": "100000.01"}, "stake_rate"),
        ({"stake_rate": "0.1", "stake_cap": "0"}, "stake_cap"),
        ({"stake_cap": "5"}, "stake_rate"),
        ({"stake_rate": "0.1", "stake_currency": ""}, "stake_currency"),
        ({"stake_rate": "0.1", "stake_currency": "XXX"}, "stake_currency"),
        ({"stake_words": "x" * 121}, "stake_words"),
    ],
)
def test_a_stake_that_is_refused_keeps_what_was_typed(
    cast: Cast, browser_of, typed: dict[str, str], field: str
) -> None:
    match = make_match(cast.ann)
    data = {"version": match.version, "stake_currency": "USD", **typed}
    answer = browser_of(cast.ann).post(address("stake", match), data)
    assert answer.status_code == 422
    assert answer.context["stake_form"].errors.keys() == {field}
    assert fresh(match).stake is None
    for value in typed.values():
        assert not value or value == "XXX" or value[:120] in answer.content.decode()


def test_partners_may_settle_crosswise_at_rates_of_their_own(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, rules="partners-125", names=("Ann", "Cleo", "Ben", "Dev"))
    client = browser_of(cast.ann)
    data = {
        "version": match.version, "stake_rate": "0.05", "stake_currency": "USD",
        "with_0": "3", "with_1": "2", "rate_1": "0.25",
    }  # fmt: skip
    wrong = client.post(address("stake", match), data | {"with_1": "3"})
    assert "Everybody settles with somebody else." in text_of(wrong)
    assert client.post(address("stake", match), data).status_code == 302
    assert fresh(match).stake["pairs"] == [[0, 3, 500], [1, 2, 2500]]
    shown = client.get(address("stake", match)).content.decode()
    assert 'value="0.25"' in shown


def test_a_scorer_does_not_choose_the_clubs_currency(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann)
    data = {"version": match.version, "stake_rate": "1", "stake_currency": "EUR"}
    answer = browser_of(cast.ben).post(address("stake", match), data)
    assert "An owner of the club chooses its currency first." in text_of(answer)
    cast.club.refresh_from_db()
    assert cast.club.currency == ""


# Balances, payments


def test_one_tap_records_a_payment_and_one_takes_it_back(cast: Cast, browser_of) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    client = browser_of(cast.ben)
    page = client.get(club_page("settle", cast))
    assert "Ben pays Ann $50.80" in text_of(page)
    data = one_tap(page)
    for _ in range(2):  # a double tap
        assert client.post(club_page("settle", cast), data).status_code == 302
    assert balances(cast.club) == {}
    page = client.get(club_page("settle", cast))
    assert "Ben paid Ann $50.80: recorded." in text_of(page)
    assert "Everybody is even." in text_of(page)
    assert "Ben paid Ann $50.80" in text_of(page)
    paid = Entry.objects.get(kind="payment")
    for _ in range(2):
        client.post(club_page("entry_strike", cast, paid.key))
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}
    assert "Ben paid Ann" not in text_of(client.get(club_page("settle", cast)))


def one_tap(page: Any) -> dict[str, str]:
    """What the first Paid button of the page sends."""
    form = re.search(r"(?s)<form[^>]*>(?:(?!</form>).)*>Paid</button>", page.content.decode())
    assert form
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))


def test_b37_a_second_undo_says_so_and_moves_nothing(cast: Cast, browser_of) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    paid = pay(cast.ann, cast.club, "Ben", "Ann", 80)
    client = browser_of(cast.ann)
    strike = club_page("entry_strike", cast, paid.key)
    client.post(strike)
    answer = client.post(strike, follow=True)
    assert "That entry is struck through already." in text_of(answer)
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}


def test_b107_paying_too_much_is_asked_about(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    client = browser_of(cast.ann)
    too_much = payment(cast, "Ben", "Ann", "20.00")
    answer = client.post(club_page("settle", cast), too_much)
    assert answer.status_code == 422
    assert "Ben owes Ann $12.00, so $8.00 of it is too much." in text_of(answer)
    assert filled(answer, "payment")["amount"] == "20.00"
    assert balances(cast.club) == {"Ann": 1200, "Ben": -1200}
    assert client.post(club_page("settle", cast), too_much | {"over_ok": "1"}).status_code == 302
    assert balances(cast.club) == {"Ann": -800, "Ben": 800}
    assert "Ann pays Ben $8.00" in text_of(client.get(club_page("settle", cast)))


@pytest.mark.parametrize("amount", ["-5", "0", "0.004", "", "1e3", "99999999999.00", "1,250"])
def test_b107_amounts_that_are_refused(cast: Cast, browser_of, amount: str) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    answer = browser_of(cast.ann).post(
        club_page("settle", cast), payment(cast, "Ben", "Ann", amount)
    )
    assert answer.status_code == 422
    assert "amount" in answer.context["form"].errors
    assert Entry.objects.count() == 1


def test_a_payment_of_strangers_is_refused(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    elsewhere = cast.dev.memberships.get().club
    other = player(elsewhere, "Zoe").key
    for changes in ({"debtor": other}, {"creditor": other}, {"currency": "EUR"}):
        data = payment(cast, "Ben", "Ann", "1") | changes
        assert browser_of(cast.ann).post(club_page("settle", cast), data).status_code == 422
    data = payment(cast, "Ben", "Ben", "1")
    assert browser_of(cast.ann).post(club_page("settle", cast), data).status_code == 422
    assert Entry.objects.count() == 1


def test_b50_b54_b66_who_is_archived_keeps_his_balance(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    ben = player(cast.club, "Ben")
    assert not remove_player(user=cast.ann, player_key=ben.key)
    ben.refresh_from_db()
    assert ben.archived_at
    page = browser_of(cast.ann).get(club_page("settle", cast))
    assert "Ben archived −$12.00" in text_of(page)
    pay(cast.ann, cast.club, "Ben", "Ann", 200)
    assert balances(cast.club) == {"Ann": 1000, "Ben": -1000}
    words = text_of(browser_of(cast.ann).get(club_page("statement", cast, ben.key)))
    assert "−$10.00" in words


def test_the_fewest_payments_and_what_any_two_owe(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 500)
    carry_over(cast.ann, cast.club, "Cleo", "Ben", 500)
    page = browser_of(cast.ann).get(club_page("settle", cast))
    words = text_of(page)
    assert "To even Cleo pays Ann $5.00" in words
    assert "Between any two Ben pays Ann $5.00" in words
    assert "Cleo pays Ben $5.00" in words
    assert "Ben $0.00 even" in words


def test_a_club_of_two_currencies_converts_nothing(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    make_match(cast.ann, *SHUTOUT, stake=Stake("JPY", 100))
    words = text_of(browser_of(cast.ann).get(club_page("settle", cast)))
    assert "To even, JPY Ben pays Ann ¥508" in words
    assert "To even, USD Ben pays Ann $12.00" in words


# The ledger and statements


def test_a_club_with_entries_keeps_a_currency(cast: Cast, browser_of) -> None:
    client, where = browser_of(cast.ann), club_page("club_settings", cast)
    none = {"name": "Us", "currency": "", "time_zone": "UTC", "usual_rules": ""}
    assert client.post(where, {**none, "currency": "USD"}).status_code == 302
    assert client.post(where, none).status_code == 302
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    answer = client.post(where, none)
    assert answer.status_code == 422
    assert "There are entries in the ledger" in text_of(answer)
    cast.club.refresh_from_db()
    assert cast.club.currency == "USD"
    assert client.post(where, {**none, "currency": "EUR"}).status_code == 302


def test_b122_a_struck_payment_is_marked_and_left_out(cast: Cast, browser_of) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    paid = pay(cast.ann, cast.club, "Ben", "Ann", 1000)
    client = browser_of(cast.ann)
    client.post(club_page("entry_strike", cast, paid.key), {"why": "never happened"})
    page = client.get(club_page("ledger", cast))
    assert "<s>" in page.content.decode()
    assert "never happened" in text_of(page)
    rows = table(client.get(club_page("ledger_csv", cast)))
    matches = set(cast.club.matches.values_list("key", flat=True))
    assert all((row["match"] in matches) == (row["kind"] == "Match") for row in rows)
    assert [(row["kind"], row["counts"], row["reason"]) for row in rows] == [
        ("Match", "yes", ""),
        ("Payment", "no", "never happened"),
    ]
    ann = player(cast.club, "Ann")
    lines = table(client.get(club_page("statement_csv", cast, ann.key)))
    assert [(line["amount"], line["balance"], line["counts"]) for line in lines] == [
        ("", "0.00", ""),
        ("50.80", "50.80", "yes"),
        ("-10.00", "50.80", "never happened"),
    ]


def test_opening_balances_and_corrections(cast: Cast, browser_of) -> None:
    cast.club.currency = "USD"
    cast.club.save()
    player(cast.club, "Ann"), player(cast.club, "Ben")
    client = browser_of(cast.ben)
    data = payment(cast, "Ben", "Ann", "12.50", kind="opening", note="page 7", on="2026-01-02")
    assert client.post(club_page("ledger_record", cast), data).status_code == 302
    data = payment(cast, "Ann", "Ben", "2.50", kind="correction")
    refused = client.post(club_page("ledger_record", cast), data)
    assert "Say what is put right." in text_of(refused)
    data["note"] = "counted twice"
    assert client.post(club_page("ledger_record", cast), data).status_code == 302
    assert balances(cast.club) == {"Ann": 1000, "Ben": -1000}
    words = text_of(client.get(club_page("ledger", cast)))
    assert "Ben owes Ann, carried over · page 7" in words
    assert "Ann owes Ben, correction · counted twice" in words
    # Only a payment is taken back without a reason.
    entry = Entry.objects.get(kind="opening")
    client.post(club_page("entry_strike", cast, entry.key))
    entry.refresh_from_db()
    assert not entry.struck
    client.post(club_page("entry_strike", cast, entry.key), {"why": "wrong page"})
    assert balances(cast.club) == {"Ann": -250, "Ben": 250}


@pytest.mark.parametrize("day", ["2999-01-01", "1800-01-01", "31/12/2026", "2026-02-30"])
def test_days_that_are_refused(cast: Cast, browser_of, day: str) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    data = payment(cast, "Ben", "Ann", "1", on=day)
    answer = browser_of(cast.ann).post(club_page("settle", cast), data)
    assert answer.status_code == 422
    assert "on" in answer.context["form"].errors


def test_a_match_cannot_be_struck_from_the_ledger(cast: Cast, browser_of) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    entry = Entry.objects.get()
    strike = club_page("entry_strike", cast, entry.key)
    answer = browser_of(cast.ann).post(strike, {"why": "no"}, follow=True)
    assert "Change the match: its entries follow." in text_of(answer)
    assert len(standing(cast.club)) == 1


def test_a_statement_for_any_days_adds_up(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1000)
    for day, amount in ((date(2026, 3, 1), 300), (date(2026, 4, 1), 200), (date(2026, 5, 1), 100)):
        entry = pay(cast.ann, cast.club, "Ben", "Ann", amount)
        Entry.objects.filter(pk=entry.pk).update(on=day)
    Entry.objects.filter(kind="opening").update(on=date(2026, 1, 1))
    sums.remake(cast.club)
    client, ben = browser_of(cast.ann), player(cast.club, "Ben").key
    page = client.get(
        club_page("statement", cast, ben), {"since": "2026-03-02", "until": "2026-04-30"}
    )
    words = text_of(page)
    assert "Brought forward −$7.00" in words
    assert "1 Apr 2026 Paid Ann +$2.00 −$5.00" in words
    assert "Balance −$5.00" in words
    whole = text_of(client.get(club_page("statement", cast, ben)))
    assert "Balance −$4.00" in whole
    assert balances(cast.club)["Ben"] == -400
    wrong = client.get(
        club_page("statement", cast, ben), {"since": "2026-05-01", "until": "2026-04-01"}
    )
    assert wrong.status_code == 422


def test_b14_names_and_notes_are_no_formulas(cast: Cast, browser_of) -> None:
    for name in ("=1+1", "@x", "+x"):
        carry_over(cast.ann, cast.club, name, "Ann", 100)
    rows = table(browser_of(cast.ann).get(club_page("ledger_csv", cast)))
    assert [row["debtor"] for row in rows] == ["'=1+1", "'@x", "'+x"]
    ann = player(cast.club, "=1+1").key
    line = table(browser_of(cast.ann).get(club_page("statement_csv", cast, ann)))[1]
    assert line["amount"] == "-1.00"


def test_b94_names_as_typed(cast: Cast, browser_of) -> None:
    for name in ("O'Hara", 'A"B', "<b>x</b>", "{{x}}", "</script>"):
        carry_over(cast.ann, cast.club, name, "Ann", 100)
    client = browser_of(cast.ann)
    for name in ("settle", "ledger"):
        page = client.get(club_page(name, cast)).content.decode()
        assert "<b>x</b>" not in page
        assert "&lt;b&gt;x&lt;/b&gt;" in page
    for _ in range(5):
        client.post(club_page("settle", cast), one_tap(client.get(club_page("settle", cast))))
    assert balances(cast.club) == {}


# Disputes


def test_a_disputed_match_waits_for_agreement_or_an_owner(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    dispute(match, "dispute", "hand 2 was mine")
    assert balances(cast.club) == {}
    client = browser_of(cast.ann)
    words = text_of(client.get(club_page("settle", cast)))
    assert "Disputed, not counted yet Ben pays Ann $50.80" in words
    assert "disputed, not counted" in text_of(client.get(club_page("ledger", cast)))
    settlement = text_of(client.get(address("settlement", match)))
    assert "Ben disputes the result: hand 2 was mine" in settlement
    dispute(match, "agree")
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}
    dispute(match, "dispute")
    assert balances(cast.club) == {}
    # A scorer does not decide; an owner does, with a reason.
    assert browser_of(cast.ben).post(address("decide", match), {"why": "x"}).status_code == 403
    client.post(address("decide", match), {"why": " "})
    assert balances(cast.club) == {}
    client.post(address("decide", match), {"why": "Cleo saw it"})
    assert balances(cast.club) == {"Ann": 5080, "Ben": -5080}
    dispute(match, "dispute", "still")
    assert balances(cast.club) == {}


def dispute(match: Any, verdict: str, note: str = "") -> None:
    """The second side's word on the match."""
    match.signatures.create(
        club_id=match.club_id, seat=BEN, verdict=verdict, fingerprint="x", result={}, note=note,
        at=timezone.now(),
    )  # fmt: skip
    sums.remake(match.club)


# Who may


READS = ("settle", "ledger", "ledger_csv")


@pytest.mark.parametrize("who", [None, "dev", "guest"])
def test_a_stranger_finds_nothing(cast: Cast, browser_of, who: str | None) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    entry = Entry.objects.get()
    client = browser_of(getattr(cast, who) if who else None)
    ann = player(cast.club, "Ann").key
    reads = [club_page(name, cast) for name in READS]
    reads += [club_page(name, cast, ann) for name in ("statement", "statement_csv")]
    reads += [address(f"settlement{end}", match) for end in ("", "_csv", "_json")]
    for asked in [*reads, address("stake", match), club_page("ledger_record", cast)]:
        assert client.get(asked).status_code == 404, asked
    posts = [club_page("settle", cast), club_page("ledger_record", cast)]
    posts += [club_page("entry_strike", cast, entry.key), address("stake", match)]
    posts += [address("stake_done", match), address("decide", match)]
    for asked in posts:
        assert client.post(asked, payment(cast, "Ben", "Ann", "1")).status_code in (302, 404)
    assert Entry.objects.count() == 1
    assert not Entry.objects.get().struck


def test_a_viewer_reads_and_does_not_write(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    paid = pay(cast.ann, cast.club, "Ben", "Ann", 100)
    client = browser_of(cast.cleo)
    for name in READS:
        assert client.get(club_page(name, cast)).status_code == 200
    assert "Paid</button>" not in client.get(club_page("settle", cast)).content.decode()
    for asked in (
        club_page("settle", cast),
        club_page("ledger_record", cast),
        club_page("entry_strike", cast, paid.key),
        address("stake", match),
        address("stake_done", match),
        address("decide", match),
    ):
        assert client.post(asked, payment(cast, "Ben", "Ann", "1")).status_code == 403, asked
    assert len(standing(cast.club)) == 2


def test_an_entry_of_another_club_is_not_found(cast: Cast, browser_of) -> None:
    paid = carry_over(cast.ann, cast.club, "Ben", "Ann", 100)
    elsewhere = cast.dev.memberships.get().club
    elsewhere.memberships.create(user=cast.ann, role=Role.OWNER)
    strike = reverse("entry_strike", args=[elsewhere.key, paid.key])
    assert browser_of(cast.ann).post(strike, {"why": "x"}).status_code == 404


def test_b09_an_ended_session_keeps_the_payment(cast: Cast, browser_of) -> None:
    carry_over(cast.ann, cast.club, "Ben", "Ann", 1200)
    client: Client = browser_of(cast.ann)
    client.cookies.clear()
    data = payment(cast, "Ben", "Ann", "7.25")
    answer = client.post(club_page("settle", cast), data)
    assert "/login/?next=" in answer.headers["Location"]
    assert Entry.objects.count() == 1
    kept = client.session["typed"]
    client.force_login(cast.ann)
    session = client.session
    session["typed"] = kept
    session.save()
    page = client.get(club_page("settle", cast))
    assert "Not stored yet" in text_of(page)
    assert filled(page, "payment")["amount"] == "7.25"
    assert Entry.objects.count() == 1


def test_pages_of_a_match_cost_few_queries(
    cast: Cast, browser_of, django_assert_max_num_queries
) -> None:
    match = make_match(cast.ann, *SHUTOUT, stake=DIME)
    dispute(match, "dispute", "no")
    running = make_match(cast.ann)
    client = browser_of(cast.ann)
    for name, asked, most in (
        ("settlement", match, 14),
        ("settlement_json", match, 7),
        ("stake", running, 6),
    ):
        with django_assert_max_num_queries(most):
            assert client.get(address(name, asked)).status_code == 200


def test_a_thousand_entries_cost_no_query_more(
    cast: Cast, browser_of, django_assert_max_num_queries
) -> None:
    make_match(cast.ann, *SHUTOUT, stake=DIME)
    for number in range(30):
        carry_over(cast.ann, cast.club, f"P{number}", "Ann", 100 + number)
    client = browser_of(cast.ann)
    with django_assert_max_num_queries(9):
        client.get(club_page("settle", cast))
    with django_assert_max_num_queries(7):
        client.get(club_page("ledger", cast))
    with django_assert_max_num_queries(10):
        client.get(club_page("statement", cast, player(cast.club, "Ann").key))
