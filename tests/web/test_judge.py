"""The card check's page of its own: two hands and any rule set in an address, nothing kept."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ginledger.clubs.models import User
from ginledger.gin.ruleset import presets
from tests.web.page import HTMX, text_of

pytestmark = pytest.mark.django_db

B04 = {"k": "5H 6H 7H QC QD QS 2C 2D 2S 9S", "d": "3H 4H 8H QH JC JD JS AC AD 5C"}
B04_GIN = {"k": "4C 5C 6C 7C 9D 9H 9S KC KD KH", "d": "8C 9C KS 3C AD 2D 4H 6S JS JH"}
B11 = {"k": "TD TC TH JS QS KS 2C 2D 2H 4D", "d": "TS 9S 3C 3D 3H 5C 6C 7C KD KH"}
B15 = {"k": "5H 6H 7H QC QD QS 2C 2D 2S 9S", "d": "8C 8H 8S 6S 7S 9H 3D 4D 5D AC"}
B29 = {"k": "8C 9C TC 8H 9H TH 8S 9S TS JD", "d": "2C 5C QC AD 3D 8D 9D 5H 4S 5S"}
B29_SETS = "8C 8H 8S / 9C 9H 9S / TC TH TS"
MELDED = "KC KD KH KS AH AD AS 2H 2D 2S"
BIG = "3C 4C 5C 6C 8D 8H 8S JC JD JH JS"


def judge(client: Client, *, htmx: bool = False, **query: str) -> Any:
    return client.get(f"/judge/?{urlencode(query)}", headers=HTMX if htmx else {})


def field_of(page: Any, name: str) -> str:
    """What a text field of the page holds."""
    found = re.search(rf'<input[^>]*name="{name}"[^>]*value="([^"]*)"', page.content.decode())
    assert found, name
    return found[1]


def grid_of(page: Any) -> dict[str, str]:
    """Who has each card of the grid, by the cards that are taken."""
    cells = re.findall(r'name="tap" value="(..)" data-owner="(.?)"', page.content.decode())
    assert len(cells) == 52
    return {card: owner for card, owner in cells if owner}


@pytest.mark.parametrize(
    ("hands", "headline", "sentences"),
    [
        (B04, "Undercut: Defender scores 27", ["Knocker knocks with 9, Defender has only 7"]),
        (B04_GIN, "Gin: Knocker scores 88", ["Defender is left with 63"]),
        (B11, "Knocker scores 16", ["Defender has 20"]),
        (B15, "Undercut: Defender scores 25", ["Defender has 9 too"]),
        (B29, "Knocker scores 27", ["so the best for Knocker counts: three runs, no lay-off"]),
        (
            B29 | {"m": B29_SETS},
            "Knocker scores 10",
            ["As Knocker laid it out: three sets, 8♦ and 9♦ laid off", "+27 instead of +10"],
        ),
    ],
    ids=["B04", "B04 gin", "B11", "B15", "B29", "B29 stated"],
)
def test_the_hard_hands_are_ruled(
    client: Client, hands: dict[str, str], headline: str, sentences: list[str]
) -> None:
    page = judge(client, **hands)
    assert page.status_code == 200
    said = text_of(page)
    assert headline in said
    for sentence in sentences:
        assert sentence in said


def test_lay_offs_lie_on_the_knockers_melds(client: Client) -> None:
    body = judge(client, **B11).content.decode()
    knocker = body[body.index('id="spread-0"') : body.index('id="spread-1"')]
    assert re.findall(r'class="vh">([^<]*), laid off<', knocker) == ["9 of spades", "10 of spades"]
    assert "20 left, 19 laid off" in text_of(judge(client, **B11))
    defender = body[body.index('id="spread-1"') :]
    assert 'class="face off' not in defender[: defender.index("</section>")]


def test_both_layouts_are_offered_and_one_is_chosen(client: Client) -> None:
    page = judge(client, **B29)
    choices = re.findall(r'name="layout" value="([^"]*)"', page.content.decode())
    assert len(choices) == 1
    chosen = judge(client, **B29, layout=choices[0])
    assert chosen.status_code == 302
    page = client.get(chosen.url)
    assert "Knocker scores 10" in text_of(page)
    back = judge(client, **B29, m=field_of(page, "m"), layout="")
    assert "Knocker scores 27" in text_of(client.get(back.url))


def test_cards_are_regrouped_by_choosing_them(client: Client) -> None:
    query = [*B29.items(), ("pick", "8C"), ("pick", "8H"), ("pick", "8S"), ("lay", "1")]
    answer = client.get(f"/judge/?{urlencode(query)}")
    page = client.get(answer.url)
    # The three runs lost their eights, and two cards are no run: 9s and 10s are loose.
    assert field_of(page, "m") == "8C 8H 8S"
    assert "cannot knock with 67" in text_of(page)
    query = [("k", B29["k"]), ("d", B29["d"]), ("m", B29_SETS), ("pick", "8C"), ("loosen", "1")]
    page = client.get(client.get(f"/judge/?{urlencode(query)}").url)
    assert field_of(page, "m") == "9C 9H 9S / TC TH TS"


def test_nothing_is_stored_and_no_account_is_made(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        for query in ({}, B04, B04 | {"tap": "5H"}):
            answer = judge(client, **query)
            assert not answer.cookies
    assert not User.objects.exists()
    assert not Session.objects.exists()


@pytest.mark.parametrize("slug", [one for one in presets() if one != "straight"])
def test_any_rule_set_judges(client: Client, slug: str) -> None:
    rules = presets()[slug].rules
    page = judge(client, **B29, rules=slug, upcard="9H")
    limit = 9 if rules.oklahoma else 10
    assert f"knock limit {limit}" in text_of(page)
    if rules.oklahoma:
        assert "cannot knock with 10: the limit is 9 (the upcard was 9♥)" in text_of(page)
    else:
        assert "Knocker scores 27" in text_of(page)


def test_straight_gin_refuses_a_knock(client: Client) -> None:
    assert "only gin ends a hand" in text_of(judge(client, **B29, rules="straight")).lower()
    assert "Gin: Knocker scores 88" in text_of(judge(client, **B04_GIN, rules="straight"))


def test_b109_the_rules_of_the_link_are_used_and_told(client: Client) -> None:
    query = {"knock_limit": "7", "gin_bonus": "20", "undercut_bonus": "10"}
    said = text_of(judge(client, **B15, **query))
    assert "knock limit 7" in said
    assert "cannot knock with 9: the limit is 7" in said
    assert "Gin: Knocker scores 83" in text_of(judge(client, **B04_GIN, **query))
    query["knock_limit"] = "9"
    assert "Undercut: Defender scores 10" in text_of(judge(client, **B15, **query))


def test_a_spade_doubles_and_an_ace_lets_only_gin_end_the_hand(client: Client) -> None:
    said = text_of(judge(client, **B11, rules="oklahoma-150", upcard="6S"))
    assert "knock limit 6, counts double" in said
    assert "Knocker scores 32" in said
    assert "only gin ends this hand" in text_of(
        judge(client, **B11, rules="oklahoma-150", upcard="AH")
    )


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"rules": "whist"}, "There is no rule set 'whist'"),
        ({"knock_limit": "11"}, "knock_limit is from 0 to 10, not 11."),
        ({"gin_bonus": "lots"}, "gin_bonus is a whole number"),
        ({"tie": "coin"}, "tie is one of"),
        ({"undercut_bonus": "9" * 30}, "undercut_bonus is"),
    ],
)
def test_a_wrong_rule_in_a_link_is_named(
    client: Client, query: dict[str, str], problem: str
) -> None:
    page = judge(client, **B04, **query)
    assert page.status_code == 422
    assert problem in text_of(page)
    assert field_of(page, "k") == B04["k"]


@pytest.mark.parametrize(
    ("hands", "problems"),
    [
        (
            {"k": "QH 5C 5C 2H 3H 4H 7S 8S 9S JD", "d": "QH KC KD KS AC AD AS 2C 2D 2S"},
            ["5C is there twice", "Q♥ is in both hands"],
        ),
        (
            {"k": "QH 5C 6C 2H 3H 4H 7S 8S 9S", "d": "KC KD KS AC AD AS 2C 2D 2S 3S JD"},
            ["Knocker has 9 cards", "Defender has 11 cards, not ten"],
        ),
        ({"k": "1H 7X zz", "d": ""}, ["“1H” is not a card", "“7X”", "“zz”"]),
    ],
    ids=["twice and in both", "nine and eleven", "no cards"],
)
def test_b68_all_problems_at_once_and_the_cards_kept(
    client: Client, hands: dict[str, str], problems: list[str]
) -> None:
    page = judge(client, **hands, rule="1")
    assert page.status_code == 422
    for problem in problems:
        assert problem in text_of(page)
    assert field_of(page, "k") == hands["k"]
    assert field_of(page, "d") == hands["d"]
    assert 'class="verdict' not in page.content.decode()


def test_b127_a_wrong_layout_is_told_once_and_kept(client: Client) -> None:
    hand = {"k": "9C JC 8C 8D 9H 2S 3S 4S AD AH", "d": MELDED.replace("AD AS", "AC 3D")}
    hand["d"] = "KC KD KH KS QC QD QH QS 2H 2D"
    page = judge(client, **hand, m="9C JC / 8C 8D 9H", rule="1")
    assert page.status_code == 422
    said = text_of(page)
    assert said.count("9♣ J♣ is no run: the 10♣ is missing.") == 1
    assert said.count("8♣ 8♦ 9♥ is no meld") == 1
    assert field_of(page, "m") == "9C JC / 8C 8D 9H"


def test_while_cards_are_tapped_nothing_is_called_wrong(client: Client) -> None:
    page = judge(client, k="7S 7H", d="KD")
    assert page.status_code == 200
    assert 'role="alert"' not in page.content.decode()
    assert "Knocker 2 of 10 · Defender 1 of 10" in text_of(page)


def test_b99_eleven_cards(client: Client) -> None:
    loose = "3C 4C 5C 8D 8H 8S JD JH JS 9C AC"
    hands = {"k": loose, "d": "KC KD KH KS QC QD QH 2D 2S 7H"}
    page = judge(client, **hands)
    assert "throw 9♣ and 1 is left" in text_of(page)
    assert '<button class="secondary" name="throw" value="9C">Throw the 9♣</button>' in (
        page.content.decode()
    )
    page = client.get(judge(client, **hands, throw="9C").url)
    assert "9C" not in field_of(page, "k").split()
    assert "1 deadwood" in text_of(page)
    big = {"k": BIG, "d": "KC KD KH KS QC QD QH 2D 2S 7H"}
    assert "Big gin: Knocker scores 42" in text_of(judge(client, **big))
    assert "Gin: Knocker scores 36" in text_of(judge(client, **big, big_gin_bonus="none"))


def test_typed_cards_are_read_in_every_usual_way(client: Client) -> None:
    typed = "5♥, 6h;7H qc QD q♠ 2c2d2s 9♤"
    page = judge(client, k=typed, d=B04["d"].lower().replace("j", "J"))
    assert "Undercut: Defender scores 27" in text_of(page)
    assert field_of(page, "k") == typed
    assert "10C" not in grid_of(page)
    ten = judge(client, k="10c 10♦ th", d="")
    assert grid_of(ten) == {"TC": "0", "TD": "0", "TH": "0"}


# Without a script: every press is an address that holds the next state


def press(client: Client, page: Any, **button: str) -> Any:
    """Send the form with one of its buttons; the page that comes of it."""
    fields = {name: field_of(page, name) for name in ("k", "d", "m", "active", "mode_now", "start")}
    answer = judge(client, **{**fields, **button})
    return client.get(answer.url) if answer.status_code == 302 else answer


def test_cards_are_tapped_without_a_script(client: Client) -> None:
    page = judge(client)
    for card in B11["k"].split():
        page = press(client, page, tap=card)
    assert grid_of(page) == dict.fromkeys(B11["k"].split(), "0")
    for card in B11["d"].split():  # the full hand passed the turn on
        page = press(client, page, tap=card)
    assert "Knocker scores 16" in text_of(page)
    page = press(client, page, tap="KD")  # once more takes it back
    assert "KD" not in grid_of(page)
    assert "Defender 9 of 10" in text_of(page)


def test_a_link_with_one_hand_waits_for_the_other(client: Client) -> None:
    assert field_of(judge(client, k=B11["k"]), "active") == "1"
    assert field_of(judge(client, **B11), "active") == "0"
    page = press(client, judge(client, k=B11["k"]), tap="KD")
    assert grid_of(page)["KD"] == "1"


def test_a_card_is_not_given_twice(client: Client) -> None:
    page = press(client, judge(client, k="7S", active="1"), tap="7S")
    assert grid_of(page) == {"7S": "0"}
    assert "7♠: Knocker has it." in text_of(page)


def test_a_full_hand_takes_no_more_but_the_knockers_eleventh(client: Client) -> None:
    page = judge(client, **B11, active="1")
    page = press(client, page, tap="AS")
    assert "Defender has 10 cards: take one back first." in text_of(page)
    page = press(client, press(client, page, tab="0"), tap="AS")
    assert grid_of(page)["AS"] == "0"
    page = press(client, page, tap="AH")
    assert "Knocker has 11 cards: take one back first." in text_of(page)


def test_a_run_by_its_ends_and_a_set_by_its_rank(client: Client) -> None:
    page = press(client, judge(client), mode="run")
    page = press(client, page, tap="KS")
    assert "Now its other end." in text_of(page)
    page = press(client, page, tap="TS")
    assert list(grid_of(page)) == ["TS", "JS", "QS", "KS"]
    page = press(client, press(client, page, mode="set"), tap="7D")
    assert [card for card in grid_of(page) if card[0] == "7"] == ["7S", "7H", "7D", "7C"]
    page = press(client, page, tab="1")
    page = press(client, page, rank="KS")
    assert [card for card, owner in grid_of(page).items() if owner == "1"] == ["KH", "KD", "KC"]
    page = press(client, page, clear="1")
    assert "1" not in grid_of(page).values()


def test_htmx_gets_the_ruling_and_the_address_that_holds_it(client: Client) -> None:
    answer = judge(client, htmx=True, **B11, active="1", mode_now="run")
    body = answer.content.decode()
    assert body.lstrip().startswith('<section id="ruling"')
    assert "<html" not in body
    link = answer.headers["HX-Replace-Url"]
    assert parse_qs(urlsplit(link).query) == {
        "k": ["2C TC 2D 4D TD 2H TH JS QS KS"],
        "d": ["3C 5C 6C 7C 3D KD 3H KH 9S TS"],
        "rules": ["house-modern"],
    }
    assert "Knocker scores 16" in text_of(client.get(link))
    assert "HX-Request" in answer.headers["Vary"]


def test_b07_what_is_typed_is_shown_as_text(client: Client) -> None:
    nasty = '"><img src=x onerror=x>'
    body = judge(client, k=nasty, d=nasty, m=nasty, upcard=nasty, rules=nasty).content.decode()
    assert "<img" not in body


def test_b81_long_and_odd_input_is_answered(client: Client) -> None:
    for query in (
        {"k": "7S " * 400, "d": "x" * 5000, "m": "/" * 900},
        {"tap": "99", "active": "7", "mode_now": "x", "start": "ZZZZ"},
        {"tab": "9", "layout": "7S / / zz", "k": B11["k"], "d": B11["d"]},
        {"pick": "\x00", "lay": "1", "k": "\x00", "upcard": "9" * 99, "rules": "oklahoma-150"},
    ):
        assert judge(client, **query).status_code in (200, 302, 422)
