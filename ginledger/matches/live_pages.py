"""The live view as values for its templates: what lies on the table and nothing else.

No address, no note, no void row and no account is in here, so none can be on the page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ginledger.clubs.models import Role
from ginledger.gin.hands import AnyHand

from .book import Book
from .ink import Acts
from .live import Running
from .pages import SideView, hand_lines, pad_page
from .wording import named, plural

SHOWN_HANDS = 12


@dataclass(frozen=True, slots=True)
class LiveHand:
    """A hand that counts, as the pad shows it."""

    number: str
    who: str
    kind: str
    label: str
    words: SafeString
    points: str
    running: str
    amended: bool


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match as anybody with the link sees it; hands: the latest first."""

    tag: str
    names: tuple[str, ...]
    rules_name: str
    many: bool
    target: int
    over: bool
    stopped: bool
    sides: tuple[SideView, ...]
    hands: tuple[LiveHand, ...]
    opening: SafeString
    verdict: SafeString

    @property
    def title(self) -> str:
        return " v ".join(self.names)


def live_match(book: Book, tag: str) -> LiveMatch:
    """The live view of a match; tag: of the state it is made from."""
    book.match.role = Role.VIEWER
    public = replace(
        book,
        lines=tuple(
            replace(line, hand=_without_notes(line.hand)) for line in book.lines if line.scored
        ),
        acts=Acts((), ()),  # nothing here is undone, and an act may be about a void row
    )
    page = pad_page(public)
    return LiveMatch(
        tag=tag,
        names=page.names,
        rules_name=page.rules_name,
        many=page.many,
        target=page.target,
        over=page.over,
        stopped=page.stopped,
        sides=page.sides,
        hands=_hands(public),
        opening=page.opening,
        verdict=page.verdict,
    )


def _without_notes(hand: AnyHand) -> AnyHand:
    return replace(hand, note="") if hand.note else hand


def _hands(book: Book) -> tuple[LiveHand, ...]:
    return tuple(
        LiveHand(
            line.number,
            line.who,
            line.kind,
            line.label,
            line.words,
            line.points,
            line.running,
            line.amended,
        )
        for line in reversed(hand_lines(book)[-SHOWN_HANDS:])
    )


@dataclass(frozen=True, slots=True)
class LiveCard:
    """A match among those that a club is playing; columns: each side's points, column by column."""

    sides: tuple[tuple[str, tuple[int, ...], bool], ...]
    words: SafeString
    over: bool


@dataclass(frozen=True, slots=True)
class LiveClub:
    """What a club is playing."""

    tag: str
    name: str
    matches: tuple[LiveCard, ...]


def live_card(match: Running) -> LiveCard:
    """A running match in big figures, from its stored totals."""
    hands = plural(match.hand_count, "hand", "hands")
    words = format_html("{} · {}", match.rules_name, hands)
    if match.over and match.winner is not None and match.net:
        name = named(match.names[match.winner])
        words = format_html("{} wins by {} · {}", name, match.net[match.winner], words)
    elif match.over:
        words = format_html("Level · {}", words)
    return LiveCard(
        tuple(
            (name, tuple(column[side] for column in match.totals), match.winner == side)
            for side, name in enumerate(match.names)
        ),
        words,
        match.over,
    )
