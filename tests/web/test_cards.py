"""Both spreads of a match's hand: entered, checked against what was said, stored."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from django.test import Client

from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand, CountsHand
from ginledger.gin.ruleset import RuleSet
from ginledger.matches.models import Match
from tests.cast import ANN, BEN, Cast, adjust, book_of, dead, fresh, gin, knock, make_match, won
from tests.web.page import HTMX, address, filled, state_of, text_of
from tests.web.test_judge import B04, B04_GIN, B11, B15, B29, B29_SETS, BIG, grid_of

pytestmark = pytest.mark.django_db
_numbers = count(1)
Hands = dict[str, str]


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann)


def spreads(match: Match, hands: Hands, who: int = ANN, **more: Any) -> dict[str, Any]:
    """The form of the check with both hands in it, the knocker's first in ``hands``."""
    order = ("first", "second") if who == ANN else ("second", "first")
    return {
        "who": who,
        "active": "0",
        order[0]: hands["k"],
        order[1]: hands["d"],
        "once_key": f"cards-{next(_numbers)}",
        "version": fresh(match).version,
        **more,
    }


def enter(client: Client, match: Match, hands: Hands, who: int = ANN, **more: Any) -> Any:
    data = spreads(match, hands, who, enter="1", **more)
    return client.post(address("cards", match), data)


def look(client: Client, match: Match, hands: Hands, who: int = ANN, **more: Any) -> Any:
    """What htmx gets while the hand is being entered."""
    return client.post(address("cards", match), spreads(match, hands, who, **more), headers=HTMX)


def only_hand(match: Match) -> CardsHand:
    (line,) = book_of(match).lines
    assert isinstance(line.hand, CardsHand)
    return line.hand


@pytest.mark.parametrize(
    ("hands", "kind", "side", "points"),
    [
        (B04, "undercut", BEN, 27),
        (B04_GIN, "gin", ANN, 88),
        (B11, "knock", ANN, 16),
        (B15, "undercut", BEN, 25),
        (B29, "knock", ANN, 27),
    ],
    ids=["B04", "B04 gin", "B11", "B15", "B29"],
)
def test_the_hard_hands_are_stored_as_they_are_ruled(
    client: Client, match: Match, hands: Hands, kind: str, side: int, points: int
) -> None:
    shown = text_of(look(client, match, hands))
    assert f"scores {points}" in shown
    answer = enter(client, match, hands)
    assert (answer.status_code, answer.url) == (302, address("pad", match))
    (scored,) = book_of(match).sheet.hands
    assert (scored.kind, scored.side, scored.points) == (kind, side, points)
    hand = only_hand(match)
    assert hand.knocker_cards == parse_cards(hands["k"])
    assert hand.opponent_cards == parse_cards(hands["d"])
    assert "cards checked ✓" in text_of(client.get(address("pad", match)))
    assert "✓ cards checked" in text_of(client.get(address("sheet", match)))


def test_the_second_player_may_have_knocked(client: Client, match: Match) -> None:
    assert "Ben scores 16" in text_of(look(client, match, B11, BEN))
    enter(client, match, B11, BEN)
    assert (only_hand(match).knocker, only_hand(match).opponent) == (BEN, ANN)
    assert book_of(match).sheet.hands[0].side == BEN


def test_b29_the_stated_layout_is_kept_with_the_hand(client: Client, match: Match) -> None:
    page = look(client, match, B29, m=B29_SETS)
    assert "As Ann laid it out: three sets, 8♦ and 9♦ laid off." in text_of(page)
    assert "Three runs instead of three sets: no lay-off, Ann +27 instead of +10." in text_of(page)
    enter(client, match, B29, m=B29_SETS)
    hand = only_hand(match)
    assert hand.melds == tuple(parse_cards(meld) for meld in B29_SETS.split("/"))
    assert book_of(match).sheet.hands[0].points == 10
    row = match.rows.get()
    assert filled(client.get(address("row_cards", match, row)), "check")["m"] == B29_SETS


def test_the_page_shows_what_entering_does_to_the_sheet(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, knock(ANN, 5, 90))
    part = look(client, match, B11).content.decode()
    action = part[part.index('id="check-action"') :]
    assert "+16 →" in action
    assert "101" in action
    page = client.post(address("cards", match), spreads(match, B11))
    assert "Enter hand 2" in text_of(page)
    assert "<!doctype html>" in page.content.decode()
    assert fresh(match).hand_count == 1


# What was said


def test_a_count_that_was_said_is_put_right_and_the_players_choose(
    client: Client, match: Match
) -> None:
    said = text_of(look(client, match, B11, said_0="4", said_1="29"))
    assert "You said 29 for Ben: with the 9♠ laid off it is 20." in said
    assert "What stands?" in said
    assert "Ann 4, Ben 20" in said
    assert "Ann 4, Ben 29" in said
    enter(client, match, B11, said_0="4", said_1="29", said_how="knock", stands="claim")
    (scored,) = book_of(match).sheet.hands
    assert scored.points == 25
    hand = only_hand(match)
    assert (hand.stands, hand.claim_own, hand.claim_other) == ("claim", 4, 29)
    assert "as said, the cards differ" in text_of(client.get(address("pad", match)))
    sheet = text_of(client.get(address("sheet", match)))
    assert "You said 29 for Ben; by the cards it is 20." in sheet
    assert "cards checked" not in sheet


def test_the_cards_stand_unless_somebody_says_otherwise(client: Client, match: Match) -> None:
    enter(client, match, B11, said_0="4", said_1="29")
    assert book_of(match).sheet.hands[0].points == 16
    assert "cards checked ✓" in text_of(client.get(address("pad", match)))


def test_counts_that_are_right_leave_nothing_to_choose(client: Client, match: Match) -> None:
    said = text_of(look(client, match, B11, said_0="4", said_1="20"))
    assert "You said" not in said
    assert "What stands?" not in said


@pytest.mark.parametrize("typed", ["x", "-3", "1e2", "101", "9999999"])
def test_a_count_that_is_none_is_refused(client: Client, match: Match, typed: str) -> None:
    answer = enter(client, match, B11, said_1=typed)
    assert answer.status_code == 422
    assert filled(answer, "check")["said_1"] == typed
    assert fresh(match).hand_count == 0


def test_a_count_no_knock_may_have_cannot_stand(client: Client, match: Match) -> None:
    answer = enter(client, match, B11, said_0="14", said_1="29", stands="claim")
    assert answer.status_code == 422
    assert "Ann cannot knock with 14: the limit is 10" in text_of(answer)
    assert fresh(match).hand_count == 0


def test_what_is_typed_on_the_pad_comes_along(client: Client, match: Match) -> None:
    query = "who=1&how=knock&knocker_deadwood=6&opponent_deadwood=21"
    fields = filled(client.get(f"{address('cards', match)}?{query}"), "check")
    assert (fields["who"], fields["active"]) == ("1", "1")
    assert (fields["said_0"], fields["said_1"], fields["said_how"]) == ("21", "6", "knock")
    page = client.get(f"{address('cards', match)}?who=dead&knocker_deadwood=6")
    assert filled(page, "check")["who"] == ""


# Cards for a hand that stands in the book


def test_cards_are_added_to_a_hand_entered_by_counts(cast: Cast, client: Client) -> None:
    hand = knock(ANN, 4, 29, note="late", played_at="2026-01-02T03:04:05+00:00", dealer=BEN)
    match = make_match(cast.ann, hand, gin(BEN, 33))
    row = match.rows.first()
    page = client.get(address("row_cards", match, row))
    fields = filled(page, "check")
    assert (fields["who"], fields["said_0"], fields["said_1"]) == ("0", "4", "29")
    assert "Hand 1 · cards" in text_of(page)
    data = spreads(match, B11, enter="1", why="recounted") | {
        name: fields[name] for name in ("said_0", "said_1", "said_how", "note")
    }
    answer = client.post(address("row_cards", match, row), data)
    assert answer.status_code == 302
    lines = book_of(match).lines
    stored = lines[0].hand
    assert isinstance(stored, CardsHand)
    assert (stored.note, stored.dealer, stored.played_at) == (hand.note, BEN, hand.played_at)
    assert (stored.claim_own, stored.claim_other, stored.stands) == (4, 29, "cards")
    assert [line.scored.points for line in lines if line.scored] == [16, 58]
    (change,) = [one for one in book_of(match).changes(row) if one.amendment.why]
    assert isinstance(change.before, CountsHand)
    assert change.amendment.why == "recounted"


def test_the_knocker_of_a_hand_by_points_is_known(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(BEN, 30, "undercut"), won(BEN, 12))
    first, second = match.rows.order_by("position")
    assert filled(client.get(address("row_cards", match, first)), "check")["who"] == "0"
    assert filled(client.get(address("row_cards", match, second)), "check")["who"] == "1"


def test_a_stored_spread_is_shown_again(client: Client, match: Match) -> None:
    enter(client, match, B11, BEN, note="hm")
    page = client.get(address("row_cards", match, match.rows.get()))
    grid = grid_of(page)
    assert {card for card, owner in grid.items() if owner == "1"} == set(B11["k"].split())
    assert "Ben scores 16" in text_of(page)
    assert filled(page, "check")["note"] == "hm"


def test_anybody_in_the_club_reads_the_cards_of_a_stored_hand(
    cast: Cast, client: Client, browser_of, match: Match
) -> None:
    enter(client, match, B11, said_1="29", stands="claim")
    page = browser_of(cast.cleo).get(address("row", match, match.rows.get()))
    said = text_of(page)
    assert "20 left, 19 laid off" in said
    assert "Ann scores 25" in said
    assert "You said 29 for Ben: with the 9♠ laid off it is 20." in said
    assert "Change the cards" not in said
    assert "Change the cards" in text_of(client.get(address("row", match, match.rows.get())))


def test_the_pad_and_the_row_lead_to_the_cards(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), adjust(BEN, 5))
    first, second = match.rows.order_by("position")
    assert f'href="{address("cards", match)}"' in client.get(address("pad", match)).content.decode()
    for row, there in ((first, True), (second, False)):
        body = client.get(address("row", match, row)).content.decode()
        assert (f'href="{address("row_cards", match, row)}"' in body) == there


def test_a_void_row_is_counted_again_first(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    row = match.rows.get()
    client.post(address("row_void", match, row), {"version": fresh(match).version})
    assert client.get(address("row_cards", match, row)).url == address("row", match, row)


def test_rows_that_are_no_hand_of_two_have_no_cards(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, adjust(ANN, 10), dead())
    first, second = match.rows.order_by("position")
    assert client.get(address("row_cards", match, first)).status_code == 404
    assert client.get(address("row_cards", match, second)).status_code == 200


def test_cards_that_end_the_match_earlier_ask_about_the_rest(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, knock(ANN, 4, 20), knock(ANN, 1, 60))
    row = match.rows.first()
    data = spreads(match, B04_GIN, enter="1", said_0="", said_1="") | {"who": 0}
    big = {"k": BIG, "d": "KC KD QH QC TS 9S 9D 7D 7H 5S"}
    before = state_of(match)
    data |= {"first": big["k"], "second": big["d"]}
    answer = client.post(address("row_cards", match, row), data)
    assert answer.status_code == 422
    assert "Void hand 2 too" in text_of(answer)
    assert state_of(match) == before
    answer = client.post(address("row_cards", match, row), data | {"void_rest": "1"})
    assert answer.status_code == 302
    assert fresh(match).over


# Refused: everything is told and kept, nothing is stored


@pytest.mark.parametrize(
    ("hands", "more", "problems"),
    [
        (
            {"k": "QH 5C 5C 2H 3H 4H 7S 8S 9S JD", "d": "QH KC KD KS AC AD AS 2C 2D 2S"},
            {},
            ["Ann: 5C is there twice", "Q♥ is in both hands"],
        ),
        (
            {"k": "QH 5C 6C 2H 3H 4H 7S 8S 9S", "d": "KC KD KS AC AD AS 2C 2D 2S 3S JD"},
            {},
            ["Ann has 9 cards", "Ben has 11 cards, not ten"],
        ),
        (
            {"k": "9C JC 8C 8D 9H 2S 3S 4S AD AH", "d": "KC KD KH KS QC QD QH QS 2H 2D"},
            {"m": "9C JC / 8C 8D 9H"},
            ["9♣ J♣ is no run: the 10♣ is missing.", "8♣ 8♦ 9♥ is no meld"],
        ),
        (B29, {"m": "8C 9C TC"}, ["Ann cannot knock with 64: the limit is 10"]),
        (
            {"k": "3C 4C 5C 8D 8H 8S JD JH JS 9C AC", "d": "KC KD KH KS QC QD QH 2D 2S 7H"},
            {},
            ["throw 9♣ and 1 is left"],
        ),
    ],
    ids=["B68 twice, both", "B68 counts", "B127 layout", "over the limit", "B99 eleven"],
)
def test_all_problems_at_once_nothing_stored_everything_kept(
    client: Client, match: Match, hands: Hands, more: Hands, problems: list[str]
) -> None:
    before = state_of(match)
    answer = enter(client, match, hands, note="a note", said_1="20", **more)
    assert answer.status_code == 422
    for problem in problems:
        assert text_of(answer).count(problem) == 1
    kept = filled(answer, "check")
    wanted = {"first": hands["k"], "second": hands["d"], "note": "a note", "said_1": "20", **more}
    assert wanted.items() <= kept.items()
    assert state_of(match) == before


def test_nothing_entered_names_what_is_missing(client: Client, match: Match) -> None:
    answer = client.post(address("cards", match), {"enter": "1", "version": "0"})
    assert answer.status_code == 422
    said = text_of(answer)
    for problem in ("Who knocked?", "Ann has 0 cards", "Ben has 0 cards"):
        assert problem in said


def test_b109_the_rules_of_this_match_are_used_and_told(cast: Cast, client: Client) -> None:
    rules = RuleSet(knock_limit=7, gin_bonus=20, target=150)
    match = make_match(cast.ann, rules=rules)
    said = text_of(client.get(address("cards", match)))
    assert "knock limit 7" in said
    assert "Gin 20" in said
    assert "the limit is 7" in text_of(enter(client, match, B15))
    enter(client, match, B04_GIN)
    assert book_of(match).sheet.hands[0].points == 83


def test_oklahoma_asks_for_the_upcard(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="oklahoma-150")
    assert "Which card was turned up first?" in text_of(enter(client, match, B11))
    assert "the limit is 3" in text_of(enter(client, match, B11, upcard="3S"))
    page = look(client, match, B11, upcard="6♠")
    assert "knock limit 6, counts double" in text_of(page)
    assert enter(client, match, B11, upcard="6s").status_code == 302
    assert book_of(match).sheet.hands[0].points == 32


def test_straight_gin_and_big_gin_follow_the_match(cast: Cast, client: Client) -> None:
    straight = make_match(cast.ann, rules="straight")
    assert "only gin ends a hand" in text_of(enter(client, straight, B11)).lower()
    match = make_match(cast.ann)
    enter(client, match, {"k": BIG, "d": "KC KD KH KS QC QD QH 2D 2S 7H"})
    assert book_of(match).sheet.hands[0].points == 42


def test_the_same_form_twice_is_one_hand(client: Client, match: Match) -> None:
    data = spreads(match, B11, enter="1")
    for _ in range(2):
        assert client.post(address("cards", match), data).status_code == 302
    assert fresh(match).hand_count == 1


def test_a_stale_form_stores_nothing_and_keeps_the_cards(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann)
    data = spreads(match, B11, enter="1")
    from tests.cast import enter as enter_elsewhere

    enter_elsewhere(cast.ben, match, knock(BEN, 2, 30))
    before = state_of(match)
    answer = client.post(address("cards", match), data)
    assert answer.status_code == 409
    assert "Somebody else wrote in this match meanwhile" in text_of(answer)
    assert state_of(match) == before
    kept = filled(answer, "check")
    assert (kept["first"], kept["second"]) == (B11["k"], B11["d"])
    assert client.post(address("cards", match), kept | {"enter": "1"}).status_code == 302
    assert fresh(match).hand_count == 2


def test_a_background_request_never_stores(client: Client, match: Match) -> None:
    data = spreads(match, B11, enter="1")
    assert client.post(address("cards", match), data, headers=HTMX).status_code == 200
    assert fresh(match).hand_count == 0


# Without a script


def test_a_hand_is_tapped_and_entered_without_a_script(client: Client, match: Match) -> None:
    page = client.get(address("cards", match))
    presses = [("tab", "1"), *(("tap", card) for card in [*B11["k"].split(), *B11["d"].split()])]
    for name, value in presses:
        page = client.post(address("cards", match), filled(page, "check") | {name: value})
        assert page.status_code == 200
    assert "Ben scores 16" in text_of(page)
    assert client.post(
        address("cards", match), filled(page, "check") | {"enter": "1"}
    ).status_code == (302)
    assert only_hand(match).knocker == BEN


def test_who_knocked_is_put_right(client: Client, match: Match) -> None:
    page = client.post(address("cards", match), spreads(match, B15, swap="1", m="5H 6H 7H"))
    assert filled(page, "check")["who"] == "1"
    assert filled(page, "check")["m"] == ""
    assert "Ben cannot knock with 24" not in text_of(page)
    assert re.search(r"Ben cannot knock with \d+: the limit is 10", text_of(page))


# Drafts


def test_a_half_entered_spread_is_kept_and_dropped_when_stored(
    client: Client, match: Match
) -> None:
    look(client, match, {"k": "7S 7H 7x", "d": "2C"}, note="so far")
    fields = filled(client.get(address("cards", match)), "check")
    assert (fields["first"], fields["second"], fields["note"]) == ("7S 7H 7x", "2C", "so far")
    enter(client, match, B11)
    fields = filled(client.get(address("cards", match)), "check")
    assert (fields["first"], fields["second"], fields["who"]) == ("", "", "")
    assert "cards" not in client.session or not client.session["cards"]


def test_a_draft_belongs_to_one_hand(cast: Cast, client: Client, match: Match) -> None:
    from tests.cast import enter as enter_elsewhere

    look(client, match, {"k": "7S 7H", "d": "2C"})
    enter_elsewhere(cast.ann, match, knock(ANN, 2, 30))
    assert filled(client.get(address("cards", match)), "check")["first"] == ""


def test_b31_a_draft_is_seen_by_nobody_else(cast: Cast, browser_of, match: Match) -> None:
    mine = browser_of(cast.ann)
    look(mine, match, {"k": "7S 7H 7D 4C", "d": ""}, note="secret note")
    for other in (browser_of(cast.ben), browser_of(cast.cleo), browser_of(cast.ann)):
        for name in ("pad", "sheet", "cards"):
            body = other.get(address(name, match)).content.decode()
            assert "secret note" not in body
            assert 'value="7S 7H' not in body
            assert 'data-owner="0"' not in body
    for name in ("pad", "sheet"):
        assert "7♠" not in text_of(mine.get(address(name, match)))
    assert match.rows.count() == 0


def test_only_the_latest_drafts_are_kept(cast: Cast, client: Client) -> None:
    matches = [make_match(cast.ann) for _ in range(8)]
    for match in matches:
        look(client, match, {"k": "7S", "d": ""}, note="n" * 9000)
    kept = client.session["cards"]
    assert list(kept) == [match.key for match in matches[-6:]]
    assert all(len(draft["fields"].get("note", "")) <= 2000 for draft in kept.values())


# Who may


@pytest.mark.parametrize("who", ["dev", "guest"])
def test_a_stranger_finds_nothing(cast: Cast, browser_of, who: str) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    row, before = match.rows.get(), state_of(match)
    client = browser_of(getattr(cast, who))
    for where in (address("cards", match), address("row_cards", match, row)):
        assert client.get(where).status_code == 404
        assert client.post(where, spreads(match, B11, enter="1")).status_code == 404
    assert state_of(match) == before


def test_a_viewer_enters_no_cards(cast: Cast, browser_of) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21))
    row, before = match.rows.get(), state_of(match)
    client = browser_of(cast.cleo)
    for where in (address("cards", match), address("row_cards", match, row)):
        assert client.get(where).status_code == 403
        assert client.post(where, spreads(match, B11, enter="1")).status_code == 403
    assert state_of(match) == before


def test_b22_a_hand_sent_without_a_session_is_there_after_the_login(
    cast: Cast, client: Client
) -> None:
    match = make_match(cast.ann)
    data = spreads(match, B11, enter="1")
    client.logout()
    answer = client.post(address("cards", match), data)
    assert answer.status_code == 302
    assert "/account/login/" in answer.url
    assert fresh(match).hand_count == 0
    client.force_login(cast.ann)
    page = client.get(address("cards", match))
    kept = filled(page, "check")
    assert (kept["first"], kept["second"]) == (B11["k"], B11["d"])
    assert "Not stored yet" in text_of(page)
    for _ in range(2):
        client.post(address("cards", match), kept | {"enter": "1"})
    assert fresh(match).hand_count == 1


def test_private_and_counted(cast: Cast, client: Client, django_assert_max_num_queries) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 20))
    row = match.rows.first()
    for where in (address("cards", match), address("row_cards", match, row)):
        with django_assert_max_num_queries(9):
            answer = client.get(where)
        assert "no-store" in answer.headers["Cache-Control"]
    with django_assert_max_num_queries(16):
        look(client, match, B11)


def test_a_finished_match_has_no_next_hand(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, knock(ANN, 5, 90), gin(ANN, 40))
    assert client.get(address("cards", match)).url == address("pad", match)
    assert enter(client, match, B11).status_code in (409, 422)
    assert fresh(match).hand_count == 2


def test_three_at_a_table_the_two_who_play(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="three-handed", names=("Ann", "Ben", "Cleo"))
    names = re.findall(r'data-name="(\w+)"', client.get(address("cards", match)).content.decode())
    players = [book_of(match).table.names[seat] for seat in book_of(match).sheet.next_players]
    assert names == players
    enter(client, match, B11)
    assert book_of(match).sheet.hands[0].points == 16


def test_partners_have_no_page_of_cards(cast: Cast, client: Client) -> None:
    names = ("Ann", "Cleo", "Ben", "Dev")
    match = make_match(cast.ann, rules="partners-125", names=names)
    assert client.get(address("cards", match)).status_code == 404


@pytest.mark.parametrize("name", ["<img src=x onerror=x>", "O'Hara", 'A"B', "{{x}}", "</script>"])
def test_b07_b94_names_are_text(cast: Cast, client: Client, name: str) -> None:
    match = make_match(cast.ann, names=(name, "Ben"))
    page = look(client, match, B11)
    assert name in text_of(page)
    body = client.get(address("cards", match)).content.decode()
    assert "<img" not in body
    assert "</script>'" not in body
