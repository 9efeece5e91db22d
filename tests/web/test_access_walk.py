"""Every address, as everybody, read and written, plain and by htmx.

Each view declares who may use it (``ginledger.access``); here every route is asked by each of
the cast, and whoever may not is refused and finds that nothing changed. What is posted is a body
that works: the owner's posts show it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from http.cookies import SimpleCookie
from itertools import product
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from ginledger.access import Level, access, declared
from ginledger.clubs import invitations, rulebook
from ginledger.clubs.club_services import ClubTerms, close_club, create_club
from ginledger.clubs.models import (
    Claim,
    Club,
    HouseRules,
    Invitation,
    Membership,
    Player,
    User,
)
from ginledger.gin.ruleset import read_rules
from ginledger.matches import live
from ginledger.matches.life import delete_match
from ginledger.matches.merging import merge_players
from ginledger.matches.models import Match
from ginledger.money import signing
from ginledger.money.models import Entry
from ginledger.seasons.import_known import KEY
from ginledger.seasons.models import Season
from tests.cast import ANN, BEN, Cast, adjust, book_of, fresh, knock, make_match, make_user, won

HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/"}
BATCH = "0a1b2c3d4e5f"
ROLES = ("stranger", "guest", "other", "viewer", "scorer", "owner")
MEMBERS = {"viewer", "scorer", "owner"}
MAY: dict[Level, set[str]] = {
    "public": set(ROLES),
    "token": set(ROLES),
    "user": set(ROLES) - {"stranger"},
    "account": {"other", *MEMBERS},
    "viewer": MEMBERS,
    "player": {"owner"},  # Ann plays, at the seat asked for
    "scorer": {"scorer", "owner"},
    "owner": {"owner"},
}


def routes(patterns: Any = None) -> Iterator[URLPattern]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        else:
            yield pattern


def test_every_route_declares_who_may_use_it() -> None:
    """A view without ``@access(…)`` fails here; its levels are known and it has a name."""
    undeclared = [str(route) for route in routes() if declared(route) is None]
    assert undeclared == []
    for route in routes():
        assert route.name
        assert set(declared(route) or ()) <= set(MAY)


def test_a_route_without_a_word_is_seen() -> None:
    def view() -> None:
        """A view that somebody forgot."""

    assert declared(URLPattern(pattern=None, callback=view)) is None  # type: ignore[arg-type]
    marked = access("viewer", write="owner")(view)
    assert declared(URLPattern(pattern=None, callback=marked)) == ("viewer", "owner")  # type: ignore[arg-type]


@dataclass
class World:
    """What there is: Ann's club with all that an address can name, and Dev's own."""

    cast: Cast
    match: Match = field(init=False)
    house: HouseRules = field(init=False)
    names: dict[str, dict[str, str]] = field(init=False)
    special: dict[str, dict[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        cast, club = self.cast, self.cast.club
        User.objects.filter(is_guest=False).update(password=make_password("walk"))
        self.match = make_match(cast.ann, knock(ANN, 6, 21), won(BEN, 30), adjust(ANN, -5))
        Player.objects.filter(seats__match=self.match, seats__number=ANN).update(user=cast.ann)
        self.house = rulebook.create_rules(
            user=cast.ann,
            name="Friday",
            rules=read_rules({"preset": "house-modern", "target": 120}),
        )
        self.names = self._names(club)
        self.special = self._special()

    def _special(self) -> dict[str, dict[str, str]]:
        """Where a route wants another thing than the usual one of its kind."""
        cast = self.cast
        adjustment = {"row_key": self.match.rows.latest("pk").key}
        binned = make_match(cast.ann, won(ANN, 5))
        delete_match(user=cast.ann, match_key=binned.key, version=binned.version)
        brought = make_match(cast.ann, won(ANN, 6))
        Match.objects.filter(pk=brought.pk).update(once_key=f"{KEY}{BATCH}-{'0' * 32}")
        closed = create_club(user=cast.ann, terms=ClubTerms("Closed"))
        for user, role in ((cast.ben, "scorer"), (cast.cleo, "viewer")):
            Membership.objects.create(club=closed, user=user, role=role)
        close_club(user=cast.ann, club_key=closed.key)
        for user in User.objects.filter(is_guest=False):
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        waiting = EmailAddress.objects.create(user=cast.ann, email="ann@new.example.org")
        return {
            "row_adjust": adjustment,
            "row_adjust_preview": adjustment,
            "undelete": {"key": binned.key},
            "club_reopen": {"key": closed.key},
            "account_confirm_email": {"key": EmailConfirmationHMAC(waiting).key},
        }

    def _names(self, club: Club) -> dict[str, dict[str, str]]:
        """What the variables of an address are, by how it begins."""
        spare = [Player.objects.create(club=club, name=name, folded=name) for name in "xyz"]
        newcomer = make_user("Eva")
        member = Membership.objects.create(club=club, user=newcomer, role="viewer")
        invitation = Invitation.objects.create(
            club=club, role="viewer", expires_at=timezone.now() + timedelta(days=1)
        )
        claim = Claim.objects.create(club=club, player=spare[0], user=newcomer)
        ann = self.cast.ann
        merge = merge_players(user=ann, kept_key=spare[0].key, gone_key=spare[1].key)
        entry = Entry.objects.create(
            club=club, kind="opening", currency="USD", on=timezone.localdate(), amount=5,
            debtor=spare[2], creditor=club.players.get(user=ann),
        )  # fmt: skip
        season = Season.objects.create(
            club=club, name="Spring", begins=date(2025, 3, 1), ends=date(2025, 5, 31)
        )
        return {
            "m/": {
                "key": self.match.key,
                "row_key": self.match.rows.earliest("pk").key,
                "seat": str(ANN),
            },
            "club/": {
                "key": club.key,
                "member_key": member.key,
                "invitation_key": invitation.key,
                "claim_key": claim.key,
                "merge_key": merge.key,
                "player_key": spare[2].key,
                "entry_key": entry.key,
                "season_key": season.key,
                "period": season.key,
                "batch": BATCH,
            },
            "rules/": {"key": self.house.key},
            "live/": {"token": live.open_match_link(user=ann, match_key=self.match.key).token},
            "sign/": {
                "token": signing.open_link(user=ann, match_key=self.match.key, seat=BEN).token
            },
            "join/": {"code": invitations.code_of(invitation)},
            "account/": {"key": "no-such-key", "uidb36": "1"},
        }

    def body(self) -> dict[str, Any]:
        """One body that every form finds its fields in, so that a refusal is for the asker."""
        match = fresh(self.match)
        return {
            "version": match.version, "once_key": "walk", "why": "walk",
            "mode": "counts", "who": "0", "how": "knock",
            "knocker_deadwood": "4", "opponent_deadwood": "40",
            "first": "Xaver", "second": "Yves", "rules": "house-modern", "sheet": "one",
            "dealer": "0", "side": "0", "sign": "plus", "points": "5", "note": "walk",
            "place": "end", "name": "Taken over", "time_zone": "UTC", "role": "owner",
            "days": "7", "most_uses": "5", "agree": "1", "sure": "1", "verdict": "agree",
            "seen": signing.fingerprint_of(signing.book_result(book_of(match))),
            "played_on": "2026-01-02", "words": "a coffee",
            "begins": "2026-01-01", "ends": "2026-06-30",
        }  # fmt: skip

    def user(self, role: str) -> Any:
        cast = self.cast
        return {
            "stranger": None,
            "guest": cast.guest,
            "other": cast.dev,
            "viewer": cast.cleo,
            "scorer": cast.ben,
            "owner": cast.ann,
        }[role]

    def path(self, route: URLPattern) -> str:
        """The address of a route in Ann's club; a variable nobody knows yet fails here."""
        wanted = route.pattern.regex.groupindex
        if not wanted:
            return reverse(route.name)
        full = next(kind for kind in self.names if _begins(route, kind))
        known = self.names[full] | self.special.get(route.name, {})
        unknown = set(wanted) - set(known)
        assert not unknown, f"{route.name}: say in World.names what {unknown} may be"
        return reverse(route.name, kwargs={name: known[name] for name in wanted})


def _begins(route: URLPattern, kind: str) -> bool:
    return ADDRESSES[route.name].startswith(kind)


def _addresses(patterns: Any = None, before: str = "") -> Iterator[tuple[str, str]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        here = before + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern.url_patterns, here)
        else:
            yield pattern.name, here


ADDRESSES = dict(_addresses())


def snapshot() -> dict[str, list[Any]]:
    """Every row of every table but the sessions, which a request of anybody may begin."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if model is not Session
    }


class Writes:
    """Hears whether any statement could have stored something: else no snapshot is needed."""

    def __init__(self) -> None:
        self.heard = False

    def __call__(self, execute: Any, sql: str, *rest: Any) -> Any:
        reads = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA")
        self.heard |= not sql.lstrip("( ").upper().startswith(reads)
        return execute(sql, *rest)

    def any(self) -> bool:
        """Whether there was one since the last time."""
        heard, self.heard = self.heard, False
        return heard


def sent_to_login(answer: Any) -> bool:
    """Whether the page goes to the log-in, or a page that asks is told that the session ended."""
    target = answer.headers.get("HX-Redirect") or answer.headers.get("Location", "")
    login = (reverse("account_login"), reverse("account_signup"))
    return target.startswith(login) or "session-ended" in answer.headers.get("HX-Trigger", "")


def refused(answer: Any, level: Level) -> bool:
    """Whether the asker got nothing; after an act that is open to all the log-in may follow."""
    if answer.status_code in (401, 403, 404, 405):
        return True
    return level not in ("public", "token") and sent_to_login(answer)


def right_refusal(role: str, answer: Any, htmx: bool) -> bool:
    """404 for who has no business there, 403 for a member, the login for who has no session."""
    if answer.status_code == 405:
        return True
    if htmx and answer.status_code in (403, 404) and answer.headers.get("HX-Refresh") != "true":
        return False  # it would land inside the page
    if role in MEMBERS:
        return answer.status_code == 403
    return answer.status_code == 404 or sent_to_login(answer)


@pytest.fixture
def world(cast: Cast) -> World:
    return World(cast)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Two thousand refusals are no news."""
    caplog.set_level("CRITICAL", logger="django.request")


class Cell(NamedTuple):
    """One question and what came of it. level: who may; changed: the tables that did."""

    name: str
    level: Level
    method: str
    htmx: bool
    answer: Any
    changed: list[str]


def walk(world: World, role: str) -> Iterator[Cell]:
    """Every route, read and written, plain and by htmx, each from the same state."""
    client = Client(raise_request_exception=False)
    if (user := world.user(role)) is not None:
        client.force_login(User.objects.get(pk=user.pk))  # with his password as it is now
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    before, writes, body = snapshot(), Writes(), world.body()
    for route, method, htmx in product(list(routes()), ("GET", "POST"), (False, True)):
        allowed = declared(route)
        assert allowed is not None
        path = world.path(route)
        client.cookies = SimpleCookie(cookies)
        post = method == "POST"
        with transaction.atomic():
            with connection.execute_wrapper(writes):
                headers = HTMX if htmx else {}
                answer = (client.post if post else client.get)(
                    path, body if post else None, headers=headers
                )
            after = snapshot() if writes.any() else before
            transaction.set_rollback(True)
        level = allowed.read if method == "GET" else allowed.write
        changed = [name for name in after if after[name] != before[name]]
        yield Cell(
            f"{method}{' htmx' if htmx else ''} {path}", level, method, htmx, answer, changed
        )


def fault(role: str, cell: Cell) -> str:
    """What is wrong with a cell, in a few words; nothing when it is as declared."""
    answer, may = cell.answer, role in MAY[cell.level]
    no = refused(answer, cell.level)
    if answer.status_code >= 500:
        return "failed"
    if cell.changed and (no or not may or cell.method == "GET"):
        return f"changed {cell.changed}"
    if not may and not no:
        return "let in"
    if not may and not right_refusal(role, answer, cell.htmx):
        return "refused otherwise"
    if may and no and answer.status_code != 405:
        return "kept out"
    return ""


@pytest.mark.parametrize("role", ROLES)
def test_the_walk(world: World, role: str, capfd: pytest.CaptureFixture[str]) -> None:
    count, wrong = Counter[str](), []
    for cell in walk(world, role):
        if what := fault(role, cell):
            to = cell.answer.headers.get("Location", "")
            wrong.append(f"{cell.name}: {what}, {cell.answer.status_code} {to}".strip())
        count["all"] += 1
        count["refused"] += refused(cell.answer, cell.level)
        count["wrote"] += bool(cell.changed)
    assert not wrong, "\n".join(wrong)
    assert count["wrote"] >= LEAST_WRITES[role], count
    with capfd.disabled():
        sys.stderr.write(
            f"\naccess walk as {role}: {count['all']} cells (route x method x htmx), "
            f"{count['refused']} refused, {count['wrote']} stored something\n"
        )


# How many cells store something: with fewer, the body tries no door any more.
LEAST_WRITES = {"stranger": 4, "guest": 6, "other": 6, "viewer": 6, "scorer": 40, "owner": 50}


def test_an_own_club_opens_nothing_of_another(world: World) -> None:
    """Dev owns a club and a match: with their keys before Ann's rows, players, members… nothing."""
    dev = world.cast.dev
    match = make_match(dev, won(ANN, 5))
    own = {"m/": match.key, "club/": match.club.key}
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(pk=dev.pk))
    before, body, tried = snapshot(), world.body(), 0
    for route in routes():
        known = set(route.pattern.regex.groupindex)
        kind = next((kind for kind in own if _begins(route, kind)), None)
        if kind is None or len(known - {"seat"}) < 2:
            continue
        kwargs = {**world.names[kind], **world.special.get(route.name, {}), "key": own[kind]}
        path = reverse(route.name, kwargs={name: kwargs[name] for name in known})
        for answer in (client.get(path), client.post(path, body)):
            assert answer.status_code in (404, 405), path
        tried += 1
    assert tried > 20
    assert snapshot() == before


def test_no_posted_id_of_another_club_is_taken(world: World) -> None:
    """A rule set, a player: each named by Ann's key in a form of Dev's."""
    dev = world.cast.dev
    match = make_match(dev, won(ANN, 5))
    mine = match.club.players.first()
    theirs = Player.objects.get(key=world.names["club/"]["player_key"])
    assert mine is not None
    client = Client()
    client.force_login(User.objects.get(pk=dev.pk))
    before = snapshot()
    answers = [
        client.post("/", {**world.body(), "rules": world.house.key}),
        client.post(reverse("player_merge", args=[match.club.key, mine.key]), {"gone": theirs.key}),
        client.post(
            reverse("club_settings", args=[match.club.key]),
            {**world.body(), "usual_rules": world.house.key},
        ),
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 422]
    assert snapshot() == before
