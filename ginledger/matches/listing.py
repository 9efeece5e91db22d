"""The start page as values: the rule sets to choose from and this browser's matches."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import WRITERS
from ginledger.clubs.rulebook import Agreement, agreement_of

from .models import Match
from .querysets import MatchQuerySet
from .start_form import NAME_FIELDS, SEATINGS, TARGETS, StartForm, playable
from .wording import named, plural

USUAL = ("house-modern", "oklahoma-150", "short-50", "three-handed", "partners-125")
SHOWN_RUNNING = 50
SHOWN_FINISHED = 20
# Hollywood to 100 is the first rule set with the other sheet, so it is no card of its own.
LEFT_OUT = ("hollywood-100",)


SHELVES = {
    "running": "Running",
    "finished": "Finished",
    "stopped": "Stopped",
    "archived": "Archived",
    "bin": "Bin",
}


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list. day: "" today, else when it was played, or last played.

    undelete_url: where a match in the bin is taken out by those who may; "" for others.
    """

    url: str
    names: tuple[str, ...]
    score: str
    words: SafeString
    day: str
    undelete_url: str = ""


def start_context(form: StartForm) -> dict[str, Any]:
    """What the form of a new match shows, with what was chosen."""
    chosen = form["rules"].value()
    names = [(form[name], name.capitalize()) for name in NAME_FIELDS]
    # A rule set that was asked for by its address is a card in any case.
    presets = [one for one in playable() if one.slug not in LEFT_OUT or one.slug == chosen]
    usual = sorted(
        (preset for preset in presets if preset.slug in USUAL),
        key=lambda preset: USUAL.index(preset.slug),
    )
    others = [preset for preset in presets if preset.slug not in USUAL]
    return {
        "form": form,
        "seatings": list(SEATINGS.items()),
        "seating": form.seating,
        "names": names,
        "dealers": [("0", names[0], names[2]), ("1", names[1], names[3]), ("2", names[2], None)],
        "more_pairs": any(field.value() or field.errors for field, _ in names[4:]),
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


def recent(matches: MatchQuerySet) -> dict[str, list[ListedMatch]]:
    """The running matches of a set and the latest ones played, for ``_match_list.html``."""
    bare = matches.listed().prefetch_related(None)
    running = list(bare.filter(over=False, stopped_at=None)[:SHOWN_RUNNING])
    done = list(bare.exclude(over=False, stopped_at=None)[:SHOWN_FINISHED])
    prefetch_related_objects([*running, *done], "seats__player")
    return {
        "running": [listed_match(match) for match in running],
        "finished": [listed_match(match) for match in done],
    }


def listed_match(match: Match) -> ListedMatch:
    """A match as a list shows it; its players loaded."""
    seats = list(match.seats.all())
    sides = sorted({seat.side for seat in seats})
    names = tuple(
        " & ".join(seat.player.name for seat in seats if seat.side == side) for side in sides
    )
    hands = plural(match.hand_count, "hand", "hands")
    words = format_html("{} · {}", match.rules_name, hands)
    score = ""
    if match.over and match.winner is not None and match.net:
        margin = f"{abs(match.net[match.winner]):,}"
        words = format_html("{} won by {} · {}", named(names[match.winner]), margin, words)
    elif match.over:
        words = format_html("Level · {}", words)
    elif match.stopped:
        words = format_html("Stopped · {}", words)
    elif len(match.totals) == 1:
        score = " – ".join(str(total) for total in match.totals[0])
    day = _day(match)
    if day:
        words = format_html("{} · {}", words, day)
    if match.deleted:
        undelete = reverse("undelete", args=[match.key]) if match.role in WRITERS else ""
        return ListedMatch("", names, score, words, day, undelete)
    return ListedMatch(reverse("pad", args=[match.key]), names, score, words, day)


def _day(match: Match) -> str:
    ended = match.over or match.stopped
    day = match.played_on if ended else timezone.localdate(match.last_at)
    return "" if day == timezone.localdate() else dateformat.format(day, "j M Y")
