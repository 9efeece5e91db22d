"""A club out of a backup: stored as it was, every derived figure worked out anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from django.core.exceptions import (
    FieldDoesNotExist,
    FieldError,
    ObjectDoesNotExist,
    ValidationError,
)
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Field, Model
from django.utils.dateparse import parse_datetime

from ginledger.clubs.club_services import ClubTerms, clean_terms
from ginledger.clubs.currencies import CURRENCIES
from ginledger.clubs.models import Club, HouseRules, Membership, Merge, Role, User
from ginledger.gin.errors import AgainstRules, GinError, Unreadable
from ginledger.gin.ruleset import read_rules
from ginledger.matches import posters
from ginledger.matches.book import load_book
from ginledger.matches.models import Amendment, Match
from ginledger.matches.record import rewrite

from .backup import rows_of_names
from .backup_shape import AFTER, BEFORE, CLUB, FORMAT, MATCHES, OF_MATCH, Part, points_to
from .backup_verify import circle, verify_book, verify_day

_BROKEN = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError,
    ObjectDoesNotExist, FieldDoesNotExist, FieldError, ValidationError, DatabaseError,
)  # fmt: skip
# What an address can hold.
_KEY = re.compile(r"[A-Za-z0-9_-]{1,22}")

# A row of a model that points, by a field, to another of its kind; with its key.
_Pointer: TypeAlias = "tuple[type[Model], str, str]"


def restore_club(document: object, *, owner: User | None = None) -> Club:
    """Store the club of a backup, all of it or nothing.

    Its people become accounts with their names that nobody can log in to; owner: an account that
    becomes an owner beside them. Raises Unreadable, or AgainstRules ("club-here") where the club
    or something in it is stored already.
    """
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise Unreadable("backup-unreadable", f"This is no backup: its format is not {FORMAT}.")
    reader = _Reader()
    try:
        if Club.objects.filter(key=document["club"]["key"]).exists():
            raise AgainstRules("club-here", "This club is stored here already.", "club")
        with transaction.atomic():
            club = reader.club(document)
            if owner is not None:
                Membership.objects.create(club=club, user=owner, role=Role.OWNER)
            return club
    except GinError:
        raise
    except _BROKEN as error:
        if isinstance(error, IntegrityError) and str(error).endswith(".key"):
            text = "What is in it is stored here already."
            raise AgainstRules("club-here", text, reader.at) from error
        text = f"{type(error).__name__}, {error}"[:200]
        raise Unreadable("backup-broken", f"The backup is broken: {text}.", reader.at) from error


class _Reader:
    """Reads a document. at: the place it is at, for who has to look there."""

    def __init__(self) -> None:
        self.at = "club"
        self.people: list[User] = []
        self.known: dict[tuple[type[Model], str], Model] = {}
        # Rows that point to one of their own kind: by which field, to which key, and their place.
        self.later: list[tuple[Model, str, str, str]] = []

    def club(self, document: Mapping[str, Any]) -> Club:
        self._people(document["people"])
        club = Club(**self._values(CLUB, document["club"]))
        clean_terms(None, ClubTerms(club.name, club.currency, "", club.time_zone))
        club.save(force_insert=True)
        for part in BEFORE:
            self._list(part, document, club)
        for number, raw in enumerate(document[MATCHES.name], 1):
            self.at = f"{MATCHES.name}.{number}"
            self._match(raw, club)
        self._link_later()
        for part in AFTER:
            self._list(part, document, club)
        self._derive(club)
        return club

    def _people(self, raw: list[dict[str, Any]]) -> None:
        for number, one in enumerate(raw, 1):
            self.at = f"people.{number}"
            user = User(name=str(one["name"]), is_guest=one["is_guest"] is True)
            _value(User._meta.get_field("name"), user.name)
            user.set_unusable_password()
            user.save()
            self.people.append(user)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """What gin finds wrong is told with the place in the file."""
        try:
            yield
        except GinError as error:
            raise error.within(self.at) from error

    def _list(self, part: Part, document: Mapping[str, Any], club: Club) -> None:
        for number, raw in enumerate(document[part.name], 1):
            self.at = f"{part.name}.{number}"
            self._store(part, raw, club=club)

    def _match(self, raw: dict[str, Any], club: Club) -> None:
        match = self._store(MATCHES, raw, club=club)
        where = self.at
        for part in OF_MATCH:
            rows: list[Model] = []
            for number, one in enumerate(raw[part.name], 1):
                self.at = f"{where}.{part.name}.{number}"
                rows.append(self._made(part, one, club=club, match=match))
            self.at = f"{where}.{part.name}"
            part.model._base_manager.bulk_create(rows)

    def _store(self, part: Part, raw: dict[str, Any], **more: Model) -> Model:
        row = self._made(part, raw, **more)
        row.save(force_insert=True)
        return row

    def _made(self, part: Part, raw: dict[str, Any], **more: Model) -> Model:
        """A row of the file, not stored yet; what comes after it may point to it."""
        row = part.model(**self._values(part, raw), **more)
        if isinstance(row, Merge):
            row.moved = self._moved(row.club, raw["moved"])
        if isinstance(row, HouseRules):
            with self._placed():
                read_rules(row.rules)
        for field in part.fields():
            if points_to(field) is part.model and field.name in raw:
                self.later.append((row, field.name, raw[field.name], self.at))
        if isinstance(row, Amendment) and row.row is not None and row.row.match_id != row.match_id:
            raise ValueError("its row is of another match")
        if "key" in raw:
            if (part.model, raw["key"]) in self.known:
                raise ValueError(f"{raw['key']!r} stands in it twice")
            self.known[part.model, raw["key"]] = row
        return row

    def _values(self, part: Part, raw: dict[str, Any]) -> dict[str, Any]:
        """The fields of a row; what the file does not say is nothing, not a default."""
        found: dict[str, Any] = {}
        for field in part.fields():
            target, value = points_to(field), raw.get(field.name)
            if target is part.model:
                continue
            if value is None:
                found[field.name] = None
            elif target is User:
                found[field.name] = self.people[value]
            elif target is not None:
                found[field.name] = self.known[target, value]
            else:
                found[field.name] = _value(field, value)
        return found

    def _link_later(self) -> None:
        links: dict[_Pointer, _Pointer] = {}
        places: dict[_Pointer, str] = {}
        for row, name, key, at in self.later:
            self.at = at
            setattr(row, name, self.known[type(row), key])
            row.save(update_fields=[name])
            one = type(row), name, str(vars(row)["key"])
            links[one], places[one] = (type(row), name, key), at
        if (found := circle(links)) is not None:
            self.at = places[found]
            raise ValueError(f"{found[1]} leads back to where it began")

    def _moved(self, club: Club, raw: dict[str, Any]) -> dict[str, Any]:
        account = raw["account"]
        if raw["archived"] is not None and parse_datetime(raw["archived"]) is None:
            raise ValueError(raw["archived"])
        return {
            "account": None if account is None else self.people[account].pk,
            "archived": raw["archived"],
            "rows": {
                label: rows_of_names(club, label, names) for label, names in raw["rows"].items()
            },
        }

    def _derive(self, club: Club) -> None:
        """Every figure that is not in the file, by the books; a book that is none is refused."""
        matches = Match.objects.filter(club=club)
        with posters.together(then_remade=True):
            for pk in list(matches.order_by("pk").values_list("pk", flat=True)):
                match = matches.get(pk=pk)
                self.at = f"matches.{match.key}"
                with self._placed():
                    book = load_book(match)
                    verify_book(book)
                rewrite(match, book.sheet, book.amendments)
        # All of it, as the file's ledger was stored past the posters.
        posters.remake(club)


def _value(field: Field[Any, Any], raw: Any) -> Any:
    """A value as it is stored; raises where no page could show it."""
    value = field.to_python(raw)
    field.run_validators(value)
    if field.choices is not None and value not in [one for one, _ in field.flatchoices]:
        raise ValueError(f"{field.name} is no {value!r}")
    if field.name == "key" and not _KEY.fullmatch(value):
        raise ValueError(f"{value!r} is no key")
    if field.name == "currency" and value and value not in CURRENCIES:
        raise ValueError(f"{value!r} is no currency")
    if value is not None:
        verify_day(field, value)
    return value
