"""Tables of hands: three at a table, partners, counts, and our own table read again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ginledger.clubs import rulebook
from ginledger.clubs.models import Club, User
from ginledger.csv_files import guarded, unguarded
from ginledger.gin.cards import parse_card
from ginledger.gin.errors import Unreadable
from ginledger.gin.hands import AnyHand, CountsHand, Round
from ginledger.gin.ruleset import preset, read_rules
from ginledger.matches import services
from ginledger.matches.models import Match, Row
from ginledger.seasons import import_hands, import_results
from ginledger.seasons.import_found import Understood
from ginledger.seasons.import_look import understand_table
from ginledger.seasons.import_pages import items
from tests.cast import ANN, BEN, CLEO, Cast, adjust, dead, enter, gin, knock, make_match, won
from tests.money.ledgers import player
from tests.seasons.desk import Desk, typed_on
from tests.seasons.desk import data_folder as data_folder

pytestmark = pytest.mark.django_db

SPADE, ACE = parse_card("5S"), parse_card("AC")


def read(club: Club, text: str, rules: str = "") -> Understood:
    return understand_table(club, text, rules)


def places(found: Understood) -> list[tuple[int, str]]:
    return [(one.line, one.column) for one in found.faults]


THREE = "day,player_1,player_2,player_3,winner,opponent,points,kind\n"


def test_three_at_a_table(cast: Cast) -> None:
    rows = ["Ann,,30,", "Cleo,,40,gin", "Cleo,Ben,50,", "Ben,Ann,20,", "Cleo,Ben,10,"]
    text = THREE + "".join(f"2026-01-12,Ann,Ben,Cleo,{row}\n" for row in rows)
    found = read(cast.club, text, "house-modern")
    assert found.faults == ()
    (match,) = found.matches
    # The rules chosen are for two: the first for three read them, and the page says so.
    assert found.rules is not None and found.rules.rules.play == "three"
    sheet = match.sheet
    assert sheet is not None
    assert [one.points for one in sheet.columns[0].sides] == [30, 20, 100]
    assert sheet.over
    desk = Desk(cast)
    looked = desk.look(text.encode())
    page = looked.content.decode()
    assert "Three at a table" in page and "Partners" not in page
    assert desk.store(looked).status_code == 302
    stored = Match.objects.get()
    assert stored.net == list(sheet.net or ())
    assert stored.seats.count() == 3


def test_who_sits_out_is_told_at_its_line(cast: Cast) -> None:
    text = THREE + "2026-01-12,Ann,Ben,Cleo,Cleo,,30,\n2026-01-12,Ann,Ben,Cleo,Ann,Ann,30,\n"
    assert places(read(cast.club, text)) == [(2, "winner")]
    head = "day,player_1,player_2,player_3,knocker,knocker_deadwood,opponent_deadwood,opponent\n"
    text = head + "2026-01-12,Ann,Ben,Cleo,Ann,5,9,\n2026-01-13,Ann,Ben,Cleo,Ann,5,9,Cleo\n"
    assert places(read(cast.club, text)) == [(2, "opponent")]
    text = THREE + "2026-01-12,Ann,,Cleo,Cleo,,30,\n"
    assert places(read(cast.club, text)) == [(2, "player_2")]


PARTNERS = "day,player_1,player_2,player_3,player_4,round,winner,points,kind\n"


def partners(*rows: str) -> str:
    return PARTNERS + "".join(f"2026-01-12,Ann,Cleo,Ben,Dev,{row}\n" for row in rows)


def test_partners_are_netted_round_by_round(cast: Cast) -> None:
    text = partners(
        "1,Ann,40,gin", "1,Dev,10,", "2,Ben,25,", "2,,,dead", "3,Cleo,90,gin", "3,Ann,8,"
    )
    found = read(cast.club, text)
    assert found.faults == ()
    (match,) = found.matches
    assert match.table.sides == (("Ann", "Cleo"), ("Ben", "Dev"))
    assert match.lines == [[2, 3], [4, 5], [6, 7]]
    assert match.sheet is not None
    assert [(hand.side, hand.points) for hand in match.sheet.hands] == [(0, 30), (1, 25), (0, 98)]
    desk = Desk(cast)
    looked = desk.look(text.encode())
    assert "2, 3" in looked.content.decode()
    desk.store(looked)
    assert Match.objects.get().net == list(match.sheet.net or ())


def test_a_round_that_is_none_is_told_at_its_line(cast: Cast) -> None:
    found = read(cast.club, partners("1,Ann,40,gin", "2,Dev,10,", "2,Ben,5,"))
    assert places(found) == [(2, "round")]
    assert places(read(cast.club, partners(",Ann,40,gin"))) == [(2, "round")]
    found = read(cast.club, partners("1,Ann,40,gin", "1,Ben,999,"))
    assert places(found) == [(3, "points")]
    text = PARTNERS + "2026-01-12,Ann,Cleo,Ben,ann,1,Ben,9,\n"
    assert places(read(cast.club, text)) == [(2, "player_4")]


COUNTS = (
    "day,player_1,player_2,kind,knocker,knocker_deadwood,opponent_deadwood,points,winner,upcard\n"
)


def test_counts_instead_of_points(cast: Cast) -> None:
    rows = [
        ",Ann,6,21,,,",
        ",Ben,9,4,,,",
        "gin,Ben,,30,,,",
        "Big gin,Ann,0,12,43,Ann,",
        "tie,Ann,5,5,,,",
    ]
    text = COUNTS + "".join(f"2026-01-12,Ann,Ben,{row}\n" for row in rows)
    found = read(cast.club, text)
    assert found.faults == ()
    (match,) = found.matches
    assert match.sheet is not None
    ended = [(hand.kind, hand.side, hand.points) for hand in match.sheet.hands]
    assert ended == [
        ("knock", 0, 15), ("undercut", 0, 30), ("gin", 1, 55), ("big_gin", 0, 43),
        ("undercut", 1, 25),
    ]  # fmt: skip
    assert isinstance(match.hands[0], CountsHand)


def test_counts_and_points_must_agree(cast: Cast) -> None:
    rows = ["knock,Ann,6,21,16,Ann,", "knock,Ann,6,21,15,Ben,", "knock,Ann,x,21,15,Ann,"]
    text = COUNTS + "".join(f"2026-01-1{at},Ann,Ben,{row}\n" for at, row in enumerate(rows))
    assert places(read(cast.club, text)) == [(2, "points"), (3, "winner"), (4, "knocker_deadwood")]
    rows = ["knock,Ann,11,21,,,", "tie,,,,0,Ann,", "knock,Ann,9,21,,,4Z", "gin,Cleo,,9,,,"]
    text = COUNTS + "".join(f"2026-01-1{at},Ann,Ben,{row}\n" for at, row in enumerate(rows))
    assert places(read(cast.club, text)) == [
        (2, "knocker_deadwood"), (3, "opponent_deadwood"), (4, "upcard"), (5, "knocker"),
    ]  # fmt: skip


def test_the_upcard_counts_where_the_rules_say_so(cast: Cast) -> None:
    text = COUNTS + "2026-01-12,Ann,Ben,knock,Ann,4,21,,,5S\n"
    (match,) = read(cast.club, text, "oklahoma-150").matches
    assert match.sheet is not None and match.sheet.hands[0].points == 34
    found = read(cast.club, COUNTS + "2026-01-12,Ann,Ben,knock,Ann,6,21,,,5S\n", "oklahoma-150")
    assert places(found) == [(2, "knocker_deadwood")]


def test_a_line_may_name_its_rules(cast: Cast) -> None:
    rulebook.create_rules(
        user=cast.ann, name="Friday", rules=read_rules({"preset": "house-modern", "target": 30})
    )
    head = "day,player_1,player_2,winner,points,rules\n"
    rows = ("friday", "Nobody's", "Modern Hollywood 250", "friday 20", "Modern 12", "Hollywood")
    text = head + "".join(f"2026-01-1{at},A,B,A,31,{rules}\n" for at, rules in enumerate(rows))
    found = understand_table(cast.club, text, stand_in=True)
    assert found.faults == ()
    assert [(one.rules_name, one.rules.target, one.rules.columns) for one in found.matches] == [
        ("Friday", 30, 1), ("Modern 100", 100, 1), ("Modern Hollywood 250", 250, 3),
        ("Friday 20", 20, 1), ("Modern 12", 12, 1), ("Hollywood", 100, 3),
    ]  # fmt: skip
    assert found.unknown_rules == ("Nobody's",)


def test_rules_that_are_none_here_are_a_fault_until_one_says_what_reads_them(cast: Cast) -> None:
    """Other rules, other margins: nobody gets them without having said so."""
    head = "day,player_1,player_2,winner,points,rules\n"
    text = head + "2026-01-12,A,B,A,60,Nobody's\n2026-01-12,A,B,B,20,Nobody's\n"
    text += "2026-01-13,A,B,A,90,Three-handed 100\n"
    assert places(read(cast.club, text, "short-50")) == [(2, "rules"), (4, "rules")]
    desk = Desk(cast)
    looked = desk.look(text.encode(), rules="short-50")
    page = looked.content.decode()
    assert "Nobody&#x27;s" in page and "Their hands are not read unless you say so" in page
    assert "No rules that these people can play by are called" in page
    body = {**typed_on(page), "rules": "house-modern", "stand_in": "on", "step": "look"}
    looked = desk.client.post(desk.path, body, follow=True)
    page = looked.content.decode()
    assert "bonuses and margins are theirs" in page and "2 of 2 matches" in page
    assert desk.store(looked).status_code == 302
    assert set(Match.objects.values_list("rules_name", flat=True)) == {"Modern 100"}


def test_another_day_is_another_match_whatever_its_number(cast: Cast) -> None:
    """Who numbers each evening anew has a match 1 every week."""
    head = "match,day,player_1,player_2,winner,points\n"
    rows = ("1,2026-03-01,A,B,A,20", "1,2026-03-08,A,B,B,22", "1,2026-03-15,B,A,B,23",
            "1,2026-03-15,A,B,A,24")  # fmt: skip
    found = read(cast.club, head + "".join(f"{row}\n" for row in rows))
    assert found.faults == ()
    assert [(one.day.day, len(one.hands)) for one in found.matches] == [(1, 1), (8, 1), (15, 2)]


def test_other_rules_within_a_match_are_a_fault_of_their_line(cast: Cast) -> None:
    head = "day,player_1,player_2,winner,points,rules\n"
    rows = ("A,20,Modern 100", "A,21,modern 100 ", "A,22,", "A,23,Hollywood 100")
    text = head + "".join(f"2026-03-01,A,B,{row}\n" for row in rows)
    assert places(read(cast.club, text)) == [(5, "rules")]
    text = head + "2026-03-01,A,B,A,20,\n2026-03-01,A,B,A,20,Modern 100\n"
    found = read(cast.club, text)
    assert [one.text for one in found.faults] == ["The lines of this match above name none."]


def test_partners_who_change_sides_play_another_match(cast: Cast) -> None:
    head = "day,player_1,player_2,player_3,player_4,winner,opponent,points,round,match\n"
    rows = ["A,B,C,D,A,C,20,1", "A,B,C,D,D,B,10,1", "A,C,B,D,A,D,20,2", "A,C,B,D,B,C,12,2",
            "B,A,D,C,A,C,30,3", "D,C,B,A,D,B,15,3"]  # fmt: skip
    found = read(cast.club, head + "".join(f"2026-03-01,{row},\n" for row in rows))
    assert found.faults == ()
    assert [(one.table.sides, one.lines) for one in found.matches] == [
        ((("A", "B"), ("C", "D")), [[2, 3], [6, 7]]), ((("A", "C"), ("B", "D")), [[4, 5]]),
    ]  # fmt: skip
    totals = [one.sheet.columns[0].sides for one in found.matches if one.sheet]
    assert [[side.points for side in sides] for sides in totals] == [[25, 0], [8, 0]]
    found = read(cast.club, head + "".join(f"2026-03-01,{row},x\n" for row in rows[:4]))
    assert [(one.line, one.text) for one in found.faults] == [
        (line, "They sat on other sides in the lines of this match above.") for line in (4, 5)
    ]


def test_missing_headings_are_named(cast: Cast) -> None:
    for text, missing in (
        ("day,player_1,winner,points\n", "player_2"),
        ("player_1,player_2,winner,points\n", "day"),
        ("day,player_1,player_2,points\n", "winner"),
        ("day,player_1,player_2,margin\n", "winner"),
        ("day,player_1,player_2\n", "winner, points"),
    ):
        with pytest.raises(Unreadable, match=f"missing: {missing}\\.$"):
            read(cast.club, text)


# Our own table, read again


def start(user: User, slug: str, names: tuple[str, ...], *hands: AnyHand) -> Match:
    rules = preset(slug)
    match = services.start_match(
        user=user, names=names, rules=rules.rules, first_dealer=0, once_key="",
        rules_name=f"{rules.name} {rules.rules.target}",
    )  # fmt: skip
    for hand in hands:
        enter(user, match, hand)
    return match


def exported(cast: Cast, topic: str) -> bytes:
    client = Client()
    client.force_login(cast.ann)
    answer: Any = client.get(reverse("export_table", args=[cast.club.key]), {"topic": topic})
    return b"".join(answer.streaming_content)


def results(club: Club) -> list[Any]:
    rows = club.matches.order_by("pk")
    return list(rows.values_list("played_on", "rules_name", "over", "net", "totals", "hand_count"))


@pytest.fixture
def played(cast: Cast) -> Cast:
    """Matches of every seating, with everything that can be in a book."""
    ann = cast.ann
    match = start(
        ann, "house-modern", ("=Ann", "Ben O'Hara"), knock(ANN, 6, 21, note="=late"), gin(BEN, 30),
        dead(), won(ANN, 12), adjust(BEN, -5, note="exposed"), knock(ANN, 9, 4), knock(BEN, 5, 5),
    )  # fmt: skip
    third = match.rows.get(position=4)
    services.void_row(user=ann, row_key=third.key, version=Match.objects.get().version, why="no")
    start(
        ann, "oklahoma-150", ("Ann", "Cleo"),
        knock(ANN, 4, 21, upcard=SPADE), gin(1, 9, upcard=ACE),
    )  # fmt: skip
    start(
        ann, "three-handed", ("Ann", "Ben", "Cleo"), won(BEN, 30), gin(CLEO, 40, opponent=BEN),
        won(ANN, 27, "undercut", opponent=BEN), dead(),
    )  # fmt: skip
    start(
        ann, "partners-125", ("Ann", "Cleo", "Ben", "Dev"),
        Round(tables=(knock(0, 6, 21, opponent=2), won(3, 30, "undercut", opponent=1))),
        Round(tables=(dead(players=(0, 3)), gin(2, 60, opponent=1))), adjust(1, 10),
    )  # fmt: skip
    return cast


def test_our_own_table_of_hands_comes_in_as_it_is(played: Cast) -> None:
    data = exported(played, "hands")
    desk = Desk(played, played.dev)
    dev = Club.objects.get(memberships__user=played.dev)
    desk.path = reverse("import", args=[dev.key])
    looked = desk.look(data)
    found = looked.context["found"]
    assert found.faults == ()
    assert found.left_out == 1
    assert "1 line left out" in looked.content.decode()
    assert desk.store(looked).status_code == 302
    assert results(dev) == results(played.club)
    assert set(dev.players.values_list("name", flat=True)) >= {"=Ann", "Ben O'Hara"}
    # And in the club that it is from, every match is here already.
    here = Desk(played).look(data).context["found"]
    assert [one.known for one in here.matches] == [True] * 4


def test_results_in_our_table_of_hands_stay_what_they_were(cast: Cast) -> None:
    """They have no hands, and no rules that add to what their lines come to."""
    dev = Club.objects.get(memberships__user=cast.dev)
    desk = Desk(cast)
    head = "day,player_1,player_2,player_3,total_1,total_2,total_3,note\n"
    rows = ("01,Ann,Ben,,219,60,,late", "02,Ann,Ben,,70,40,,", "03,Ann,Ben,,20,320,,",
            "04,Ann,Ben,,-30,1,,", "05,Ann,Ben,Cleo,210,-5,90,",
            "06,Ann & Cleo,Ben & Dev,,250,100,,")  # fmt: skip
    desk.store(desk.look((head + "".join(f"2026-03-{row}\n" for row in rows)).encode()))
    assert cast.club.matches.count() == 6
    data = exported(cast, "hands")
    theirs = Desk(cast, cast.dev)
    theirs.path = reverse("import", args=[dev.key])
    looked = theirs.look(data)
    assert looked.context["found"].faults == ()
    assert theirs.store(looked).status_code == 302
    assert results(dev) == results(cast.club)
    assert [one["note"] for one in notes(dev)] == [one["note"] for one in notes(cast.club)]
    assert [one.known for one in desk.look(data).context["found"].matches] == [True] * 6


def notes(club: Club) -> list[Any]:
    return [row.fact for row in Row.objects.filter(club=club, fact__has_key="note").order_by("pk")]


def test_a_result_that_is_none_is_told_at_its_line(cast: Cast) -> None:
    head = "day,player_1,player_2,kind,winner,points,rules\n"

    def said(*rows: str) -> Understood:
        lines = [f"2026-03-01,A,B,{row},result only\n" for row in rows]
        return read(cast.club, head + "".join(lines))

    assert places(said("adjustment,A,50", "adjustment,B,50")) == [(2, "points")]
    assert places(said("adjustment,A,-50")) == [(2, "points")]
    assert places(said("adjustment,A,50", "gin,B,30")) == [(2, "rules")]
    # Corrected afterwards, it is what its lines add up to, whatever their order.
    (match,) = said("adjustment,A,300", "adjustment,B,60", "adjustment,A,-20").matches
    assert match.sheet is not None and match.sheet.net == (220, -220)
    assert match.rules_name == "Result only" and match.lines == [[3], [4], [2]]
    # A club's own rules of that name read its hands.
    rulebook.create_rules(user=cast.ann, name="Result only", rules=read_rules("short-50"))
    (match,) = said("adjustment,A,40", "gin,B,30").matches
    assert (match.rules.target, len(match.hands)) == (50, 2) and not match.wrong


def test_a_player_may_be_called_like_two(cast: Cast) -> None:
    player(cast.club, "Tom & Jerry")
    text = "day,sides,side,points\n2026-01-12,Tom & Jerry – Ann,Ann,9\n"
    assert read(cast.club, text).matches[0].table.sides == (("Tom & Jerry",), ("Ann",))
    text = "day,sides,side,points\n2026-01-12,Ann,Ann,9\n"
    assert places(read(cast.club, text)) == [(2, "sides")]


SIGNS = st.text(alphabet="'= -+@x\t", min_size=1, max_size=5).map(str.strip).filter(bool)


@given(SIGNS)
def test_text_that_a_spreadsheet_would_take_for_a_formula_comes_back(text: str) -> None:
    """Whatever stands behind apostrophes, also one of its own."""
    ((cell,),) = guarded([[text]])
    assert unguarded(str(cell)) == text
    assert not str(cell).lstrip(" ").startswith(("=", "+", "-", "@"))


def test_a_name_with_an_apostrophe_of_its_own_comes_back(cast: Cast) -> None:
    start(cast.ann, "house-modern", ("'=Bob", "Ben"), won(ANN, 12, note="'-x"), gin(BEN, 40))
    desk = Desk(cast, cast.dev)
    dev = Club.objects.get(memberships__user=cast.dev)
    desk.path = reverse("import", args=[dev.key])
    desk.store(desk.look(exported(cast, "hands")))
    assert dev.players.filter(name="'=Bob").exists()
    assert dev.matches.get().rows.get(position=1).fact["note"] == "'-x"


def test_one_match_of_a_file_may_be_of_others_than_the_next(cast: Cast) -> None:
    make_match(cast.ann)
    text = THREE + "2026-01-12,Ann,Ben,Cleo,Ann,,30,\n2026-01-12,Ann,Ben,,Ann,,30,\n"
    found = read(cast.club, text, "short-50")
    assert found.matches[1].rules_name == "Short 50"
    assert [match.rules.play for match in found.matches] == ["three", "two"]
    assert found.rules is not None and found.rules.slug == "short-50"


CELLS = st.sampled_from(
    ["", "Ann", "Ben", "Cleo", "1", "-7", "30", "gin", "dead", "tie", "adjustment", "round", "2S",
     "2026-01-12", "Ann – Ben", "Ann & Cleo – Ben & Dev", "Modern 50", "void", "9999999", "'=x"]
)  # fmt: skip


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_a_table_is_a_match_or_a_fault(cast: Cast, data: st.DataObject) -> None:
    columns = data.draw(st.sampled_from([import_hands.COLUMNS, import_results.COLUMNS]))
    rows = data.draw(st.lists(st.lists(CELLS, max_size=len(columns)), min_size=1, max_size=6))
    usual = ["2026-01-12", "Ann", "Ben"]
    text = "\n".join(",".join(one) for one in [list(columns), *(usual + row for row in rows)])
    found = read(cast.club, text)
    for match in found.matches:
        assert match.wrong or match.sheet is not None
        assert match.wrong or match.digest
    assert all(2 <= one.line <= len(rows) + 1 for one in found.faults)
    assert len(items(found)) == len(found.matches)
