"""The count and what was agreed, beside the pad: figures by hand, access, queries."""

from __future__ import annotations

import pytest

from ginledger.gin.ruleset import RuleSet, read_rules
from ginledger.gin.words import agreement
from ginledger.matches.count_page import CountPage, count_page
from tests.cast import ANN, BEN, CLEO, Cast, adjust, book_of, gin, knock, make_match, won
from tests.web.page import HTMX, address, state_of
from tests.web.spoken import spoken

pytestmark = pytest.mark.django_db
READS = ("count", "agreed", "under")


def cells(page: CountPage, column: int = 0, block: int = 0) -> dict[str, tuple[str, ...]]:
    """The lines of a column by their labels."""
    return {row.label: row.cells for row in page.columns[column].blocks[block].rows}


def test_the_count_in_figures(cast: Cast, browser_of) -> None:
    """Ann 65, Ben 42: with gin Ben may be left with 9, since 10 and 25 are Ann's 35."""
    match = make_match(cast.ann, won(ANN, 65), won(BEN, 42))
    page = count_page(book_of(match))
    assert page.columns[0].needs.cells == ("35", "58")
    assert cells(page) == {
        "A knock": ("57", "34"),
        "Gin": ("32", "9"),
        "Big gin": ("26", "3"),
        "Undercut": ("safe", "9"),
    }
    said = spoken(browser_of(cast.cleo).get(address("count", match)))
    assert "Needs 35 58" in said and "Gin 32 9" in said
    assert "shut out" not in said


def test_who_is_shut_out_is_told_with_what_saves_him(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, won(ANN, 90))
    said = spoken(browser_of(cast.ann).get(address("count", match)))
    assert "Gin 74 lost" in said
    assert "Ben would be shut out, until winning any hand." in said
    match = make_match(
        cast.ann, won(ANN, 60), adjust(BEN, -10), rules=RuleSet(shutout_when="no-point")
    )
    said = spoken(browser_of(cast.ann).get(address("count", match)))
    assert "Ben would be shut out, until winning a hand of 11 or more." in said


def test_hollywood_counts_the_columns_that_the_next_win_enters(cast: Cast) -> None:
    hands = (won(ANN, 60), won(ANN, 45), won(ANN, 20))
    page = count_page(book_of(make_match(cast.ann, *hands, rules="hollywood-100")))
    assert [column.title for column in page.columns] == ["Second game", "Third game"]
    assert cells(page, 0)["Gin"] == ("74", "9")
    assert cells(page, 1)["Gin"] == ("safe", "54")
    (third,) = page.columns[1].shut_out
    assert "a win of the next hand is not entered here" in third


def test_a_spade_is_counted_beside_the_plain_hand(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 65), rules="oklahoma-150")
    page = count_page(book_of(match))
    assert [block.title for block in page.columns[0].blocks] == [
        "Without a spade",
        "A spade as upcard",
    ]
    assert cells(page)["Gin"] == ("safe", "59")
    assert cells(page, block=1)["Gin"] == ("49", "17")


def test_three_at_a_table_and_one_sits_out(cast: Cast) -> None:
    names = ("Ann", "Ben", "Cleo")
    match = make_match(cast.ann, won(ANN, 20, opponent=BEN), rules="three-handed", names=names)
    page = count_page(book_of(match))
    assert page.columns[0].needs.cells == ("80", "100", "100")
    assert cells(page)["Gin"] == ("74", "–", "54")
    assert "sits out the next hand" in page.columns[0].shut_out[0]
    assert CLEO == 2


def test_partners_need_a_round(cast: Cast, browser_of) -> None:
    names = ("Ann", "Cleo", "Ben", "Dev")
    match = make_match(cast.ann, rules="partners-125", names=names)
    page = count_page(book_of(match))
    assert page.columns[0].needs.cells == ("125", "125")
    assert page.columns[0].blocks == ()
    said = spoken(browser_of(cast.ann).get(address("count", match)))
    assert "A round won by what a side needs closes the column." in said


def test_nothing_is_left_to_count_after_the_end(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    assert "nothing is left to count" in spoken(browser_of(cast.ann).get(address("count", match)))


def test_one_hand_decides(cast: Cast, browser_of) -> None:
    said = spoken(
        browser_of(cast.ann).get(address("count", make_match(cast.ann, rules="fast-game")))
    )
    assert "Needs a win a win" in said and "A knock lost lost" in said


def test_htmx_gets_the_fragment(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann)
    part = browser_of(cast.ann).get(address("count", match), headers=HTMX)
    assert part.content.decode().startswith('<div id="count"')
    assert "HX-Request" in part.headers["Vary"]


def test_b109_what_was_agreed_is_this_matchs(cast: Cast, browser_of) -> None:
    rules = RuleSet(knock_limit=7, gin_bonus=20, target=150)
    match = make_match(cast.ann, rules=rules)
    said = spoken(browser_of(cast.cleo).get(address("agreed", match))).lower()
    for clause in agreement(rules):
        assert clause in said
    assert "played to 100" not in said and "knock with 10" not in said
    assert "a shutout adds at least 250." in said


@pytest.mark.parametrize(
    ("who", "status"),
    [("ann", 200), ("ben", 200), ("cleo", 200), ("dev", 404), ("guest", 404), (None, 404)],
)
def test_who_may_read(cast: Cast, browser_of, who: str | None, status: int) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    before = state_of(match)
    client = browser_of(getattr(cast, who) if who else None)
    for name in READS:
        answer = client.get(address(name, match))
        assert answer.status_code == status
        assert ("Ann" in spoken(answer)) == (status == 200)
        # Nothing is written here by anybody; 403 or 404 would do as well.
        assert client.post(address(name, match)).status_code == 405
    assert state_of(match) == before


def test_queries_do_not_grow_with_the_rows(
    cast: Cast, browser_of, django_assert_num_queries
) -> None:
    client = browser_of(cast.ann)
    hands = [knock(ANN, 6, 12), gin(BEN, 2)]
    for match in (make_match(cast.ann), make_match(cast.ann, *hands)):
        for name, queries in (("count", 6), ("agreed", 6), ("under", 7)):
            with django_assert_num_queries(queries):
                client.get(address(name, match))


def test_the_rules_of_a_golden_match_are_read_back(cast: Cast) -> None:
    match = make_match(cast.ann, rules="club-hollywood-250")
    assert book_of(match).rules == read_rules("club-hollywood-250")
