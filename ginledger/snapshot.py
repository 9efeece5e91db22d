"""Reads of many queries that are to be of one moment, whoever writes meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


@contextmanager
def snapshot() -> Iterator[None]:
    """Have every query inside see the database as the first of them did.

    For reading alone, as long as it takes: it holds no lock, so that others go on writing. Within
    a transaction it is of that one.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        # Not by ``atomic``, whose transactions take the writer's lock at once.
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def as_of_now(found: Iterable[T]) -> Iterator[T]:
    """The same, one after another, all read in one snapshot that begins with the first."""
    with snapshot():
        yield from found
