"""A whole paper sheet copied in: per row by points or counts, checked, all or nothing."""

from typing import Any

import pytest
from django.test import Client

from ginledger.gin.hands import CountsHand, PointsHand
from ginledger.matches import services
from ginledger.matches.models import Match
from tests.cast import (
    ANN,
    BEN,
    CLEO,
    Cast,
    book_of,
    dead,
    enter,
    fresh,
    gin,
    knock,
    make_match,
    won,
)
from tests.web.page import address, filled, state_of, text_of

pytestmark = pytest.mark.django_db

# A sheet of eight hands to 100, added up by hand. Ann knocks with 6 against 21: 15. Ben has gin
# against 19: 25 + 19 = 44. Dead. Ann wins 31 as written: 46. Ben knocks with 9, Ann has 4: an
# undercut, 25 + 5 = 30 to Ann: 76. Ben 20 as written: 64. Ann undercuts for 28 as written: 104.
SHEET: list[dict[str, Any]] = [
    {"who": 0, "how": "knock", "own": 6, "other": 21},
    {"who": 1, "how": "gin", "other": 19},
    {"who": "dead"},
    {"who": 0, "how": "knock", "points": 31, "note": "the long one"},
    {"who": 1, "how": "knock", "own": 9, "other": 4},
    {"who": 1, "how": "knock", "points": 20},
    {"who": 0, "how": "undercut", "points": 28},
]


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann)


def typed(match: Match, rows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """The rows as the form sends them, the others blank, "How" always saying something."""
    data = {f"{number}-how": "knock" for number in range(1, 21)}
    for number, row in enumerate(rows, 1):
        data |= {f"{number}-{name}": str(value) for name, value in row.items()}
    return data | {"once_key": "paper", "version": fresh(match).version, "enter": "1", **more}


def send(client: Client, match: Match, rows: list[dict[str, Any]], **more: Any) -> Any:
    return client.post(address("paper", match), typed(match, rows, **more))


def test_a_whole_sheet_in_one_go(client: Client, match: Match) -> None:
    page = client.get(address("paper", match))
    assert page.status_code == 200
    assert page.content.decode().count('role="group"') == 20
    assert send(client, match, SHEET).headers["Location"] == address("pad", match)
    book = book_of(match)
    assert [line.hand for line in book.lines] == [
        knock(ANN, 6, 21, opponent=BEN),
        gin(BEN, 19, opponent=ANN),
        dead(),
        won(ANN, 31, note="the long one"),
        knock(BEN, 9, 4, opponent=ANN),
        won(BEN, 20),
        won(ANN, 28, kind="undercut"),
    ]
    # 104 + 4 boxes of 25 + game 100 = 304; Ben 64 + 2 boxes = 114: by 190.
    assert (book.sheet.over, book.sheet.winner, book.sheet.net) == (True, ANN, (190, -190))
    assert [row.position for row in book.rows] == [1, 2, 3, 4, 5, 6, 7]
    pad = text_of(client.get(address("pad", match)))
    assert "7 hands entered." in pad
    assert "Undo 7 hands" in pad


def test_one_act_is_taken_back_and_brought_back_whole(client: Client, match: Match) -> None:
    send(client, match, SHEET)
    assert fresh(match).version == 1
    client.post(address("undo", match), {"version": 1})
    assert fresh(match).hand_count == 0
    assert "Redo 7 hands" in text_of(client.get(address("pad", match)))
    client.post(address("redo", match), {"version": 2})
    assert fresh(match).net == [190, -190]


def test_checked_it_says_what_it_comes_to_and_stores_nothing(client: Client, match: Match) -> None:
    data = typed(match, SHEET, check="1")
    del data["enter"]
    before = state_of(match)
    page = client.post(address("paper", match), data)
    words = text_of(page)
    assert page.status_code == 200
    for outcome in ("Ann +15", "Ben +44", "nobody scores", "Ann +30", "Ann +28"):
        assert outcome in words
    assert "So far nothing is stored. It would come to: Ann 104, Ben 64. Ann wins by 190." in words
    assert state_of(match) == before
    kept = filled(page, "paper") | data
    assert kept["1-own"] == "6"
    assert client.post(address("paper", match), kept | {"enter": "1"}).status_code == 302


def test_sent_twice_it_is_there_once(client: Client, match: Match) -> None:
    data = typed(match, SHEET[:3])
    for _ in range(2):
        assert client.post(address("paper", match), data).status_code == 302
    assert match.rows.count() == 3


def test_twenty_rows_go_on_with_the_next_twenty(client: Client, match: Match) -> None:
    rows = [{"who": number % 2, "how": "knock", "points": 1} for number in range(20)]
    answer = send(client, match, rows)
    assert answer.headers["Location"] == address("paper", match)
    page = text_of(client.get(address("paper", match)))
    assert "20 hands entered." in page
    assert 'aria-label="Hand 21"' in client.get(address("paper", match)).content.decode()


def test_b30_all_or_nothing_and_the_row_is_named(client: Client, match: Match) -> None:
    rows = [*SHEET[:4], {"who": 1, "how": "knock", "own": 11, "other": 30}, SHEET[5]]
    before = state_of(match)
    answer = send(client, match, rows)
    assert answer.status_code == 422
    body = answer.content.decode()
    assert 'aria-describedby="wrong-5"' in body
    assert "Ben cannot knock with 11" in text_of(answer)
    assert "1 row is not right yet; nothing was stored." in text_of(answer)
    assert filled(answer, "paper")["5-own"] == "11"
    assert state_of(match) == before


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"points": 10}, "Who won or knocked? Or was the hand dead?"),
        ({"who": 0}, "What was it worth, or what were the counts?"),
        ({"who": 0, "other": 10}, "How much deadwood was it knocked with?"),
        ({"who": 0, "points": 10, "other": 10}, "Either the points as written or the counts."),
        ({"who": 0, "how": "undercut", "own": 4, "other": 2}, "the undercut is worked out"),
        ({"who": "dead", "points": 5}, "In a dead hand nobody scores."),
        ({"who": 0, "points": "1e3"}, "digits only"),
        ({"who": 0, "points": "-5"}, "digits only"),
        ({"who": 7, "points": 5}, "not one of the available choices"),
        ({"who": 0, "how": "gin", "points": 3}, "Ann"),
    ],
)
def test_what_a_row_cannot_be(
    client: Client, match: Match, row: dict[str, Any], words: str
) -> None:
    answer = send(client, match, [SHEET[0], row])
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert 'aria-describedby="wrong-2"' in answer.content.decode()
    assert match.rows.count() == 0


def test_every_wrong_row_is_told_at_once(client: Client, match: Match) -> None:
    answer = send(client, match, [{"points": 1}, SHEET[0], {"who": 0}, {"who": 1, "points": "x"}])
    assert "3 rows are not right yet" in text_of(answer)


def test_rows_behind_the_end_are_named_each(client: Client, match: Match) -> None:
    answer = send(client, match, [*SHEET, {"who": 1, "points": 9}, {"who": 0, "points": 9}])
    assert answer.status_code == 422
    body = answer.content.decode()
    assert 'aria-describedby="wrong-8"' in body
    assert 'aria-describedby="wrong-9"' in body
    assert "The match ended with hand 7." in text_of(answer)
    assert match.rows.count() == 0


def test_rows_left_blank_between_others_are_passed_by(client: Client, match: Match) -> None:
    assert send(client, match, [SHEET[0], {}, {}, SHEET[1]]).status_code == 302
    assert book_of(match).sheet.columns[0].sides[BEN].points == 44
    wrong = send(client, match, [{}, {"who": 0, "own": 50, "other": 60}], once_key="b")
    assert 'aria-describedby="wrong-2"' in wrong.content.decode()


def test_nothing_typed(client: Client, match: Match) -> None:
    answer = send(client, match, [])
    assert answer.status_code == 422
    assert "Nothing is typed yet." in text_of(answer)


def test_somebody_else_wrote_meanwhile(client: Client, match: Match, cast: Cast) -> None:
    data = typed(match, SHEET[:2])
    enter(cast.ben, match, won(BEN, 3))
    before = state_of(match)
    answer = client.post(address("paper", match), data)
    assert answer.status_code == 409
    assert "Somebody else wrote" in text_of(answer)
    assert state_of(match) == before
    kept = filled(answer, "paper") | {name: data[name] for name in data if "-" in name}
    assert client.post(address("paper", match), kept | {"enter": "1"}).status_code == 302
    assert match.rows.count() == 3


def test_the_upcard_where_the_rules_need_it(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="oklahoma-150")
    row = {"who": 0, "how": "knock", "own": 4, "other": 20}
    assert "Which card was turned up first?" in text_of(send(client, match, [row]))
    assert "cannot knock with 4" in text_of(send(client, match, [row | {"upcard": "3H"}]))
    answer = send(client, match, [row | {"upcard": "10s"}, {"who": 1, "points": 26}])
    assert answer.status_code == 302
    assert book_of(match).sheet.columns[0].sides[ANN].points == 32
    wrong = send(client, match, [row | {"upcard": "ZZ"}], once_key="c")
    assert wrong.status_code == 422


def test_three_at_a_table_meet_by_the_rotation(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, rules="three-handed", names=("Ann", "Ben", "Cleo"))
    first, second = sorted(book_of(match).sheet.next_players)
    rows = [
        {"who": first, "how": "knock", "own": 3, "other": 20},
        {"who": CLEO, "how": "knock", "own": 2, "other": 12},
        {"who": CLEO, "points": 7},
    ]
    assert send(client, match, rows).status_code == 302
    book = book_of(match)
    hands = [line.hand for line in book.lines]
    assert isinstance(hands[0], CountsHand)
    assert hands[0].opponent == second
    assert isinstance(hands[1], CountsHand)
    assert hands[1].opponent == first, "the winner stays, the loser is replaced"
    assert isinstance(hands[2], PointsHand)
    wrong = send(client, match, [{"who": book.sheet.next_players[0], "points": 3}], once_key="d")
    assert wrong.status_code == 302
    sits_out = ({0, 1, 2} - set(book_of(match).sheet.next_players)).pop()
    refused = send(client, match, [{"who": sits_out, "points": 3}], once_key="e")
    assert refused.status_code == 422


def test_partners_go_to_the_pad(cast: Cast, client: Client) -> None:
    names = ("Ann", "Cleo", "Ben", "Dev")
    match = make_match(cast.ann, rules="partners-125", names=names)
    page = client.get(address("paper", match))
    assert "done on the pad" in text_of(page)
    assert send(client, match, SHEET[:1]).status_code == 422
    assert match.rows.count() == 0


def test_a_stopped_or_finished_match_takes_no_sheet(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    assert "This match is over" in text_of(client.get(address("paper", match)))
    assert send(client, match, SHEET[:1]).status_code == 422
    stopped = make_match(cast.ann)
    services.stop_match(user=cast.ann, match_key=stopped.key, version=0)
    answer = send(client, stopped, SHEET[:1])
    assert answer.status_code == 409
    assert "take it up again first" in text_of(answer)


@pytest.mark.parametrize(("who", "status"), [("cleo", 403), ("dev", 404), (None, 404)])
def test_who_may(cast: Cast, match: Match, browser_of, who: str | None, status: int) -> None:
    client, before = browser_of(getattr(cast, who) if who else None), state_of(match)
    assert client.get(address("paper", match)).status_code == status
    assert send(client, match, SHEET).status_code == (status if who else 302)
    assert state_of(match) == before


def test_b94_names_as_typed(cast: Cast, client: Client) -> None:
    match = make_match(cast.ann, names=('A"B</script><img src=x>', "O'Hara {{x}} \\"))
    data = typed(match, [{"who": 0, "points": 9}], check="1")
    del data["enter"]
    page = client.post(address("paper", match), data)
    assert "<img src=x" not in page.content.decode()
    assert 'A"B</script><img src=x> +9' in text_of(page)
