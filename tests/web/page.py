"""Reading pages in tests: what a form would send, what a page says, where things lie."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from itertools import count
from typing import Any

from django.test import Client
from django.urls import reverse

from ginledger.matches.models import Match, Row

HTMX = {"HX-Request": "true"}
_numbers = count(1)


def text_of(response: Any) -> str:
    """The words of a page, without marks, spaces folded."""
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", response.content.decode())
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", body))).strip()


class _Inputs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name")
        if tag != "input" or not name:
            return
        if values.get("type") in ("radio", "checkbox") and "checked" not in values:
            return
        self.found[name] = values.get("value") or ""


def filled(response: Any, form_id: str = "entry") -> dict[str, str]:
    """What the form would send as it stands on the page."""
    body = response.content.decode()
    form = re.search(rf'(?s)<form id="{form_id}".*?</form>', body)
    assert form, f"no form {form_id}"
    inputs = _Inputs()
    inputs.feed(form[0])
    return inputs.found


def address(name: str, match: Match, row: Row | None = None) -> str:
    """The address of a page of a match."""
    return reverse(name, args=[match.key] if row is None else [match.key, row.key])


def counts(
    match: Match, who: int | str, own: int | str = "", other: int | str = "", **more: Any
) -> dict[str, Any]:
    """A hand by counts as the form sends it, with a new one-time key and the present version."""
    return {
        "mode": "counts",
        "who": who,
        "how": "knock",
        "knocker_deadwood": own,
        "opponent_deadwood": other,
        "once_key": f"web-{next(_numbers)}",
        "version": Match.objects.get(pk=match.pk).version,
        **more,
    }


def points(
    match: Match, winner: int | str, worth: int | str, kind: str = "knock", **more: Any
) -> dict[str, Any]:
    """A hand by its points as the form sends it."""
    return {
        "mode": "points",
        "winner": winner,
        "kind": kind,
        "points": worth,
        "once_key": f"web-{next(_numbers)}",
        "version": Match.objects.get(pk=match.pk).version,
        **more,
    }


def enter(client: Client, match: Match, data: dict[str, Any], *, htmx: bool = False) -> Any:
    """Send a hand."""
    return client.post(address("enter", match), data, headers=HTMX if htmx else {})


def state_of(match: Match) -> tuple[Any, ...]:
    """Everything stored of a match, to see that nothing changed."""
    fresh = Match.objects.filter(pk=match.pk).values().get()
    rows = list(match.rows.order_by("position").values())
    amendments = list(match.amendments.order_by("pk").values())
    return fresh, rows, amendments
