"""Cards: one canonical text, every way people write one, and errors that name the token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginledger.gin.cards import (
    PACK,
    RANKS,
    SUITS,
    card_symbol,
    card_text,
    cards_text,
    iterate,
    parse_card,
    parse_cards,
    points,
)
from ginledger.gin.errors import AgainstRules, GinError, Problems, Unreadable

masks = st.integers(0, PACK)


def test_the_order_is_suit_by_suit_from_the_ace() -> None:
    assert cards_text(PACK).split() == [rank + suit for suit in SUITS for rank in RANKS]


@pytest.mark.parametrize(
    "text", ["TH", "th", "Th", "10H", "10h", "10♥", "T♥", "t♡", "10♥\ufe0f", " TH "]
)
def test_every_way_to_write_the_ten_of_hearts(text: str) -> None:
    card = parse_card(text)
    assert (card, card_text(card), card_symbol(card)) == (13 * 2 + 9, "TH", "10♥")


@given(st.integers(0, 51))
def test_a_card_round_trips_in_both_of_its_texts(card: int) -> None:
    assert parse_card(card_text(card)) == parse_card(card_symbol(card)) == card


@given(masks)
def test_a_mask_round_trips(mask: int) -> None:
    assert parse_cards(cards_text(mask)) == mask
    assert sum(1 << card for card in iterate(mask)) == mask
    assert list(iterate(mask)) == sorted(iterate(mask))


@given(masks, masks)
def test_points_add_up_over_cards(one: int, other: int) -> None:
    assert points(one) + points(other) == points(one | other) + points(one & other)


def test_points_of_a_suit() -> None:
    texts = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    each = [points(parse_cards(text)) for text in texts.split()]
    assert each == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert points(parse_cards(texts)) == 85


@pytest.mark.parametrize("text", ["7S, 7H;10c", "7s\n7h\t10♣", " ,7♠ ;; 7♥ TC, "])
def test_what_may_stand_between_cards(text: str) -> None:
    assert cards_text(parse_cards(text)) == "TC 7H 7S"


def test_no_text_is_no_card() -> None:
    assert parse_cards("") == parse_cards(" , ") == 0


@pytest.mark.parametrize(
    "text", ["", "1H", "11H", "0S", "H", "10", "HT", "TX", "T H", "joker", "١٠H", "<b>"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_card(text)
    assert caught.value.code == "card-unreadable"
    assert f"“{text}”" in caught.value.message


def test_a_long_token_is_cut_in_the_message() -> None:
    with pytest.raises(Unreadable) as caught:
        parse_card("7" * 500)
    assert len(caught.value.message) < 120


def test_b68_a_card_there_twice_is_named_once() -> None:
    with pytest.raises(AgainstRules) as caught:
        parse_cards("5C 6C 5c 5♣ 7C")
    assert caught.value.code == "card-twice"
    assert "5C" in caught.value.message
    assert len(caught.value.problems) == 1


def test_all_problems_of_a_hand_at_once() -> None:
    with pytest.raises(Problems) as caught:
        parse_cards("5C xx 5C 6D 1S 6D")
    assert [problem.code for problem in caught.value.problems] == [
        "card-unreadable",
        "card-twice",
        "card-unreadable",
        "card-twice",
    ]
    for part in ("xx", "5C", "1S", "6D"):
        assert part in caught.value.message


@given(st.text(max_size=12))
def test_any_text_is_cards_or_an_error_of_the_family(text: str) -> None:
    try:
        mask = parse_cards(text)
    except GinError as error:
        problems = error.problems
    else:
        assert 0 <= mask <= PACK
        return
    assert all(problem.message for problem in problems)
