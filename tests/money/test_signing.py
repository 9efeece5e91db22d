"""Both sides sign a finished match; what changes afterwards asks them again and says what."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import Http404
from django.test import Client
from django.utils import timezone

from ginledger.clubs.models import Club, Player, User
from ginledger.gin.errors import AgainstRules
from ginledger.matches import services
from ginledger.matches.book import load_book
from ginledger.matches.errors import StaleMatch, WrongState
from ginledger.matches.models import Match
from ginledger.money import signing
from ginledger.money.models import SideLink, Signature
from ginledger.money.sign_pages import sign_page
from tests.cast import (
    ANN,
    BEN,
    NOBODY,
    Cast,
    book_of,
    enter,
    fresh,
    knock,
    make_match,
    stored,
    won,
)
from tests.web.page import text_of


def is_player(user: User, match: Match, seat: int) -> None:
    """Have the account be the player of this seat."""
    Player.objects.filter(seats__match=match, seats__number=seat).update(user=user)


@pytest.fixture
def match(cast: Cast) -> Match:
    match = make_match(cast.ann, knock(ANN, 6, 21), won(BEN, 30), won(ANN, 90))
    is_player(cast.ann, match, ANN)
    is_player(cast.ben, match, BEN)
    return fresh(match)


def seen(match: Match) -> str:
    return signing.fingerprint_of(signing.book_result(book_of(match)))


def sign(user: Any, match: Match, seat: int, verdict: str = "agree", **more: Any) -> Signature:
    asked = {"seen": seen(match), **more}
    return signing.sign(user=user, match_key=match.key, seat=seat, verdict=verdict, **asked)


def standing(match: Match) -> dict[int, str]:
    """The word of each side that stands."""
    return dict(match.signatures.filter(stands=True).values_list("seat", "verdict"))


def amend(cast: Cast, match: Match, place: int, hand: Any) -> None:
    row = match.rows.order_by("position")[place]
    services.amend_row(
        user=cast.ann, row_key=row.key, hand=hand, version=fresh(match).version, why=""
    )


def said(match: Match, cast: Cast, seat: int) -> list[str]:
    """What has changed since the side signed, as plain text."""
    match = fresh(match)
    match.role = "owner"
    page = sign_page(load_book(match), cast.ann)
    lines = next(side for side in page.sides if side.seat == seat).changes
    return [re.sub(r"<[^>]+>", "", line) for line in lines]


def test_each_side_signs_for_itself(cast: Cast, match: Match) -> None:
    sign(cast.ann, match, ANN)
    assert standing(match) == {ANN: "agree"}
    for user in (cast.ann, cast.cleo):
        with pytest.raises(PermissionDenied):
            sign(user, match, BEN)
    for user in (cast.dev, cast.guest, NOBODY):
        with pytest.raises(Http404):
            sign(user, match, BEN)
    with pytest.raises(Http404):
        sign(cast.ann, match, 7)
    sign(cast.ben, match, BEN, "dispute", note="hand 2 was 20")
    assert standing(match) == {ANN: "agree", BEN: "dispute"}


def test_signing_changes_nothing_of_the_match(cast: Cast, match: Match) -> None:
    before = stored(match)
    sign(cast.ann, match, ANN)
    assert stored(match) == before


def test_the_same_word_twice_is_one_signature(cast: Cast, match: Match) -> None:
    assert sign(cast.ann, match, ANN) == sign(cast.ann, match, ANN)
    assert match.signatures.count() == 1
    sign(cast.ann, match, ANN, "dispute")
    sign(cast.ann, match, ANN)
    assert [one.verdict for one in match.signatures.all()] == ["agree", "dispute", "agree"]


@pytest.mark.parametrize(
    ("verdict", "note", "code"),
    [("", "", "verdict"), ("maybe", "", "verdict"), ("agree", "x" * 201, "note-long")],
)
def test_what_is_no_signature(cast: Cast, match: Match, verdict: str, note: str, code: str) -> None:
    with pytest.raises(AgainstRules) as refused:
        sign(cast.ann, match, ANN, verdict, note=note)
    assert refused.value.code == code
    assert not match.signatures.exists()


def test_a_match_that_is_played_is_not_signed(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 30))
    is_player(cast.ann, match, ANN)
    with pytest.raises(WrongState):
        sign(cast.ann, match, ANN)


def test_what_was_not_seen_is_not_signed(cast: Cast, match: Match) -> None:
    old = seen(match)
    amend(cast, match, 0, knock(ANN, 5, 21))
    with pytest.raises(StaleMatch):
        sign(cast.ann, match, ANN, seen=old)
    assert not match.signatures.exists()


def test_an_amendment_asks_again_and_says_what_changed(cast: Cast, match: Match) -> None:
    sign(cast.ann, match, ANN)
    sign(cast.ben, match, BEN)
    before = fresh(match).net or []
    amend(cast, match, 0, knock(ANN, 5, 21))
    assert standing(match) == {}
    assert fresh(match).over
    after = fresh(match).net or []
    assert said(match, cast, ANN) == [
        "Hand 1 was Ann +15 (knock); now Ann +16 (knock).",
        f"The margin was Ann by {before[0]}; now Ann by {after[0]}.",
    ]
    # A new word on the new result; the old one stays to be read.
    sign(cast.ben, match, BEN)
    assert standing(match) == {BEN: "agree"}
    assert match.signatures.count() == 3


def test_taking_the_amendment_back_lets_the_signatures_stand(cast: Cast, match: Match) -> None:
    sign(cast.ann, match, ANN)
    amend(cast, match, 0, knock(ANN, 5, 21))
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert standing(match) == {ANN: "agree"}


def test_an_opened_match_is_signed_by_nobody(cast: Cast, match: Match) -> None:
    """B13's kind: what hangs on the end of the match goes with it."""
    sign(cast.ann, match, ANN)
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert not fresh(match).over
    assert standing(match) == {}
    services.redo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert standing(match) == {ANN: "agree"}


def test_a_void_and_a_new_hand_are_told(cast: Cast, match: Match) -> None:
    sign(cast.ann, match, ANN)
    second = match.rows.order_by("position")[1]
    services.void_row(user=cast.ann, row_key=second.key, version=fresh(match).version, why="twice")
    services.insert_row(
        user=cast.ann,
        match_key=match.key,
        hand=won(BEN, 12),
        once_key="inserted",
        version=fresh(match).version,
        after=second.key,
    )
    lines = said(match, cast, ANN)
    assert "Hand 2 is new: Ben +12 (knock)." in lines
    assert "What was hand 2 no longer counts: Ben +30 (knock)." in lines


def test_a_note_a_name_and_the_sides_changed_over_ask_nobody(cast: Cast, match: Match) -> None:
    """The result is the same: the same people, hands, points and margin."""
    sign(cast.ann, match, ANN)
    amend(cast, match, 0, knock(ANN, 6, 21, note="a long one"))
    services.swap_sides(user=cast.ann, match_key=match.key, version=fresh(match).version)
    assert standing(match) == {ANN: "agree"}
    assert said(match, cast, ANN) == []


def test_what_stands_is_what_the_result_says(cast: Cast, match: Match) -> None:
    """The stored word is the same as one worked out afresh, whatever was done."""
    sign(cast.ann, match, ANN)
    for act in (
        lambda: amend(cast, match, 1, won(BEN, 31)),
        lambda: sign(cast.ben, match, BEN),
        lambda: amend(cast, match, 1, won(BEN, 30)),
        lambda: services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version),
    ):
        act()
        now = seen(match)
        for signature in match.signatures.all():
            assert signature.stands == (signature.fingerprint == now and fresh(match).over)


def test_the_audit_asks_for_them(cast: Cast, match: Match) -> None:
    sign(cast.ann, match, ANN)
    call_command("audit", stdout=StringIO())
    match.signatures.update(stands=False)
    told = StringIO()
    with pytest.raises(CommandError):
        call_command("audit", stdout=told)
    assert f"match {match.key}: signature" in told.getvalue()


# By a link


@pytest.fixture
def link(cast: Cast, match: Match) -> SideLink:
    return signing.open_link(user=cast.ann, match_key=match.key, seat=BEN)


def by_link(link: SideLink, match: Match, verdict: str = "agree", **more: Any) -> Signature:
    asked = {"seen": seen(match), **more}
    return signing.sign_by_link(token=link.token, verdict=verdict, **asked)


def test_a_link_signs_for_its_side_alone(cast: Cast, match: Match, link: SideLink) -> None:
    signature = by_link(link, match)
    assert (signature.seat, signature.user, signature.link) == (BEN, None, link)
    assert standing(match) == {BEN: "agree"}
    assert signing.open_link(user=cast.ben, match_key=match.key, seat=BEN) == link
    other = signing.open_link(user=cast.ann, match_key=match.key, seat=ANN)
    assert other.token != link.token


def test_a_link_taken_back_or_ended_signs_nothing(cast: Cast, match: Match, link: SideLink) -> None:
    by_link(link, match)
    signing.close_link(user=cast.ann, match_key=match.key, seat=BEN)
    with pytest.raises(Http404):
        by_link(link, match, "dispute")
    again = signing.open_link(user=cast.ann, match_key=match.key, seat=BEN)
    assert again.expires_at - timezone.now() > timedelta(days=29)
    SideLink.objects.filter(pk=again.pk).update(expires_at=timezone.now())
    with pytest.raises(Http404):
        by_link(again, match, "dispute")
    assert standing(match) == {BEN: "agree"}


def test_only_who_writes_hands_links_out(cast: Cast, match: Match) -> None:
    for act in (signing.open_link, signing.close_link):
        with pytest.raises(PermissionDenied):
            act(user=cast.cleo, match_key=match.key, seat=BEN)
        with pytest.raises(Http404):
            act(user=cast.dev, match_key=match.key, seat=BEN)
        with pytest.raises(Http404):
            act(user=cast.ann, match_key=match.key, seat=10**20)


# The pages


def press(client: Client, page: Any, verdict: str, **headers: str) -> Any:
    text = page.content.decode()
    form = re.search(
        r'(?s)<form method="post" action="([^"]*sign/[^"]*)".*?name="seen" value="(\w+)"', text
    )
    assert form
    return client.post(form[1], {"seen": form[2], "verdict": verdict, "note": ""}, headers=headers)


def test_the_sheet_and_the_pad_ask_and_tell(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.ann)
    for path in (f"/m/{match.key}/", f"/m/{match.key}/sheet/"):
        page = client.get(path)
        assert "Does everybody agree?" in text_of(page)
        assert "I agree" in text_of(page)
    assert press(client, page, "agree").status_code == 302
    page = client.get(f"/m/{match.key}/sheet/")
    assert "✓ agrees" in text_of(page)
    client.force_login(cast.ben)
    part = press(client, client.get(f"/m/{match.key}/"), "agree", **{"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<section id="sign"')
    assert "Both sides agree" in text_of(part)
    amend(cast, match, 0, knock(ANN, 5, 21))
    again = client.get(f"/m/{match.key}/sheet/")
    assert "asked again" in text_of(again)
    assert "Hand 1 was Ann +15 (knock); now Ann +16 (knock)." in text_of(again)
    assert "Both sides agree" not in text_of(again)


def test_a_result_that_changed_meanwhile_is_shown_afresh(
    client: Client, cast: Cast, match: Match
) -> None:
    client.force_login(cast.ann)
    page = client.get(f"/m/{match.key}/sheet/")
    amend(cast, match, 0, knock(ANN, 5, 21))
    for headers in ({}, {"HX-Request": "true"}):
        refused = press(client, page, "agree", **headers)
        assert refused.status_code == 409
        assert "changed meanwhile" in text_of(refused)
        assert seen(match) in refused.content.decode()
    assert not match.signatures.exists()


def test_a_pad_that_asks_hears_of_a_signature(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.ben)
    pad = client.get(f"/m/{match.key}/").content.decode()
    tag = re.search(r'data-etag="(\w+)"', pad)
    assert tag
    now = {"HX-Request": "true", "If-None-Match": f'"{tag[1]}"'}
    assert client.get(f"/m/{match.key}/now/", headers=now).status_code == 304
    sign(cast.ann, match, ANN)
    changed = client.get(f"/m/{match.key}/now/", headers=now)
    assert changed.status_code == 200
    assert "✓ agrees" in text_of(changed)


def test_who_does_not_play_is_shown_no_button(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.cleo)
    page = client.get(f"/m/{match.key}/sheet/")
    assert "Does everybody agree?" in text_of(page)
    for words in ("I agree", "by a link"):
        assert words not in text_of(page)
    answer = client.post(f"/m/{match.key}/sign/{BEN}/", {"verdict": "agree", "seen": seen(match)})
    assert answer.status_code == 403
    assert not match.signatures.exists()


def test_a_side_without_an_account_signs_by_its_link(
    client: Client, cast: Cast, match: Match
) -> None:
    client.force_login(cast.ann)
    panel = f"/m/{match.key}/sign/{BEN}/link/"
    assert client.post(panel).status_code == 302
    link = SideLink.objects.get()
    assert f"/sign/{link.token}/" in client.get(panel).content.decode()

    stranger = Client()
    page = stranger.get(f"/sign/{link.token}/")
    assert page.status_code == 200
    assert "noindex" in page["X-Robots-Tag"]
    assert "no-store" in page["Cache-Control"]
    assert text_of(page).count("I agree") == 1  # for Ben's side, not for Ann's
    for hidden in (match.key, "@", "/m/"):
        assert hidden not in page.content.decode()
    assert press(stranger, page, "dispute").status_code == 302
    assert standing(match) == {BEN: "dispute"}
    Signature.objects.update(at=datetime(2026, 3, 5, 23, 30, tzinfo=UTC))
    Club.objects.update(time_zone="Asia/Tokyo")
    said = text_of(stranger.get(f"/sign/{link.token}/"))
    assert "The result is disputed" in said
    assert "6 Mar 2026, 08:30" in said  # the club's time
    assert client.post(f"{panel}end/").status_code == 302
    assert stranger.get(f"/sign/{link.token}/").status_code == 404
    assert stranger.post(f"/sign/{link.token}/", {"verdict": "agree"}).status_code == 404
    assert standing(match) == {BEN: "dispute"}


def test_a_link_shown_early_waits_for_the_end(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 30))
    link = signing.open_link(user=cast.ann, match_key=match.key, seat=BEN)
    page = client.get(f"/sign/{link.token}/")
    assert "still being played" in text_of(page)
    assert client.post(f"/sign/{link.token}/", {"verdict": "agree"}).status_code == 409
    enter(cast.ann, match, won(ANN, 90))
    assert "I agree" in text_of(client.get(f"/sign/{link.token}/"))


def test_results_survive_the_account_that_signed(cast: Cast, match: Match) -> None:
    """B47's kind: an account that is deleted takes no signature with it."""
    sign(cast.ben, match, BEN)
    cast.ben.delete()
    assert standing(match) == {BEN: "agree"}
