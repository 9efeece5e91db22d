"""Reads of matches and rows: each starts from the user who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import F
from django.http import Http404

from ginledger.clock import tell_time_of
from ginledger.clubs.models import WRITERS
from ginledger.clubs.querysets import Asker

if TYPE_CHECKING:
    from .models import Match, Row  # noqa: F401


class MatchQuerySet(models.QuerySet["Match"]):
    def visible_to(self, user: Asker) -> MatchQuerySet:
        """The matches of the user's clubs, each with the user's ``role`` there."""
        return self._as_member(user).filter(deleted_at=None)

    def writable_by(self, user: Asker) -> MatchQuerySet:
        """Those of them that the user may write: as owner or scorer of the club."""
        writes = self._as_member(user, club__memberships__role__in=WRITERS)
        return writes.filter(deleted_at=None)

    def _as_member(self, user: Asker, **conditions: object) -> MatchQuerySet:
        if not user.pk:
            return self.none()
        # One filter, so that the role is that of the same membership.
        mine = self.filter(club__memberships__user_id=user.pk, **conditions)
        return mine.annotate(role=F("club__memberships__role"))

    def binned_by(self, user: Asker) -> MatchQuerySet:
        """The matches in the bins of the user's clubs, each with the user's ``role`` there."""
        return self._as_member(user).filter(deleted_at__isnull=False)

    def shelf(self, user: Asker, name: str) -> MatchQuerySet:
        """The matches of the user's clubs on one shelf, with players, in the order of a list.

        name: running (latest hand first), finished, stopped, archived (latest day first, and of a
        day the one recorded last), bin (the last one put there first).
        """
        if name == "bin":
            return (
                self.binned_by(user)
                .prefetch_related("seats__player")
                .order_by("-deleted_at", "-pk")
            )
        mine = self.visible_to(user).prefetch_related("seats__player")
        if name == "archived":
            return mine.exclude(archived_at=None).order_by("-played_on", "-pk")
        kept = mine.filter(archived_at=None)
        if name == "running":
            return kept.filter(over=False, stopped_at=None).order_by("-last_at", "-pk")
        if name == "stopped":
            kept = kept.filter(over=False).exclude(stopped_at=None)
        else:
            kept = kept.filter(over=True)
        return kept.order_by("-played_on", "-pk")

    def listed(self) -> MatchQuerySet:
        """With players, in the order of a list: running matches first, then the latest.

        Archived matches are left out.
        """
        kept = self.filter(archived_at=None).prefetch_related("seats__player")
        return kept.order_by("over", "-last_at", "-pk")


class RowQuerySet(models.QuerySet["Row"]):
    def visible_to(self, user: Asker) -> RowQuerySet:
        """The rows, void ones included, of the matches of the user's clubs."""
        if not user.pk:
            return self.none()
        return self.filter(match__club__memberships__user_id=user.pk, match__deleted_at=None)


def find_match(user: Asker, key: str, *, write: bool = False, lock: bool = False) -> Match:
    """The match with this key that the user may see, and with ``write`` may write.

    lock: hold the match until the transaction ends, so that writes of it queue up.
    Raises Http404 for a stranger (or no such match, or one in the bin), PermissionDenied for a
    viewer who writes.
    """
    from .models import Match

    return _find(Match.objects.visible_to(user), key, write, lock)


def find_binned(user: Asker, key: str, *, lock: bool = False) -> Match:
    """The match in the bin with this key, to be taken out of it; raises like ``find_match``."""
    from .models import Match

    return _find(Match.objects.binned_by(user), key, True, lock)


def _find(matches: MatchQuerySet, key: str, write: bool, lock: bool) -> Match:
    found = matches.select_related("club").filter(key=key)
    match = (found.select_for_update(of=("self",)) if lock else found).first()
    if match is None:
        raise Http404("No such match.")
    if write and match.role not in WRITERS:
        raise PermissionDenied("A viewer changes nothing.")
    tell_time_of(match.club.time_zone)
    return match


def find_row_match(user: Asker, row_key: str, *, write: bool = False, lock: bool = False) -> Match:
    """The match of the row with this key, found and authorised like ``find_match``."""
    from .models import Row

    key = (
        Row.objects.visible_to(user).filter(key=row_key).values_list("match__key", flat=True)
    ).first()
    if key is None:
        raise Http404("No such row.")
    return find_match(user, key, write=write, lock=lock)
