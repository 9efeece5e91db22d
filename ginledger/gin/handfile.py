"""One hand of a match file (docs/format.md) <-> a value, without loss.

Reading reports every problem at once; fields are paths in the hand ("deadwood.Ann"). With a
``Table`` whose names are the seat numbers, a stored hand survives renamed and swapped players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from ginledger.gin.cards import card_text, cards_text, parse_card, parse_cards
from ginledger.gin.errors import AgainstRules, GinError, Problems, Unreadable, raise_all
from ginledger.gin.hands import (
    KNOCK_KINDS,
    WON_KINDS,
    Adjustment,
    AnyHand,
    CardsHand,
    CountsHand,
    DeadHand,
    Hand,
    PointsHand,
    Round,
    Table,
    TableHand,
)

MOST_NOTE = 2_000

_COMMON = ("upcard", "note", "played_at", "dealer")
_KEYS = {
    "round": ("round",),
    "cards": ("kind", "knocker", "opponent", "deadwood", "cards", "melds", "stands"),
    "counts": ("kind", "knocker", "opponent", "deadwood"),
    "points": ("kind", "winner", "opponent", "points"),
    "dead": ("kind", "players"),
    "adjustment": ("kind", "player", "points"),
}


class Reader:
    """Collects every problem of an object while its values are read."""

    def __init__(self, raw: Mapping[str, Any], table: Table) -> None:
        self.raw = raw
        self.table = table
        self.problems: list[GinError] = []

    def fail(self, error: GinError) -> None:
        self.problems += error.problems

    def unreadable(self, field: str, right: str, value: object) -> None:
        shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "…"
        self.fail(Unreadable("value-unreadable", f"{field} is {right}, not {shown}.", field))

    def seat(self, field: str, value: object, where: str = "") -> int:
        """The seat of a name; a problem and seat 0 when nobody has it."""
        names = self.table.names
        if isinstance(value, str) and value in names:
            return names.index(value)
        people = ", ".join(names)
        self.fail(
            Unreadable(
                "name-unknown", f"Nobody here is called {value!r}: {people}.", where or field
            )
        )
        return 0

    def optional_seat(self, field: str) -> int | None:
        return self.seat(field, self.raw[field]) if field in self.raw else None

    def whole(self, field: str, value: object) -> int:
        if type(value) is int:
            return value
        self.unreadable(field, "a whole number", value)
        return 0

    def word(self, field: str, choices: tuple[str, ...]) -> str:
        value = self.raw.get(field)
        if isinstance(value, str) and value in choices:
            return value
        self.unreadable(field, f"one of {', '.join(choices)}", value)
        return choices[0]

    def part(self, field: str) -> Mapping[str, Any]:
        """An object by player names; its unknown names are problems."""
        value = self.raw.get(field, {})
        if not isinstance(value, Mapping):
            self.unreadable(field, "an object with a value for each player", value)
            return {}
        for name in value:
            self.seat(field, name, f"{field}.{name}")
        return value

    def common(self) -> dict[str, Any]:
        """What every row may carry."""
        found: dict[str, Any] = {}
        if "upcard" in self.raw:
            found["upcard"] = self._card("upcard")
        if "dealer" in self.raw:
            found["dealer"] = self.seat("dealer", self.raw["dealer"])
        if "note" in self.raw:
            found["note"] = self._text("note", MOST_NOTE)
        if "played_at" in self.raw:
            found["played_at"] = self._moment("played_at")
        return found

    def _card(self, field: str) -> int | None:
        value = self.raw[field]
        if not isinstance(value, str):
            self.unreadable(field, 'a card such as "4S"', value)
            return None
        try:
            return parse_card(value)
        except GinError as error:
            self.fail(error.within(field))
            return None

    def _text(self, field: str, most: int) -> str:
        value = self.raw[field]
        if isinstance(value, str) and len(value) <= most:
            return value
        self.unreadable(field, f"text of at most {most} characters", value)
        return ""

    def _moment(self, field: str) -> str:
        value = self.raw[field]
        try:
            datetime.fromisoformat(value)
        except (TypeError, ValueError):
            self.unreadable(field, "a moment in ISO 8601", value)
            return ""
        return str(value)

    def keys(self, shape: str) -> None:
        for key in self.raw:
            if key not in _KEYS[shape] and key not in _COMMON:
                right = ", ".join((*_KEYS[shape], *_COMMON))
                self.fail(
                    Unreadable("key-unknown", f"{key!r} does not belong here: {right}.", str(key))
                )


def _shape(raw: Mapping[str, Any]) -> str:
    """How a hand was entered, told apart by its keys."""
    for key in ("round", "cards"):
        if key in raw:
            return key
    if raw.get("kind") in ("dead", "adjustment"):
        return str(raw["kind"])
    if "points" in raw or "winner" in raw:
        return "points"
    if "knocker" in raw or "deadwood" in raw:
        return "counts"
    raise Unreadable(
        "hand-unreadable",
        "A hand has a knocker with deadwood or cards, a winner with points, "
        'or the kind "dead" or "adjustment".',
    )


def read_hand(raw: object, table: Table) -> AnyHand:
    """One row of a match file as a value; raises Unreadable or Problems."""
    if not isinstance(raw, Mapping):
        raise Unreadable("hand-unreadable", "A hand is an object.")
    shape = _shape(raw)
    reader = Reader(raw, table)
    reader.keys(shape)
    hand = _SHAPES[shape](reader, reader.common())
    raise_all(reader.problems)
    return hand


def _read_counts(reader: Reader, common: dict[str, Any]) -> CountsHand:
    kind = reader.word("kind", KNOCK_KINDS)
    knocker = reader.seat("knocker", reader.raw.get("knocker"))
    opponent = reader.optional_seat("opponent")
    own, other = _read_deadwood(reader, knocker, opponent)
    if other is None:
        reader.unreadable("deadwood", "the count of the one who did not knock", None)
    elif opponent is None and not reader.problems:
        # Whose count it is names the opponent, also at a table of three.
        (name,) = (one for one in reader.raw["deadwood"] if one != reader.table.names[knocker])
        opponent = reader.table.names.index(name)
    if own is None and kind == "knock":
        reader.unreadable("deadwood", "the knocker's count too", None)
    return CountsHand(
        kind=kind, knocker=knocker, own=own, other=other or 0, opponent=opponent, **common
    )


def _read_deadwood(
    reader: Reader, knocker: int, opponent: int | None
) -> tuple[int | None, int | None]:
    """The counts said for the knocker and for the one he met."""
    own: int | None = None
    other: int | None = None
    names = reader.table.names
    for name, value in reader.part("deadwood").items():
        count = reader.whole(f"deadwood.{name}", value)
        if name == names[knocker]:
            own = count
        elif opponent is not None and name != names[opponent]:
            reader.fail(
                AgainstRules("not-playing", f"{name} did not play this hand.", f"deadwood.{name}")
            )
        elif other is not None:
            reader.unreadable("deadwood", "the counts of two players", dict(reader.raw["deadwood"]))
        else:
            other = count
    return own, other


def _read_cards(reader: Reader, common: dict[str, Any]) -> CardsHand:
    raw = reader.raw
    knocker = reader.seat("knocker", raw.get("knocker"))
    opponent = reader.optional_seat("opponent")
    name = reader.table.names[knocker]
    spreads: dict[str, int] = {}
    for key, value in reader.part("cards").items():
        spreads[key] = _read_spread(reader, f"cards.{key}", value)
    others = [key for key in spreads if key != name and key in reader.table.names]
    if name not in spreads or len(spreads) != 2 or len(others) != 1:
        reader.unreadable("cards", "the spreads of the knocker and of one other", list(spreads))
        others = others or [name]
    met = reader.table.names.index(others[0])
    if opponent not in (None, met):
        reader.unreadable("opponent", f"the other one with cards, {others[0]}", raw["opponent"])
    claim_own, claim_other = _read_deadwood(reader, knocker, met)
    return CardsHand(
        knocker=knocker,
        opponent=met,
        knocker_cards=spreads.get(name, 0),
        opponent_cards=spreads.get(others[0], 0),
        melds=_read_melds(reader, name),
        claim_kind=reader.word("kind", WON_KINDS) if "kind" in raw else None,
        claim_own=claim_own,
        claim_other=claim_other,
        stands=reader.word("stands", ("cards", "claim")) if "stands" in raw else "cards",
        **common,
    )


def _read_spread(reader: Reader, field: str, value: object) -> int:
    if not isinstance(value, str):
        reader.unreadable(field, 'cards such as "7S 7H TC"', value)
        return 0
    try:
        return parse_cards(value)
    except GinError as error:
        reader.fail(_at(field, error))
        return 0


def _at(field: str, error: GinError) -> GinError:
    """The same errors, at this field whatever they named."""
    return Problems(type(one)(one.code, one.message, field) for one in error.problems)


def _read_melds(reader: Reader, knocker: str) -> tuple[int, ...] | None:
    stated = reader.part("melds") if "melds" in reader.raw else {}
    if any(name != knocker for name in stated):
        reader.unreadable("melds", f"the knocker's layout only, {knocker}'s", list(stated))
    if knocker not in stated:
        return None
    raw = stated[knocker]
    field = f"melds.{knocker}"
    if not isinstance(raw, (list, tuple)):
        reader.unreadable(field, 'a list of melds such as "7S 7H 7C"', raw)
        return None
    return tuple(
        _read_spread(reader, f"{field}.{number}", meld) for number, meld in enumerate(raw, 1)
    )


def _read_points(reader: Reader, common: dict[str, Any]) -> PointsHand:
    return PointsHand(
        kind=reader.word("kind", WON_KINDS),
        winner=reader.seat("winner", reader.raw.get("winner")),
        points=reader.whole("points", reader.raw.get("points")),
        opponent=reader.optional_seat("opponent"),
        **common,
    )


def _read_dead(reader: Reader, common: dict[str, Any]) -> DeadHand:
    raw = reader.raw.get("players", ())
    if not isinstance(raw, (list, tuple)) or len(raw) not in (0, 2):
        reader.unreadable("players", "the two who played", raw)
        raw = ()
    return DeadHand(players=tuple(reader.seat("players", name) for name in raw), **common)


def _read_adjustment(reader: Reader, common: dict[str, Any]) -> Adjustment:
    return Adjustment(
        player=reader.seat("player", reader.raw.get("player")),
        points=reader.whole("points", reader.raw.get("points")),
        **common,
    )


def _read_round(reader: Reader, common: dict[str, Any]) -> Round:
    raw = reader.raw["round"]
    tables: list[TableHand] = []
    if not isinstance(raw, (list, tuple)):
        reader.unreadable("round", "a list of hands, one a table", raw)
        raw = ()
    for number, one in enumerate(raw, 1):
        try:
            hand = read_hand(one, reader.table)
            if isinstance(hand, (Round, Adjustment)):
                raise Unreadable("hand-unreadable", "A table of a round has one hand.")
            tables.append(hand)
        except GinError as error:
            reader.fail(error.within(f"round.{number}"))
    return Round(tables=tuple(tables), **common)


_SHAPES: dict[str, Callable[[Reader, dict[str, Any]], AnyHand]] = {
    "round": _read_round,
    "cards": _read_cards,
    "counts": _read_counts,
    "points": _read_points,
    "dead": _read_dead,
    "adjustment": _read_adjustment,
}


def write_hand(hand: AnyHand, table: Table) -> dict[str, Any]:
    """One row as the object that ``read_hand`` reads back to the same value."""
    names = table.names
    common = _write_common(hand, names)
    if isinstance(hand, Round):
        return {"round": [write_hand(one, table) for one in hand.tables], **common}
    if isinstance(hand, DeadHand):
        players = [names[seat] for seat in hand.players]
        return {"kind": "dead", **({"players": players} if players else {}), **common}
    if isinstance(hand, Adjustment):
        player = names[hand.player]
        return {"kind": "adjustment", "player": player, "points": hand.points, **common}
    opponent = {} if hand.opponent is None else {"opponent": names[hand.opponent]}
    if isinstance(hand, PointsHand):
        winner = {"kind": hand.kind, "winner": names[hand.winner], **opponent}
        return {**winner, "points": hand.points, **common}
    knocker = names[hand.knocker]
    if isinstance(hand, CardsHand):
        return {"knocker": knocker, **opponent, **_write_spreads(hand, names), **common}
    return {
        "kind": hand.kind,
        "knocker": knocker,
        **opponent,
        "deadwood": _write_deadwood(hand, names, hand.own, hand.other),
        **common,
    }


def _write_common(hand: Hand, names: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if hand.upcard is not None:
        found["upcard"] = card_text(hand.upcard)
    if hand.dealer is not None:
        found["dealer"] = names[hand.dealer]
    if hand.note:
        found["note"] = hand.note
    if hand.played_at:
        found["played_at"] = hand.played_at
    return found


def _write_deadwood(
    hand: CountsHand | CardsHand, names: tuple[str, ...], own: int | None, other: int | None
) -> dict[str, int]:
    """Both counts by name; with two names the other one needs not be said."""
    met = hand.opponent
    if met is None:
        (met,) = (seat for seat in range(len(names)) if seat != hand.knocker)
    pairs = ((hand.knocker, own), (met, other))
    return {names[seat]: count for seat, count in pairs if count is not None}


def _write_spreads(hand: CardsHand, names: tuple[str, ...]) -> dict[str, Any]:
    knocker, opponent = names[hand.knocker], names[hand.opponent]
    found: dict[str, Any] = {
        "cards": {
            knocker: cards_text(hand.knocker_cards),
            opponent: cards_text(hand.opponent_cards),
        }
    }
    if hand.melds is not None:
        found["melds"] = {knocker: [cards_text(meld) for meld in hand.melds]}
    if hand.claim_kind is not None:
        found["kind"] = hand.claim_kind
    claims = _write_deadwood(hand, names, hand.claim_own, hand.claim_other)
    if claims:
        found["deadwood"] = claims
    if hand.stands != "cards":
        found["stands"] = hand.stands
    return found
