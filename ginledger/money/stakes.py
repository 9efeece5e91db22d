"""Changing what a match is for until a hand is entered, and ticking off what is no money."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules
from ginledger.matches.book import load_terms
from ginledger.matches.errors import StaleMatch, WrongState
from ginledger.matches.models import Match
from ginledger.matches.querysets import find_match
from ginledger.matches.record import next_version
from ginledger.matches.stake import Stake, keep_currency, read_stake, verify_stake


def change_stake(*, user: Asker, match_key: str, stake: Stake, version: int) -> Match:
    """Have the match be for something else, or for nothing (an empty stake).

    Raises StaleMatch, WrongState ("stake-frozen") from the first hand on, which stays so when
    that hand is voided, and the problems of ``verify_stake`` and ``keep_currency``.
    """
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        if frozen(match):
            raise WrongState("The stake stands as it was at the first hand.", "stake-frozen")
        if match.version != version:
            raise StaleMatch
        terms = load_terms(match)
        numbers = [seat.number for seat in terms.seats]
        sides = [
            [numbers[seat] for seat in terms.table.seats(side)]
            for side in range(len(terms.table.sides))
        ]
        verify_stake(stake, sides, terms.rules.play)
        keep_currency(match.club, user, stake)
        next_version(match)
        match.stake = stake.to_json() or None
        match.save(update_fields=["stake"])
        return match


def frozen(match: Match) -> bool:
    """Whether a hand was entered: the terms stand from then on."""
    return match.rows.exists()


def tick_stake(*, user: Asker, match_key: str, done: bool) -> Match:
    """Note that a stake in words was made good, or that it was not after all.

    Raises AgainstRules ("stake-of-money") where the match has no such stake, and ("not-over").
    """
    with transaction.atomic():
        match = find_match(user, match_key, write=True, lock=True)
        stake = read_stake(match.stake)
        if stake is None or not stake.words:
            raise AgainstRules("stake-of-money", "There is nothing to tick off.")
        if done and not match.over:
            raise AgainstRules("not-over", "The match is not over yet.")
        match.stake_done_at = (match.stake_done_at or timezone.now()) if done else None
        match.save(update_fields=["stake_done_at"])
        return match
