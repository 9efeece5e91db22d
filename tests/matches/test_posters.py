"""What follows an act: once, at its end, and not at all where it fails."""

import pytest

from ginledger.matches import posters


def test_what_follows_comes_once_at_the_end_of_the_outer_act() -> None:
    called: list[tuple[str, set[int]]] = []

    def first(of: set[int]) -> None:
        called.append(("first", set(of)))
        posters.follow(second, 7)

    def second(of: set[int]) -> None:
        called.append(("second", set(of)))

    with posters.together():
        with posters.together():
            posters.follow(first, 1)
        posters.follow(first, 2)
        posters.follow(first, 1)
        assert called == []
    assert called == [("first", {1, 2}), ("second", {7})]


def test_outside_of_an_act_it_follows_at_once() -> None:
    called: list[set[int]] = []
    posters.follow(called.append, 3)
    assert called == [{3}]


def test_nothing_follows_an_act_that_failed_nor_waits_for_the_next() -> None:
    called: list[set[int]] = []

    def fail() -> None:
        with posters.together():
            posters.follow(called.append, 1)
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    with posters.together():
        pass
    assert called == []
