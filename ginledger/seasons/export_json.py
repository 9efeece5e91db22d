"""Every table in one JSON document, for programs: a list of objects for each, a line a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from ginledger.csv_files import Cell

from .export_rows import Scope, topics
from .export_xlsx import Watch

FORMAT = "ginledger/tables/1"


def json_chunks(scope: Scope, watch: Watch = lambda rows, _: rows) -> Iterator[str]:
    """The document piece by piece, so that memory does not grow with its rows.

    Amounts and rates are numbers, days and moments ISO texts (moments in the club's time).
    watch: is given the rows of each table and about how many there will be, and passes them on.
    """
    yield f'{{"format": {json.dumps(FORMAT)}, "club": {_json(scope.club.name)}'
    for topic in topics(scope):
        yield f',\n"{topic.name}": ['
        between = "\n"
        for row in watch(topic.rows(scope), topic.about(scope)):
            yield between + _json(dict(zip(topic.head, row, strict=True)))
            between = ",\n"
        yield "\n]"
    yield "\n}\n"


def _json(value: str | dict[str, Cell]) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Decimal | date) -> float | str:
    return float(value) if isinstance(value, Decimal) else value.isoformat()
