"""The live view: read by its link alone, as it goes on, with nothing on it but the table."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ginledger.clubs.services import rename_player
from ginledger.matches import live, services
from ginledger.matches.models import LiveLink, Match
from tests.cast import ANN, BEN, Cast, enter, fresh, gin, knock, make_match, stored, won

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, knock(ANN, 6, 21), gin(BEN, 19), names=("Ann", "Ben"))


@pytest.fixture
def link(cast: Cast, match: Match) -> LiveLink:
    return live.open_match_link(user=cast.ann, match_key=match.key)


def path(link: LiveLink) -> str:
    return f"/live/{link.token}/"


def tag(text: str) -> str:
    found = re.search(r'data-etag="(\w+)"', text)
    assert found
    return found[1]


def poll(client: Client, link: LiveLink, tag: str):
    return client.get(path(link), headers={"HX-Request": "true", "If-None-Match": f'"{tag}"'})


def test_anybody_with_the_link_reads_the_score(client: Client, link: LiveLink) -> None:
    answer = client.get(path(link))
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Ann" in text and "Ben" in text
    assert re.findall(r'class="figure huge">(\d+)<', text) == ["15", "44"]
    assert "knocks with 6" in text
    assert not client.cookies  # nothing about who watches is kept


def test_hollywood_says_what_each_side_needs(client: Client, cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 18), won(ANN, 30), won(ANN, 60), rules="hollywood-100")
    page = client.get(path(live.open_match_link(user=cast.ann, match_key=match.key)))
    assert "needs – · 10 · 40" in page.content.decode()
    assert "needs – · 100 · 100" in page.content.decode()


def test_it_is_neither_indexed_nor_cached_nor_told(client: Client, link: LiveLink) -> None:
    for answer in (client.get(path(link)), client.get(path(link), headers={"HX-Request": "true"})):
        assert "noindex" in answer["X-Robots-Tag"]
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "same-origin"
    assert '<meta name="robots" content="noindex' in client.get(path(link)).content.decode()
    assert "Disallow: /live/" in client.get("/robots.txt").content.decode()


def test_unchanged_costs_one_query_and_304(
    client: Client, link: LiveLink, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = tag(client.get(path(link)).content.decode())
    with django_assert_num_queries(1):
        same = poll(client, link, first)
    assert (same.status_code, same.content) == (304, b"")
    assert same["ETag"] == f'"{first}"'


def test_a_hand_a_correction_and_a_new_name_are_followed(
    client: Client, cast: Cast, match: Match, link: LiveLink
) -> None:
    seen = [tag(client.get(path(link)).content.decode())]

    def followed(words: str) -> None:
        answer = poll(client, link, seen[-1])
        text = answer.content.decode()
        assert answer.status_code == 200
        assert words in text
        assert "<html" not in text
        seen.append(tag(text))
        assert poll(client, link, seen[-1]).status_code == 304

    enter(cast.ben, match, won(ANN, 30))
    followed(">45<")
    services.undo(user=cast.ann, match_key=match.key, version=fresh(match).version)
    followed(">15<")
    ann = match.seats.get(number=ANN).player
    rename_player(user=cast.ann, player_key=ann.key, name="Anna")
    followed("Anna")
    assert len(set(seen)) == len(seen)


def test_b34_what_is_only_looked_at_changes_nothing(
    client: Client, cast: Cast, match: Match, link: LiveLink
) -> None:
    """The edit page opened, a change tried out in the preview, and left: the view is as it was."""
    seen, row = tag(client.get(path(link)).content.decode()), match.rows.earliest("pk")
    editor = Client()
    editor.force_login(cast.ann)
    assert editor.get(f"/m/{match.key}/row/{row.key}/").status_code == 200
    typed = {"mode": "counts", "who": "0", "how": "knock", "knocker_deadwood": "1"}
    editor.post(f"/m/{match.key}/row/{row.key}/preview/", {**typed, "opponent_deadwood": "90"})
    assert poll(client, link, seen).status_code == 304


def test_the_query_count_does_not_grow_with_the_hands(
    client: Client,
    cast: Cast,
    match: Match,
    link: LiveLink,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(2):
        enter(cast.ann, match, won(BEN, 1))
        with django_assert_num_queries(5):
            client.get(path(link))


def test_a_link_taken_back_opens_nothing(client: Client, cast: Cast, match: Match, link: LiveLink):
    seen = tag(client.get(path(link)).content.decode())
    live.close_match_link(user=cast.ann, match_key=match.key)
    gone = client.get(path(link))
    assert gone.status_code == 404
    assert "Ann" not in gone.content.decode()
    polled = poll(client, link, seen)
    assert polled.status_code == 404
    assert polled["HX-Refresh"] == "true"
    # The next one is another.
    assert live.open_match_link(user=cast.ann, match_key=match.key).token != link.token


def test_a_link_ends_by_itself(client: Client, cast: Cast, match: Match, link: LiveLink) -> None:
    assert timedelta(hours=23) < link.expires_at - timezone.now() <= live.MATCH_LIFETIME
    LiveLink.objects.update(expires_at=timezone.now())
    assert client.get(path(link)).status_code == 404
    again = live.open_match_link(user=cast.ann, match_key=match.key)
    assert again.token != link.token
    assert client.get(path(again)).status_code == 200


def test_there_is_one_link_at_a_time(cast: Cast, match: Match, link: LiveLink) -> None:
    assert live.open_match_link(user=cast.ben, match_key=match.key) == link
    assert LiveLink.objects.count() == 1


@pytest.mark.parametrize("token", ["x", "a" * 22, "9" * 200])
def test_a_token_that_was_never_given(client: Client, link: LiveLink, token: str) -> None:
    answer = client.get(f"/live/{token}/")
    assert answer.status_code == 404
    assert "noindex" in answer["X-Robots-Tag"]


def test_nothing_but_the_table_is_on_it(client: Client, cast: Cast, match: Match) -> None:
    """B31: no draft, no note, no void row, no address of anybody, no way into the club."""
    secret = enter(cast.ann, match, won(BEN, 7, note="Ben owes me"))
    enter(cast.ann, match, won(BEN, 8))
    services.void_row(
        user=cast.ann,
        row_key=secret.row_key or "",
        version=fresh(match).version,
        why="was no hand",
    )
    enter(cast.ann, match, won(BEN, 9, note="Ben owes more"))
    link = live.open_match_link(user=cast.ann, match_key=match.key)
    session = client.session
    session["cards"] = {match.key: {"number": 3, "fields": {"first": "7S 7H 7C"}}}
    session.save()
    for headers in ({}, {"HX-Request": "true"}):
        text = client.get(path(link), headers=headers).content.decode()
        assert "Ben" in text
        for hidden in ("owes", "was no hand", "@", match.key, cast.club.key, "/m/", "7S"):
            assert hidden not in text
        addresses = set(re.findall(r'(?:href|action|hx-\w+)="(/[^"]*)"', text))
        assert {one for one in addresses if not one.startswith("/static/")} <= {path(link)}


def test_only_reading_is_possible(client: Client, match: Match, link: LiveLink) -> None:
    before = stored(match)
    for method in (client.post, client.put, client.delete, client.patch):
        assert method(path(link)).status_code == 405
    assert stored(match) == before


def test_a_clubs_running_matches(client: Client, cast: Cast, match: Match) -> None:
    other = make_match(cast.ann, won(ANN, 12), names=("Cleo", "Dan"))
    make_match(cast.dev, won(ANN, 12), names=("Eve", "Fred"))
    link = live.open_club_link(user=cast.ben, club_key=cast.club.key)
    assert live.open_club_link(user=cast.ann, club_key=cast.club.key) == link
    text = client.get(path(link)).content.decode()
    assert text.index("Ann") < text.index("Cleo")
    assert "Eve" not in text
    assert re.findall(r'class="figure">(\d+)<', text) == ["15", "44", "12", "0"]
    seen = tag(text)
    assert poll(client, link, seen).status_code == 304
    enter(cast.ann, other, won(ANN, 90))
    ended = poll(client, link, seen).content.decode()
    assert "wins by" in ended
    Match.objects.filter(pk=other.pk).update(last_at=timezone.now() - live.LINGER)
    assert "Cleo" not in poll(client, link, tag(ended)).content.decode()
    live.close_club_link(user=cast.ann, club_key=cast.club.key)
    assert client.get(path(link)).status_code == 404


def test_an_old_sheet_that_is_entered_now_has_not_just_ended(
    client: Client, cast: Cast, match: Match
) -> None:
    old = make_match(cast.ann, won(ANN, 60), won(ANN, 50), names=("Cleo", "Dan"))
    link = live.open_club_link(user=cast.ann, club_key=cast.club.key)
    assert "Cleo" in client.get(path(link)).content.decode()
    Match.objects.filter(pk=old.pk).update(played_on=date(2020, 1, 31))
    assert "Cleo" not in client.get(path(link)).content.decode()


def test_a_clubs_view_costs_two_queries_however_many_play(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    link = live.open_club_link(user=cast.ann, club_key=cast.club.key)
    assert "No match is being played" in client.get(path(link)).content.decode()
    for number in range(3):
        make_match(cast.ann, names=(f"A{number}", f"B{number}"))
        with django_assert_num_queries(2):
            client.get(path(link))


def test_the_panel_makes_shows_and_takes_back(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.ben)
    panel = f"/m/{match.key}/show/"
    assert "Make the link" in client.get(panel).content.decode()
    assert LiveLink.objects.count() == 0  # looking makes nothing
    assert client.post(panel).status_code == 302
    link = LiveLink.objects.get()
    text = client.get(panel).content.decode()
    assert f"http://testserver{path(link)}" in text
    assert "<svg" in text and 'aria-label="QR code of the live view"' in text
    assert "style=" not in text
    made = client.post(panel, **HTMX).content.decode()
    assert made.startswith('<div id="show"') and path(link) in made
    assert client.post(f"{panel}end/").status_code == 302
    assert client.get(path(link)).status_code == 404


def test_this_machines_own_address_is_warned_of(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.ann)
    live.open_match_link(user=cast.ann, match_key=match.key)
    panel = f"/m/{match.key}/show/"
    words = "no other phone reaches"
    assert words in client.get(panel, HTTP_HOST="127.0.0.1:8000").content.decode()
    assert words not in client.get(panel).content.decode()


def test_who_only_looks_hands_no_link_out(client: Client, cast: Cast, match: Match) -> None:
    client.force_login(cast.cleo)
    for path_ in (f"/m/{match.key}/show/", f"/club/{cast.club.key}/show/"):
        assert client.post(path_).status_code == 403
        assert client.post(f"{path_}end/").status_code == 403
    assert LiveLink.objects.count() == 0
