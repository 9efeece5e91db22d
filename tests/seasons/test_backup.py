"""A backup restores the club: out, in and out again are equal bytes, whatever the ids are."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from ginledger.clubs import rulebook
from ginledger.clubs.models import Club, Invitation, Player, User
from ginledger.gin.errors import AgainstRules, GinError, Unreadable
from ginledger.gin.hands import Round
from ginledger.gin.ruleset import preset, read_rules
from ginledger.matches import live, services
from ginledger.matches.life import archive_match, delete_match, describe_match
from ginledger.matches.merging import merge_players, undo_merge
from ginledger.matches.models import LiveLink, Match
from ginledger.money import signing
from ginledger.money.balances import owing_of
from ginledger.money.ledger import strike_entry
from ginledger.money.models import Decision, Entry, SideLink, Signature, Subtotal
from ginledger.seasons.backup import backup_text
from ginledger.seasons.backup_read import restore_club
from ginledger.seasons.backup_shape import OF_MATCH, PARTS
from ginledger.seasons.models import HandResult, Played, Rating, Season, Tally, Total
from tests.cast import ANN, BEN, Cast, adjust, book_of, enter, fresh, gin, knock, make_match, won
from tests.money.ledgers import DIME, carry_over, pay, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(cast: Cast) -> Club:
    """A club with one of everything."""
    ann, club = cast.ann, cast.club
    match = make_match(ann, knock(ANN, 6, 21), adjust(BEN, -5, note="=late"), stake=DIME)
    second = match.rows.get(position=2)
    services.void_row(user=ann, row_key=second.key, version=fresh(match).version, why="no")
    enter(cast.ben, match, gin(ANN, 70))
    services.undo(user=ann, match_key=match.key, version=fresh(match).version)
    enter(ann, match, gin(BEN, 90))
    for place, verdict in enumerate(("agree", "dispute")):
        signing_of(cast, match, place, verdict)
    Decision.objects.create(club=club, match=match, by=ann, why="Counted again.")
    describe_match(
        user=ann, match_key=match.key, version=fresh(match).version, note="José – 🎴",
        played_on=match.played_on,
    )  # fmt: skip
    services.rematch(user=ann, match_key=match.key)
    for act in (archive_match, delete_match):
        other = make_match(ann, won(ANN, 5))
        act(user=ann, match_key=other.key, version=other.version)
    partners = services.start_match(
        user=ann, names=("Ann", "Cleo", "Ben", "Dev"), rules=preset("partners-125").rules,
        rules_name="P", first_dealer=0, once_key="", club_key=club.key,
    )  # fmt: skip
    enter(ann, partners, Round(tables=(knock(0, 6, 21, opponent=2), won(3, 10, opponent=1))))
    strike_entry(user=ann, entry_key=pay(ann, club, "Ben", "Ann", 100, over_ok=True).key)
    carry_over(ann, club, "Cleo", "Benny", 250)
    make_match(ann, won(BEN, 5), names=("Ann", "Benny"))
    merge_players(user=ann, kept_key=player(club, "Ben").key, gone_key=player(club, "Benny").key)
    Player.objects.filter(club=club, name="Ann").update(user=ann)
    rulebook.create_rules(user=ann, name="Friday", rules=read_rules("short-50"))
    Season.objects.create(club=club, name="Spring", begins="2026-03-01", ends="2026-05-31")
    live.open_match_link(user=ann, match_key=match.key)
    return Club.objects.get(pk=club.pk)


def signing_of(cast: Cast, match: Match, seat: int, verdict: str) -> None:
    result = signing.book_result(book_of(match))
    Signature.objects.create(
        club=match.club, match=match, seat=seat, verdict=verdict, result=result,
        fingerprint=signing.fingerprint_of(result), user=cast.ann,
    )  # fmt: skip


def text_of(club: Club) -> str:
    return "".join(backup_text(club))


def emptied() -> None:
    """Another server: nothing is stored, and ids begin elsewhere."""
    call_command("flush", interactive=False, verbosity=0)
    for number in range(3):
        User.objects.create(name=f"Somebody {number}")
    assert not Club.objects.exists()


def test_out_in_and_out_again_are_equal_bytes(full: Club) -> None:
    before = text_of(full)
    balances = sorted(owing_of(full, "USD").balances().values())
    tallies = sorted(Tally.objects.values_list("player__name", "net", "hands"))
    derived = list(Match.objects.order_by("pk").values_list("over", "net", "totals", "last_at"))
    assert balances and tallies
    emptied()
    club = restore_club(json.loads(before))
    assert text_of(club) == before
    assert sorted(owing_of(club, "USD").balances().values()) == balances
    assert sorted(Tally.objects.values_list("player__name", "net", "hands")) == tallies
    now = list(Match.objects.order_by("pk").values_list("over", "net", "totals", "last_at"))
    assert now == derived
    call_command("audit", stdout=io.StringIO())


def test_every_part_has_something_in_it(full: Club) -> None:
    document = json.loads(text_of(full))
    for part in PARTS:
        if part in OF_MATCH:
            assert any(match[part.name] for match in document["matches"])
        else:
            assert document[part.name] or part.name == "claims"


def test_every_table_of_a_club_is_in_it_or_left_out_on_purpose() -> None:
    opens_doors = {Invitation, LiveLink, SideLink}
    derived = {HandResult, Played, Rating, Subtotal, Tally, Total}
    found = {
        model
        for model in apps.get_models()
        if any(field.name == "club" for field in model._meta.concrete_fields)
    }
    assert found | {Club} == {part.model for part in PARTS} | opens_doors | derived


def test_no_secret_and_no_address_goes_out(full: Club) -> None:
    text = text_of(full)
    assert "@" not in text.replace("=late", "")
    for token in LiveLink.objects.values_list("token", flat=True):
        assert token not in text
    for user in User.objects.all():
        assert user.username not in text


def test_a_merge_can_be_taken_back_after_the_restore(full: Club) -> None:
    text = text_of(full)
    emptied()
    club = restore_club(json.loads(text), owner=User.objects.first())
    owner = User.objects.earliest("pk")
    merge = club.merges.get()
    undo_merge(user=owner, club_key=club.key, merge_key=merge.key)
    benny = club.players.get(name="Benny")
    assert benny.seats.count() == 1
    assert Entry.objects.filter(creditor=benny).count() == 1


def test_a_club_that_is_here_is_not_restored_over(full: Club) -> None:
    before = text_of(full)
    with pytest.raises(AgainstRules, match="already"):
        restore_club(json.loads(before))
    assert text_of(full) == before


def broken(document: Any, how: int) -> None:
    match = next(one for one in document["matches"] if len(one["rows"]) > 2)
    if how == 0:
        match["rows"][0]["fact"] = {"kind": "knock", "knocker": "9"}
    elif how == 1:
        match["seats"][0]["player"] = "nobody"
    elif how == 2:
        match["amendments"][0]["who"] = 99
    elif how == 3:
        match["played_on"] = "31/12/2026"
    elif how == 4:
        del document["ledger"]
    elif how == 5:
        document["players"][0]["name"] = "x" * 61
    elif how == 6:
        document["ledger"][0]["amount"] = -5
    else:
        document["format"] = "ginledger/match/1"


@pytest.mark.parametrize("how", range(8))
def test_a_broken_backup_stores_nothing_and_says_where(full: Club, how: int) -> None:
    document = json.loads(text_of(full))
    broken(document, how)
    emptied()
    with pytest.raises(GinError) as refused:
        restore_club(document)
    assert isinstance(refused.value, GinError)
    assert how == 7 or refused.value.field
    assert not Club.objects.exists()
    assert User.objects.count() == 3


def test_the_commands_and_the_page(full: Club, cast: Cast, tmp_path: Path) -> None:
    client = Client()
    client.force_login(cast.ann)
    page = client.get(reverse("export", args=[full.key])).content.decode()
    assert reverse("backup", args=[full.key]) in page
    answer: Any = client.get(reverse("backup", args=[full.key]))
    data = b"".join(answer.streaming_content)
    client.force_login(cast.cleo)
    assert client.get(reverse("backup", args=[full.key])).status_code == 403
    file = tmp_path / "club.json"
    call_command("export", full.key, "--json", "-o", str(file))
    assert file.read_bytes() == data == text_of(full).encode()
    emptied()
    User.objects.filter(name="Somebody 0").update(email="new@example.org")
    with pytest.raises(CommandError, match="Nobody"):
        call_command("restore", str(file), "--owner", "no@example.org")
    out = io.StringIO()
    call_command("restore", str(file), "--owner", "new@example.org", stdout=out)
    assert "matches of" in out.getvalue()
    assert Club.objects.get().memberships.filter(user__email="new@example.org", role="owner")
    with pytest.raises(CommandError, match="already"):
        call_command("restore", str(file))
    file.write_text("{")
    with pytest.raises(CommandError, match="not JSON"):
        call_command("restore", str(file))
    with pytest.raises(Unreadable):
        restore_club([])
