"""How amounts and stakes are written in templates."""

from __future__ import annotations

from typing import Any

from django import template

from ginledger.matches import cash
from ginledger.matches.stake import read_stake
from ginledger.matches.stake import stake_words as words_of

register = template.Library()


@register.filter
def money(amount: int, code: str) -> str:
    """Minor units of a currency: {{ 1250|money:"USD" }} is $12.50."""
    return cash.shown(amount, code)


@register.filter
def signed_money(amount: int, code: str) -> str:
    """The same with its sign."""
    return cash.signed_amount(amount, code)


@register.filter
def plain_money(amount: int, code: str) -> str:
    """The same as a form field takes it: 12.50."""
    return cash.plain(amount, code)


@register.filter
def stake_words(stake: dict[str, Any] | None) -> str:
    """What a match is played for, from ``match.stake``; "" where it is for nothing."""
    found = read_stake(stake)
    return words_of(found) if found else ""
