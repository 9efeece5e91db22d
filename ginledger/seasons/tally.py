"""What each player did in a match, worked out from its sheet: the poster of ``Tally``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from ginledger.gin.dealt import TableOutcome
from ginledger.gin.hands import AnyHand, CardsHand, Round
from ginledger.gin.missed import missed
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.sheet import Column, ScoredHand, Sheet
from ginledger.matches import posters
from ginledger.matches.book import load_terms
from ginledger.matches.models import Match

from . import totals
from .models import FIELDS, MOST, SUMMED, Tally

_WON_BY = {"knock": "knocks", "gin": "gins", "big_gin": "big_gins", "undercut": "undercuts"}
# A knock that was no gin, however it ended.
_KNOCKS = ("knock", "undercut", "tie")


def figures(sheet: Sheet) -> list[dict[str, int]]:
    """The figures (``models.FIELDS``) of every seat of a match that is over, in the table's order.

    Partners share the figures of their side; hands are those each played at his own table.
    """
    assert sheet.net is not None
    table = sheet.match.table
    found: list[Counter[str]] = [Counter(matches=1) for _ in table.names]
    for seat, one in enumerate(found):
        _of_side(one, sheet, table.side_of(seat))
    for hand in sheet.hands:
        if hand.kind != "adjustment":
            for outcome in hand.outcome.tables:
                _of_hand(found, sheet, hand, outcome)
    for entered, hand in zip(sheet.match.hands, sheet.hands, strict=True):
        _of_spreads(found, sheet.match.rules, entered, hand)
    return [{name: one[name] for name in FIELDS} for one in found]


def _of_side(one: Counter[str], sheet: Sheet, side: int) -> None:
    assert sheet.net is not None
    # A match that was brought in as its result alone has no hands to be shut out of.
    by_hands = any(hand.kind != "adjustment" for hand in sheet.hands)
    result = "level" if sheet.winner is None else "won" if sheet.winner == side else "lost"
    one[result] = 1
    one["by_hands"] = int(by_hands)
    one["net"] = sheet.net[side]
    for column in sheet.columns:
        one["boxes"] += column.sides[side].boxes
        shut = list(shut_out(sheet.match.rules, column)) if by_hands else []
        one["shutouts_taken"] += side in shut
        one["shutouts_given"] += len(shut) if side == column.first_over else 0
    if result == "won" and by_hands:
        one["comeback"] = max(_behind(column, side) for column in sheet.columns)


def shut_out(rules: RuleSet, column: Column) -> Iterator[int]:
    """The sides that a closed column left without a hand, or without a point, as the rules say.

    A shutout is one also where the rules add nothing for it.
    """
    for side, own in enumerate(column.sides):
        nothing = own.wins == 0 if rules.shutout_when == "no-hand" else own.points <= 0
        if nothing and side != column.first_over:
            yield side


def _behind(column: Column, side: int) -> int:
    """The most points a side ever stood behind the leader in a column."""
    return max((max(entry.running) - entry.running[side] for entry in column.entries), default=0)


def _of_hand(
    found: list[Counter[str]], sheet: Sheet, hand: ScoredHand, outcome: TableOutcome
) -> None:
    for seat in _players(sheet, hand, outcome):
        one = found[seat]
        one["hands"] += 1
        one["dead"] += outcome.kind == "dead"
        if outcome.winner is not None:
            place = "dealt" if seat in hand.dealers else "first"
            one[place] += 1
            one[f"{place}_won"] += seat == outcome.winner
    if outcome.ruling is not None:
        _of_ruling(found, outcome)


def _players(sheet: Sheet, hand: ScoredHand, outcome: TableOutcome) -> tuple[int, ...]:
    """Who is known to have played a hand: among partners maybe its winner alone, or nobody."""
    if outcome.players:
        return outcome.players
    if sheet.match.rules.play != "partners":
        return hand.players
    return () if outcome.winner is None else (outcome.winner,)


def _of_ruling(found: list[Counter[str]], outcome: TableOutcome) -> None:
    ruling = outcome.ruling
    assert ruling is not None
    if outcome.players:
        knocker, defender = (found[seat] for seat in outcome.players)
    else:
        assert outcome.winner is not None
        knocker, defender = found[outcome.winner], Counter[str]()
        if outcome.kind == "undercut":
            knocker, defender = defender, knocker
    if outcome.kind in _KNOCKS:
        knocker["knocked"] += 1
        defender["faced"] += 1
        if ruling.own is not None:
            knocker["knock_known"] += 1
            knocker["knock_sum"] += ruling.own
    if outcome.winner is None:
        return
    winner = found[outcome.winner]
    loser = defender if winner is knocker else knocker
    winner["hands_won"] += 1
    loser["hands_lost"] += 1
    winner["points_won"] += ruling.points
    loser["points_lost"] += ruling.points
    winner["biggest"] = max(winner["biggest"], ruling.points)
    if (how := _WON_BY.get(outcome.kind)) is not None:
        winner[how] += 1
        loser[f"{how}_against"] += 1
    if loser is defender and ruling.other is not None:
        loser["caught_known"] += 1
        loser["caught_sum"] += ruling.other


def _of_spreads(
    found: list[Counter[str]], rules: RuleSet, entered: AnyHand, hand: ScoredHand
) -> None:
    """What was given away by layouts and counts, at the tables of which both spreads are known."""
    parts = entered.tables if isinstance(entered, Round) else (entered,)
    for part, outcome in zip(parts, hand.outcome.tables, strict=False):
        if not isinstance(part, CardsHand):
            continue
        if part.upcard is None:
            part = replace(part, upcard=entered.upcard)
        away = missed(rules, part)
        for place, seat in enumerate(outcome.players):
            one = found[seat]
            one["spreads"] += 1
            one["missed"] += away.lost[place] > 0
            one["missed_points"] += away.lost[place]
            one["put_right"] += away.put_right[place] > 0
            one["put_right_points"] += away.put_right[place]


def tallies(match: Match, sheet: Sheet) -> list[Tally]:
    """The tallies that the match has now, unsaved; none while it does not count."""
    # The audit asks also where what is stored of the match is wrong: only its rows say it is over.
    if not (match.counts and sheet.over):
        return []
    seats = load_terms(match).seats
    pair = len(seats) == 2
    return [
        Tally(
            club_id=match.club_id,
            match=match,
            player_id=seat.player_id,
            opponent_id=seats[1 - place].player_id if pair else None,
            played_on=match.played_on,
            **one,
        )
        for place, (seat, one) in enumerate(zip(seats, figures(sheet), strict=True))
    ]


def post(match: Match, sheet: Sheet) -> None:
    """Have the tallies of the match say what it came to, and the sums of its days; a poster."""
    for day in write(match, sheet):
        posters.follow(totals.rewrite, (match.club_id, day))


def write(match: Match, sheet: Sheet) -> set[date]:
    """Write the tallies of the match whole; the days whose sums that moves."""
    was = Tally.objects.filter(match=match)
    days = set(was.order_by().values_list("played_on", flat=True))
    if days:
        was.delete()
    now = Tally.objects.bulk_create(tallies(match, sheet))
    return days | {one.played_on for one in now}


def check(match: Match, sheet: Sheet) -> Iterator[str]:
    """Whether the stored tallies are those that the match comes to; for the audit."""
    stored = {one.player_id: _said(one) for one in Tally.objects.filter(match=match)}
    right = {one.player_id: _said(one) for one in tallies(match, sheet)}
    for player in sorted(stored.keys() | right.keys()):
        if stored.get(player) != right.get(player):
            was, now = stored.get(player, {}), right.get(player, {})
            names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
            yield f"the tally of player {player} differs from its rows in {', '.join(names)}"


def _said(tally: Tally) -> dict[str, Any]:
    names = ("club_id", "opponent_id", "played_on", *SUMMED, *MOST)
    return {name: getattr(tally, name) for name in names}
