"""Amounts of money as people write and read them; inside they are whole numbers, never floats.

An *amount* is a number of minor units of a currency (cents, yen), a *rate* a number of hundredths
of a minor unit a point. A currency is its ISO code.
"""

from __future__ import annotations

import re
from typing import NoReturn

from ginledger.clubs.currencies import CURRENCIES
from ginledger.gin.errors import AgainstRules, Unreadable

# Hundredths of a minor unit a point: 100,000.00 a point in a currency with cents.
MOST_RATE = 10**9
# Minor units: ten billion in a currency with cents.
MOST_AMOUNT = 10**12

MINUS = "−"
# As the CLDR writes them in English; every other currency is written with its code.
SYMBOLS = {
    "AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$",
    "ILS": "₪", "INR": "₹", "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱",
    "TWD": "NT$", "USD": "$", "VND": "₫", "XCD": "EC$",
}  # fmt: skip

_NUMBER = re.compile(r"(?P<whole>[0-9]{0,20})(?:[.,](?P<part>[0-9]{0,20}))?")
# "1,250" is a thousand and more to one reader and a bit more than one to another.
_UNCLEAR = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")


def digits_of(code: str) -> int:
    """How many digits the currency has after the decimal point."""
    return CURRENCIES[code]


def plain(amount: int, code: str) -> str:
    """An amount as programs and form fields take it: "-1234.50"."""
    return _decimal(amount, digits_of(code))


def shown(amount: int, code: str) -> str:
    """An amount as people read it: "$1,234.50", "−€3.00", "CHF 12.50", "¥300"."""
    whole, point, part = _decimal(abs(amount), digits_of(code)).partition(".")
    return f"{MINUS if amount < 0 else ''}{_before(code)}{int(whole):,}{point}{part}"


def signed_amount(amount: int, code: str) -> str:
    """The same with its sign: "+$3.00", "−$3.00"; nothing is "$0.00"."""
    return f"+{shown(amount, code)}" if amount > 0 else shown(amount, code)


def plain_rate(rate: int, code: str) -> str:
    """A rate as programs and form fields take it: "0.005", "0.10", "5"."""
    digits = digits_of(code)
    text = _decimal(rate, digits + 2)
    while len(text.partition(".")[2]) > digits and text.endswith("0"):
        text = text[:-1]
    return text.rstrip(".")


def shown_rate(rate: int, code: str) -> str:
    """A rate as people read it: "10¢", "0.5¢", "€0.10", "¥5"."""
    if code == "USD" and rate < 10_000:
        return f"{plain_rate(rate, 'JPY')}¢"
    return shown_exact(rate, code)


def shown_exact(hundredths: int, code: str) -> str:
    """An amount in hundredths of a minor unit, not negative, as people read it: "$0.165"."""
    whole, point, part = plain_rate(hundredths, code).partition(".")
    return f"{_before(code)}{int(whole):,}{point}{part}"


def read_amount(text: str, code: str, field: str = "amount") -> int:
    """The amount somebody typed, in minor units: more than 0, at most ``MOST_AMOUNT``.

    Raises Unreadable ("amount-unreadable") or AgainstRules ("amount-unclear", "amount-negative",
    "amount-zero", "amount-fine", "amount-large").
    """
    amount = _read(text, code, digits_of(code), field)
    if amount > MOST_AMOUNT:
        _refuse("amount-large", f"An amount is {shown(MOST_AMOUNT, code)} at most.", field)
    return amount


def read_rate(text: str, code: str, field: str = "rate") -> int:
    """The rate somebody typed, in hundredths of a minor unit: more than 0, at most ``MOST_RATE``.

    Raises as ``read_amount`` does.
    """
    rate = _read(text, code, digits_of(code) + 2, field)
    if rate > MOST_RATE:
        _refuse("amount-large", f"A point is {shown_rate(MOST_RATE, code)} at most.", field)
    return rate


def _read(text: str, code: str, digits: int, field: str) -> int:
    """A decimal with up to so many digits after the point, times ten to that power."""
    typed = text.strip().removeprefix(_before(code)).removeprefix(code).strip()
    if typed[:1] in ("-", MINUS):
        _refuse("amount-negative", "It is more than nothing: leave the minus out.", field)
    found = _NUMBER.fullmatch(typed)
    if not found or not (found["whole"] or found["part"]):
        raise Unreadable("amount-unreadable", "Write it as in 12.50, digits and a point.", field)
    if _UNCLEAR.fullmatch(typed):
        without, pointed = typed.replace(",", ""), typed.replace(",", ".")
        _refuse("amount-unclear", f"Is that {without} or {pointed}? Write it so.", field)
    part = (found["part"] or "").rstrip("0")
    if len(part) > digits:
        _refuse("amount-fine", _too_fine(code, digits), field)
    value = int((found["whole"] or "0") + part.ljust(digits, "0"))
    if value == 0:
        _refuse("amount-zero", "It is more than nothing.", field)
    return value


def _too_fine(code: str, digits: int) -> str:
    if digits == 0:
        return f"{code} has no digits after the point."
    return f"Up to {digits} digits after the point."


def _refuse(code: str, message: str, field: str) -> NoReturn:
    raise AgainstRules(code, message, field)


def _decimal(value: int, digits: int) -> str:
    sign, text = "-" if value < 0 else "", str(abs(value)).rjust(digits + 1, "0")
    return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def _before(code: str) -> str:
    return SYMBOLS.get(code) or f"{code}\N{NO-BREAK SPACE}"
