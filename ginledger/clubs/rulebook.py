"""The rule sets one can play by: the presets, and those of one's clubs.

Reads start from the user who asks; writes are keyword-only and one transaction each. Whatever
happens here, a match keeps the rules it was started with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from ginledger.gin.errors import AgainstRules
from ginledger.gin.ruleset import DEFAULT_PRESET, RuleSet, presets, read_rules
from ginledger.gin.shutouts import shutout_cost
from ginledger.gin.words import (
    agreement,
    agreement_parts,
    differences_in_words,
    rules_line,
    sentence,
)

from .club_services import find_club
from .models import WRITERS, Club, HouseRules, Role, User
from .names import clean_name, fold
from .querysets import Asker
from .services import home_club

_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Found(NamedTuple):
    """A rule set under the name it is played by."""

    name: str
    rules: RuleSet


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule set to choose. slug: a preset's, or the key of an own one; summary: in a sentence;
    club: the name of the one it belongs to, "" for a preset."""

    slug: str
    name: str
    summary: str
    rules: RuleSet
    own: bool
    club: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What is agreed before the first deal, in words: the whole for reading, parts by groups."""

    name: str
    line: str
    clauses: tuple[str, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    shutout: str

    @property
    def sentence(self) -> str:
        """Everything in one sentence."""
        return sentence(self.clauses)


def agreement_of(name: str, rules: RuleSet) -> Agreement:
    """The card that says what was agreed, for ``rules/_agreement.html``."""
    return Agreement(
        name=name,
        line=rules_line(rules),
        clauses=agreement(rules),
        parts=tuple(
            (part.title, tuple(clause.text for clause in part.clauses))
            for part in agreement_parts(rules)
        ),
        shutout=shutout_cost(rules),
    )


def usual() -> RuleSet:
    """The rules that others are told apart from."""
    return presets()[DEFAULT_PRESET].rules


def special(rules: RuleSet) -> str:
    """What a rule set has otherwise than the usual one, in a sentence."""
    return sentence(differences_in_words(usual(), rules)) or "The usual rules."


def choices(user: Asker) -> tuple[Choice, ...]:
    """Every preset, then the own rule sets of the user's clubs by name; one query."""
    return (
        *(
            Choice(one.slug, one.name, one.summary, one.rules, own=False)
            for one in presets().values()
        ),
        *own_rules(user),
    )


def own_rules(user: Asker) -> tuple[Choice, ...]:
    """The rule sets of the user's clubs that are not put away, by name; one query."""
    kept = HouseRules.objects.visible_to(user).kept().select_related("club")
    read = ((house, read_rules(house.rules)) for house in kept)
    return tuple(
        Choice(house.key, house.name, special(rules), rules, own=True, club=house.club.name)
        for house, rules in read
    )


def put_away(user: Asker) -> list[HouseRules]:
    """The archived rule sets of the user's clubs, by name; one query."""
    found = HouseRules.objects.visible_to(user).exclude(archived_at=None)
    return list(found.order_by("folded", "pk"))


def writing_clubs(user: Asker) -> tuple[Club, ...]:
    """The clubs in which the user may keep a rule set, those he owns first; one query."""
    mine = Club.objects.visible_to(user).order_by("memberships__pk")
    clubs = [club for club in mine if club.role in WRITERS]
    return tuple(sorted(clubs, key=lambda club: club.role != Role.OWNER))


def find_rules(user: Asker, slug_or_key: str) -> Found:
    """The preset of that slug, or the user's rule set of that key; raises Http404."""
    preset = presets().get(slug_or_key)
    if preset is not None:
        return Found(preset.name, preset.rules)
    house = find_house_rules(user, slug_or_key)
    return Found(house.name, read_rules(house.rules))


def find_house_rules(user: Asker, key: str, *, write: bool = False) -> HouseRules:
    """The rule set with this key in a club of the user, archived or not.

    Raises Http404 for a stranger and PermissionDenied for a viewer who means to write.
    """
    if not _KEY.fullmatch(key):
        raise Http404("No such rule set.")
    house = HouseRules.objects.visible_to(user).select_related("club").filter(key=key).first()
    if house is None:
        raise Http404("No such rule set.")
    if write and house.role not in WRITERS:
        raise PermissionDenied("A viewer changes nothing.")
    return house


def create_rules(*, user: User, name: str, rules: RuleSet, club_key: str = "") -> HouseRules:
    """An own rule set of a club; the same name and rules again are the same one.

    club_key: of a club where the user scores; without one, the first club he owns. Raises the
    problems of ``clean_name``, or AgainstRules ("name-taken"), field "name".
    """
    name = clean_name(name)
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER) if club_key else home_club(user)
        there = club.house_rules.kept().filter(folded=fold(name)).first()
        if there is not None:
            if there.name == name and read_rules(there.rules) == rules:
                return there
            raise _taken(there)
        return HouseRules.objects.create(
            club=club, name=name, folded=fold(name), rules=rules.to_json(), created_by=user
        )


def change_rules(*, user: Asker, key: str, name: str, rules: RuleSet, seen: str) -> HouseRules:
    """The same rule set under another name or with other rules; no match changes.

    seen: ``stamp`` of the rule set as the writer read it. Raises AgainstRules: what
    ``create_rules`` raises, "rules-archived", or "rules-stale" when it was changed meanwhile.
    """
    name = clean_name(name)
    with transaction.atomic():
        house = _locked(user, key)
        if house.archived_at is not None:
            raise AgainstRules("rules-archived", "Take it out of the archive first.")
        if read_rules(house.rules) == rules and house.name == name:
            return house
        if stamp(house) != seen:
            raise AgainstRules(
                "rules-stale",
                "Someone else changed this rule set meanwhile; nothing of yours was stored. "
                "What you typed is still here: look at theirs, then save again.",
            )
        _check_free(house, name)
        house.name, house.folded = name, fold(name)
        house.rules, house.updated_at = rules.to_json(), timezone.now()
        house.save(update_fields=["name", "folded", "rules", "updated_at"])
        return house


def archive_rules(*, user: Asker, key: str) -> HouseRules:
    """Put a rule set away: it is not offered any more and its name is free."""
    with transaction.atomic():
        house = _locked(user, key)
        house.archived_at = house.archived_at or timezone.now()
        house.save(update_fields=["archived_at"])
        return house


def restore_rules(*, user: Asker, key: str) -> HouseRules:
    """Offer an archived rule set again; raises AgainstRules when its name was taken meanwhile."""
    with transaction.atomic():
        house = _locked(user, key)
        _check_free(house, house.name)
        house.archived_at = None
        house.save(update_fields=["archived_at"])
        return house


def stamp(house: HouseRules) -> str:
    """What changes with every change of a rule set: a form carries it."""
    return house.updated_at.isoformat()


def _locked(user: Asker, key: str) -> HouseRules:
    """The rule set for writing, held until the transaction ends."""
    house = find_house_rules(user, key, write=True)
    house.refresh_from_db(from_queryset=HouseRules.objects.select_for_update())
    return house


def _check_free(house: HouseRules, name: str) -> None:
    others = house.club.house_rules.kept().exclude(pk=house.pk)
    there = others.filter(folded=fold(name)).first()
    if there is not None:
        raise _taken(there)


def _taken(there: HouseRules) -> AgainstRules:
    return AgainstRules("name-taken", f"There is a rule set {there.name} here already.", "name")
