"""One hand ruled: by counts, by both spreads, or by the points on the paper.

| rule (docs/rules.md) | where | proved by (tests/gin/test_ruling.py) |
|---|---|---|
| knock limit, straight gin, Oklahoma and its ace | ``knock_limit`` | test_limit_* |
| knock, gin, big gin, undercut, equal counts | ``_outcome`` | test_outcome_* |
| spades double points and boxes | ``multiplier``, ``_boxes`` | test_spade_* |
| big gin where it is not played is gin | ``played_kind`` | test_big_gin_* |
| what a hand's points can be at all | ``_points_problem`` | test_points_* |
| the stated layout counts | ``rule_cards`` | test_layout_*, spreads.json |

The knocker is side 0 of a ruling, the defender side 1. Errors name the roles in their fields
("deadwood.knocker", "cards.defender") and the players in their sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ginledger.gin.cards import SUITS, card_symbol, card_text, cards_text, iterate, points
from ginledger.gin.errors import AgainstRules, Ambiguous, GinError, Unreadable, raise_all
from ginledger.gin.layoffs import Reply, best_knock, best_reply
from ginledger.gin.melds import Layout, best_discard, best_layout, is_meld, least_deadwood
from ginledger.gin.ruleset import RuleSet

KNOCKER, DEFENDER = 0, 1
SPADES = SUITS.index("S")
MOST_DEADWOOD = 100
ROLES = ("Knocker", "Defender")
KIND_WORDS = {
    "knock": "knock",
    "gin": "gin",
    "big_gin": "big gin",
    "undercut": "undercut",
    "tie": "level",
    "dead": "dead hand",
}


class Part(NamedTuple):
    """One line of how a hand's points add up: what it is, and its points."""

    label: str
    points: int


class Ruling(NamedTuple):
    """What a hand is worth, and why.

    kind: knock, gin, big_gin, undercut or tie; winner: KNOCKER, DEFENDER or None; points and
    boxes: what the winner enters; own, other: the two counts in points, None where the hand is
    known by its points alone; limit: the knock limit of the hand; doubled: a spade upcard
    counted; layout and reply: the cards as laid out, where cards were ruled.
    """

    kind: str
    winner: int | None
    points: int
    boxes: int
    own: int | None
    other: int | None
    limit: int
    doubled: bool
    parts: tuple[Part, ...]
    layout: Layout | None = None
    reply: Reply | None = None

    def reasons(self, names: tuple[str, str] = ROLES) -> tuple[str, ...]:
        """The ruling in a few sentences, names being (knocker, defender)."""
        return tuple(_reasons(self, names))


def knock_limit(rules: RuleSet, upcard: int | None = None) -> int:
    """The most deadwood a knock may have in this hand, in points; 0: only gin ends it.

    An Oklahoma hand whose upcard is not known has the limit of the rule set.
    """
    if not rules.oklahoma or upcard is None:
        return rules.knock_limit
    value = points(1 << upcard)
    if value == 1 and rules.oklahoma_ace == "gin-only":
        return 0
    return min(rules.knock_limit, value)


def multiplier(rules: RuleSet, upcard: int | None) -> int:
    """2 when a spade upcard doubles the hand's points, else 1."""
    return 2 if rules.spade_doubles and upcard is not None and upcard // 13 == SPADES else 1


def played_kind(rules: RuleSet, kind: str) -> str:
    """Big gin is gin where the rule set does not play it."""
    return "gin" if kind == "big_gin" and rules.big_gin_bonus is None else kind


def own_boxes(rules: RuleSet, doubled: bool) -> int:
    """The box of a hand won: one, or two where a spade doubles it."""
    return 2 if doubled and rules.spade_doubles_box else 1


def extra_boxes(rules: RuleSet, kind: str, doubled: bool) -> int:
    """The boxes on top of the hand's own for this kind of hand."""
    extra = rules.extra_boxes.of(kind)
    return extra * 2 if doubled and rules.spade_doubles_extra_boxes else extra


def _boxes(rules: RuleSet, kind: str, doubled: bool) -> int:
    return own_boxes(rules, doubled) + extra_boxes(rules, kind, doubled)


def _outcome(rules: RuleSet, kind: str, own: int, other: int) -> tuple[str, int | None, int]:
    """Kind, winner and bonus of a hand with these counts, before any doubling."""
    if kind == "gin":
        return "gin", KNOCKER, rules.gin_bonus
    if kind == "big_gin":
        return "big_gin", KNOCKER, rules.big_gin_bonus or 0
    if other > own:
        return "knock", KNOCKER, rules.knock_bonus
    if other < own or rules.tie == "undercut":
        return "undercut", DEFENDER, rules.undercut_bonus
    if rules.tie == "undercut-no-bonus":
        return "undercut", DEFENDER, 0
    return "tie", None, 0


_BONUS_WORDS = {
    "knock": "for the knock",
    "gin": "for gin",
    "big_gin": "for big gin",
    "undercut": "for the undercut",
}


def _settle(
    rules: RuleSet,
    kind: str,
    counts: tuple[int, int],
    upcard: int | None,
    layout: Layout | None = None,
    reply: Reply | None = None,
) -> Ruling:
    """The ruling of a hand that is known to be possible; counts are (own, other)."""
    own, other = counts
    limit = knock_limit(rules, upcard)
    kind, winner, bonus = _outcome(rules, kind, own, other)
    if winner is None:
        return Ruling(kind, None, 0, 0, own, other, limit, False, (), layout, reply)
    difference = other - own if winner == KNOCKER else own - other
    doubled = multiplier(rules, upcard) == 2
    parts = [Part("difference", difference)]
    if bonus:
        parts.append(Part(_BONUS_WORDS[kind], bonus))
    total = difference + bonus
    if doubled:
        parts.append(Part("doubled by the spade", total))
        total *= 2
    boxes = _boxes(rules, kind, doubled)
    return Ruling(
        kind, winner, total, boxes, own, other, limit, doubled, tuple(parts), layout, reply
    )


def _reasons(ruling: Ruling, names: tuple[str, str]) -> list[str]:
    knocker, defender = names
    own, other = ruling.own, ruling.other
    said: list[str] = []
    if own is None or other is None:
        said.append(f"{ruling.points} points as written on the paper.")
    elif ruling.kind in ("gin", "big_gin"):
        said.append(f"{knocker} has {KIND_WORDS[ruling.kind]}, {defender} is left with {other}.")
    elif ruling.kind == "tie":
        said.append(f"{knocker} knocks with {own} and {defender} has {other} too: nobody scores.")
    elif ruling.winner == KNOCKER:
        said.append(f"{knocker} knocks with {own}, {defender} has {other}.")
    else:
        said.append(f"{knocker} knocks with {own}, {defender} has only {other}: an undercut.")
        if own == other:
            said[-1] = f"{knocker} knocks with {own} and {defender} has {other} too: an undercut."
    if own is not None and other is not None and ruling.winner is not None:
        more, less = max(own, other), min(own, other)
        sum_of = [f"{more} − {less}" if less else str(more)]
        sum_of += [f"{part.points} {part.label}" for part in ruling.parts[1:]]
        said.append(f"{names[ruling.winner]} scores {' + '.join(sum_of)} = {ruling.points}.")
    if ruling.boxes > 1:
        said.append(f"{ruling.boxes} boxes.")
    return said


def _count_problem(value: object, role: str, name: str) -> GinError | None:
    where = f"deadwood.{role}"
    if type(value) is not int:
        return Unreadable("deadwood-unreadable", f"{name}'s deadwood is a whole number.", where)
    if not 0 <= value <= MOST_DEADWOOD:
        return AgainstRules(
            "deadwood-impossible",
            f"{name}'s deadwood is from 0 to {MOST_DEADWOOD}: ten cards hold no more "
            f"(you said {value}).",
            where,
        )
    return None


def _limit_problem(
    rules: RuleSet, own: int, upcard: int | None, names: tuple[str, str], where: str
) -> GinError | None:
    """Why a knock with this count is not allowed, or None."""
    limit = knock_limit(rules, upcard)
    if rules.knock_limit == 0:
        return AgainstRules("knock-in-straight", "Straight gin: only gin ends a hand.", where)
    if rules.oklahoma and upcard is None:
        return AgainstRules(
            "upcard-missing",
            "Oklahoma: the upcard sets the knock limit; say which it was.",
            "upcard",
        )
    shown = card_symbol(upcard) if upcard is not None else ""
    if limit == 0:
        return AgainstRules(
            "knock-on-ace", f"The upcard was {shown}: only gin ends this hand.", where
        )
    if own > limit:
        because = f" (the upcard was {shown})" if rules.oklahoma else ""
        return AgainstRules(
            "knock-over-limit",
            f"{names[0]} cannot knock with {own}: the limit is {limit}{because}.",
            where,
        )
    return None


def rule_counts(
    rules: RuleSet,
    *,
    kind: str,
    own: int | None,
    other: int,
    upcard: int | None = None,
    names: tuple[str, str] = ROLES,
) -> Ruling:
    """Rule a hand from its counts.

    kind: knock, gin or big_gin; own: the knocker's deadwood in points (None or 0 with gin);
    other: the defender's after lay-offs; upcard: a card or None.
    Raises a GinError, or Problems with everything that is wrong.
    """
    if kind not in ("knock", "gin", "big_gin"):
        raise Unreadable(
            "kind-unknown", "A hand by counts is a knock, gin or big gin; "
            "an undercut is a knock, it is worked out.", "kind"
        )  # fmt: skip
    problems = [_count_problem(other, "defender", names[1])]
    if own is not None or kind == "knock":
        problems.append(_count_problem(own, "knocker", names[0]))
    raise_all(one for one in problems if one)
    if kind != "knock":
        if own:
            raise AgainstRules(
                "gin-with-deadwood",
                f"{KIND_WORDS[kind].capitalize()} leaves no deadwood; {names[0]} has {own}: "
                "that is a knock.",
                "deadwood.knocker",
            )
        return _settle(rules, played_kind(rules, kind), (0, other), upcard)
    assert own is not None
    if own == 0:
        raise AgainstRules(
            "knock-without-deadwood",
            f"{names[0]} has no deadwood: that is gin.",
            "deadwood.knocker",
        )
    problem = _limit_problem(rules, own, upcard, names, "deadwood.knocker")
    if problem:
        raise problem
    return _settle(rules, "knock", (own, other), upcard)


def rule_points(
    rules: RuleSet, *, kind: str, points: int, upcard: int | None = None, keep: bool = False
) -> Ruling:
    """Rule a hand whose points stand on the paper, bonuses and doubling included.

    kind: knock, gin, big_gin or undercut; the winner of a knock or gin is the knocker, of an
    undercut the defender. Raises a GinError when no hand of that kind can be worth the points;
    with ``keep`` they stand nevertheless: they were written by other rules.
    """
    if kind not in _BONUS_WORDS:
        raise Unreadable(
            "kind-unknown", "A hand is won by a knock, gin, big gin or an undercut.", "kind"
        )
    kind = played_kind(rules, kind)
    problem = _points_problem(rules, kind, points, upcard)
    if problem and not (keep and problem.code == "points-impossible"):
        raise problem
    doubled = multiplier(rules, upcard) == 2
    winner = DEFENDER if kind == "undercut" else KNOCKER
    return Ruling(
        kind,
        winner,
        points,
        _boxes(rules, kind, doubled),
        None,
        None,
        knock_limit(rules, upcard),
        doubled,
        (),
    )


def points_range(rules: RuleSet, kind: str) -> tuple[int, int]:
    """The least and the most points a hand of this kind can be worth before doubling.

    A knock may stand on the paper without the knock bonus, which many tables add up apart.
    """
    limit = rules.knock_limit
    if kind == "knock":
        return 1, rules.knock_bonus + MOST_DEADWOOD
    if kind == "undercut":
        least = 0 if rules.tie == "undercut-no-bonus" else rules.undercut_bonus
        if rules.tie == "no-score":
            least += 1
        return least, rules.undercut_bonus + limit
    bonus = (rules.big_gin_bonus or 0) if kind == "big_gin" else rules.gin_bonus
    return bonus, bonus + MOST_DEADWOOD


def _points_problem(
    rules: RuleSet, kind: str, points: object, upcard: int | None
) -> GinError | None:
    if type(points) is not int:
        return Unreadable("points-unreadable", "points is a whole number.", "points")
    if kind in ("knock", "undercut") and knock_limit(rules, upcard) == 0:
        return AgainstRules("knock-in-straight", "Only gin ends this hand.", "kind")
    least, most = points_range(rules, kind)
    plain = least <= points <= most
    if kind == "undercut" and rules.tie == "undercut-no-bonus":
        plain = points == 0 or rules.undercut_bonus < points <= most
    doubles = points % 2 == 0 and least <= points // 2 <= most
    if multiplier(rules, upcard) == 2:
        fits, least, most = doubles, 2 * least, 2 * most
    elif rules.spade_doubles and upcard is None:
        fits, most = plain or doubles, 2 * most
    else:
        fits = plain
    if fits:
        return None
    word = KIND_WORDS[kind]
    return AgainstRules(
        "points-impossible",
        f"{word.capitalize()} is worth from {least} to {most} points here, bonuses included, "
        f"not {points}.",
        "points",
    )


def rule_cards(
    rules: RuleSet,
    knocker: int,
    defender: int,
    *,
    melds: Sequence[int] | None = None,
    upcard: int | None = None,
    names: tuple[str, str] = ROLES,
) -> Ruling:
    """Rule a hand from both spreads, 52-bit card masks.

    The knocker has ten cards, or eleven for big gin; melds is his layout as he stated it, None
    for the one that leaves him the largest difference after the defender's best reply.
    Raises a GinError, or Problems with everything that is wrong.
    """
    held = knocker.bit_count()
    if held not in (10, 11) or defender.bit_count() != 10 or knocker & defender:
        raise_all(_card_problems(knocker, defender, names))
    if melds is not None:
        raise_all(_meld_problems(melds, knocker, names[0]))
    if held == 11:
        return _rule_eleven(rules, knocker, defender, melds, upcard, names)
    limit = knock_limit(rules, upcard)
    if melds is None:
        found = best_knock(knocker, defender, limit)
        if found is None:
            raise _cannot_knock(rules, least_deadwood(knocker), upcard, names)
        layout, reply = found
        own = layout.deadwood
    else:
        loose = knocker & ~sum(melds)
        own = points(loose)
        layout = Layout(tuple(melds), loose, own)
        if own > limit:
            raise _cannot_knock(rules, own, upcard, names)
        reply = best_reply(melds, defender) if own else _no_layoffs(defender)
    if own and rules.oklahoma and upcard is None:
        raise _cannot_knock(rules, own, upcard, names)
    return _settle(rules, "knock" if own else "gin", (own, reply.deadwood), upcard, layout, reply)


def _no_layoffs(defender: int) -> Reply:
    """The defender's spread against gin, on which nothing may be laid off."""
    own = best_layout(defender)
    return Reply(own.deadwood, own.melds, (), own.loose)


def _cannot_knock(rules: RuleSet, own: int, upcard: int | None, names: tuple[str, str]) -> GinError:
    problem = _limit_problem(rules, own, upcard, names, "cards.knocker")
    assert problem is not None
    return problem


def _rule_eleven(
    rules: RuleSet,
    knocker: int,
    defender: int,
    melds: Sequence[int] | None,
    upcard: int | None,
    names: tuple[str, str],
) -> Ruling:
    """Eleven cards are big gin, or one of them is still to be thrown."""
    layout = best_layout(knocker)
    if melds is not None:
        loose = knocker & ~sum(melds)
        layout = Layout(tuple(melds), loose, points(loose))
    if layout.loose:
        card, left = best_discard(knocker)
        raise Ambiguous(
            "eleven-cards",
            f"{names[0]} has eleven cards that are not all melded: throw {card_symbol(card)} "
            f"and {left} is left.",
            "cards.knocker",
        )
    reply = _no_layoffs(defender)
    return _settle(rules, played_kind(rules, "big_gin"), (0, reply.deadwood), upcard, layout, reply)


def _card_problems(knocker: int, defender: int, names: tuple[str, str]) -> list[GinError]:
    problems: list[GinError] = []
    if knocker.bit_count() not in (10, 11):
        problems.append(
            AgainstRules(
                "card-count",
                f"{names[0]} has {knocker.bit_count()} cards: ten, or eleven for big gin.",
                "cards.knocker",
            )
        )
    if defender.bit_count() != 10:
        problems.append(
            AgainstRules(
                "card-count", f"{names[1]} has {defender.bit_count()} cards, not ten.",
                "cards.defender",
            )
        )  # fmt: skip
    problems += [
        AgainstRules("card-in-both", f"{card_symbol(card)} is in both hands.", "cards.defender")
        for card in iterate(knocker & defender)
    ]
    return problems


def _meld_problems(melds: Sequence[int], hand: int, name: str) -> list[GinError]:
    problems: list[GinError] = []
    seen = 0
    for place, meld in enumerate(melds):
        where = f"melds.{place + 1}"
        text = cards_text(meld)
        if meld & ~hand:
            missing = cards_text(meld & ~hand)
            problems.append(
                AgainstRules(
                    "meld-not-held", f"{missing} of {text} is not in {name}'s hand.", where
                )
            )
        elif not is_meld(meld):
            problems.append(
                AgainstRules(
                    "not-a-meld",
                    f"{text or 'Nothing'} is no meld: three or four of a rank, or three or more in "
                    "sequence in one suit.",
                    where,
                )
            )
        if meld & seen:
            twice = cards_text(meld & seen)
            problems.append(AgainstRules("card-in-two-melds", f"{twice} is in two melds.", where))
        seen |= meld
    return problems


def ruling_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling of cards as plain JSON values, as docs/format.md lists them."""
    layout, reply = ruling.layout, ruling.reply
    assert layout is not None and reply is not None
    knocker = layout.loose | sum(layout.melds)
    defender = reply.loose | sum(reply.melds) | sum(1 << one.card for one in reply.layoffs)
    winner = None if ruling.winner is None else ("knocker", "defender")[ruling.winner]
    return {
        "kind": ruling.kind,
        "winner": winner,
        "points": ruling.points,
        "knocker": {
            "deadwood": layout.deadwood,
            "melds": [cards_text(meld) for meld in layout.melds],
            "loose": cards_text(layout.loose),
        },
        "defender": {
            "deadwood": reply.deadwood,
            "melds": [cards_text(meld) for meld in reply.melds],
            "layoffs": [[card_text(one.card), cards_text(one.meld)] for one in reply.layoffs],
            "loose": cards_text(reply.loose),
        },
        "least": {"knocker": least_deadwood(knocker), "defender": least_deadwood(defender)},
    }
