"""A match under other rules: side by side, nothing dropped silently, the book untouched."""

from __future__ import annotations

import pytest

from ginledger.clubs import rulebook
from ginledger.gin.ruleset import RuleSet
from tests.cast import ANN, BEN, Cast, dead, gin, knock, make_match, won
from tests.web.page import address, state_of
from tests.web.spoken import spoken

pytestmark = pytest.mark.django_db


def test_side_by_side_and_the_book_untouched(cast: Cast, browser_of) -> None:
    """By hand: 36 + 30 end Short 50 at 66 + 50 + 100 + 66; the match goes on to 125 + 175 - 50."""
    hands = (knock(ANN, 4, 40), knock(ANN, 5, 35), knock(BEN, 6, 31), knock(ANN, 1, 60))
    match = make_match(cast.ann, *hands)
    before = state_of(match)
    said = spoken(browser_of(cast.cleo).get(address("under", match), {"rules": "short-50"}))
    assert "Ann wins by 250." in said and "Ann wins by 282." in said
    assert "By these rules hand 2 ends the match." in said
    assert "Hand 3 The match ended with hand 2. Hand 4 The match ended with hand 2." in said
    assert "66 (2 hands won) + 50 (2 boxes at 25)" in said
    assert "Played to 100 50" in said
    assert state_of(match) == before


def test_what_the_other_rules_refuse_is_listed_with_the_reason(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 9, 20), dead(), gin(BEN, 30))
    page = browser_of(cast.ann).get(address("under", match), {"rules": "straight"})
    assert "Hand 1 Straight gin: only gin ends a hand." in spoken(page)
    assert [(row.number, row.before, row.after) for row in page.context["under"].rows] == [
        (1, "11", ""),
        (2, "–", "–"),
        (3, "55", "55"),
    ]


def test_points_as_written_keep_them_and_the_page_says_so(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, won(BEN, 27, "undercut"), knock(ANN, 5, 9), won(ANN, 44, "gin"))
    said = spoken(browser_of(cast.ann).get(address("under", match), {"rules": "old-official"}))
    assert "Hands 1 and 3 were entered by their points and keep them." in said
    assert "Ann Gin as written 44 44" in said


def test_a_hand_that_turns_out_otherwise_says_how(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 5, 5))
    rules = RuleSet(tie="no-score")
    mine = rulebook.create_rules(user=cast.ann, name="No ties", rules=rules)
    said = spoken(browser_of(cast.ben).get(address("under", match), {"rules": mine.key}))
    assert "by the other rules level" in said


def test_a_match_that_goes_on_longer(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    said = spoken(browser_of(cast.ann).get(address("under", match), {"rules": "hollywood-100"}))
    assert "By these rules the match would not be over yet." in said
    assert "Third game, still open" in said


def test_only_rules_for_as_many_people_are_offered(cast: Cast, browser_of) -> None:
    client, match = browser_of(cast.ann), make_match(cast.ann)
    page = client.get(address("under", match))
    offered = {one.slug for one in page.context["offered"]}
    assert "straight" in offered and not offered & {"three-handed", "partners-125"}
    answer = client.get(address("under", match), {"rules": "three-handed"})
    assert answer.status_code == 422
    assert "These rules are played by three sides of one player." in spoken(answer)
    names = ("Ann", "Ben", "Cleo")
    three = make_match(cast.ann, won(ANN, 20, opponent=BEN), rules="three-handed", names=names)
    page = client.get(address("under", three), {"rules": "three-handed"})
    assert [one.slug for one in page.context["offered"]] == ["three-handed"]
    assert "They are the same rules in everything that counts." in spoken(page)


def test_rules_that_are_not_ones_own_are_not_there(cast: Cast, browser_of) -> None:
    hers = rulebook.create_rules(user=cast.dev, name="Dev's own", rules=RuleSet())
    client, match = browser_of(cast.ann), make_match(cast.ann)
    for key in (hers.key, "nothing", "\x00", "x" * 500):
        answer = client.get(address("under", match), {"rules": key})
        assert answer.status_code == 422
        assert "There is no such rule set here." in spoken(answer)
        assert "Dev's own" not in spoken(answer)


def test_b07_names_are_text(cast: Cast, browser_of) -> None:
    name = "<img src=x onerror=x>"
    match = make_match(cast.ann, won(ANN, 100), names=(name, 'O"Hara {{x}}'))
    for page in ("under", "count", "agreed"):
        answer = browser_of(cast.ann).get(address(page, match), {"rules": "hollywood-100"})
        assert "<img" not in answer.content.decode()
        assert name in spoken(answer)
