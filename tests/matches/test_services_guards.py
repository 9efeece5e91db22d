"""What guards every write: one-time keys, versions, roles, posters, a fixed count of queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from ginledger.gin.sheet import Sheet
from ginledger.matches import posters, services
from ginledger.matches.book import load_book
from ginledger.matches.errors import StaleMatch
from ginledger.matches.models import Match
from ginledger.matches.record import next_version
from tests.cast import ANN, BEN, Cast, book_of, dead, enter, fresh, gin, make_match, stored, won


def keys(match: Match) -> list[str]:
    return [row.key for row in book_of(match).rows]


def points(match: Match) -> list[int]:
    return [hand.points for hand in book_of(match).sheet.hands]


def test_a_stale_version_stores_nothing(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    before = stored(match)
    (key,) = keys(match)
    asked: dict[str, Any] = {"user": cast.ben, "version": 0}
    writes: list[Callable[[], object]] = [
        lambda: enter(cast.ben, match, gin(ANN, 9), version=0),
        lambda: services.amend_row(row_key=key, hand=gin(ANN, 8), **asked),
        lambda: services.void_row(row_key=key, **asked),
        lambda: services.insert_row(
            match_key=match.key, hand=gin(ANN, 8), once_key="i", before=key, **asked
        ),
        lambda: services.correct_dealer(row_key=key, dealer=BEN, **asked),
        lambda: services.undo(match_key=match.key, **asked),
        lambda: services.stop_match(match_key=match.key, **asked),
        lambda: services.swap_sides(match_key=match.key, **asked),
    ]
    for write in writes:
        with pytest.raises(StaleMatch):
            write()
    assert stored(match) == before


def test_a_version_is_taken_by_one_writer_whatever_was_locked(cast: Cast) -> None:
    match = make_match(cast.ann)
    one, other = fresh(match), fresh(match)
    next_version(one)
    with pytest.raises(StaleMatch):
        next_version(other)
    assert (one.version, fresh(match).version) == (1, 1)


def test_the_same_key_twice_is_one_row_and_answers_with_it(cast: Cast) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    first = enter(cast.ann, match, gin(ANN, 9), once_key="k")
    before = stored(match)
    again = enter(cast.ann, match, gin(BEN, 7), once_key="k", version=0)
    assert (again.row_key, again.new, again.version) == (first.row_key, False, first.version)
    assert stored(match) == before


def test_a_key_of_another_match_is_free_here(cast: Cast) -> None:
    matches = [make_match(cast.ann) for _ in range(2)]
    written = [enter(cast.ann, match, gin(ANN, 9), once_key="k") for match in matches]
    assert [one.new for one in written] == [True, True]


def test_a_key_answers_also_after_its_row_was_undone_and_the_match_ended(cast: Cast) -> None:
    match = make_match(cast.ann)
    first = enter(cast.ann, match, won(ANN, 100), once_key="k")
    assert enter(cast.ann, match, won(ANN, 100), once_key="k").row_key == first.row_key
    services.undo(user=cast.ann, match_key=match.key, version=1)
    again = enter(cast.ann, match, won(ANN, 100), once_key="k", version=0)
    assert (again.row_key, again.new) == (first.row_key, False)
    assert not fresh(match).over


def test_an_insert_has_its_one_time_key_too(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10), won(ANN, 20))
    asked: dict[str, Any] = {
        "user": cast.ann,
        "match_key": match.key,
        "hand": won(BEN, 30),
        "once_key": "i",
        "version": 2,
        "before": keys(match)[1],
    }
    first = services.insert_row(**asked)
    assert services.insert_row(**asked) == first._replace(new=False)
    assert points(match) == [10, 30, 20]


def test_posters_follow_in_the_same_transaction(cast: Cast) -> None:
    match = make_match(cast.ann)
    seen: list[tuple[int, bool, Sheet]] = []

    def poster(posted: Match, sheet: Sheet) -> None:
        seen.append((posted.version, fresh(posted).over, sheet))
        if sheet.columns[0].sides[BEN].points:
            raise RuntimeError("no room for it")

    posters.register(poster)
    posters.register(poster)
    try:
        enter(cast.ann, match, won(ANN, 100))
        assert [one[:2] for one in seen] == [(1, True)]
        assert seen[0][2] == book_of(match).sheet
        services.undo(user=cast.ann, match_key=match.key, version=1)
        before = stored(match)
        with pytest.raises(RuntimeError):
            enter(cast.ann, match, won(BEN, 9))
        assert stored(match) == before
    finally:
        posters.unregister(poster)


def test_only_writers_of_the_club_write_rows(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 10))
    before = stored(match)
    (key,) = keys(match)
    for user, error in ((cast.dev, Http404), (cast.guest, Http404), (cast.cleo, PermissionDenied)):
        asked: dict[str, Any] = {"user": user, "version": 1}
        writes: list[Callable[[], object]] = [
            lambda asked=asked: enter(asked["user"], match, gin(ANN, 9)),
            lambda asked=asked: services.amend_row(row_key=key, hand=gin(ANN, 8), **asked),
            lambda asked=asked: services.void_row(row_key=key, **asked),
            lambda asked=asked: services.restore_row(row_key=key, **asked),
            lambda asked=asked: services.correct_dealer(row_key=key, dealer=BEN, **asked),
            lambda asked=asked: services.insert_row(
                match_key=match.key, hand=gin(ANN, 8), once_key="i", before=key, **asked
            ),
            lambda asked=asked: services.undo(match_key=match.key, **asked),
            lambda asked=asked: services.redo(match_key=match.key, **asked),
        ]
        for write in writes:
            with pytest.raises(error):
                write()
    assert stored(match) == before


def queries(action: Callable[[], object]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        action()
    return len(seen)


def test_a_book_takes_three_queries_at_one_hand_and_at_sixty(cast: Cast) -> None:
    match = make_match(cast.ann, dead())
    short = queries(lambda: load_book(match))
    writing = queries(lambda: enter(cast.ann, match, dead()))
    for _ in range(58):
        enter(cast.ben, match, dead())
    book = load_book(match)
    assert len(book.lines) == 60

    def read() -> None:
        for line in load_book(match).lines:
            str(line.row.entered_by)
        for change in book.changes():
            str(change.amendment.who)

    assert queries(read) == short == 3
    assert queries(lambda: enter(cast.ann, match, dead())) == writing
