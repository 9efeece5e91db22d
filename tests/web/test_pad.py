"""The pad without a script: what is sent, what is stored, what is said."""

import pytest
from django.test import Client

from ginledger.matches.models import Match
from tests.cast import (
    ANN,
    BEN,
    Cast,
    book_of,
    dead,
    fresh,
    gin,
    knock,
    make_match,
    won,
)
from tests.cast import enter as enter_row
from tests.web.page import HTMX, address, counts, enter, filled, points, state_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    """65 – 42 after six rows, as in the pictures: an undercut last, Ann to deal."""
    return make_match(
        cast.ann,
        knock(ANN, 6, 21),
        won(BEN, 15),
        won(ANN, 6),
        dead(),
        gin(ANN, 19),
        knock(ANN, 9, 7),
    )


def test_the_pad_says_how_it_stands(client: Client, match: Match) -> None:
    words = text_of(client.get(address("pad", match)))
    for said in (
        "Ann deals",
        "65 3 boxes · needs 35",
        "42 2 boxes · needs 58",
        "Ben Undercut held 7 against a knock of 9 27 65 – 42",
        "Ann Gin left Ben with 19 44 65 – 15",
        "Dead hand Ben deals again",
        "Ann Knock knocks with 6, Ben has 21 15 15 – 0",
        "as written on paper",
        "Undo hand 6",
        "Enter hand 7",
    ):
        assert said in words
    assert words.index("held 7") < words.index("left Ben with 19"), "newest first"


@pytest.mark.parametrize(
    ("data", "total", "kind"),
    [
        ({"who": ANN, "own": 6, "other": 21}, (80, 42), "knock"),
        ({"who": BEN, "own": 10, "other": 11}, (65, 43), "knock"),
        ({"who": ANN, "own": 9, "other": 9}, (65, 67), "undercut"),
        ({"who": BEN, "other": 20, "how": "gin"}, (65, 87), "gin"),
        ({"who": ANN, "other": 0, "how": "big_gin"}, (96, 42), "big_gin"),
        ({"who": "dead"}, (65, 42), "dead"),
    ],
)
def test_a_hand_by_counts(client: Client, match: Match, data, total, kind) -> None:
    answer = enter(client, match, counts(match, **data))
    assert answer.status_code == 302
    assert answer.url == address("pad", match)
    sheet = book_of(match).sheet
    assert tuple(side.points for side in sheet.columns[0].sides) == total
    assert sheet.hands[-1].kind == kind


@pytest.mark.parametrize("kind", ["knock", "gin", "big_gin", "undercut"])
def test_a_hand_by_its_points(client: Client, match: Match, kind: str) -> None:
    assert enter(client, match, points(match, BEN, 35, kind)).status_code == 302
    sheet = book_of(match).sheet
    assert (sheet.hands[-1].kind, sheet.hands[-1].points) == (kind, 35)
    assert sheet.columns[0].sides[BEN].points == 77


@pytest.mark.parametrize(
    ("data", "field", "said"),
    [
        ({"who": ""}, "who", "Who knocked?"),
        ({"who": "7"}, "who", "Select a valid choice"),
        ({"own": ""}, "knocker_deadwood", "How much deadwood did Ann knock with?"),
        ({"other": ""}, "opponent_deadwood", "How much was Ben left with?"),
        ({"own": 11}, "knocker_deadwood", "Ann cannot knock with 11: the limit is 10."),
        ({"own": 0}, "knocker_deadwood", "that is gin"),
        ({"other": 101}, "opponent_deadwood", "from 0 to 100"),
        ({"own": "1e1"}, "knocker_deadwood", "digits only"),
        ({"own": "-3"}, "knocker_deadwood", "digits only"),
        ({"own": "3.0"}, "knocker_deadwood", "digits only"),
        ({"own": "1_0"}, "knocker_deadwood", "digits only"),
        ({"own": "٣"}, "knocker_deadwood", "digits only"),
        ({"other": "1" + "0" * 20}, "opponent_deadwood", "six digits at most"),
        ({"how": "undercut"}, "how", "Select a valid choice"),
        ({"mode": "sideways"}, "mode", "Select a valid choice"),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_a_hand_that_cannot_be(client: Client, match: Match, data, field, said, htmx) -> None:
    before = state_of(match)
    typed = {"who": ANN, "own": 6, "other": 21} | data
    answer = enter(client, match, counts(match, **typed), htmx=htmx)
    assert answer.status_code == 422
    assert said in " ".join(answer.context["form"].errors[field])
    if field != "mode":
        assert said in text_of(answer)
    assert state_of(match) == before
    kept = filled(answer)
    assert kept["knocker_deadwood"] == str(typed["own"])
    assert kept["opponent_deadwood"] == str(typed["other"])
    assert answer.content.startswith(b"<!doctype") is not htmx


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"winner": ""}, "winner"),
        ({"worth": ""}, "points"),
        ({"worth": 0}, "points"),
        ({"worth": 24, "kind": "gin"}, "points"),
        ({"worth": 10**20}, "points"),
        ({"worth": "12.5"}, "points"),
    ],
)
def test_points_that_cannot_be(client: Client, match: Match, data, field) -> None:
    before = state_of(match)
    answer = enter(client, match, points(match, **({"winner": ANN, "worth": 12} | data)))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert state_of(match) == before


def test_the_same_form_twice_is_one_hand(client: Client, match: Match) -> None:
    data = counts(match, ANN, 6, 21)
    for _ in range(2):
        assert enter(client, match, data).status_code == 302
    assert enter(client, match, data, htmx=True).status_code == 200
    assert fresh(match).hand_count == 7


@pytest.mark.parametrize("htmx", [False, True])
def test_two_tabs_do_not_overwrite_each_other(client: Client, match: Match, htmx: bool) -> None:
    mine, theirs = counts(match, ANN, 6, 21), counts(match, BEN, 3, 30)
    enter(client, match, theirs)
    before = state_of(match)
    answer = enter(client, match, mine, htmx=htmx)
    assert answer.status_code == 409
    assert state_of(match) == before
    words = text_of(answer)
    assert "Somebody else wrote in this match meanwhile" in words
    assert "Ben Knock knocks with 3, Ann has 30" in words, "the fresh sheet"
    kept = filled(answer)
    assert (kept["who"], kept["knocker_deadwood"], kept["opponent_deadwood"]) == ("0", "6", "21")
    again = enter(client, match, kept)
    assert again.status_code == 302, "the form that came back can be sent as it is"
    assert fresh(match).hand_count == 8


def test_a_damaged_version_stores_nothing(client: Client, match: Match) -> None:
    before = state_of(match)
    for version in ("", "x", "-1", "9" * 30):
        answer = enter(client, match, counts(match, ANN, 6, 21, version=version))
        assert answer.status_code in (409, 422)
        assert client.post(address("undo", match), {"version": version}).status_code == 409
    assert state_of(match) == before


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"who": ANN, "own": 6, "other": 21}, "Ann +15 → 80"),
        ({"who": ANN, "own": 9, "other": 7}, "Undercut: Ben +27"),
        ({"who": "dead"}, "Dead hand: Ann deals again"),
        ({"who": ANN, "own": 3, "other": 39}, "Ann +36 → 101, wins the game"),
    ],
)
def test_the_button_says_what_will_happen(client: Client, match: Match, data, said) -> None:
    before = state_of(match)
    asked = counts(match, **data)
    part = client.post(address("preview", match), asked, headers=HTMX)
    assert part.content.startswith(b"<strong")
    assert text_of(part) == said
    whole = client.post(address("preview", match), asked)
    assert said in text_of(whole)
    assert filled(whole)["who"] == str(data["who"])
    assert state_of(match) == before


def test_the_preview_tells_trouble_and_waits_for_what_is_missing(
    client: Client, match: Match
) -> None:
    def said(**data: object) -> tuple[str, bool]:
        part = client.post(address("preview", match), counts(match, **data), headers=HTMX)
        assert part.status_code == 200
        outcome = part.context["outcome"]
        assert outcome.short == ""
        return outcome.said, outcome.trouble

    assert said(who="") == ("", False)
    assert said(who=ANN, own=6) == ("", False)
    assert said(who=ANN, own=12, other=20) == ("Ann cannot knock with 12: the limit is 10.", True)
    assert said(who=ANN, own="x", other=20)[1]


def test_oklahoma_asks_for_the_upcard(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="oklahoma-150")
    page = client.get(address("pad", match))
    assert 'name="upcard_rank"' in page.content.decode()
    refused = enter(client, match, counts(match, ANN, 6, 21))
    assert "Which card was turned up first?" in text_of(refused)
    half = enter(client, match, counts(match, ANN, 6, 21, upcard_rank="7"))
    assert "Say the suit of the upcard too." in text_of(half)
    over = enter(client, match, counts(match, ANN, 6, 21, upcard_rank="4", upcard_suit="S"))
    assert "the limit is 4" in text_of(over)
    ace = enter(client, match, counts(match, ANN, 1, 21, upcard_rank="A", upcard_suit="H"))
    assert "only gin ends this hand" in text_of(ace)
    spade = counts(match, ANN, 4, 21, upcard_rank="4", upcard_suit="S")
    part = client.post(address("preview", match), spade, headers=HTMX)
    assert text_of(part) == "Ann +34 → 34"
    assert part.context["outcome"].terms == "knock with 4 or less, counts double"
    assert part.context["outcome"].limit == 4
    assert enter(client, match, spade).status_code == 302
    assert book_of(match).sheet.columns[0].sides[ANN].points == 34


def test_straight_gin_offers_no_knock(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="straight")
    page = client.get(address("pad", match))
    assert 'value="knock"' not in page.content.decode()
    assert filled(page)["how"] == "gin"


def test_big_gin_is_offered_where_it_is_played(cast: Cast, client: Client) -> None:
    for rules, offered in (("house-modern", True), ("old-official", False)):
        page = client.get(address("pad", make_match(cast.ann, rules=rules)))
        assert ('value="big_gin"' in page.content.decode()) is offered


@pytest.mark.parametrize("htmx", [False, True])
def test_undo_one_tap(client: Client, match: Match, htmx: bool) -> None:
    page = client.get(address("pad", match))
    headers = HTMX if htmx else {}
    answer = client.post(address("undo", match), filled(page, "undo"), headers=headers)
    assert answer.status_code == (200 if htmx else 302)
    page = client.get(address("pad", match))
    words = text_of(page)
    assert "65 3 boxes" in words
    assert "15 1 box " in words
    assert "Undo hand 5" in words
    assert "Undercut Void held 7 against a knock of 9" in words, "in ink: still to be read"
    assert "Ben deals" in words, "B92: the dealer follows"


def test_a_stale_undo_takes_nothing_back(client: Client, match: Match) -> None:
    old = filled(client.get(address("pad", match)), "undo")
    enter(client, match, counts(match, ANN, 6, 21))
    before = state_of(match)
    answer = client.post(address("undo", match), old)
    assert answer.status_code == 409
    assert "Somebody else wrote" in text_of(answer)
    assert state_of(match) == before


def test_b13_undo_reaches_through_the_end(client: Client, match: Match) -> None:
    enter(client, match, counts(match, ANN, 3, 39))
    page = client.get(address("pad", match))
    words = text_of(page)
    assert "Ann wins by" in words
    assert "Rematch" in words
    assert 'id="entry"' not in page.content.decode()
    assert fresh(match).over
    client.post(address("undo", match), filled(page, "undo"))
    page = client.get(address("pad", match))
    assert 'id="entry"' in page.content.decode()
    assert "wins by" not in text_of(page)
    stored = fresh(match)
    assert (stored.over, stored.winner, stored.net) == (False, None, None)


def test_nothing_more_can_be_entered_after_the_end(client: Client, match: Match) -> None:
    enter(client, match, counts(match, ANN, 3, 39))
    before = state_of(match)
    answer = enter(client, match, counts(match, BEN, 3, 39))
    assert answer.status_code == 422
    assert "The match ended with hand 7" in text_of(answer)
    assert state_of(match) == before


def test_hollywood_says_which_columns_are_open(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(ANN, 18), won(ANN, 30), won(ANN, 60), rules="hollywood-100")
    words = text_of(client.get(address("pad", match)))
    assert "1st column, closed 108 ✓ won" in words
    assert "2nd column, open, needs 10 90 2 boxes" in words
    assert "3rd column, open, needs 40 60 1 box" in words
    assert "needs – · 10 · 40" in words
    assert "needs – · 100 · 100" in words
    data = counts(match, BEN, 6, 21)
    part = client.post(address("preview", match), data, headers=HTMX)
    assert text_of(part) == "Ben +15 → 2nd"
    data = counts(match, ANN, 6, 21)
    part = client.post(address("preview", match), data, headers=HTMX)
    assert text_of(part) == "Ann +15 → 2nd, 3rd, ends second"


@pytest.mark.parametrize("rules", ["house-modern", "hollywood-100"])
@pytest.mark.parametrize(("name", "queries"), [("pad", 6), ("sheet", 6)])
def test_queries_are_the_same_at_one_hand_and_at_sixty(
    cast: Cast, client: Client, django_assert_num_queries, name: str, queries: int, rules: str
) -> None:
    match = make_match(cast.ann, won(ANN, 1), rules={"preset": rules, "target": 5000})
    with django_assert_num_queries(queries):
        client.get(address(name, match))
    for number in range(59):
        enter_row(cast.ann, match, won(number % 2, 1 + number % 9))
    with django_assert_num_queries(queries):
        page = client.get(address(name, match))
    assert "60" in text_of(page)
