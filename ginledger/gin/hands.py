"""The facts of one row of a match, as somebody entered them.

A *seat* is a player: the index of a name in the flattened list of all sides. A *side* is an
index into the list of sides. Nothing here is worked out: kinds and points of hands entered by
counts or cards are the business of ``ruling``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

WON_KINDS = ("knock", "gin", "big_gin", "undercut")
KNOCK_KINDS = ("knock", "gin", "big_gin")


@dataclass(frozen=True, slots=True)
class Table:
    """The people at the table: a tuple of names for each side."""

    sides: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, in seat order."""
        return tuple(name for side in self.sides for name in side)

    def side_of(self, seat: int) -> int:
        """The side a seat belongs to."""
        for side, names in enumerate(self.sides):
            if seat < len(names):
                return side
            seat -= len(names)
        raise IndexError("no such seat")

    def seats(self, side: int) -> tuple[int, ...]:
        """The seats of a side."""
        start = sum(len(names) for names in self.sides[:side])
        return tuple(range(start, start + len(self.sides[side])))

    def side_name(self, side: int) -> str:
        """A side as one reads it: "Ann", or "Ann & Cleo"."""
        return " & ".join(self.sides[side])


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What every row may carry beside its own facts.

    upcard: a card (bit index 0..51) or None; dealer: the seat that dealt when the table did
    otherwise than the rule, else None; played_at: ISO 8601 text or "".
    """

    upcard: int | None = None
    note: str = ""
    played_at: str = ""
    dealer: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsHand(Hand):
    """A hand by its counts. kind: knock, gin or big_gin (an undercut is worked out).

    own: the knocker's deadwood in points, None where gin leaves it unsaid; other: the
    opponent's after lay-offs; opponent: None where the seating says who it is.
    """

    kind: str
    knocker: int
    own: int | None
    other: int
    opponent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsHand(Hand):
    """A hand by both spreads, as card masks of 52 bits.

    melds: the knocker's layout as he laid it, None where none is stated; claim_kind,
    claim_own, claim_other: what was said beside the cards, checked and reported; stands:
    "cards", or "claim" when the players let the counts they said stand.
    """

    knocker: int
    opponent: int
    knocker_cards: int
    opponent_cards: int
    melds: tuple[int, ...] | None = None
    claim_kind: str | None = None
    claim_own: int | None = None
    claim_other: int | None = None
    stands: str = "cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsHand(Hand):
    """A hand as it stands on paper: the winner's seat, its kind and the points of the hand."""

    kind: str
    winner: int
    points: int
    opponent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadHand(Hand):
    """Nobody knocked. players: the two seats at a table of partners, else empty."""

    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment(Hand):
    """Signed points for the side of a seat: a penalty or an odd bonus; never a box."""

    player: int
    points: int


TableHand = CountsHand | CardsHand | PointsHand | DeadHand


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Hand):
    """A round of partners: one hand a table."""

    tables: tuple[TableHand, ...] = field(default=())


AnyHand = CountsHand | CardsHand | PointsHand | DeadHand | Adjustment | Round
