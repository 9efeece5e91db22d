"""Amounts as typed and as shown, exact to the last digit of every currency."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.clubs.currencies import CURRENCIES
from ginledger.gin.errors import GinError
from ginledger.matches.cash import (
    MOST_AMOUNT,
    MOST_RATE,
    SYMBOLS,
    plain,
    plain_rate,
    read_amount,
    read_rate,
    shown,
    shown_exact,
    shown_rate,
    signed_amount,
)

codes = st.sampled_from(sorted(CURRENCIES))


@given(st.integers(1, MOST_AMOUNT), codes)
def test_what_is_shown_can_be_typed_again(amount: int, code: str) -> None:
    assert read_amount(plain(amount, code), code) == amount
    assert read_amount(shown(amount, code).replace(",", ""), code) == amount


@given(st.integers(1, MOST_RATE), codes)
def test_a_rate_shown_can_be_typed_again(rate: int, code: str) -> None:
    assert read_rate(plain_rate(rate, code), code) == rate
    assert read_rate(shown_exact(rate, code).replace(",", ""), code) == rate


def test_every_symbol_is_of_a_currency() -> None:
    assert SYMBOLS.keys() <= CURRENCIES.keys()


@pytest.mark.parametrize(
    ("amount", "code", "text", "said"),
    [
        (6540, "USD", "65.40", "$65.40"),
        (-1, "EUR", "-0.01", "−€0.01"),
        (123456789, "USD", "1234567.89", "$1,234,567.89"),
        (300, "JPY", "300", "¥300"),
        (1250, "CHF", "12.50", "CHF\N{NO-BREAK SPACE}12.50"),
        (1234, "KWD", "1.234", "KWD\N{NO-BREAK SPACE}1.234"),
        (0, "USD", "0.00", "$0.00"),
    ],
)
def test_amounts(amount: int, code: str, text: str, said: str) -> None:
    assert (plain(amount, code), shown(amount, code)) == (text, said)


def test_signed_amounts() -> None:
    assert [signed_amount(one, "USD") for one in (5, 0, -5)] == ["+$0.05", "$0.00", "−$0.05"]


@pytest.mark.parametrize(
    ("typed", "code", "rate", "said"),
    [
        ("0.10", "USD", 1000, "10¢"),
        ("0.005", "USD", 50, "0.5¢"),
        ("1", "USD", 10_000, "$1.00"),
        ("0.0001", "EUR", 1, "€0.0001"),
        ("0,25", "EUR", 2500, "€0.25"),
        (".5", "EUR", 5000, "€0.50"),
        ("5", "JPY", 500, "¥5"),
        ("0.25", "JPY", 25, "¥0.25"),
        ("0.00001", "KWD", 1, "KWD\N{NO-BREAK SPACE}0.00001"),
        (" $0.10 ", "USD", 1000, "10¢"),
    ],
)
def test_rates(typed: str, code: str, rate: int, said: str) -> None:
    assert read_rate(typed, code) == rate
    assert shown_rate(rate, code) == said


@pytest.mark.parametrize(
    ("typed", "code", "problem"),
    [
        ("", "EUR", "amount-unreadable"),
        (".", "EUR", "amount-unreadable"),
        ("1e5", "EUR", "amount-unreadable"),
        ("1.000.000", "EUR", "amount-unreadable"),
        ("12 50", "EUR", "amount-unreadable"),
        ("１２", "EUR", "amount-unreadable"),
        ("NaN", "EUR", "amount-unreadable"),
        ("9" * 40, "EUR", "amount-unreadable"),
        ("1,250", "EUR", "amount-unclear"),
        ("-5", "EUR", "amount-negative"),
        ("−5", "EUR", "amount-negative"),
        ("0", "EUR", "amount-zero"),
        ("0.00", "EUR", "amount-zero"),
        ("0.004", "EUR", "amount-fine"),
        ("12.5", "JPY", "amount-fine"),
        ("10000000000.01", "EUR", "amount-large"),
    ],
)
def test_b107_amounts_that_are_refused(typed: str, code: str, problem: str) -> None:
    with pytest.raises(GinError) as refused:
        read_amount(typed, code)
    assert refused.value.code == problem
    assert refused.value.field == "amount"


def test_the_limit_of_a_rate_is_told() -> None:
    assert read_rate("100000", "USD") == MOST_RATE
    with pytest.raises(GinError, match=r"A point is \$100,000\.00 at most"):
        read_rate("100000.01", "USD")
