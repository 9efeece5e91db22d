"""How figures are written in templates of seasons."""

from __future__ import annotations

from django import template

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


@register.filter
def minus(value: int) -> str:
    """A number as it is read, with a comma and a true minus sign: "−1,042"."""
    return f"{value:,}".replace("-", "−")
