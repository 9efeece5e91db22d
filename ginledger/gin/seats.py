"""Who deals and who plays, hand after hand.

A turn follows from the turn before and from how its hand ended; nothing is remembered beside it,
so that a changed row changes every later turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ginledger.gin.hands import Table
from ginledger.gin.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Turn:
    """dealers: the seats that deal (every partner of a side); players: the seats that play."""

    dealers: tuple[int, ...]
    players: tuple[int, ...]


def first_turn(rules: RuleSet, table: Table, first_dealer: int) -> Turn:
    """The first hand: with three at a table the first dealer meets the first of the others."""
    if rules.play == "partners":
        dealers = table.seats(table.side_of(first_dealer))
        return Turn(dealers, tuple(range(len(table.names))))
    if rules.play == "three":
        opponent = next(seat for seat in range(3) if seat != first_dealer)
        return Turn((first_dealer,), tuple(sorted((first_dealer, opponent))))
    return Turn((first_dealer,), (0, 1))


def played(
    rules: RuleSet, table: Table, turn: Turn, players: tuple[int, ...], dealer: int | None
) -> Turn:
    """The turn as the table really played it: who met whom, and who dealt when it was noted.

    A player who took another's place at a table of three also takes over his deal.
    """
    dealers = turn.dealers
    if rules.play == "three" and set(players) != set(turn.players):
        (newcomer,) = set(players) - set(turn.players)
        dealers = dealers if set(dealers) <= set(players) else (newcomer,)
        turn = Turn(dealers, tuple(sorted(players)))
    if dealer is None:
        return turn
    if rules.play == "partners":
        return Turn(table.seats(table.side_of(dealer)), turn.players)
    return Turn((dealer,), turn.players)


def next_turn(rules: RuleSet, table: Table, turn: Turn, winner: int | None) -> Turn:
    """The turn after this one, winner being the seat (any seat of a side) that won the hand.

    None: nobody scored; the same players and the same dealer go again (rules.md, dead hand).
    """
    if winner is None:
        return turn
    if rules.play == "partners":
        return Turn(_next_partners(rules, table, turn, table.side_of(winner)), turn.players)
    (loser,) = (seat for seat in turn.players if seat != winner)
    dealer = turn.dealers[0]
    if rules.play == "three":
        (newcomer,) = {0, 1, 2} - set(turn.players)
        by = {
            "loser": newcomer,
            "winner": winner,
            "alternate": newcomer if dealer == winner else winner,
        }
        return Turn((by[rules.next_dealer],), tuple(sorted((winner, newcomer))))
    by = {"loser": loser, "winner": winner, "alternate": 1 - dealer}
    return Turn((by[rules.next_dealer],), turn.players)


def _next_partners(rules: RuleSet, table: Table, turn: Turn, winner: int) -> tuple[int, ...]:
    dealing = table.side_of(turn.dealers[0])
    by = {"loser": 1 - winner, "winner": winner, "alternate": 1 - dealing}
    return table.seats(by[rules.next_dealer])


def next_pairs(table: Table, met: Sequence[tuple[int, ...]] = ()) -> tuple[tuple[int, int], ...]:
    """Who meets whom in a round of partners: a seat of the first side and one of the second.

    met: the players of each table of the round before, () for none. Everybody moves on to the
    next opponent; where the round before does not say who met, those in the same place meet.
    """
    ones, others = table.seats(0), table.seats(1)
    before = {seat: place for pair in met for place, seat in _placed(table, pair)}
    moved = [(before.get(seat, place - 1) + 1) % len(others) for place, seat in enumerate(ones)]
    if len(set(moved)) < len(ones):
        moved = list(range(len(ones)))
    return tuple((seat, others[place]) for seat, place in zip(ones, moved, strict=True))


def _placed(table: Table, pair: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Of two who met: the place of the second side's among his own, and the first side's seat."""
    if len(pair) == 2:
        one, other = sorted(pair, key=table.side_of)
        yield table.seats(1).index(other), one
