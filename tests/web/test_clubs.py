"""The pages of clubs, members, invitations and players."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from ginledger.clubs.invitations import code_of, invite
from ginledger.clubs.models import Claim, Club, Invitation, Membership, Merge, Player, Role, User
from ginledger.clubs.services import home_club, seat_players
from ginledger.matches.models import Match
from tests.cast import ANN, Cast, gin, knock, make_match, make_user

pytestmark = pytest.mark.django_db

ODD_NAMES = [
    "<img src=x onerror=x>",
    "O'Hara",
    'A"B',
    "{{ x }}{% x %}",
    "\u202eאבג",
    "👩‍💻",
    "a\\b",
]
BrowserOf = Callable[..., Client]


def url(name: str, *args: Any, **query: str) -> str:
    return reverse(name, args=args, query=query or None)


def page_of(answer: Any) -> str:
    return answer.content.decode()


def member_key(cast: Cast, user: User) -> str:
    return cast.club.memberships.get(user=user).key


def everything(club: Club) -> list[Any]:
    """What a refused request must leave as it is."""
    return [
        list(model.objects.filter(club=club).order_by("pk").values())
        for model in (Membership, Player, Invitation, Claim, Merge, Match)
    ] + [Club.objects.values().get(pk=club.pk)]


# Making and settling a club


def test_a_new_club_from_the_menu_to_its_first_member(browser_of: BrowserOf, cast: Cast) -> None:
    client = browser_of(cast.dev)
    assert url("clubs") in page_of(client.get("/"))
    fields = {"name": "Thursday table", "currency": "EUR", "time_zone": "Europe/Berlin"}
    answer = client.post(url("club_new"), fields)
    club = Club.objects.latest("pk")
    assert answer["Location"] == url("club_members", club.key)
    assert (club.name, club.currency, club.usual_rules) == ("Thursday table", "EUR", "")
    page = page_of(client.get(url("clubs")))
    assert "Thursday table" in page
    assert "you: owner, 1 member" in page


def test_a_browser_without_an_account_can_have_a_club_too(browser_of: BrowserOf) -> None:
    client = browser_of()
    client.post(url("club_new"), {"name": "Kitchen", "time_zone": "UTC"})
    assert "Kitchen" in page_of(client.get(url("clubs")))


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"currency": "XXY"}, {"time_zone": "Mars/Base"}, {"usual_rules": "no-such"}],
)
def test_terms_that_will_not_do_are_shown_again(
    browser_of: BrowserOf, cast: Cast, fields: dict[str, str]
) -> None:
    before = everything(cast.club)
    good = {"name": "Typed", "currency": "EUR", "time_zone": "UTC", "usual_rules": ""}
    answer = browser_of(cast.ann).post(url("club_settings", cast.club.key), good | fields)
    assert answer.status_code == 422
    assert 'class="error"' in page_of(answer)
    assert everything(cast.club) == before


def test_settings_show_what_is_kept(browser_of: BrowserOf, cast: Cast) -> None:
    client, key = browser_of(cast.ann), cast.club.key
    fields = {"name": "Us", "currency": "JPY", "time_zone": "Asia/Tokyo", "usual_rules": "short-50"}
    assert client.post(url("club_settings", key), fields)["Location"] == url("club", key)
    page = page_of(client.get(url("club_settings", key)))
    for value in ("JPY", "Asia/Tokyo", "short-50"):
        assert f'<option value="{value}" selected>' in page
    Club.objects.filter(key=key).update(usual_rules="gone-by-now")
    assert client.get(url("club_settings", key)).status_code == 200


# Who may do what


def member_routes(cast: Cast) -> dict[str, tuple[str, str, dict[str, str]]]:
    """Every address of a club: name -> (address, the lowest role that may post, fields)."""
    key = cast.club.key
    made = invite(user=cast.ann, club_key=key, role="viewer", days=7, most_uses=None)
    cleo = member_key(cast, cast.cleo)
    zoe, yan = seat_players(club=cast.club, names=["Zoe", "Yan"])
    (xia,) = seat_players(club=cast.club, names=["Xia"])
    claim = Claim.objects.create(club=cast.club, player=xia, user=cast.cleo)
    merge = Merge.objects.create(club=cast.club, kept=zoe, gone=xia, moved={"rows": {}})
    return {
        "club": (url("club", key), "", {}),
        "club_members": (url("club_members", key), "", {}),
        "players": (url("players", key), "scorer", {"name": "Will"}),
        "player": (url("player", key, zoe.key), "", {}),
        "club_settings": (url("club_settings", key), "owner", {"name": "X", "time_zone": "UTC"}),
        "invitation": (url("invitation", key, made.key), "", {}),
        "member_role": (url("member_role", key, cleo), "owner", {"role": "owner"}),
        "member_remove": (url("member_remove", key, cleo), "owner", {}),
        "club_close": (url("club_close", key), "owner", {"sure": "on"}),
        "club_invite": (
            url("club_invite", key),
            "owner",
            {"role": "viewer", "days": "7", "most_uses": ""},
        ),
        "invitation_revoke": (url("invitation_revoke", key, made.key), "owner", {}),
        "claim_settle": (url("claim_settle", key, claim.key), "owner", {"agree": "1"}),
        "player_rename": (url("player_rename", key, zoe.key), "scorer", {"name": "Zed"}),
        "player_archive": (url("player_archive", key, zoe.key), "scorer", {}),
        "player_restore": (url("player_restore", key, zoe.key), "scorer", {}),
        "player_claim": (url("player_claim", key, yan.key), "viewer", {}),
        "player_unclaim": (url("player_unclaim", key, zoe.key), "owner", {}),
        "player_merge": (url("player_merge", key, zoe.key), "owner", {"gone": yan.key}),
        "merge_undo": (url("merge_undo", key, merge.key), "owner", {}),
    }


OWNERS_PAGES = ("club_settings", "invitation")
RANKS = {"": 9, "viewer": 0, "scorer": 1, "owner": 2}


@pytest.mark.parametrize("who", [None, "guest", "dev", "cleo", "ben"])
@pytest.mark.parametrize("htmx", [False, True])
def test_nobody_does_what_his_role_does_not_allow(
    browser_of: BrowserOf, cast: Cast, who: str | None, htmx: bool
) -> None:
    routes = member_routes(cast)
    client = browser_of(getattr(cast, who) if who else None)
    rank = {"cleo": 0, "ben": 1}.get(who or "", -1)
    before = everything(cast.club)
    headers = {"HX-Request": "true"} if htmx else {}
    cells = 0
    for name, (address, lowest, fields) in routes.items():
        read = client.get(address, headers=headers)
        if read.status_code != 405:
            if rank < 0:
                assert read.status_code in (404, 401), name
                assert "Zoe" not in page_of(read)
            else:
                wanted = 403 if name in OWNERS_PAGES else 200
                assert read.status_code == wanted, name
        cells += 1
        if rank >= RANKS[lowest]:
            continue
        wrote = client.post(address, fields, headers=headers)
        if rank < 0:
            assert wrote.status_code in (404, 401, 302, 405), (name, wrote.status_code)
            assert wrote.status_code != 302 or "/login/" in wrote["Location"]
        else:
            assert wrote.status_code in (403, 405), (name, wrote.status_code)
        assert everything(cast.club) == before, name
        cells += 1
    assert cells >= 33


def test_an_owner_of_another_club_reaches_nothing_through_his_own(
    browser_of: BrowserOf, cast: Cast
) -> None:
    """The keys of this club's things in the address of one's own club."""
    routes = member_routes(cast)
    before, own = everything(cast.club), home_club(cast.dev).key
    client = browser_of(cast.dev)
    for name, (address, _, fields) in routes.items():
        crossed = address.replace(cast.club.key, own)
        if crossed.count("/") <= 4:  # the address of his own club alone
            continue
        for answer in (client.get(crossed), client.post(crossed, fields)):
            assert answer.status_code in (404, 405), name
    assert everything(cast.club) == before


def test_every_address_of_clubs_is_in_these_tests(cast: Cast) -> None:
    from ginledger.clubs import club_urls
    from ginledger.matches import club_urls as more

    named = {pattern.name for pattern in (*club_urls.urlpatterns, *more.urlpatterns)}
    elsewhere = {"clubs", "club_new", "club_leave", "club_reopen", "join"}
    assert named == set(member_routes(cast)) | elsewhere


def test_an_owner_may_do_all_of_it(browser_of: BrowserOf, cast: Cast) -> None:
    routes = member_routes(cast)
    client = browser_of(cast.ann)
    for name in ("club", "club_members", "players", "player", "club_settings", "invitation"):
        assert client.get(routes[name][0]).status_code == 200, name
    for name in ("club_invite", "member_role", "claim_settle", "player_rename", "players"):
        address, _, fields = routes[name]
        assert client.post(address, fields).status_code == 302, name


# Members


def test_members_are_changed_removed_and_told(browser_of: BrowserOf, cast: Cast) -> None:
    client, key = browser_of(cast.ann), cast.club.key
    client.post(url("member_role", key, member_key(cast, cast.cleo)), {"role": "scorer"})
    assert "Cleo is scorer now." in page_of(client.get(url("club_members", key)))
    client.post(url("member_remove", key, member_key(cast, cast.cleo)))
    page = page_of(client.get(url("club_members", key)))
    assert "Cleo" not in page
    again = client.post(url("member_remove", key, "gone-by-now"))
    assert again.status_code == 404


def test_b112_the_last_owner_is_told_what_to_do(browser_of: BrowserOf, cast: Cast) -> None:
    client, key = browser_of(cast.ann), cast.club.key
    page = page_of(client.get(url("club_members", key)))
    assert "only owner" in page
    assert url("club_leave", key) not in page
    answer = client.post(url("club_leave", key))
    assert answer.status_code == 422
    assert "make another member an owner first" in page_of(answer)
    assert cast.club.memberships.count() == 3


def test_a_member_leaves(browser_of: BrowserOf, cast: Cast) -> None:
    client, key = browser_of(cast.ben), cast.club.key
    assert url("club_leave", key) in page_of(client.get(url("club_members", key)))
    assert client.post(url("club_leave", key))["Location"] == url("clubs")
    assert client.get(url("club", key)).status_code == 404


def test_closing_asks_first_and_leaves_everything_readable(
    browser_of: BrowserOf, cast: Cast
) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    client, key = browser_of(cast.ann), cast.club.key
    client.post(url("club_close", key))
    cast.club.refresh_from_db()
    assert cast.club.closed_at is None
    client.post(url("club_close", key), {"sure": "on"})
    page = page_of(client.get(url("club", key)))
    assert "This club is closed" in page
    assert url("start", club=key) not in page
    assert client.get(url("pad", match.key)).status_code == 200
    assert client.post(url("undo", match.key), {"version": "1"}).status_code == 403
    assert client.post(url("club_reopen", key)).status_code == 302
    assert cast.club.memberships.get(user=cast.ann).role == Role.OWNER


# Invitations


def invitation_of(cast: Cast, role: str = "scorer") -> tuple[Invitation, str]:
    made = invite(user=cast.ann, club_key=cast.club.key, role=role, days=7, most_uses=5)
    return made, url("join", code_of(made))


def test_an_owner_makes_a_link_with_a_qr_code_and_sees_it_again(
    browser_of: BrowserOf, cast: Cast
) -> None:
    client, key = browser_of(cast.ann), cast.club.key
    fields = {"role": "viewer", "days": "1", "most_uses": "1"}
    answer = client.post(url("club_invite", key), fields)
    made = Invitation.objects.get()
    assert (made.role, made.most_uses) == ("viewer", 1)
    for _ in range(2):
        page = page_of(client.get(answer["Location"]))
        assert f"http://testserver{url('join', code_of(made))}" in page
        svg = re.search(r"<svg.*?</svg>", page, re.DOTALL)
        assert svg
        assert "style" not in svg[0]
    client.post(url("invitation_revoke", key, made.key))
    page = page_of(client.get(answer["Location"]))
    assert "Nobody comes in by it any more" in page
    assert "<svg" not in page


def test_an_invitation_that_cannot_be_is_shown_again(browser_of: BrowserOf, cast: Cast) -> None:
    client = browser_of(cast.ann)
    fields = {"role": "king", "days": "365", "most_uses": str(10**20)}
    answer = client.post(url("club_invite", cast.club.key), fields)
    assert answer.status_code == 422
    assert page_of(answer).count('class="error"') == 3
    assert not Invitation.objects.exists()


def test_the_link_says_where_it_leads_and_what_one_may_do_there(
    browser_of: BrowserOf, cast: Cast
) -> None:
    _, link = invitation_of(cast)
    answer = browser_of().get(link)
    page = page_of(answer)
    for words in ("Our table", "Ann", "enter hands", url("account_login"), url("account_signup")):
        assert words in page
    assert cast.ann.email not in page
    assert "no-store" in answer["Cache-Control"]
    assert "noindex" in answer["X-Robots-Tag"]
    assert not User.objects.filter(is_guest=True, name="").exclude(pk=cast.guest.pk).exists()


def test_joining_with_an_account(browser_of: BrowserOf, cast: Cast) -> None:
    made, link = invitation_of(cast)
    client = browser_of(cast.dev)
    assert "Join as <bdi>Dev</bdi>" in page_of(client.get(link))
    assert not cast.club.memberships.filter(user=cast.dev).exists()
    assert client.post(link)["Location"] == url("club", cast.club.key)
    assert cast.club.memberships.get(user=cast.dev).role == Role.SCORER
    assert "Welcome to Our table." in page_of(client.get(url("club", cast.club.key)))
    assert client.get(link)["Location"] == url("club", cast.club.key)
    made.refresh_from_db()
    assert made.uses == 1


def test_joining_without_an_account_asks_for_a_name(browser_of: BrowserOf, cast: Cast) -> None:
    _, link = invitation_of(cast)
    client = browser_of()
    assert client.post(link, {"name": " "}).status_code == 422
    assert not User.objects.filter(is_guest=True).exclude(pk=cast.guest.pk).exists()
    assert client.post(link, {"name": "Zoe"}).status_code == 302
    zoe = cast.club.memberships.get(user__name="Zoe").user
    assert zoe.is_guest
    # She signs up later and is in the club all the same.
    fields = {"name": "Zoe", "email": "zoe@example.org", "password1": "eleven-cards-27"}
    client.post(url("account_signup"), fields)
    assert cast.club.memberships.get(user__email="zoe@example.org").user.pk == zoe.pk


def test_signing_up_on_the_way_in_leads_back_to_the_link(browser_of: BrowserOf, cast: Cast) -> None:
    _, link = invitation_of(cast)
    client = browser_of()
    found = re.search(r'href="(/account/signup/\?next=[^"]+)"', page_of(client.get(link)))
    assert found
    fields = {"name": "Zoe", "email": "zoe@example.org", "password1": "eleven-cards-27"}
    assert client.post(found[1], fields)["Location"] == link
    assert client.post(link).status_code == 302
    assert cast.club.memberships.filter(user__email="zoe@example.org").exists()


@pytest.mark.parametrize("why", ["revoked", "expired", "used", "closed"])
def test_a_link_that_is_no_longer_good_says_so(browser_of: BrowserOf, cast: Cast, why: str) -> None:
    from django.utils import timezone

    made, link = invitation_of(cast)
    changes: dict[str, dict[str, Any]] = {
        "revoked": {"revoked_at": timezone.now()},
        "expired": {"expires_at": timezone.now()},
        "used": {"uses": 5},
        "closed": {},
    }
    Invitation.objects.filter(pk=made.pk).update(**(changes[why] or {"uses": 0}))
    if why == "closed":
        Club.objects.filter(pk=cast.club.pk).update(closed_at=timezone.now())
    before = everything(cast.club)
    for client in (browser_of(), browser_of(cast.dev)):
        for answer in (client.get(link), client.post(link, {"name": "Zoe"})):
            assert answer.status_code == 410
            assert "no longer good" in page_of(answer)
            assert "Our table" not in page_of(answer)
    assert everything(cast.club) == before


def test_b61_the_first_link_of_who_was_removed_is_refused(
    browser_of: BrowserOf, cast: Cast
) -> None:
    _, link = invitation_of(cast)
    dev, owner = browser_of(cast.dev), browser_of(cast.ann)
    dev.post(link)
    owner.post(url("member_remove", cast.club.key, member_key(cast, cast.dev)))
    assert dev.post(link).status_code == 410
    assert browser_of().post(link, {"name": "Dev"}).status_code == 410
    assert cast.club.memberships.count() == 3


def test_a_made_up_link_is_not_here(browser_of: BrowserOf, cast: Cast) -> None:
    _, link = invitation_of(cast)
    for wrong in (f"{link[:-2]}x/", url("join", "x"), url("join", "." * 300)):
        assert browser_of(cast.dev).get(wrong).status_code == 404
        assert browser_of(cast.dev).post(wrong).status_code == 404


# The club's page and its players


def test_the_club_shows_running_matches_first(browser_of: BrowserOf, cast: Cast) -> None:
    make_match(cast.ann, gin(ANN, 9), names=("Zoe", "Yan"))
    make_match(cast.ann, gin(ANN, 90), names=("Will", "Xia"))
    page = page_of(browser_of(cast.cleo).get(url("club", cast.club.key)))
    assert page.index("Running") < page.index("Zoe") < page.index("Played") < page.index("Will")
    assert "Start a match" not in page
    assert "Start a match" in page_of(browser_of(cast.ben).get(url("club", cast.club.key)))


def test_the_list_of_the_club_holds_no_other_clubs_matches(
    browser_of: BrowserOf, cast: Cast
) -> None:
    Membership.objects.create(club=home_club(cast.dev), user=cast.ann, role=Role.OWNER)
    make_match(cast.dev, names=("Secret", "Other"))
    page = page_of(browser_of(cast.ann).get(url("club", cast.club.key)))
    assert "Secret" not in page


def test_claiming_and_agreeing(browser_of: BrowserOf, cast: Cast) -> None:
    make_match(cast.ann, gin(ANN, 9))
    key, ben = cast.club.key, cast.club.players.get(name="Ben")
    member, owner = browser_of(cast.ben), browser_of(cast.ann)
    assert "This is me" in page_of(member.get(url("player", key, ben.key)))
    member.post(url("player_claim", key, ben.key))
    page = page_of(member.get(url("player", key, ben.key)))
    assert "An owner of the club has to agree" in page
    assert "This is me" not in page
    page = page_of(owner.get(url("club_members", key)))
    found = re.search(r'action="(/club/[^"]+/claims/[^"]+)"', page)
    assert found
    owner.post(found[1], {"agree": "1"})
    assert "This is you." in page_of(member.get(url("player", key, ben.key)))
    assert owner.post(found[1], {"agree": "1"}).status_code == 404
    member.post(url("player_unclaim", key, ben.key))
    ben.refresh_from_db()
    assert ben.user is None


def test_merging_and_taking_it_back(browser_of: BrowserOf, cast: Cast) -> None:
    make_match(cast.ann, gin(ANN, 9), names=("Ann", "Benny"))
    make_match(cast.ann, knock(ANN, 5, 9), names=("Cleo", "Ben"))
    client, key = browser_of(cast.ann), cast.club.key
    ann, ben, benny = (cast.club.players.get(name=name) for name in ("Ann", "Ben", "Benny"))
    answer = client.post(url("player_merge", key, ann.key), {"gone": benny.key})
    assert answer.status_code == 422
    assert "sat at one table once" in page_of(answer)
    assert client.post(url("player_merge", key, ben.key), {"gone": "made-up"}).status_code == 422
    client.post(url("player_merge", key, ben.key), {"gone": benny.key})
    page = page_of(client.get(url("player", key, ben.key)))
    assert "Also known as" in page
    assert "Ann</bdi> v <bdi>Ben" in page
    assert "Merged into" in page_of(client.get(url("player", key, benny.key)))
    found = re.search(r'action="(/club/[^"]+/undo/)"', page)
    assert found
    assert client.post(found[1])["Location"] == url("player", key, benny.key)
    assert client.post(found[1])["Location"] == url("players", key)
    assert "Also known as" not in page_of(client.get(url("player", key, ben.key)))


def test_b54_a_blank_or_taken_name_is_refused(browser_of: BrowserOf, cast: Cast) -> None:
    make_match(cast.ann)
    client, key = browser_of(cast.ben), cast.club.key
    ben = cast.club.players.get(name="Ben")
    for name in ("", "  ", "\u200b", "ann", "x" * 61):
        answer = client.post(url("player_rename", key, ben.key), {"name": name})
        assert answer.status_code == 422, name
        assert 'class="error"' in page_of(answer)
    ben.refresh_from_db()
    assert ben.name == "Ben"
    assert client.post(url("players", key), {"name": " "}).status_code == 422


def test_archive_and_back(browser_of: BrowserOf, cast: Cast) -> None:
    make_match(cast.ann, gin(ANN, 9))
    client, key = browser_of(cast.ben), cast.club.key
    ben = cast.club.players.get(name="Ben")
    client.post(url("player_archive", key, ben.key))
    page = page_of(client.get(url("players", key)))
    assert page.index("Archived") < page.rindex("Ben</bdi>")
    assert "Archived" in page_of(client.get(url("player", key, ben.key)))
    client.post(url("player_restore", key, ben.key))
    client.post(url("players", key), {"name": "Zoe"})
    zoe = cast.club.players.get(name="Zoe")
    assert client.post(url("player_archive", key, zoe.key))["Location"] == url("players", key)
    assert not cast.club.players.filter(name="Zoe").exists()


@pytest.mark.parametrize("name", ODD_NAMES)
def test_b94_any_name_is_text_and_every_button_works(
    browser_of: BrowserOf, cast: Cast, name: str
) -> None:
    User.objects.filter(pk__in=[cast.ben.pk, cast.ann.pk]).update(name=name)
    Club.objects.filter(pk=cast.club.pk).update(name=name)
    make_match(cast.ann, gin(ANN, 9), names=("Ann", name))
    odd, key = cast.club.players.get(name=name), cast.club.key
    member, owner = browser_of(cast.ben), browser_of(cast.ann)
    member.post(url("player_claim", key, odd.key))
    _, link = invitation_of(cast)
    pages = {
        "club": owner.get(url("club", key)),
        "players": owner.get(url("players", key)),
        "player": owner.get(url("player", key, odd.key)),
        "members": owner.get(url("club_members", key)),
        "list": owner.get(url("clubs")),
        "join": browser_of().get(link),
        "toast": browser_of(cast.dev).post(link, follow=True),
    }
    for where, answer in pages.items():
        page = page_of(answer)
        assert escape(name) in page, where
        assert escape(name) == name or name not in page, where
    page = page_of(pages["members"])
    agree = re.search(r'action="(/club/[^"]+/claims/[^"]+)"', page)
    assert agree
    owner.post(agree[1], {"agree": "1"})
    odd.refresh_from_db()
    assert odd.user == cast.ben
    role = re.search(r'action="(/club/[^"]+/role/)"', page)
    assert role
    assert owner.post(role[1], {"role": "scorer"}).status_code == 302


# As many as they may be, a list costs the same


def queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert client.get(address).status_code == 200
    return len(seen)


def test_lists_cost_the_same_however_long(browser_of: BrowserOf, cast: Cast) -> None:
    client, key = browser_of(cast.ann), cast.club.key

    def more(number: int) -> None:
        match = make_match(cast.ann, gin(ANN, 9), names=("Ann", f"Player {number}"))
        other = make_match(cast.ann, gin(ANN, 90), names=("Ann", f"Player {number}"))
        assert (match.over, other.over) == (False, True)
        user = make_user(f"Member {number}")
        Membership.objects.create(club=cast.club, user=user, role=Role.VIEWER)
        player = cast.club.players.get(name=f"Player {number}")
        Claim.objects.create(club=cast.club, player=player, user=user)
        invite(user=cast.ann, club_key=key, role="viewer", days=7, most_uses=None)
        club = Club.objects.create(name=f"Club {number}")
        Membership.objects.create(club=club, user=cast.ann, role=Role.OWNER)

    more(1)
    ann = cast.club.players.get(name="Ann")
    addresses = [
        url("club", key),
        url("players", key),
        url("player", key, ann.key),
        url("club_members", key),
        url("clubs"),
        url("account"),
    ]
    few = {address: queries(client, address) for address in addresses}
    for number in range(2, 8):
        more(number)
    assert {address: queries(client, address) for address in addresses} == few
    assert max(few.values()) <= 16, few
