"""What every answer carries, whoever asks for whatever: policies, no caching, no leak."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.utils import override_settings

from ginledger.access import declared
from ginledger.clubs.models import Player, User
from ginledger.limits import MOST_BYTES
from ginledger.matches import live
from ginledger.matches.models import Match
from ginledger.money import signing
from tests.cast import ANN, BEN, Cast, book_of, gin, knock, make_match, won
from tests.web.page import HTMX, address, text_of
from tests.web.test_access_walk import World, routes
from tests.web.test_access_walk import quiet as quiet
from tests.web.test_faults import INLINE, NAMES

pytestmark = pytest.mark.django_db


def assert_guarded(answer: Any, name: str) -> None:
    """The policies of every answer, whatever it is."""
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, name
    assert "script-src 'self'" in policy and "style-src 'self'" in policy, name
    assert "unsafe" not in policy, name
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy, name
    assert answer.headers["Referrer-Policy"] == "same-origin", name
    assert answer.headers["X-Content-Type-Options"] == "nosniff", name


def test_every_page_is_guarded_and_no_private_one_is_cached(cast: Cast) -> None:
    world = World(cast)
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(pk=cast.ann.pk))
    pages = 0
    for route in routes():
        path, allowed = world.path(route), declared(route)
        for headers in ({}, HTMX):
            answer = client.get(path, headers=headers)
            assert_guarded(answer, path)
            if answer.status_code != 200:
                continue
            pages += 1
            assert allowed is not None
            if allowed.read != "public":
                assert "no-store" in answer.headers["Cache-Control"], path
                assert "Cookie" in answer.headers["Vary"], path
            if "html" in answer.headers["Content-Type"]:
                assert answer.headers["X-Frame-Options"] == "DENY", path
                assert not re.search(INLINE, answer.content.decode()), path
    assert pages > 60


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/no-such-page", 404),
        ("/robots.txt", 200),
        ("/m/no-such-match/", 404),
        ("/live/no-such-link/", 404),
        ("/m", 404),
        ("/judge", 301),
    ],
)
def test_refusals_and_redirects_are_guarded(client: Client, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert_guarded(answer, path)


def test_a_failure_of_ours_is_guarded(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("lost")

    monkeypatch.setattr("ginledger.matches.views.load_book", fail)
    client = Client(raise_request_exception=False)
    client.force_login(cast.ann)
    answer = client.get(address("pad", make_match(cast.ann)))
    assert answer.status_code == 500
    assert_guarded(answer, "500")


def test_static_files_are_guarded(client: Client) -> None:
    page = client.get("/").content.decode()
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        answer = client.get(path)
        answer.close()
        assert answer.status_code == 200
        assert_guarded(answer, path)


def start(client: Client) -> None:
    """Begin a match, which gives the browser every cookie there is."""
    form = {"first": "Ann", "second": "Ben", "rules": "house-modern", "sheet": "one"}
    answer = client.post("/", {**form, "dealer": "0", "once_key": "begin"})
    assert answer.status_code == 302
    client.get(answer.headers["Location"])


@override_settings(
    SECURE_SSL_REDIRECT=True,
    SECURE_HSTS_SECONDS=31536000,
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
)
def test_served_by_https_cookies_are_secure_and_the_browser_stays(cast: Cast) -> None:
    """The settings that GINLEDGER_HTTPS=1 makes; tests/test_settings.py holds that it does."""
    client = Client(headers={"X-Forwarded-Proto": "https"})
    link = live.open_match_link(user=cast.ann, match_key=make_match(cast.ann).key)
    for path in ("/", f"/live/{link.token}/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    start(client)
    assert {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME} <= set(client.cookies)
    assert all(cookie["secure"] for cookie in client.cookies.values())
    plain = Client().get("/")
    assert (plain.status_code, plain.headers["Location"]) == (301, "https://testserver/")


def test_cookies_are_out_of_reach_of_scripts_and_other_sites() -> None:
    client = Client()
    start(client)
    assert {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME} <= set(client.cookies)
    for cookie in client.cookies.values():
        assert cookie["httponly"], cookie
        assert cookie["samesite"] in ("Lax", "Strict"), cookie


# Limits


def test_a_body_larger_than_anything_is_refused_unread(client: Client) -> None:
    answer = client.post("/", b"", content_type="text/plain", CONTENT_LENGTH=str(MOST_BYTES + 1))
    assert answer.status_code == 413
    assert "Too large" in text_of(answer)
    assert_guarded(answer, "413")


def test_a_form_larger_than_a_form_is_refused(client: Client) -> None:
    """Fields are held in memory, so they have a smaller limit than a file."""
    text = "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    answer = client.post("/", f"first={text}", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert Match.objects.count() == 0
    many = "&".join(f"a{n}=1" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1))
    answer = client.post("/", many, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400


# Names that attack


@pytest.mark.parametrize("name", [*NAMES, "‮desrever", "a‎b", "'; DROP TABLE x; --"])
def test_b07_names_are_text_where_no_login_is_asked(cast: Cast, name: str) -> None:
    """The live view of a match and of a club, the signing by a link, and the pages beside them."""
    names = (name, "Ben")
    running = make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 3), names=names)
    over = make_match(cast.ann, won(ANN, 90), won(BEN, 20, note=name), won(ANN, 30), names=names)
    Player.objects.filter(seats__match=over, seats__number=ANN).update(user=cast.ann)
    ann = Client()
    ann.force_login(cast.ann)
    seen = signing.fingerprint_of(signing.book_result(book_of(over)))
    signing.sign(
        user=cast.ann, match_key=over.key, seat=ANN, verdict="dispute", seen=seen, note=name
    )
    side = signing.open_link(user=cast.ann, match_key=over.key, seat=BEN)
    signing.open_link(user=cast.ann, match_key=over.key, seat=ANN)
    club = live.open_club_link(user=cast.ann, club_key=cast.club.key)
    one = live.open_match_link(user=cast.ann, match_key=running.key)
    pages = [
        Client().get(f"/live/{one.token}/"),
        Client().get(f"/live/{one.token}/", headers=HTMX),
        Client().get(f"/live/{club.token}/"),
        Client().get(f"/sign/{side.token}/"),
        ann.get(address("pad", over)),
        ann.get(address("sheet", over)),
        ann.get(f"/m/{over.key}/sign/{ANN}/link/"),
    ]
    for page in pages:
        body = page.content.decode()
        assert page.status_code == 200
        assert name in text_of(page) or name in html.unescape(body), page.request["PATH_INFO"]
        assert name not in body or not re.search(r"[<>\"']", name)
        assert not re.search(INLINE, body.replace(html.escape(name), ""))
