"""Two phones at the same moment, each with a connection of its own to a real database file."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection, connections

from ginledger.gin.hands import AnyHand
from ginledger.matches import services
from ginledger.matches.errors import StaleMatch, WrongState
from ginledger.matches.management.commands.audit import differences
from ginledger.matches.models import Match
from ginledger.matches.start import once
from tests.cast import ANN, BEN, Cast, book_of, fresh, make_cast, make_match, won

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


def at_once(*tasks: Callable[[], Any]) -> list[Any]:
    """What each task returned, or the exception it raised, all started at the same moment."""
    assert not connection.is_in_memory_db()
    start = Barrier(len(tasks))
    results: list[Any] = [None] * len(tasks)

    def run(number: int, task: Callable[[], Any]) -> None:
        start.wait()
        try:
            results[number] = task()
        except Exception as error:  # noqa: BLE001 (handed to the test)
            results[number] = error
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=pair) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def entering(
    cast: Cast, match: Match, hand: AnyHand, once_key: str, version: int
) -> Callable[[], services.Written]:
    return lambda: services.enter_row(
        user=cast.ann, match_key=match.key, hand=hand, once_key=once_key, version=version
    )


@pytest.mark.parametrize("_time", range(5))
def test_b65_two_phones_at_once_the_second_is_told_and_then_both_stand(
    cast: Cast, _time: int
) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    tasks = [
        entering(cast, match, won(ANN, 20), "a", 1),
        entering(cast, match, won(BEN, 30), "b", 1),
    ]
    results = at_once(*tasks)
    assert sorted(type(result).__name__ for result in results) == ["StaleMatch", "Written"]
    late = next(n for n, result in enumerate(results) if isinstance(result, StaleMatch))
    assert fresh(match).version == 2
    hand, key = ((won(ANN, 20), "a"), (won(BEN, 30), "b"))[late]
    entering(cast, match, hand, key, 2)()
    assert fresh(match).totals == [[30, 30]]
    assert [row.position for row in book_of(match).rows] == [1, 2, 3]
    assert list(differences(fresh(match))) == []


def test_b65_ten_phones_that_ask_again_until_it_is_stored_lose_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, rules={"preset": "house-modern", "target": 500})

    def persistent(number: int) -> None:
        while True:
            try:
                entering(
                    cast, match, won(number % 2, number + 1), f"p{number}", fresh(match).version
                )()
            except StaleMatch:
                continue
            return

    results = at_once(*(lambda number=number: persistent(number) for number in range(10)))
    assert results == [None] * 10
    assert fresh(match).hand_count == 10
    assert fresh(match).totals == [[1 + 3 + 5 + 7 + 9, 2 + 4 + 6 + 8 + 10]]
    assert list(differences(fresh(match))) == []


def test_one_form_sent_by_many_taps_at_once_is_one_row(cast: Cast) -> None:
    match = make_match(cast.ann)
    results = at_once(*[entering(cast, match, won(ANN, 20), "tap", 0)] * 5)
    assert sorted(result.new for result in results) == [False] * 4 + [True]
    assert len({result.row_key for result in results}) == 1
    assert (fresh(match).version, fresh(match).totals) == (1, [[20, 0]])


def test_many_taps_on_start_and_on_rematch_make_one_match_each(cast: Cast) -> None:
    first = make_match(cast.ann, won(ANN, 100))

    def starting() -> Match:
        return services.start_match(
            user=cast.ann,
            names=["Zoe", "Yan"],
            rules=book_of(first).rules,
            rules_name="Modern",
            first_dealer=0,
            once_key="tap",
        )

    started = at_once(*[starting] * 4)
    assert len({match.pk for match in started}) == 1
    rematches = at_once(*[lambda: services.rematch(user=cast.ann, match_key=first.key)] * 4)
    assert len({match.pk for match in rematches}) == 1
    assert Match.objects.count() == 3
    assert cast.club.players.count() == 4


def test_b37_two_taps_on_void_move_it_once(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(BEN, 20))
    key = book_of(match).rows[0].key
    results = at_once(*[lambda: services.void_row(user=cast.ann, row_key=key, version=2)] * 2)
    assert sorted(type(result).__name__ for result in results) == ["Written", "WrongState"]
    assert any(isinstance(result, WrongState) for result in results)
    assert (fresh(match).version, fresh(match).totals) == (3, [[0, 20]])


def test_the_unique_constraint_decides_when_two_pass_the_first_look(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    row = match.rows.get()
    looks = iter([None, row.key])

    def make() -> str:
        type(row)(
            club=match.club, match=match, position=2, fact=row.fact, once_key=row.once_key
        ).save()
        return "made"

    assert once(lambda: next(looks), make) == row.key
    assert match.rows.count() == 1
