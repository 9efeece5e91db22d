"""Every write of the ledger that is no match: keyword-only, one transaction, nothing stored when
it raises.

Who writes is an owner or a scorer of the club, else ``Http404`` (a stranger) or
``PermissionDenied`` (a viewer). The same one-time key again answers with the entry it made.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from ginledger.clubs.club_services import ClubTerms, find_club
from ginledger.clubs.currencies import CURRENCIES
from ginledger.clubs.models import Club, Player, Role
from ginledger.clubs.querysets import Asker
from ginledger.gin.errors import AgainstRules
from ginledger.matches.cash import shown
from ginledger.matches.start import clean_once_key, once

from . import sums
from .balances import Owing, owing_of
from .models import MOST, NOTE_LONGEST, STRUCK_WHY_LONGEST, Entry, Kind
from .querysets import find_entry

OLDEST = date(1900, 1, 1)

# What else must hold: called with the club, the creditor and the debtor.
Check = Callable[[Club, Player, Player], None]


class OverPaid(AgainstRules):
    """A payment of more than is owed: asked about, and recorded with ``over_ok``.

    owed: what could be paid, in minor units.
    """

    def __init__(self, message: str, owed: int) -> None:
        super().__init__("over-paid", message, "amount")
        self.owed = owed


class Deal(NamedTuple):
    """What is to be recorded between two players, by their keys.

    amount: minor units of the currency; on: None for today; note: up to 200 characters.
    """

    debtor: str
    creditor: str
    amount: int
    currency: str
    on: date | None = None
    note: str = ""


def record_payment(
    *, user: Asker, club_key: str, deal: Deal, once_key: str, over_ok: bool = False
) -> Entry:
    """A payment: of the deal's debtor to its creditor, who have that much less between them.

    Raises OverPaid when it is more than is owed, however one counts: between the two, or by what
    the payer owes in all and the payee has coming in all. With ``over_ok`` the rest is a credit.
    """

    def check(club: Club, payer: Player, payee: Player) -> None:
        if not over_ok:
            _verify_not_over(owing_of(club, deal.currency), payer, payee, deal)

    turned = deal._replace(debtor=deal.creditor, creditor=deal.debtor)
    return _record(user, club_key, Kind.PAYMENT, turned, once_key, check)


def open_balance(*, user: Asker, club_key: str, deal: Deal, once_key: str) -> Entry:
    """What one owes another by an older, paper book, carried over and marked as that."""
    return _record(user, club_key, Kind.OPENING, deal, once_key, None)


def correct(*, user: Asker, club_key: str, deal: Deal, once_key: str) -> Entry:
    """A correction, with its reason as the note; raises AgainstRules ("reason-needed")."""
    if not deal.note.strip():
        raise AgainstRules("reason-needed", "Say what is put right.", "note")
    return _record(user, club_key, Kind.CORRECTION, deal, once_key, None)


def _verify_not_over(owing: Owing, payer: Player, payee: Player, deal: Deal) -> None:
    between = owing.between(payer.pk, payee.pk)
    through = min(-owing.balance(payer.pk), owing.balance(payee.pk))
    owed = max(between, through, 0)
    if deal.amount <= owed:
        return
    over = shown(deal.amount - owed, deal.currency)
    message = (
        f"{payer.name} owes {payee.name} {shown(owed, deal.currency)}, so {over} of it is too much."
        if owed
        else f"{payer.name} owes {payee.name} nothing."
    )
    raise OverPaid(f"{message} Recorded all the same, {payer.name} has it coming.", owed)


def _record(
    user: Asker, club_key: str, kind: Kind, deal: Deal, once_key: str, check: Check | None
) -> Entry:
    key, note = clean_once_key(once_key), _clean_note(deal.note)
    on = deal.on or timezone.localdate()
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.SCORER, lock=True)

        def make() -> Entry:
            _verify(deal, on)
            debtor = _find_player(club, deal.debtor, "debtor")
            creditor = _find_player(club, deal.creditor, "creditor")
            if debtor == creditor:
                raise AgainstRules("same-player", "That is one and the same player.", "creditor")
            if check is not None:
                check(club, creditor, debtor)
            entry = Entry.objects.create(
                club=club,
                once_key=key,
                kind=kind,
                currency=deal.currency,
                debtor=debtor,
                creditor=creditor,
                amount=deal.amount,
                on=on,
                by_id=user.pk,
                note=note,
            )
            sums.follow(club.pk, on)
            return entry

        return once(lambda: club.entries.filter(once_key=key).first() if key else None, make)


def _verify(deal: Deal, on: date) -> None:
    if deal.currency not in CURRENCIES:
        raise AgainstRules("currency-unknown", "There is no such currency.", "currency")
    if not 1 <= deal.amount <= MOST:
        raise AgainstRules(
            "amount-wrong",
            f"An amount is more than nothing and {shown(MOST, deal.currency)} at most.",
            "amount",
        )
    # Somebody ahead of the server's day may write what is today to him.
    if not OLDEST <= on <= timezone.localdate() + timedelta(days=1):
        raise AgainstRules("day-wrong", "That day has not come yet, or is very long ago.", "on")


def _find_player(club: Club, key: str, field: str) -> Player:
    player = club.players.filter(key=key, merged_into=None).first()
    if player is None:
        raise AgainstRules("player-unknown", "Choose one of the club's players.", field)
    return player


def _clean_note(note: str) -> str:
    text = " ".join(note.split())
    if len(text) > NOTE_LONGEST:
        raise AgainstRules("note-long", f"A note has up to {NOTE_LONGEST} characters.", "note")
    return text


def keep_a_currency(club: Club, terms: ClubTerms, **_signal: object) -> None:
    """Refuse to have a club with entries keep no money: its pages would hide what is owed.

    A receiver of ``club_changing``; raises AgainstRules ("currency-kept").
    """
    if not terms.currency and Entry.objects.filter(club=club).exists():
        raise AgainstRules(
            "currency-kept", "There are entries in the ledger: it needs a currency.", "currency"
        )


def strike_entry(*, user: Asker, entry_key: str, why: str = "") -> Entry:
    """Strike an entry through: it stays to be read and counts no more.

    Raises AgainstRules: "entry-struck" when it is already, "entry-of-match" for one that a match
    posted (the match is what changes it), "why-long", and "reason-needed" for all but a payment.
    """
    text = " ".join(why.split())
    if len(text) > STRUCK_WHY_LONGEST:
        raise AgainstRules(
            "why-long", f"A reason has up to {STRUCK_WHY_LONGEST} characters.", "why"
        )
    with transaction.atomic():
        entry = find_entry(user, entry_key, write=True, lock=True)
        if entry.struck:
            raise AgainstRules("entry-struck", "That entry is struck through already.")
        if entry.kind == Kind.MATCH:
            raise AgainstRules("entry-of-match", "Change the match: its entries follow.")
        if not text and entry.kind != Kind.PAYMENT:
            raise AgainstRules("reason-needed", "Say why it does not count.", "why")
        entry.struck_at = timezone.now()
        entry.struck_by_id = user.pk
        entry.struck_why = text or "Taken back."
        entry.save(update_fields=["struck_at", "struck_by", "struck_why"])
        sums.follow(entry.club_id, entry.on)
        return entry
