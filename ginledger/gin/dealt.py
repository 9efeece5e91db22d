"""What one row of a match came to: who met whom, how it was ruled and for which side it counts."""

from __future__ import annotations

from dataclasses import dataclass

from ginledger.gin.errors import AgainstRules, GinError, raise_all
from ginledger.gin.hands import (
    Adjustment,
    AnyHand,
    CardsHand,
    DeadHand,
    PointsHand,
    Round,
    Table,
    TableHand,
)
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import (
    DEFENDER,
    KIND_WORDS,
    Ruling,
    extra_boxes,
    own_boxes,
    rule_cards,
    rule_counts,
    rule_points,
)

MOST_ADJUSTMENT = 100_000


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """One hand at one table. players: (knocker, defender) seats, empty where nobody knows.

    winner: a seat or None; ruling: None for a dead hand; notes: where what was said beside the
    cards differs from what they come to.
    """

    kind: str
    players: tuple[int, ...]
    winner: int | None
    ruling: Ruling | None
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row. side and winner (a seat of it) are None where nobody scores; points and boxes
    are what the side enters; players: the seats that played."""

    kind: str
    side: int | None
    winner: int | None
    points: int
    boxes: int
    players: tuple[int, ...]
    reasons: tuple[str, ...]
    tables: tuple[TableOutcome, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Where what was said beside cards differs from what they come to."""
        return tuple(note for table in self.tables for note in table.notes)


class Resolver:
    """Rules and seating of one row.

    players: the seats whose turn it is; None where an earlier wrong row leaves it unknown;
    keep_points: points as written stand, whatever a hand can be worth by these rules.
    """

    def __init__(
        self,
        rules: RuleSet,
        table: Table,
        players: tuple[int, ...] | None,
        *,
        keep_points: bool = False,
    ) -> None:
        self.rules = rules
        self.table = table
        self.players = players
        self.keep_points = keep_points

    def resolve(self, hand: AnyHand) -> Outcome:
        """What the row comes to; raises a GinError or Problems, fields from the row down."""
        if isinstance(hand, Adjustment):
            return self._adjustment(hand)
        partners = self.rules.play == "partners"
        if isinstance(hand, Round):
            if not partners:
                raise AgainstRules(
                    "round-without-partners", "A round is played by partners only.", "round"
                )
            return self._round(hand)
        if partners:
            raise AgainstRules(
                "round-missing", "Partners enter a round, one hand a table.", "round"
            )
        one = self._table_hand(hand)
        ruling = one.ruling
        side = None if one.winner is None else self.table.side_of(one.winner)
        return Outcome(
            one.kind,
            side,
            one.winner,
            ruling.points if ruling and side is not None else 0,
            ruling.boxes if ruling and side is not None else 0,
            tuple(sorted(one.players)) or self.players or (),
            one.reasons,
            (one,),
        )

    def _adjustment(self, hand: Adjustment) -> Outcome:
        if not -MOST_ADJUSTMENT <= hand.points <= MOST_ADJUSTMENT:
            raise AgainstRules(
                "adjustment-bounds",
                f"An adjustment is at most {MOST_ADJUSTMENT} points either way.",
                "points",
            )
        side = self.table.side_of(hand.player)
        name = self.table.side_name(side)
        said = f"{name} {hand.points:+d}" + (f": {hand.note}" if hand.note else "")
        players = self.players or ()
        return Outcome("adjustment", side, hand.player, hand.points, 0, players, (said,))

    def _round(self, hand: Round) -> Outcome:
        """A round of partners: only the net of all its tables counts, with one box."""
        tables: list[TableOutcome] = []
        problems: list[GinError] = []
        for number, one in enumerate(hand.tables, 1):
            try:
                tables.append(self._table_hand(one))
            except GinError as error:
                problems += error.within(f"round.{number}").problems
        problems += self._round_problems(hand, tables)
        raise_all(problems)
        sums = [0] * len(self.table.sides)
        for table in tables:
            if table.winner is not None and table.ruling is not None:
                sums[self.table.side_of(table.winner)] += table.ruling.points
        net = sums[0] - sums[1]
        players = tuple(range(len(self.table.names)))
        reasons = tuple(reason for table in tables for reason in table.reasons)
        if net == 0:
            reasons += ("The round is level: nobody scores.",)
            return Outcome("round", None, None, 0, 0, players, reasons, tuple(tables))
        side = 0 if net > 0 else 1
        name = self.table.side_name(side)
        reasons += (f"Net {sums[side]} less {sums[1 - side]}: {name} +{abs(net)}.",)
        winner = self.table.seats(side)[0]
        boxes = self._round_boxes(side, tables)
        return Outcome("round", side, winner, abs(net), boxes, players, reasons, tuple(tables))

    def _round_problems(self, hand: Round, tables: list[TableOutcome]) -> list[GinError]:
        problems: list[GinError] = []
        size = len(self.table.sides[0])
        if len(hand.tables) != size:
            problems.append(
                AgainstRules(
                    "round-size",
                    f"A round has {size} tables, one hand each; this has {len(hand.tables)}.",
                    "round",
                )
            )
        met = [seat for table in tables for seat in table.players]
        problems += [
            AgainstRules("player-twice", f"{self.table.names[seat]} plays at two tables.", "round")
            for seat in sorted(set(met))
            if met.count(seat) > 1
        ]
        return problems

    def _round_boxes(self, side: int, tables: list[TableOutcome]) -> int:
        """The round's box and the extra boxes earned at its tables by the side that wins it."""
        won = [
            table.ruling
            for table in tables
            if table.ruling is not None
            and table.winner is not None
            and self.table.side_of(table.winner) == side
        ]
        own = own_boxes(self.rules, any(ruling.doubled for ruling in won))
        return own + sum(extra_boxes(self.rules, one.kind, one.doubled) for one in won)

    def _table_hand(self, hand: TableHand) -> TableOutcome:
        if isinstance(hand, DeadHand):
            if hand.players:
                self._check_pair(hand.players[0], hand.players[1], "players")
            reason = "Two cards were left in the stock and nobody knocked: nobody scores."
            return TableOutcome("dead", hand.players, None, None, (reason,))
        if isinstance(hand, PointsHand):
            return self._points_hand(hand)
        opponent = self._opponent(hand.knocker, hand.opponent, "knocker")
        players = (hand.knocker, opponent)
        names = self.table.names
        pair = (names[hand.knocker], names[opponent])
        notes: tuple[str, ...] = ()
        if isinstance(hand, CardsHand):
            ruling, notes = rule_claimed(self.rules, hand, pair)
        else:
            ruling = rule_counts(
                self.rules,
                kind=hand.kind,
                own=hand.own,
                other=hand.other,
                upcard=hand.upcard,
                names=pair,
            )
        winner = None if ruling.winner is None else players[ruling.winner]
        return TableOutcome(ruling.kind, players, winner, ruling, ruling.reasons(pair), notes)

    def _points_hand(self, hand: PointsHand) -> TableOutcome:
        ruling = rule_points(
            self.rules,
            kind=hand.kind,
            points=hand.points,
            upcard=hand.upcard,
            keep=self.keep_points,
        )
        name = self.table.names[hand.winner]
        word = KIND_WORDS[ruling.kind]
        reasons = (f"{name} won by {word}, {hand.points} points as written on the paper.",)
        players: tuple[int, ...] = ()
        if self.rules.play != "partners" or hand.opponent is not None:
            opponent = self._opponent(hand.winner, hand.opponent, "winner")
            players = (hand.winner, opponent)
            if ruling.winner == DEFENDER:
                players = (opponent, hand.winner)
        return TableOutcome(ruling.kind, players, hand.winner, ruling, reasons)

    def _opponent(self, seat: int, named: int | None, field: str) -> int:
        """Who a player met: the one named, or the other one whose turn it is."""
        names = self.table.names
        if named is not None:
            self._check_pair(seat, named, "opponent")
            return named
        if self.rules.play == "partners":
            raise AgainstRules(
                "opponent-missing", f"Say whom {names[seat]} met: partners name the opponent.",
                "opponent",
            )  # fmt: skip
        if self.players is None:
            # An earlier row is wrong; any opponent does to rule this one.
            return next(other for other in range(len(names)) if other != seat)
        if seat not in self.players:
            raise AgainstRules(
                "sits-out",
                f"{names[seat]} sits out this hand and cannot have won or knocked.",
                field,
            )
        return next(other for other in self.players if other != seat)

    def _check_pair(self, one: int, other: int, field: str) -> None:
        names = self.table.names
        if one == other:
            raise AgainstRules("own-opponent", f"{names[one]} cannot meet himself.", field)
        if self.table.side_of(one) == self.table.side_of(other):
            raise AgainstRules(
                "meets-partner", f"{names[one]} and {names[other]} are partners.", field
            )


def rule_claimed(
    rules: RuleSet, hand: CardsHand, names: tuple[str, str]
) -> tuple[Ruling, tuple[str, ...]]:
    """The ruling of a hand entered by cards, and where what was said beside them differs.

    Where the players let the counts they said stand, those are ruled and the note says what the
    cards come to. Raises as ``rule_cards`` and ``rule_counts`` do.
    """
    ruling = rule_cards(
        rules,
        hand.knocker_cards,
        hand.opponent_cards,
        melds=hand.melds,
        upcard=hand.upcard,
        names=names,
    )
    notes = claim_notes(ruling, hand, names)
    if hand.stands == "cards":
        return ruling, notes
    own = ruling.own if hand.claim_own is None else hand.claim_own
    other = ruling.other if hand.claim_other is None else hand.claim_other
    kind = hand.claim_kind or ("knock" if own else "gin")
    assert own is not None and other is not None
    stated = rule_counts(rules, kind=kind, own=own, other=other, upcard=hand.upcard, names=names)
    return stated._replace(layout=ruling.layout, reply=ruling.reply), notes


def claim_notes(ruling: Ruling, hand: CardsHand, names: tuple[str, str]) -> tuple[str, ...]:
    """A sentence for each kind or count said beside the cards that they do not bear out."""
    notes = []
    knocked = "knock" if ruling.kind in ("undercut", "tie") else ruling.kind
    if hand.claim_kind not in (None, knocked, ruling.kind):
        said = KIND_WORDS.get(hand.claim_kind or "", str(hand.claim_kind))
        notes.append(f"You said {said}; by the cards it is {KIND_WORDS[ruling.kind]}.")
    for claim, count, name in (
        (hand.claim_own, ruling.own, names[0]),
        (hand.claim_other, ruling.other, names[1]),
    ):
        if claim is not None and claim != count:
            notes.append(f"You said {claim} for {name}; by the cards it is {count}.")
    return tuple(notes)
