"""A whole club as one JSON document, written match by match; ``backup_read`` reads it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from django.apps import apps
from django.db.models import Model, Prefetch

from ginledger.clubs.models import Club, Merge, Player, User
from ginledger.matches.models import Match, Seat

from .backup_shape import AFTER, BEFORE, CLUB, FORMAT, MATCHES, OF_MATCH, Part, people_of, points_to

AT_ONCE = 200


def backup_text(club: Club) -> Iterator[str]:
    """The document piece by piece; the same club gives the same bytes, on any server."""
    people = people_of(club)
    places = {user.pk: place for place, user in enumerate(people)}
    write = _Writer(places)
    yield f'{{"format": {_json(FORMAT)},\n"club": {_json(write.fields(CLUB, club))}'
    named = [{"name": user.name, "is_guest": user.is_guest} for user in people]
    yield from _list("people", iter(named))
    for part in BEFORE:
        yield from _list(part.name, write.rows(part, club))
    yield from _list(MATCHES.name, write.matches(club))
    for part in AFTER:
        yield from _list(part.name, write.rows(part, club))
    yield "}\n"


def _list(name: str, found: Iterator[dict[str, Any]]) -> Iterator[str]:
    """One object a line, so that two backups can be compared line by line."""
    yield f",\n{_json(name)}: ["
    between = "\n"
    for one in found:
        yield between + _json(one)
        between = ",\n"
    yield "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class _Writer:
    """Writes what is stored as plain values. places: of the people, by the ids of accounts."""

    def __init__(self, places: dict[int, int]) -> None:
        self.places = places

    def rows(self, part: Part, club: Club) -> Iterator[dict[str, Any]]:
        names = [field.name for field in part.fields() if points_to(field) not in (None, User)]
        found = part.model._base_manager.filter(club=club).select_related(*names).order_by("pk")
        for row in found.iterator(chunk_size=AT_ONCE):
            yield self.fields(part, row)

    def matches(self, club: Club) -> Iterator[dict[str, Any]]:
        """Every match, those in the bin too, each with what belongs to it."""
        found = Match.objects.filter(club=club).select_related("rematch_of").order_by("pk")
        for part in OF_MATCH:
            names = [field.name for field in part.fields() if points_to(field) not in (None, User)]
            rows = part.model._base_manager.select_related(*names).order_by("pk")
            found = found.prefetch_related(Prefetch(part.name, rows))
        for match in found.iterator(chunk_size=AT_ONCE):
            whole = self.fields(MATCHES, match)
            for part in OF_MATCH:
                whole[part.name] = [
                    self.fields(part, row) for row in getattr(match, part.name).all()
                ]
            yield whole

    def fields(self, part: Part, row: Model) -> dict[str, Any]:
        """One row as an object; what it does not have is not written."""
        found: dict[str, Any] = {}
        for field in part.fields():
            target = points_to(field)
            value = getattr(row, field.attname)
            if value is None:
                continue
            if target is User:
                value = self.places[value]
            elif target is not None:
                value = getattr(row, field.name).key
            elif isinstance(value, date):
                value = value.isoformat()
            found[field.name] = value
        if isinstance(row, Merge):
            found["moved"] = self._moved(row.moved)
        return found

    def _moved(self, moved: dict[str, Any]) -> dict[str, Any]:
        """What a merge moved, by names that hold on any server."""
        account = moved["account"]
        return {
            **moved,
            "account": None if account is None else self.places.get(account),
            "rows": {label: named_rows(label, pks) for label, pks in moved["rows"].items()},
        }


def named_rows(label: str, pks: list[int]) -> list[Any]:
    """Rows by their keys, seats by their match and number. label: "app.Model.field"."""
    model = apps.get_model(label.rpartition(".")[0])
    rows = model._base_manager.filter(pk__in=pks).order_by("pk")
    if model is Seat:
        return [list(one) for one in rows.values_list("match__key", "number")]
    return list(rows.values_list("key", flat=True))


def rows_of_names(club: Club, label: str, names: list[Any]) -> list[int]:
    """The ids of rows of a club that ``named_rows`` named; what points to no player is none."""
    model_label, _, field = label.rpartition(".")
    model = apps.get_model(model_label)
    if points_to(model._meta.get_field(field)) is not Player:
        raise ValueError(label)
    find: Callable[[Any], dict[str, Any]] = (
        (lambda name: {"match__key": name[0], "number": name[1]})
        if model is Seat
        else (lambda name: {"key": name})
    )
    return [model._base_manager.get(club=club, **find(name)).pk for name in names]
