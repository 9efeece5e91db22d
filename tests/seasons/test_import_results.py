"""Tables of results: matches without hands, their margins exactly those of the table."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.management import call_command
from django.urls import reverse

from ginledger.clubs.models import Club
from ginledger.matches.book import load_book
from ginledger.matches.models import Match
from ginledger.seasons.import_found import Understood
from ginledger.seasons.import_look import understand_table
from ginledger.seasons.import_results import RULES_NAME
from tests.cast import ANN, Cast, gin, knock, make_match
from tests.money.ledgers import player
from tests.seasons.desk import Desk
from tests.seasons.desk import data_folder as data_folder
from tests.seasons.test_import_hands import exported, places, results, start

pytestmark = pytest.mark.django_db

HEAD = "day,player_1,player_2,player_3,total_1,total_2,total_3,winner,margin,match,note\n"


def read(club: Club, *rows: str, head: str = HEAD) -> Understood:
    return understand_table(club, head + "".join(f"2026-01-12,{row}\n" for row in rows))


def test_a_result_is_a_match_that_is_over_by_its_margin(cast: Cast) -> None:
    text = HEAD + (
        "2026-01-12,Ann,Ben,,320,178,,,,,=from the book\n"
        "2026-01-13,Ann,Ben,,,,,Ben,75,,\n"
        "2026-01-14,Ann,Ben,Cleo,210,-5,90,,,,\n"
        "2026-01-15,Ann,Ben,,-30,1,,Ben,31,,\n"
    )
    desk = Desk(cast)
    looked = desk.look(text.encode())
    page = looked.content.decode()
    assert "a table of results, without hands" in page
    assert "Ann won by 142" in page and "Ann won: Ann +335, Ben -310, Cleo -25" in page
    assert 'name="rules"' not in page
    assert desk.store(looked).status_code == 302
    matches = list(Match.objects.order_by("pk"))
    assert [match.net for match in matches] == [
        [142, -142], [-75, 75], [335, -310, -25], [-31, 31]
    ]  # fmt: skip
    assert [match.totals for match in matches] == [
        [[320, 178]], [[0, 75]], [[210, -5, 90]], [[-30, 1]]
    ]  # fmt: skip
    for match in matches:
        assert (match.over, match.hand_count, match.rules_name) == (True, 0, RULES_NAME)
        assert desk.client.get(reverse("sheet", args=[match.key])).status_code == 200
    notes = [load_book(match).lines[-1].hand.note for match in matches]
    assert notes == ["=from the book", "", "", ""]
    assert matches[0].played_on == date(2026, 1, 12)
    call_command("audit", stdout=io.StringIO())


def test_what_cannot_be_is_told_with_line_and_heading(cast: Cast) -> None:
    found = read(
        cast.club,
        "Ann,Ben,,100,100,,,,,",
        "Ann,Ben,,0,-10,,,,,",
        "Ann,Ben,,100001,0,,,,,",
        "Ann,Ben,,100,,,,,,",
        "Ann,Ben,,,,,Cleo,50,,",
        "Ann,Ben,,,,,Ann,,,",
        "Ann,Ben,,100,40,,Ben,,,",
        "Ann,Ben,,100,40,,Ann,50,,",
        "Ann,Ben,Cleo,,,,Ann,50,,",
        "Ann,Ben,Cleo,90,90,10,,,,",
        "Ann,Ann,,100,40,,,,,",
        "Ann,Ben,,,,,Ann,0,,",
        "Ann,Ben,,1e3,40,,,,,",
        "Ann,Ben,,100,40,,Ann,60,,",
    )
    assert places(found) == [
        (2, "total_1"), (3, "total_1"), (4, "total_1"), (5, "total_2"), (6, "winner"),
        (7, "margin"), (8, "winner"), (9, "margin"), (10, "total_1"), (11, "total_1"),
        (12, "player_2"), (13, "margin"), (14, "total_1"),
    ]  # fmt: skip
    assert len(found.good) == 1


MARGINS = "day,side_1,side_2,side_3,total_1,total_2,total_3,margin_1,margin_2,margin_3,state\n"


def test_margins_count_before_totals(cast: Cast) -> None:
    """Columns that weigh more and rounding take the totals apart from what was settled."""
    found = read(
        cast.club,
        "Ann,Ben,,700,100,,500,-500,,over",
        "Ann,Ben,,,,,-20,20,,over",
        "Ann,Ben,,10,-40,,-30,30,,over",
        "Ann,Ben,Cleo,120,30,0,210,-60,-150,over",
        "Ann,Ben,Cleo,,,,210,-60,-150,over",
        "Ann,Ben,,40,10,,,,,running",
        head=MARGINS,
    )
    assert found.faults == () and found.left_out == 1
    assert [match.sheet.net for match in found.matches if match.sheet] == [
        (500, -500), (-20, 20), (-30, 30), (210, -60, -150), (210, -60, -150),
    ]  # fmt: skip
    found = read(
        cast.club,
        "Ann,Ben,,,,,20,-10,,over",
        "Ann,Ben,Cleo,120,30,0,310,-160,-150,over",
        "Ann,Ben,Cleo,120,30,0,311,-161,-150,over",
        "Ann,Ben,,100,100,,0,0,,over",
        head=MARGINS,
    )
    assert places(found) == [(2, "margin_1"), (3, "margin_1"), (4, "margin_1"), (5, "total_1")]


def test_partners_stand_below_one_heading(cast: Cast) -> None:
    player(cast.club, "Tom & Jerry")
    found = read(
        cast.club,
        "Ann & Cleo,Ben & Dev,,90,10,,80,-80,,over",
        "Tom & Jerry,Ann,,90,10,,80,-80,,over",
        head=MARGINS,
    )
    assert [match.table.sides for match in found.matches] == [
        (("Ann", "Cleo"), ("Ben", "Dev")), (("Tom & Jerry",), ("Ann",)),
    ]  # fmt: skip
    four = "day,player_1,player_2,player_3,player_4,winner,margin\n"
    found = read(cast.club, "Ann,Cleo,Ben,Dev,Dev,80", head=four)
    (match,) = found.matches
    assert match.sheet is not None and match.sheet.net == (-80, 80)


def test_our_own_table_of_matches_comes_in_as_it_is(cast: Cast) -> None:
    start(cast.ann, "house-modern", ("Ann", "Ben"), gin(ANN, 80))
    start(cast.ann, "house-modern", ("Ann", "Ben"), gin(ANN, 20))
    start(cast.ann, "club-hollywood-250", ("Ann", "Ben"))
    desk = Desk(cast, cast.dev)
    dev = Club.objects.get(memberships__user=cast.dev)
    desk.path = reverse("import", args=[dev.key])
    data = exported(cast, "matches")
    looked = desk.look(data)
    assert looked.context["found"].left_out == 2
    desk.store(looked)
    assert [row[3:5] for row in results(dev)] == [row[3:5] for row in results(cast.club)[:1]]
    # In its own club it is known by its margin.
    assert [one.known for one in Desk(cast).look(data).context["found"].matches] == [True]


def test_equal_results_of_one_day_are_told_apart_by_their_match(cast: Cast) -> None:
    rows = [f"Ann,Ben,,90,10,,,,{label}," for label in ("", "", "a", "b")]
    found = read(cast.club, *rows)
    assert [match.known for match in found.matches] == [False, True, False, False]


def test_a_result_of_a_match_that_is_here_by_its_hands(cast: Cast) -> None:
    match = make_match(cast.ann, knock(ANN, 6, 21), gin(ANN, 80), names=("Ben", "Ann"))
    Match.objects.update(played_on="2026-01-12")
    (net, _) = Match.objects.get(pk=match.pk).net or (0, 0)
    found = read(cast.club, f"Ann,Ben,,,,,Ben,{net},,", f"Ann,Ben,,,,,Ann,{net},,")
    assert [one.known for one in found.matches] == [True, False]


# What tables of hands are held to (B23, B30, B46, B56, B93, B108)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_table_of_any_origin(cast: Cast, encoding: str) -> None:
    player(cast.club, "Mary Ann")
    text = (
        "Day;Player 1;Player 2;Total 1;Total 2;Note\r"
        '31/12/2025; mary ann ;José;320;178;"two\rlines; and more"\r'
        "05/06/2025;Mary Ann;Jose\u0301;100;178;\r"
        "18/18/2025;Mary Ann;José;100;x;\r"
    )
    if encoding == "cp1252":
        text = text.replace("e\u0301", "é")
    desk = Desk(cast)
    looked = desk.look(text.encode(encoding))
    found = looked.context["found"]
    assert [match.day for match in found.matches[:2]] == [date(2025, 12, 31), date(2025, 6, 5)]
    assert found.form.name == "dmy" and found.new_names == ("José",)
    assert places(found) == [(5, "day"), (5, "total_2")]
    assert "Some of it is wrong: nothing was stored." in desk.refused(desk.store(looked))
    assert not Match.objects.exists()
    assert desk.store(looked, some="1").status_code == 302
    assert set(cast.club.players.values_list("name", flat=True)) == {"Mary Ann", "José"}
    assert [match.net for match in Match.objects.order_by("pk")] == [[142, -142], [-78, 78]]
    assert load_book(Match.objects.earliest("pk")).lines[-1].hand.note == "two\nlines; and more"


def test_four_hundred_results_are_stored_and_taken_back(cast: Cast) -> None:
    rows = [f"2026-01-12,Ann,Ben,{100 + number},{number % 7}\n" for number in range(400)]
    desk = Desk(cast)
    looked = desk.look(("day,player_1,player_2,total_1,total_2\n" + "".join(rows)).encode())
    assert desk.store(looked).status_code == 302
    assert Match.objects.filter(over=True).count() == 400
    desk.take_back()
    assert not Match.objects.filter(deleted_at=None).exists()
