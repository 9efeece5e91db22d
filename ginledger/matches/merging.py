"""Two players who are one: what the one played becomes the other's, and can be given back.

Rows of a match name seats, not players, so no row changes: the seats change hands, and every
poster rewrites what it derives from the matches concerned.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import ForeignKey, Model
from django.http import Http404
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from ginledger.clubs.club_services import find_club
from ginledger.clubs.models import Claim, Club, Merge, Player, Role
from ginledger.clubs.querysets import Asker
from ginledger.clubs.services import find_player, real_player
from ginledger.clubs.signals import players_merged
from ginledger.gin.errors import AgainstRules

from . import posters
from .book import load_book
from .models import Match, Seat

SEATS = "matches.Seat.player"


def merge_players(*, user: Asker, kept_key: str, gone_key: str) -> Merge:
    """Have the player of ``gone_key`` be the one of ``kept_key`` from now on, and ever before.

    His name leads to the other when a match starts. Raises AgainstRules: "same-player",
    "another-club", "player-merged", "met" when they sat at one table, "two-accounts", and
    "entangled" when something of another app (a payment between the two) forbids it.
    """
    with transaction.atomic():
        kept = find_player(user, kept_key, role=Role.OWNER)
        gone = find_player(user, gone_key, role=Role.OWNER)
        find_club(user, kept.club.key, role=Role.OWNER, lock=True)
        _verify_one(kept, gone)
        account = _hand_account(gone, kept)
        rows = _move_all(gone, kept)
        merge = Merge.objects.create(
            club=kept.club,
            kept=kept,
            gone=gone,
            created_by_id=user.pk,
            moved={
                "rows": rows,
                "account": account,
                "archived": gone.archived_at.isoformat() if gone.archived_at else None,
            },
        )
        gone.merged_into = kept
        gone.archived_at = gone.archived_at or timezone.now()
        gone.save(update_fields=["merged_into", "archived_at"])
        gone.claims.all().delete()
        players_merged.send(Merge, kept=kept, gone=gone)
        return merge


def undo_merge(*, user: Asker, club_key: str, merge_key: str) -> Player:
    """Take a merge back: what changed hands by it changes back; later matches stay where they are.

    Gives the player who is himself again. Raises Http404, or AgainstRules ("merge-undone").
    """
    with transaction.atomic():
        club = find_club(user, club_key, role=Role.OWNER, lock=True)
        merge = club.merges.select_related("kept", "gone").filter(key=merge_key).first()
        if merge is None:
            raise Http404("No such merge.")
        if merge.undone_at is not None:
            raise AgainstRules("merge-undone", "This merge was taken back already.")
        holder, gone = real_player(merge.kept), merge.gone
        for label, pks in merge.moved["rows"].items():
            _move(label, holder, gone, pks)
        _post_all(club, merge.moved["rows"].get(SEATS, []))
        if merge.moved["account"] and holder.user_id == merge.moved["account"]:
            holder.user, gone.user = None, holder.user
            holder.save(update_fields=["user"])
        archived = merge.moved["archived"]
        gone.merged_into = None
        gone.archived_at = parse_datetime(archived) if archived else None
        gone.save(update_fields=["merged_into", "archived_at", "user"])
        merge.undone_at = timezone.now()
        merge.save(update_fields=["undone_at"])
        players_merged.send(Merge, kept=holder, gone=gone)
        return gone


def _verify_one(kept: Player, gone: Player) -> None:
    if kept.pk == gone.pk:
        raise AgainstRules("same-player", "Choose another player.", "gone")
    if kept.club_id != gone.club_id:
        raise AgainstRules("another-club", "Both must be players of one club.", "gone")
    if kept.merged_into_id or gone.merged_into_id:
        raise AgainstRules("player-merged", "One of them was merged already.", "gone")
    met = Match.objects.filter(seats__player=kept).filter(seats__player=gone).count()
    if met:
        times = "once" if met == 1 else f"{met} times"
        text = f"{kept.name} and {gone.name} sat at one table {times}: they are two people."
        raise AgainstRules("met", text, "gone")
    if kept.user_id and gone.user_id:
        text = f"{kept.name} and {gone.name} are two accounts. One of them lets go first."
        raise AgainstRules("two-accounts", text, "gone")


def _hand_account(gone: Player, kept: Player) -> int | None:
    """Have the account of the one be the other; its id, None when there was none."""
    account = gone.user
    if account is None:
        return None
    gone.user = None
    gone.save(update_fields=["user"])
    kept.user = account
    kept.save(update_fields=["user"])
    return account.pk


def _move_all(gone: Player, kept: Player) -> dict[str, list[int]]:
    """Give everything that names the one to the other; the ids of what moved, by its label."""
    try:
        with transaction.atomic():
            rows: dict[str, list[int]] = {}
            for model, field in _pointing_to_players():
                if pks := _pks(model, field, gone):
                    label = f"{model._meta.label}.{field}"
                    _move(label, gone, kept, pks)
                    rows[label] = pks
            _post_all(kept.club, rows.get(SEATS, []))
            return rows
    except IntegrityError as error:
        raise AgainstRules(
            "entangled",
            f"{kept.name} and {gone.name} had to do with each other: they are two people.",
            "gone",
        ) from error


def _pks(model: type[Model], field: str, player: Player) -> list[int]:
    found = model._default_manager.filter(**{field: player}).order_by("pk")
    return list(found.values_list("pk", flat=True))


def _move(label: str, giver: Player, taker: Player, pks: list[int]) -> None:
    model_label, _, field = label.rpartition(".")
    rows = apps.get_model(model_label)._default_manager.filter(pk__in=pks, **{field: giver})
    rows.update(**{field: taker})


def _pointing_to_players() -> Iterator[tuple[type[Model], str]]:
    """Every foreign key to a player, seats first, but for those of claims and merges.

    A model whose rows the posters rewrite whole from the matches may say so with
    ``posted = True``: they follow the seats.
    """
    yield Seat, "player"
    for relation in Player._meta.get_fields(include_hidden=True):
        field, model = getattr(relation, "field", None), relation.related_model
        if not relation.auto_created or not isinstance(field, ForeignKey):
            continue
        if not isinstance(model, type) or model in (Player, Claim, Merge, Seat):
            continue
        if not getattr(model, "posted", False):
            yield model, field.name


def _post_all(club: Club, seats: list[int]) -> None:
    """Have every poster follow in the matches of these seats, and in what the club has of all."""
    with posters.together(then_remade=True):
        for match in Match.objects.filter(seats__in=seats).distinct().order_by("pk"):
            posters.post(match, load_book(match).sheet)
    posters.remake(club)
