"""What else could have been laid, and what a count that was said overlooks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.alternatives import (
    forgotten,
    no_meld_words,
    other_knocks,
    other_words,
    said_other,
    said_own,
    shape_words,
    slip_words,
    slips,
    worth,
)
from ginledger.gin.cards import iterate, parse_card, parse_cards
from ginledger.gin.errors import GinError
from ginledger.gin.melds import RUNS, SETS, layouts
from ginledger.gin.ruleset import RuleSet
from ginledger.gin.ruling import Ruling, rule_cards

RULES = RuleSet()
NAMES = ("Ann", "Ben")
B04 = ("5H 6H 7H QC QD QS 2C 2D 2S 9S", "3H 4H 8H QH JC JD JS AC AD 5C")
B04_GIN = ("4C 5C 6C 7C 9D 9H 9S KC KD KH", "8C 9C KS 3C AD 2D 4H 6S JS JH")
B11 = ("TD TC TH JS QS KS 2C 2D 2H 4D", "TS 9S 3C 3D 3H 5C 6C 7C KD KH")
B15 = ("5H 6H 7H QC QD QS 2C 2D 2S 9S", "8C 8H 8S 6S 7S 9H 3D 4D 5D AC")
B29 = ("8C 9C TC 8H 9H TH 8S 9S TS JD", "2C 5C QC AD 3D 8D 9D 5H 4S 5S")
PICTURE = ("7S 7H 7C JS QS KS 2D 3D 4D 6C", "8H 8D 8C 9S TS 5D KH AH 2C 9H")


@st.composite
def pairs(draw: st.DrawFn) -> tuple[int, int]:
    """Two hands of ten that share ranks and suits, the first mostly melded."""
    knocker = 0
    for meld in draw(st.lists(st.sampled_from(SETS + RUNS), min_size=2, max_size=3)):
        knocker |= meld
    pack = draw(st.permutations(range(52)))
    kept = iterate(knocker)[:10]
    kept += tuple(card for card in pack if card not in kept)[: 10 - len(kept)]
    others = [card for card in pack if card not in kept][:10]
    return sum(1 << card for card in kept), sum(1 << card for card in others)


def masks(pair: tuple[str, str]) -> tuple[int, int]:
    return parse_cards(pair[0]), parse_cards(pair[1])


def ruled(pair: tuple[str, str], *melds: str, **more: int) -> Ruling:
    stated = [parse_cards(meld) for meld in melds] or None
    return rule_cards(RULES, *masks(pair), melds=stated, names=NAMES, **more)


def test_b29_sets_and_runs_are_both_told_with_their_worth() -> None:
    runs, sets = other_knocks(RULES, *masks(B29), names=NAMES)
    assert (worth(runs), worth(sets)) == (27, 10)
    stated = ruled(B29, "8C 8H 8S", "9C 9H 9S", "TC TH TS")
    assert other_words(runs, stated, NAMES) == (
        "Three runs instead of three sets: no lay-off, Ann +27 instead of +10."
    )
    assert other_words(sets, ruled(B29), NAMES) == (
        "Three sets instead of three runs: 8♦ and 9♦ laid off, Ann +10 instead of +27."
    )
    assert other_words(sets, None, NAMES) == "Three sets: 8♦ and 9♦ laid off, Ann +10."


def test_another_winner_is_named_in_full() -> None:
    ours = ruled(B11)
    theirs = ruled(B04)
    assert other_words(ours, theirs, NAMES).endswith("Ann +16 instead of Ben +27.")


def test_a_layout_over_the_limit_is_not_among_them() -> None:
    found = other_knocks(RULES.replace(knock_limit=5), *masks(B29), names=NAMES)
    assert found == ()
    assert all((ruling.own or 0) <= 10 for ruling in other_knocks(RULES, *masks(B29), names=NAMES))


def test_an_upcard_that_is_not_known_leaves_only_gin() -> None:
    oklahoma = RULES.replace(oklahoma=True)
    assert other_knocks(oklahoma, *masks(B29), names=NAMES) == ()
    assert [one.kind for one in other_knocks(oklahoma, *masks(B04_GIN))] == ["gin"]


def test_eleven_cards_are_laid_whole_or_not_at_all() -> None:
    eleven = parse_cards("3C 4C 5C 6C 8D 8H 8S JC JD JH JS")
    defender = parse_cards("KC KD KH KS AH AD 2H AS 2D 2S")
    (big,) = other_knocks(RULES, eleven, defender, names=NAMES)
    assert (big.kind, big.points) == ("big_gin", 31)
    loose = parse_cards("3C 4C 5C 8D 8H 8S JD JH JS 9C AC")
    assert other_knocks(RULES, loose, defender, names=NAMES) == ()


@given(pairs())
def test_the_best_of_them_is_what_is_ruled_and_each_is_a_ruling(pair: tuple[int, int]) -> None:
    knocker, defender = pair
    found = other_knocks(RULES, knocker, defender)
    try:
        ruling = rule_cards(RULES, knocker, defender)
    except GinError:
        assert found == ()
        return
    full = {layout.melds for layout in layouts(knocker, 10)}
    told = {one.layout.melds for one in found if one.layout}
    assert full <= told
    if ruling.own:
        differences = [(one.other or 0) - (one.own or 0) for one in found if one.own]
        assert (ruling.other or 0) - ruling.own == max(differences)
    for one in found:
        assert one.layout is not None
        assert one == rule_cards(RULES, knocker, defender, melds=one.layout.melds)
    assert [worth(one) for one in found] == sorted((worth(one) for one in found), reverse=True)


@pytest.mark.parametrize(
    ("pair", "said", "words"),
    [
        (PICTURE, 27, "You said 27 for Ben: with the 5♦ laid off it is 22."),
        (PICTURE, 22, ""),
        (
            PICTURE,
            21,
            "You said 21 for Ben: no way of laying and laying off leaves less than 22.",
        ),
        (B04, 10, "You said 10 for Ben: with the 3♥ laid off it is 7."),
        (B11, 29, "You said 29 for Ben: with the 9♠ laid off it is 20."),
        (
            B15,
            23,
            "You said 23 for Ben: with 3♦ 4♦ 5♦, 6♠ 7♠ 8♠ laid and 8♥ and 9♥ laid off it is 9.",
        ),
        (B04_GIN, 36, "You said 36 for Ben: nothing is laid off on gin, it is 63."),
        (B04_GIN, 70, "You said 70 for Ben: with no meld it is 63."),
    ],
)
def test_a_count_that_was_said_is_put_right(pair: tuple[str, str], said: int, words: str) -> None:
    assert said_other(ruled(pair), said, "Ben") == words


def test_the_knockers_own_count_is_put_right() -> None:
    assert said_own(ruled(PICTURE), 7, "Ann") == "You said 7 for Ann: the 6♣ leaves 6."
    assert said_own(ruled(PICTURE), 6, "Ann") == ""
    assert said_own(ruled(B04_GIN), 2, "Ann").endswith(
        "the cards as laid leave nothing, it is gin."
    )


def test_a_forgotten_card_is_not_one_that_another_rests_on() -> None:
    """The 9♠ rests on the 10♠: who laid off only one of them forgot the 9♠."""
    ruling = ruled(B11)
    assert ruling.layout is not None and ruling.reply is not None
    melds = ruling.layout.melds
    assert forgotten(melds, ruling.reply, 20 + 9) == (parse_card("9S"),)
    assert forgotten(melds, ruling.reply, 20 + 10) is None
    assert forgotten(melds, ruling.reply, 20 + 19) == (parse_card("TS"), parse_card("9S"))


def test_slips_are_worse_than_the_best_reply_and_told() -> None:
    ruling = ruled(PICTURE)
    assert ruling.layout is not None and ruling.reply is not None
    (slip,) = slips(ruling.layout.melds, masks(PICTURE)[1], ruling.reply)
    assert slip_words(slip, "Ben", ruling.reply) == (
        "Ben with nothing laid off would have 46, not 22."
    )


def test_own_melds_first_is_a_slip_of_its_own() -> None:
    """8♣ 8♥ 8♠ kept, the 9♥ cannot follow; the Q♥ goes off either way."""
    knocker = "5H 6H 7H QC QD QS 2C 2D 2S 9S"
    defender = "8C 8H 8S 6S 7S 9H 3D QH 5D AC"
    ruling = ruled((knocker, defender))
    assert ruling.layout is not None and ruling.reply is not None
    assert ruling.reply.deadwood == 17
    found = slips(ruling.layout.melds, parse_cards(defender), ruling.reply)
    words = [slip_words(slip, "Ben", ruling.reply) for slip in found]
    assert words == [
        "Ben with nothing laid off would have 41, not 17.",
        "Ben with 8♣ 8♥ 8♠ laid and the Q♥ laid off would have 31, not 17.",
    ]


@given(pairs())
def test_no_slip_is_as_good_as_the_best_reply(pair: tuple[int, int]) -> None:
    try:
        ruling = rule_cards(RULES, *pair)
    except GinError:
        return
    assert ruling.layout is not None and ruling.reply is not None
    melds = ruling.layout.melds if ruling.own else ()
    for slip in slips(melds, pair[1], ruling.reply):
        assert slip.left > ruling.reply.deadwood


@given(pairs(), st.integers(0, 100))
def test_only_the_right_count_is_not_put_right(pair: tuple[int, int], said: int) -> None:
    try:
        ruling = rule_cards(RULES, *pair)
    except GinError:
        return
    assert (said_other(ruling, said, "Ben") == "") == (said == ruling.other)
    assert (said_own(ruling, said, "Ann") == "") == (said == ruling.own)


def test_shapes_in_words() -> None:
    assert shape_words(layouts(parse_cards("8C 9C TC 8H 9H TH 8S 9S TS JD"))[0]) in (
        "three runs",
        "three sets",
    )
    assert shape_words(layouts(parse_cards("AC 3D 5H 7S"))[0]) == "no meld"
    assert shape_words(layouts(parse_cards("AC AD AH 5H 6H 7H 9S"))[0]) == "a set and a run"


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9C JC", "9♣ J♣ is no run: the 10♣ is missing."),
        ("9C TC QC KC", "9♣ 10♣ Q♣ K♣ is no run: the J♣ is missing."),
        ("2C 5C", "2♣ 5♣ is no run: 3♣ and 4♣ are missing."),
        ("9C TC", "9♣ 10♣ is no meld: a meld has three cards or more."),
        ("8C 8D", "8♣ 8♦ is no meld: a meld has three cards or more."),
        ("8C 8D 9H", "8♣ 8♦ 9♥ is no meld: neither of one rank nor a sequence in one suit."),
        ("", "Nothing is no meld: a meld has three cards or more."),
    ],
)
def test_b127_why_cards_are_no_meld(cards: str, words: str) -> None:
    assert no_meld_words(parse_cards(cards)) == words
