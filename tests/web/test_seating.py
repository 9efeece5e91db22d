"""Three at a table and partners: started, entered, amended and read, with and without htmx."""

from typing import Any

import pytest
from django.test import Client

from ginledger.gin.cards import parse_cards
from ginledger.gin.hands import CardsHand, CountsHand, DeadHand, PointsHand, Round
from ginledger.matches.live import open_match_link
from ginledger.matches.models import Match
from tests.cast import book_of, dead, gin, knock, make_match, won
from tests.web.page import HTMX, address, counts, enter, filled, points, state_of, text_of
from tests.web.spoken import spoken

pytestmark = pytest.mark.django_db

NAMES = ("Ann", "Ben", "Cleo")
FOUR = ("Ann", "Cleo", "Ben", "Dev")  # Ann & Cleo v Ben & Dev
ANN, BEN, CLEO = 0, 1, 2
# Seats of the four, in the order of their sides.
A, C, B, D = 0, 1, 2, 3


def three(cast: Any, *hands: Any, **more: Any) -> Match:
    return make_match(cast.ann, *hands, names=NAMES, rules="three-handed", **more)


def partners(cast: Any, *hands: Any, **more: Any) -> Match:
    return make_match(cast.ann, *hands, names=FOUR, rules="partners-125", **more)


def at_table(place: int, **fields: Any) -> dict[str, Any]:
    return {f"t{place}-{name}": value for name, value in fields.items()}


def round_data(match: Match, *tables: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A round as the form sends it, a dictionary a table."""
    version = Match.objects.get(pk=match.pk).version
    data: dict[str, Any] = {"once_key": f"round-{version}", "version": version}
    for place, table in enumerate(tables):
        data |= at_table(place, **{"mode": "counts", "how": "knock", "pair": "", **table})
    return data | more


KNOCK = {"who": A, "knocker_deadwood": 6, "opponent_deadwood": 21}
GIN = {"who": D, "how": "gin", "opponent_deadwood": 19}
DEAD = {"who": "dead"}


# Starting


def test_three_sit_down(client: Client) -> None:
    form = {"play": "three", "first": "Ann", "second": "Ben", "third": "Cleo"}
    answer = client.post(
        "/", {**form, "rules": "three-handed", "sheet": "one", "dealer": "2", "once_key": "k"}
    )
    assert answer.status_code == 302
    match = Match.objects.get()
    assert [seat.player.name for seat in match.seats.order_by("number")] == list(NAMES)
    assert match.first_dealer == CLEO
    page = text_of(client.get(address("pad", match)))
    assert "Cleo deals" in page


@pytest.mark.parametrize("dealer", [0, 1])
def test_partners_sit_across(client: Client, dealer: int) -> None:
    form = {"play": "partners", "first": "Ann", "second": "Ben", "third": "Cleo", "fourth": "Dev"}
    more = {"rules": "partners-125", "sheet": "one", "dealer": str(dealer), "once_key": "k"}
    assert client.post("/", form | more).status_code == 302
    match = Match.objects.get()
    book = book_of(match)
    assert book.table.sides == (("Ann", "Cleo"), ("Ben", "Dev"))
    assert book.sheet.next_dealers == book.table.seats(dealer)


def test_three_a_side(client: Client) -> None:
    names = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Fay")
    fields = ("first", "second", "third", "fourth", "fifth", "sixth")
    form = dict(zip(fields, names, strict=True)) | {"play": "partners", "rules": "partners-125"}
    form |= {"sheet": "one", "dealer": "1", "once_key": "k"}
    refused = client.post("/", form | {"sixth": ""})
    assert refused.status_code == 422
    assert "sixth" in refused.context["form"].errors
    assert not Match.objects.exists()
    assert client.post("/", form).status_code == 302
    book = book_of(Match.objects.get())
    assert book.table.sides == (("Ann", "Cleo", "Eve"), ("Ben", "Dev", "Fay"))
    assert book.terms.first_dealer == 3
    assert len(book.sheet.next_pairs) == 3


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"third": ""}, "third"),
        ({"third": "ann"}, "third"),
        ({"rules": "house-modern"}, "rules"),
        ({"play": "two", "rules": "house-modern", "dealer": "2"}, "dealer"),
        ({"play": "four"}, "play"),
    ],
)
def test_a_wrong_start_stores_nothing(client: Client, changes: dict[str, str], wrong: str) -> None:
    form = {"play": "three", "first": "Ann", "second": "Ben", "third": "Cleo"}
    form |= {"rules": "three-handed", "sheet": "one", "dealer": "0", "once_key": "k"}
    answer = client.post("/", form | changes)
    assert answer.status_code == 422
    assert wrong in answer.context["form"].errors
    assert 'value="Ben"' in answer.content.decode()
    assert not Match.objects.exists()


def test_the_address_of_a_rule_set_opens_its_seating(client: Client) -> None:
    page = client.get("/?rules=partners-125").content.decode()
    assert 'name="play" value="partners" checked' in page
    assert 'value="partners-125" checked' in page
    page = client.get("/?play=three").content.decode()
    assert 'value="three-handed" checked' in page


# Three


def test_those_whose_turn_it_is_are_offered(cast: Any, browser_of: Any) -> None:
    match = three(cast)
    page = browser_of(cast.ann).get(address("pad", match))
    assert page.context["entry"].tables[0].met == ("Ann", "Ben")
    assert page.context["entry"].tables[0].rest == ("Cleo",)
    words = spoken(page)
    assert "Cleo sits out" in words
    assert "Ann deals" in words


@pytest.mark.parametrize("htmx", [False, True])
def test_the_winner_stays_and_the_newcomer_deals(cast: Any, browser_of: Any, htmx: bool) -> None:
    match = three(cast)
    answer = enter(browser_of(cast.ben), match, counts(match, BEN, 6, 21), htmx=htmx)
    assert answer.status_code == (200 if htmx else 302)
    book = book_of(match)
    assert book.lines[0].hand == CountsHand(kind="knock", knocker=BEN, own=6, other=21, opponent=0)
    # Ben won: he stays, Ann sits out, Cleo comes in and deals.
    assert book.sheet.next_players == (BEN, CLEO)
    assert book.sheet.next_dealers == (CLEO,)
    page = browser_of(cast.ben).get(address("pad", match))
    assert page.context["entry"].tables[0].met == ("Ben", "Cleo")
    assert "Ann sits out" in spoken(page)


def test_somebody_else_played(cast: Any, browser_of: Any) -> None:
    match = three(cast)
    client = browser_of(cast.ann)
    enter(client, match, counts(match, CLEO, 6, 21, pair="0-2"))
    book = book_of(match)
    assert book.sheet.hands[0].players == (ANN, CLEO)
    assert (book.sheet.next_players, book.sheet.next_dealers) == ((BEN, CLEO), (BEN,))
    enter(client, match, points(match, ANN, 30, pair="0-1"))
    enter(client, match, counts(match, "dead", pair="1-2"))
    book = book_of(match)
    assert book.lines[1].hand == PointsHand(kind="knock", winner=ANN, points=30, opponent=BEN)
    assert book.lines[2].hand == DeadHand(players=(BEN, CLEO))
    assert book.sheet.next_players == (BEN, CLEO)


def test_who_sat_out_cannot_have_knocked(cast: Any, browser_of: Any) -> None:
    match = three(cast)
    before = state_of(match)
    answer = enter(browser_of(cast.ann), match, counts(match, CLEO, 6, 21))
    assert answer.status_code == 422
    assert "Cleo did not play in this hand." in text_of(answer)
    assert state_of(match) == before
    sent = counts(match, CLEO, 6, 21) | {"pair": "0-3"}
    assert enter(browser_of(cast.ann), match, sent).status_code == 422
    assert state_of(match) == before


def test_a_hand_of_three_is_amended(cast: Any, browser_of: Any) -> None:
    match = three(cast, knock(ANN, 6, 21, opponent=BEN), gin(CLEO, 20, opponent=ANN))
    client = browser_of(cast.ann)
    line = book_of(match).lines[0]
    page = client.get(address("row", match, line.row))
    sent = filled(page)
    assert sent["pair"] == "0-1"
    before = state_of(match)
    assert client.post(address("row", match, line.row), sent).status_code == 302
    assert state_of(match)[1] == before[1], "saved as it was, nothing changes"
    sent |= {"pair": "1-2", "who": str(CLEO)}
    assert client.post(address("row", match, line.row), sent).status_code == 302
    book = book_of(match)
    assert book.lines[0].hand == knock(CLEO, 6, 21, opponent=BEN)
    assert book.sheet.hands[0].players == (BEN, CLEO)


# Partners


def test_a_round_is_one_form(cast: Any, browser_of: Any) -> None:
    match = partners(cast)
    page = browser_of(cast.ann).get(address("pad", match))
    tables = page.context["entry"].tables
    assert [table.met for table in tables] == [("Ann", "Ben"), ("Cleo", "Dev")]
    words = spoken(page)
    assert "Round 1" in words
    assert "Ann & Cleo" in words
    assert "Cards ›" not in words


@pytest.mark.parametrize("htmx", [False, True])
def test_only_the_net_is_entered(cast: Any, browser_of: Any, htmx: bool) -> None:
    match = partners(cast)
    client = browser_of(cast.ben)
    # Ann +15, Dev +44 (gin 25 and 19): Ben & Dev +29.
    data = round_data(match, KNOCK, GIN)
    seen = client.post(address("preview", match), data, headers=HTMX)
    assert "Ben & Dev +29" in text_of(seen).replace("\N{NO-BREAK SPACE}", " ")
    assert "29" in text_of(seen)
    assert not match.rows.exists()
    answer = enter(client, match, data, htmx=htmx)
    assert answer.status_code == (200 if htmx else 302)
    book = book_of(match)
    hand = book.lines[0].hand
    assert isinstance(hand, Round)
    assert hand.tables == (
        CountsHand(kind="knock", knocker=A, own=6, other=21, opponent=B),
        CountsHand(kind="gin", knocker=D, own=None, other=19, opponent=C),
    )
    scored = book.sheet.hands[0]
    assert (scored.side, scored.points, scored.boxes) == (1, 29, 1)
    # The winner deals, and everybody meets the next opponent.
    assert book.sheet.next_dealers == (B, D)
    assert book.sheet.next_pairs == ((A, D), (C, B))
    page = client.get(address("pad", match))
    assert [one.met for one in page.context["entry"].tables] == [("Ann", "Dev"), ("Cleo", "Ben")]


def test_a_dead_table_and_another_pairing(cast: Any, browser_of: Any) -> None:
    match = partners(cast)
    crossed = {"pair": "0-3"}, {"pair": "1-2"}
    enter(browser_of(cast.ann), match, round_data(match, KNOCK | crossed[0], DEAD | crossed[1]))
    book = book_of(match)
    hand = book.lines[0].hand
    assert isinstance(hand, Round)
    assert hand.tables[1] == DeadHand(players=(C, B))
    assert (book.sheet.hands[0].side, book.sheet.hands[0].points) == (0, 15)
    assert book.sheet.next_pairs == ((A, B), (C, D)), "the rotation goes on from there"


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ((KNOCK, {}), "Who knocked?"),
        ((KNOCK | {"pair": "0-3"}, GIN), "Dev plays at two tables."),
        ((KNOCK | {"who": D}, GIN), "Dev did not play in this hand."),
        ((KNOCK | {"knocker_deadwood": 16}, DEAD), "limit is 10"),
    ],
)
def test_a_refused_round_keeps_what_was_typed(
    cast: Any, browser_of: Any, tables: tuple[dict[str, Any], dict[str, Any]], said: str
) -> None:
    match = partners(cast)
    before = state_of(match)
    answer = enter(browser_of(cast.ann), match, round_data(match, *tables))
    assert answer.status_code == 422
    assert said in text_of(answer)
    sent = filled(answer)
    assert sent["t0-opponent_deadwood"] == "21"
    assert state_of(match) == before


def test_level_and_dead_rounds_leave_the_deal(cast: Any, browser_of: Any) -> None:
    match = partners(cast)
    client = browser_of(cast.ann)
    level = round_data(match, KNOCK, {"who": D, "knocker_deadwood": 5, "opponent_deadwood": 20})
    seen = client.post(address("preview", match), level, headers=HTMX)
    assert "Nobody scores: Ann and Cleo deal again" in text_of(seen)
    enter(client, match, level)
    book = book_of(match)
    assert (book.sheet.hands[0].side, book.sheet.next_dealers) == (None, (A, C))
    assert "Round" in spoken(client.get(address("pad", match)))


def test_a_round_is_amended(cast: Any, browser_of: Any) -> None:
    match = partners(cast)
    client = browser_of(cast.ann)
    enter(client, match, round_data(match, KNOCK, GIN))
    line = book_of(match).lines[0]
    page = client.get(address("row", match, line.row))
    sent = filled(page)
    assert (sent["t0-pair"], sent["t0-who"], sent["t1-who"], sent["t1-how"]) == (
        "0-2",
        str(A),
        str(D),
        "gin",
    )
    before = state_of(match)
    client.post(address("row", match, line.row), sent)
    assert state_of(match) == before
    sent |= {"t1-who": "dead"}
    seen = client.post(address("row_preview", match, line.row), sent, headers=HTMX)
    assert "Ann & Cleo +15" in text_of(seen)
    assert client.post(address("row", match, line.row), sent).status_code == 302
    book = book_of(match)
    assert (book.sheet.hands[0].side, book.sheet.hands[0].points) == (0, 15)


def test_every_table_has_its_upcard(cast: Any, browser_of: Any) -> None:
    rules = {"preset": "partners-125", "oklahoma": True, "spade_doubles": True}
    match = make_match(cast.ann, names=FOUR, rules=rules)
    client = browser_of(cast.ann)
    four, king = {"upcard_rank": "4", "upcard_suit": "S"}, {"upcard_rank": "K", "upcard_suit": "H"}
    before = state_of(match)
    missing = enter(client, match, round_data(match, KNOCK | king, GIN))
    assert missing.status_code == 422
    assert "Which card was turned up first?" in text_of(missing)
    # The limit of the first table is 4 by its own upcard.
    refused = enter(client, match, round_data(match, KNOCK | four, GIN | king))
    assert refused.status_code == 422
    assert "the limit is 4" in text_of(refused)
    assert "limit is 4" in str(refused.context["form"].tables[0].errors["knocker_deadwood"])
    assert state_of(match) == before
    data = round_data(match, KNOCK | four | {"knocker_deadwood": 4}, GIN | king)
    seen = client.post(address("preview", match), data, headers=HTMX)
    assert "knock with 4 or less, counts double|knock with 10 or less" in seen.content.decode()
    # (21 - 4) x 2 = 34 less 25 + 19 = 44
    assert "Ben & Dev +10" in text_of(seen)
    assert enter(client, match, data).status_code == 302


# What is read


def test_every_two_of_three_settle(cast: Any, browser_of: Any) -> None:
    """The golden match: Ann 104 + 3 boxes + 100, Ben 46 + 2 boxes, Cleo shut out."""
    hands = [won(ANN, 30), won(ANN, 30), won(BEN, 20), won(BEN, 26), won(ANN, 44)]
    match = three(cast, *hands)
    words = spoken(browser_of(cast.ann).get(address("sheet", match)))
    assert "Ann wins: Ann +562, Ben −87, Cleo −475." in words
    # 279 less 96; 279 and a shutout of 100; 96 less nothing
    assert "Ann from Ben: points +58, boxes +25, game +100 = +183." in words
    assert "Ann from Cleo: points +104, boxes +75, game +100, shutout +100 = +379." in words
    assert "Ben from Cleo: points +46, boxes +50 = +96." in words
    pad = spoken(browser_of(cast.ann).get(address("pad", match)))
    assert "sits out" not in pad
    assert "Ann wins: Ann +562" in pad
    assert "Ann v Ben v Cleo" in text_of(browser_of(cast.ann).get("/"))


def test_a_round_says_what_its_tables_were(cast: Any, browser_of: Any) -> None:
    match = partners(cast)
    client = browser_of(cast.ann)
    enter(client, match, round_data(match, KNOCK, GIN))
    enter(client, match, round_data(match, KNOCK | {"pair": "0-3"}, DEAD | {"pair": "1-2"}))
    pad = spoken(client.get(address("pad", match)))
    assert "Ann +15, Dev +44 (gin)" in pad
    assert "Ann +15, dead" in pad
    assert "Undo round 2" in pad
    sheet = spoken(client.get(address("sheet", match)))
    assert "Net 44 less 15: Ben & Dev +29." in sheet
    row = spoken(client.get(address("row", match, book_of(match).lines[0].row)))
    assert "Ben & Dev, round: Ann +15, Dev +44 (gin), net +29" in row


PAGES = ("pad", "sheet", "count", "agreed", "under", "history", "about", "adjust", "settlement")


def some_match(cast: Any, play: str) -> Match:
    if play == "three":
        return three(cast, won(ANN, 60), won(CLEO, 20), won(CLEO, 30))
    tables = knock(A, 6, 21, opponent=B), gin(D, 19, opponent=C)
    return partners(cast, Round(tables=tables), Round(tables=(dead(players=(A, B)), tables[1])))


@pytest.mark.parametrize("play", ["three", "partners"])
def test_every_page_of_a_match_holds(cast: Any, browser_of: Any, play: str) -> None:
    match = some_match(cast, play)
    client = browser_of(cast.ann)
    rows = [line.row for line in book_of(match).lines]
    addresses = [address(name, match) for name in PAGES]
    addresses += [address(name, match, row) for name in ("row", "insert", "dealer") for row in rows]
    if play == "three":
        addresses += [address("cards", match), address("row_cards", match, rows[0])]
    for where in addresses:
        assert client.get(where).status_code == 200, where
    assert client.get(f"{address('under', match)}?rules={match.rules['play']}").status_code == 422
    token = open_match_link(user=cast.ann, match_key=match.key).token
    assert client.get(f"/live/{token}/").status_code == 200


@pytest.mark.parametrize("play", ["three", "partners"])
def test_a_forgotten_hand_goes_in_between(cast: Any, browser_of: Any, play: str) -> None:
    match = some_match(cast, play)
    client = browser_of(cast.ann)
    row = book_of(match).lines[1].row
    page = client.get(f"{address('insert', match, row)}?place=before")
    # Before the second row: Ann won the first and stays; the partners have moved on once.
    met = [table.met for table in page.context["entry"].tables]
    if play == "three":
        assert met == [("Ann", "Cleo")]
        sent = filled(page) | {"who": "dead"}
    else:
        assert met == [("Ann", "Dev"), ("Cleo", "Ben")]
        sent = filled(page) | {"t0-who": "dead", "t1-who": "dead"}
    answer = client.post(address("insert", match, row), sent | {"place": "before"})
    assert answer.status_code == 302
    book = book_of(match)
    assert len(book.lines) == len(match.rows.all())
    assert book.sheet.hands[1].side is None


def test_a_round_with_cards_is_not_changed_by_its_form(cast: Any, browser_of: Any) -> None:
    spread = parse_cards("7S 7H 7C JS QS KS 2D 3D 4D 6C")
    other = parse_cards("TS 9S 8H 8D 8C 5D KH AH 2C 9H")
    cards = CardsHand(knocker=A, opponent=B, knocker_cards=spread, opponent_cards=other)
    match = partners(cast, Round(tables=(cards, dead(players=(C, D)))))
    page = browser_of(cast.ann).get(address("row", match, book_of(match).lines[0].row))
    assert page.status_code == 200
    assert "A table of this round stands by its cards" in text_of(page)
    assert 'id="entry"' not in page.content.decode()
