"""Reads of the ledger: each starts from the user who asks, or from a club found for him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import F, OuterRef
from django.http import Http404

from ginledger.clubs.models import WRITERS
from ginledger.clubs.querysets import Asker

if TYPE_CHECKING:
    from .models import Entry


class EntryQuerySet(models.QuerySet["Entry"]):
    def visible_to(self, user: Asker) -> EntryQuerySet:
        """The entries of the user's clubs, struck ones too, each with the user's ``role``."""
        if not user.pk:
            return self.none()
        mine = self.filter(club__memberships__user_id=user.pk)
        return mine.annotate(role=F("club__memberships__role"))

    def standing(self) -> EntryQuerySet:
        """Those that are not struck through."""
        return self.filter(struck_at=None)

    def settling(self) -> EntryQuerySet:
        """Those that balances are made of: standing, and of no disputed match."""
        return self.standing().exclude(_disputed())

    def held(self) -> EntryQuerySet:
        """Those that would count, but for a dispute on their match."""
        from .models import Signature, Verdict

        # Disputes are few: the database is to begin with them.
        disputes = Signature.objects.filter(verdict=Verdict.DISPUTE)
        return self.standing().filter(_disputed(), match__in=disputes.values("match"))

    def marked(self) -> EntryQuerySet:
        """Each with ``disputed``: whether its match is disputed, so that it does not count."""
        return self.annotate(disputed=_disputed())


def _disputed() -> models.Exists:
    """Whether the last word of a side on the entry's match is a dispute that no owner settled."""
    from .models import Decision, Signature, Verdict

    later = Signature.objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), pk__gt=OuterRef("pk")
    )
    settled = Decision.objects.filter(match=OuterRef("match"), at__gte=OuterRef("at"))
    disputes = Signature.objects.filter(match=OuterRef("match"), verdict=Verdict.DISPUTE)
    return models.Exists(disputes.exclude(models.Exists(later)).exclude(models.Exists(settled)))


def find_entry(user: Asker, key: str, *, write: bool = False, lock: bool = False) -> Entry:
    """The entry with this key in a club of the user.

    lock: hold it until the transaction ends. Raises Http404 for a stranger (or no such entry) and
    PermissionDenied for a viewer who means to write.
    """
    from .models import Entry

    found = Entry.objects.visible_to(user).select_related("club").filter(key=key)
    entry = (found.select_for_update(of=("self",)) if lock else found).first()
    if entry is None:
        raise Http404("No such entry.")
    if write and entry.role not in WRITERS:
        raise PermissionDenied("A viewer changes nothing.")
    return entry
