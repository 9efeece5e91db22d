"""Starting a match, the rematch, stopping, and swapped sides."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from ginledger.clubs.models import Player
from ginledger.gin.errors import GinError
from ginledger.gin.ruleset import read_rules
from ginledger.matches import services
from ginledger.matches.errors import StaleMatch, WrongState
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


def start(cast: Cast, **changes: Any) -> Match:
    asked: dict[str, Any] = {
        "user": cast.ann,
        "names": ["Ann", "Ben"],
        "rules": read_rules("house-modern"),
        "rules_name": "Modern",
        "first_dealer": BEN,
        "once_key": "one",
    }
    return services.start_match(**{**asked, **changes})


def test_a_new_match_is_open_and_belongs_to_the_users_club(cast: Cast) -> None:
    match = fresh(start(cast))
    book = book_of(match)
    assert match.club == cast.club
    assert (match.version, match.over, match.winner, match.net, match.hand_count) == (
        0,
        False,
        None,
        None,
        0,
    )
    assert match.totals == [[0, 0]]
    assert book.table.names == ("Ann", "Ben")
    assert book.sheet.next_dealers == (BEN,)
    assert book.rules == read_rules("house-modern")


def test_a_form_sent_twice_starts_one_match(cast: Cast) -> None:
    first = start(cast)
    assert start(cast, names=["Ann", "Zoe"]) == first
    assert start(cast, once_key="two") != first
    assert Match.objects.count() == 2
    assert not Player.objects.filter(name="Zoe").exists()


def test_another_users_key_is_another_match(cast: Cast) -> None:
    assert start(cast) != start(cast, user=cast.dev)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"names": ["Ann", " "]}, [("name-blank", "names.1")]),
        ({"names": ["", "x" * 61]}, [("name-blank", "names.0"), ("name-long", "names.1")]),
        ({"names": ["Ann", "aNN"]}, [("name-twice", "names.1")]),
        ({"names": ["Ann"]}, [("table-size", "names")]),
        ({"names": ["Ann", "Ben", "Cleo"]}, [("table-size", "names")]),
        ({"first_dealer": 2}, [("dealer-unknown", "first_dealer")]),
        ({"first_dealer": -1}, [("dealer-unknown", "first_dealer")]),
        ({"once_key": "k" * 65}, [("once-key", "once_key")]),
        ({"once_key": "a\x00"}, [("once-key", "once_key")]),
        (
            {"rules": read_rules("partners-125"), "names": ["A", "B", "C", "D", "E"]},
            [("table-size", "names")],
        ),
    ],
)
def test_what_cannot_start_is_told_field_by_field_and_stores_nothing(
    cast: Cast, changes: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    with pytest.raises(GinError) as refusal:
        start(cast, **changes)
    assert [(problem.code, problem.field) for problem in refusal.value.problems] == told
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_with_partners_the_first_half_is_one_side(cast: Cast) -> None:
    match = start(cast, names=["A", "B", "C", "D"], rules=read_rules("partners-125"))
    assert book_of(match).table.sides == (("A", "B"), ("C", "D"))


def test_b109_the_rule_set_is_frozen_with_every_field(cast: Cast) -> None:
    rules = read_rules({"preset": "house-modern", "knock_limit": 7, "target": 150})
    match = start(cast, rules=rules)
    assert fresh(match).rules == rules.to_json()
    assert book_of(match).rules == rules


def test_a_rematch_is_made_once_however_often_it_is_tapped(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    again = services.rematch(user=cast.ann, match_key=match.key)
    assert services.rematch(user=cast.ben, match_key=match.key) == again
    assert Match.objects.count() == 2
    assert again.rematch_of == match
    assert (again.rules, again.rules_name) == (match.rules, match.rules_name)
    assert [seat.player for seat in again.seats.all()] == [
        seat.player for seat in match.seats.all()
    ]
    assert not again.rows.exists()


def test_b84_no_rematch_of_a_running_match(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    with pytest.raises(WrongState) as refusal:
        services.rematch(user=cast.ann, match_key=match.key)
    assert refusal.value.code == "not-over"
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("next_dealer", "winner", "dealer"),
    [
        ("loser", ANN, BEN),
        ("loser", BEN, ANN),
        ("winner", ANN, ANN),
        ("winner", BEN, BEN),
        ("alternate", ANN, BEN),
        ("alternate", BEN, BEN),
    ],
)
def test_the_rematchs_first_dealer_follows_the_rule_set(
    cast: Cast, next_dealer: str, winner: int, dealer: int
) -> None:
    rules = read_rules({"preset": "house-modern", "next_dealer": next_dealer})
    match = make_match(cast.ann, won(winner, 100), rules=rules, first_dealer=ANN)
    again = services.rematch(user=cast.ann, match_key=match.key)
    assert again.first_dealer == dealer


def test_the_loser_of_three_is_the_one_with_the_lowest_margin(cast: Cast) -> None:
    match = make_match(
        cast.ann,
        won(CLEO, 30, opponent=ANN),
        won(CLEO, 100, opponent=BEN),
        names=("Ann", "Ben", "Cleo"),
        rules="three-handed",
        first_dealer=ANN,
    )
    assert match.over
    again = services.rematch(user=cast.ann, match_key=match.key)
    assert match.net is not None
    assert again.first_dealer == match.net.index(min(match.net))


def test_b73_a_stopped_match_has_no_winner_no_margin_and_takes_no_hand(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80), won(BEN, 80))
    services.stop_match(user=cast.ann, match_key=match.key, version=match.version, why="Late")
    stopped = fresh(match)
    assert stopped.stopped
    assert (stopped.over, stopped.winner, stopped.net) == (False, None, None)
    assert book_of(match).changes()[-1].amendment.why == "Late"
    with pytest.raises(WrongState, match="stopped"):
        enter(cast.ann, match, gin(ANN, 9))
    with pytest.raises(WrongState):
        services.stop_match(user=cast.ann, match_key=match.key, version=stopped.version)
    assert match.rows.count() == 2
    again = services.rematch(user=cast.ann, match_key=match.key)
    assert again.first_dealer == 1 - match.first_dealer


def test_a_stopped_match_is_taken_up_where_it_was(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80))
    services.stop_match(user=cast.ann, match_key=match.key, version=1)
    with pytest.raises(StaleMatch):
        services.reopen_match(user=cast.ann, match_key=match.key, version=1)
    services.reopen_match(user=cast.ann, match_key=match.key, version=2)
    enter(cast.ann, match, won(ANN, 20))
    assert fresh(match).over
    with pytest.raises(WrongState):
        services.reopen_match(user=cast.ann, match_key=match.key, version=4)


def test_undo_passes_a_stop_by_and_takes_back_the_last_hand(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80))
    services.stop_match(user=cast.ann, match_key=match.key, version=1)
    services.undo(user=cast.ann, match_key=match.key, version=2)
    assert fresh(match).hand_count == 0
    assert fresh(match).stopped


@pytest.mark.parametrize("rules", ["house-modern", "hollywood-100"])
def test_b106_swapped_players_keep_their_hands_dealer_and_margin(cast: Cast, rules: str) -> None:
    match = make_match(
        cast.ann,
        knock(ANN, 6, 21),
        gin(BEN, 33),
        knock(ANN, 9, 9, dealer=BEN),
        dead(),
        rules=rules,
    )
    before = book_of(match).sheet
    facts = list(match.rows.values_list("fact", flat=True))
    services.swap_sides(user=cast.ben, match_key=match.key, version=match.version)
    book = book_of(match)
    assert list(match.rows.values_list("fact", flat=True)) == facts
    assert book.table.names == ("Ben", "Ann")
    by_name = [
        None if hand.side is None else book.table.names[hand.side] for hand in book.sheet.hands
    ]
    assert by_name == ["Ann", "Ben", "Ben", None]
    assert [hand.points for hand in book.sheet.hands] == [hand.points for hand in before.hands]
    dealers = [[book.table.names[seat] for seat in hand.dealers] for hand in book.sheet.hands]
    names = ("Ann", "Ben")
    assert dealers == [[names[seat] for seat in hand.dealers] for hand in before.hands]
    assert fresh(match).totals == [list(reversed(column)) for column in match.totals]


def test_b106_a_finished_match_swapped_is_settled_the_other_way_round(cast: Cast) -> None:
    match = make_match(cast.ann, gin(BEN, 33), won(ANN, 100))
    services.swap_sides(user=cast.ann, match_key=match.key, version=match.version)
    swapped = fresh(match)
    assert match.net is not None
    assert (swapped.winner, swapped.net) == (1 - ANN, list(reversed(match.net)))
    again = services.rematch(user=cast.ann, match_key=match.key)
    assert book_of(again).table.names == ("Ben", "Ann")
    assert book_of(again).table.names[book_of(again).terms.first_dealer] == "Ben"
    services.swap_sides(user=cast.ann, match_key=match.key, version=swapped.version)
    assert fresh(match).net == match.net


def test_strangers_and_viewers_start_nothing_on_a_match(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 100))
    for user, error in ((cast.dev, Http404), (cast.guest, Http404), (cast.cleo, PermissionDenied)):
        with pytest.raises(error):
            services.rematch(user=user, match_key=match.key)
        for service in (services.stop_match, services.reopen_match, services.swap_sides):
            with pytest.raises(error):
                service(user=user, match_key=match.key, version=match.version)
    assert fresh(match).version == match.version
    assert Match.objects.count() == 1
