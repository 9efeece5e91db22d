"""The start page as values: the rule sets to choose from and this browser's matches."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.rulebook import Agreement, agreement_of

from .forms import TARGETS, StartForm, playable
from .models import Match
from .wording import named, plural

USUAL = ("house-modern", "oklahoma-150", "short-50")
SHOWN_FINISHED = 20
# Hollywood to 100 is the first rule set with the other sheet, so it is no card of its own.
LEFT_OUT = ("hollywood-100",)


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list."""

    url: str
    names: tuple[str, ...]
    score: str
    words: SafeString


def start_context(form: StartForm) -> dict[str, Any]:
    """What the form of a new match shows, with what was chosen."""
    chosen = form["rules"].value()
    # A rule set that was asked for by its address is a card in any case.
    presets = [one for one in playable() if one.slug not in LEFT_OUT or one.slug == chosen]
    usual = sorted(
        (preset for preset in presets if preset.slug in USUAL),
        key=lambda preset: USUAL.index(preset.slug),
    )
    others = [preset for preset in presets if preset.slug not in USUAL]
    return {
        "form": form,
        "once_key": form["once_key"].value() or secrets.token_urlsafe(16),
        "usual": usual,
        "others": others,
        "own": form.own,
        "agreed": start_agreement(form),
        "more_open": chosen in [preset.slug for preset in others],
        "chosen": chosen,
        "targets": [("", "As it is"), *((one, f"To {one}") for one in TARGETS)],
        "target": form["target"].value() or "",
        "sheets": [("one", "One column"), ("hollywood", "Hollywood")],
        "sheet": form["sheet"].value() or "one",
        "dealer": form["dealer"].value() or "0",
    }


def start_agreement(form: StartForm) -> Agreement:
    """What is agreed by what the form shows."""
    rules, name = form.shown_rules
    return agreement_of(name, rules)


def listed(matches: Iterable[Match]) -> dict[str, list[ListedMatch]]:
    """The matches still running and those played, latest first."""
    running: list[ListedMatch] = []
    finished: list[ListedMatch] = []
    for match in matches:
        (finished if match.over or match.stopped else running).append(_listed(match))
    return {"running": running, "finished": finished[:SHOWN_FINISHED]}


def _listed(match: Match) -> ListedMatch:
    seats = list(match.seats.all())
    sides = sorted({seat.side for seat in seats})
    names = tuple(
        " & ".join(seat.player.name for seat in seats if seat.side == side) for side in sides
    )
    hands = plural(match.hand_count, "hand", "hands")
    words = format_html("{} · {}", match.rules_name, hands)
    score = ""
    if match.over and match.winner is not None and match.net:
        margin = abs(match.net[match.winner])
        words = format_html("{} won by {} · {}", named(names[match.winner]), margin, words)
    elif match.over:
        words = format_html("Level · {}", words)
    elif match.stopped:
        words = format_html("Stopped · {}", words)
    elif len(match.totals) == 1:
        score = " – ".join(str(total) for total in match.totals[0])
    return ListedMatch(reverse("pad", args=[match.key]), names, score, words)
