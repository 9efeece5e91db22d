"""What every write of a match ends with: a version, its amendments, derived figures, posters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import F
from django.utils import timezone

from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules
from ginledger.gin.sheet import Sheet

from . import posters
from .derived import FIELDS, derive
from .errors import StaleMatch
from .models import WHY_LONGEST, Action, Amendment, Match, Row


class Change(NamedTuple):
    """A row (None: the match) with its state before (None: it was not there) and after."""

    row: Row | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def clean_why(why: str) -> str:
    """A reason as it is kept: one line, trimmed, up to 200 characters; raises AgainstRules."""
    text = " ".join(why.split())
    if len(text) > WHY_LONGEST:
        raise AgainstRules("why-long", f"A reason has up to {WHY_LONGEST} characters.", "why")
    return text


def next_version(match: Match) -> None:
    """Give the match its next version; raises StaleMatch when somebody else just did."""
    mine = Match.objects.filter(pk=match.pk, version=match.version)
    if not mine.update(version=F("version") + 1):
        raise StaleMatch
    match.version += 1


def record(
    match: Match, changes: Iterable[Change], *, action: Action, user: Asker, why: str
) -> list[Amendment]:
    """Add the amendments of one act, which made the match's present version."""
    now = timezone.now()
    return Amendment.objects.bulk_create(
        Amendment(
            club_id=match.club_id,
            match=match,
            row=change.row,
            version=match.version,
            action=action,
            before=change.before,
            after=change.after,
            who_id=user.pk,
            at=now,
            why=why,
        )
        for change in changes
    )


def rewrite(match: Match, sheet: Sheet, log: Iterable[Amendment]) -> None:
    """Write every derived figure of the match, whole, and have the posters follow."""
    for name, value in derive(match, sheet, log).items():
        setattr(match, name, value)
    match.save(update_fields=FIELDS)
    posters.post(match, sheet)
