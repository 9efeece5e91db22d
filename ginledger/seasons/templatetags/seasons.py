"""How figures are written in templates of seasons."""

from __future__ import annotations

from django import template

from ginledger.seasons.rates import Rate

register = template.Library()


@register.filter
def points(value: int) -> str:
    """Points with their sign and a comma at the thousands: "+1,042", "−388", "0"."""
    return f"{value:+,}".replace("-", "−") if value else "0"


@register.filter
def whole(value: int) -> str:
    """A count with a comma at the thousands: "1,042"."""
    return f"{value:,}"


@register.filter
def of_hands(won: int, played: int) -> str:
    """A share in whole per cent: "57 %"; "–" of nothing."""
    return f"{(200 * won + played) // (2 * played)} %" if played else "–"


_IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@register.filter
def in_words(value: int) -> str:
    """A small count as a word: "four"; from eleven on in figures."""
    return _IN_WORDS[value] if value < len(_IN_WORDS) else whole(value)


@register.filter
def rate_of(count: int, n: int) -> Rate:
    """A share with how sure it is."""
    return Rate(count, n)


@register.filter
def minus(value: int) -> str:
    """A number as it is read, with a comma and a true minus sign: "−1,042"."""
    return f"{value:,}".replace("-", "−")
