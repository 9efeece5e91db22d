"""A demo season: a club of four whose matches were really dealt and played, card by card.

The plan of the season (who, how many, by which rules, from when, for what) is
seeds/demo/season.json; the hands come of ``gin.selfplay`` with a seed, so that the same seed
makes the same season.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from django.db import transaction

from ginledger.clubs.club_services import ClubTerms, create_club
from ginledger.clubs.models import Club, Membership, Role, User
from ginledger.gin.alternatives import slips
from ginledger.gin.hands import AnyHand, CardsHand, CountsHand, DeadHand, Table
from ginledger.gin.melds import best_layout
from ginledger.gin.ruleset import RuleSet, preset
from ginledger.gin.ruling import rule_cards
from ginledger.gin.selfplay import Dealt, Style, play_hand
from ginledger.gin.sheet import Match as GinMatch
from ginledger.gin.sheet import Sheet, score
from ginledger.matches import posters, services
from ginledger.matches.models import Match
from ginledger.matches.stake import Stake
from ginledger.money.balances import owing_of
from ginledger.money.ledger import Deal, record_payment

PLAN = Path(__file__).resolve().parents[2] / "seeds" / "demo" / "season.json"
MOST_HANDS = 200
CARDS = 10
# How many of the matches had a hand noted wrongly at first; of the hands by cards with something
# to lay off, how often a count was said too early, and how often that was let stand.
MISTAKES = 0.15
OVERSEEN = 0.4
LET_STAND = 0.35


@dataclass(frozen=True, slots=True)
class Plan:
    """What the season is to be: see the JSON file."""

    club: str
    currency: str
    rate: int
    begins: date
    days: int
    styles: dict[str, Style]
    rules: tuple[tuple[str, int], ...]
    spreads: float
    seed: int


@cache
def read_plan() -> Plan:
    """The plan as it lies in seeds/demo."""
    raw: dict[str, Any] = json.loads(PLAN.read_text(encoding="utf-8"))
    return Plan(
        club=raw["club"],
        currency=raw["currency"],
        rate=raw["rate"],
        begins=date.fromisoformat(raw["begins"]),
        days=raw["days"],
        styles={name: Style(**style) for name, style in raw["players"].items()},
        rules=tuple((one["rules"], one["matches"]) for one in raw["matches"]),
        spreads=raw["spreads"],
        seed=raw["seed"],
    )


def make_demo(*, user: User, seed: int | None = None) -> Club:
    """A club of the user's with the whole season in it, made in one transaction.

    Who owns one already gets that one, however often he asks. seed: another one makes another
    season of the same plan.
    """
    plan = read_plan()
    random = Random(plan.seed if seed is None else seed)  # noqa: S311 (cards, not secrets)
    terms = ClubTerms(name=plan.club, currency=plan.currency)
    with transaction.atomic():
        User.objects.select_for_update().filter(pk=user.pk).first()
        mine = Membership.objects.filter(user=user, role=Role.OWNER, club__name=plan.club)
        if (membership := mine.select_related("club").first()) is not None:
            return membership.club
        club = create_club(user=user, terms=terms)
        days = sorted(random.randrange(plan.days) for _ in _rules_of(plan))
        rules = _rules_of(plan)
        random.shuffle(rules)
        with posters.together():
            for day, slug in zip(days, rules, strict=True):
                _play_match(user, club, plan, slug, plan.begins + timedelta(days=day), random)
        _pay_some(user, club, plan)
    return club


def _rules_of(plan: Plan) -> list[str]:
    return [slug for slug, count in plan.rules for _ in range(count)]


def _play_match(user: User, club: Club, plan: Plan, slug: str, day: date, random: Random) -> Match:
    """One match of two (or three) of the club, entered as they would have."""
    chosen = preset(slug)
    seats = 3 if chosen.rules.play == "three" else 2
    names = random.sample(sorted(plan.styles), seats)
    first = random.randrange(seats)
    match = services.start_match(
        user=user,
        names=names,
        rules=chosen.rules,
        rules_name=_named(chosen.name, chosen.rules),
        first_dealer=first,
        once_key="",
        played_on=day,
        club_key=club.key,
        stake=Stake(currency=plan.currency, rate=plan.rate),
    )
    styles = [plan.styles[name] for name in names]
    hands = _hands(GinMatch(chosen.rules, Table(_sides(names)), first), styles, plan, random)
    version = match.version
    if random.random() < MISTAKES:
        version = _first_hand_put_right(user, match, hands)
        hands = hands[1:]
    if hands:
        services.enter_rows(
            user=user, match_key=match.key, hands=hands, once_key="", version=version
        )
    return match


def _sides(names: list[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((name,) for name in names)


def _named(name: str, rules: RuleSet) -> str:
    return f"{name} {rules.target}" if rules.target else name


def _hands(match: GinMatch, styles: list[Style], plan: Plan, random: Random) -> list[AnyHand]:
    """Deal and play until the match is over."""
    sheet = score(match)
    hands: list[AnyHand] = []
    while not sheet.over and len(hands) < MOST_HANDS:
        hands.append(_one_hand(sheet, styles, plan, random))
        sheet = score(replace(match, hands=tuple(hands)))
    return hands


def _one_hand(sheet: Sheet, styles: list[Style], plan: Plan, random: Random) -> AnyHand:
    rules, pair = sheet.match.rules, sheet.next_players
    dealer = pair.index(sheet.next_dealers[0])
    dealt = play_hand(rules, (styles[pair[0]], styles[pair[1]]), dealer, random)
    upcard = dealt.upcard if rules.needs_upcard else None
    if dealt.knocker is None:
        return DeadHand(upcard=upcard)
    by_cards = random.random() < plan.spreads
    return _entered(rules, dealt, pair, upcard, random if by_cards else None)


def _entered(
    rules: RuleSet, dealt: Dealt, pair: tuple[int, ...], upcard: int | None, random: Random | None
) -> CardsHand | CountsHand:
    """The hand as it was noted: both spreads (of how they lay the random tells), or two counts."""
    assert dealt.knocker is not None
    knocker, opponent = pair[dealt.knocker], pair[1 - dealt.knocker]
    spreads = dealt.hands[dealt.knocker], dealt.hands[1 - dealt.knocker]
    if random is not None:
        hand = CardsHand(
            knocker=knocker,
            opponent=opponent,
            knocker_cards=spreads[0],
            opponent_cards=spreads[1],
            upcard=upcard,
        )
        return hand if spreads[0].bit_count() > CARDS else _as_laid(rules, hand, random)
    ruling = rule_cards(rules, *spreads, upcard=upcard)
    assert ruling.other is not None
    kind = ruling.kind if ruling.kind in ("gin", "big_gin") else "knock"
    return CountsHand(
        kind=kind,
        knocker=knocker,
        opponent=opponent,
        own=ruling.own if kind == "knock" else None,
        other=ruling.other,
        upcard=upcard,
    )


def _as_laid(rules: RuleSet, hand: CardsHand, random: Random) -> CardsHand:
    """The spreads as people lay them: the knocker his least deadwood, whatever can be laid off on
    it; and now and then the other counts before he has seen every lay-off."""
    hand = replace(hand, melds=best_layout(hand.knocker_cards).melds)
    assert hand.melds is not None
    ruling = rule_cards(
        rules, hand.knocker_cards, hand.opponent_cards, melds=hand.melds, upcard=hand.upcard
    )
    assert ruling.reply is not None
    if not ruling.own or random.random() >= OVERSEEN:
        return hand
    overseen = slips(hand.melds, hand.opponent_cards, ruling.reply)
    if not overseen:
        return hand
    stands = "claim" if random.random() < LET_STAND else "cards"
    return replace(hand, claim_own=ruling.own, claim_other=overseen[-1].left, stands=stands)


def _first_hand_put_right(user: User, match: Match, hands: list[AnyHand]) -> int:
    """Enter the first hand with a wrong count, then amend it; the version it leaves."""
    hand = hands[0]
    wrong = replace(hand, other=hand.other + 1) if isinstance(hand, CountsHand) else DeadHand()
    written = services.enter_row(
        user=user, match_key=match.key, hand=wrong, once_key="", version=match.version
    )
    assert written.row_key is not None
    return services.amend_row(
        user=user,
        row_key=written.row_key,
        hand=hand,
        version=written.version,
        why="counted again",
    ).version


def _pay_some(user: User, club: Club, plan: Plan) -> None:
    """The first half of the payments that would even the club, so that some is left to settle."""
    owing = owing_of(club, plan.currency)
    players = {player.pk: player for player in club.players.order_by("pk")}
    payments = owing.plan()
    for payment in payments[: len(payments) // 2]:
        deal = Deal(
            debtor=players[payment.payer].key,
            creditor=players[payment.payee].key,
            amount=payment.amount,
            currency=plan.currency,
            on=plan.begins + timedelta(days=plan.days),
            note="half-time",
        )
        record_payment(user=user, club_key=club.key, deal=deal, once_key="", over_ok=True)
