"""The first page: two names, a rule set, the pad; and this browser's matches."""

import re
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from ginledger.clubs.models import User
from ginledger.matches import views
from ginledger.matches.models import Match
from ginledger.matches.start_form import playable
from tests.cast import ANN, BEN, Cast, gin, knock, make_match, make_user, won
from tests.web.page import text_of

pytestmark = pytest.mark.django_db

FORM = {
    "first": "Ann",
    "second": "Ben",
    "rules": "house-modern",
    "target": "",
    "sheet": "one",
    "dealer": "0",
    "once_key": "k",
}


def begin(client: Client, **changes: str) -> Match:
    answer = client.post("/", {**FORM, **changes})
    assert answer.status_code == 302, text_of(answer)
    match = Match.objects.latest("pk")
    assert answer.url.split("?")[0] == f"/m/{match.key}/"
    return match


def test_a_look_makes_no_account(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "Who is playing?" in text_of(page)
    assert not User.objects.exists()
    assert "ginledger_session" not in page.cookies


@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        ("", "house-modern"),
        ("?play=three", "three-handed"),
        ("?play=partners", "partners-125"),
        ("?rules=no-such-rules", "house-modern"),
        ("?rules=straight", "straight"),
    ],
)
def test_rules_are_chosen_to_begin_with(client: Client, asked: str, rules: str) -> None:
    page = client.get(f"/{asked}").content.decode()
    assert f'name="rules" value="{rules}" checked' in page
    assert len(re.findall(r'name="rules" value="[^"]*" checked', page)) == 1


def test_two_names_are_enough(client: Client) -> None:
    match = begin(client)
    assert (match.rules_name, match.first_dealer) == ("Modern 100", ANN)
    assert match.created_by is not None
    assert match.created_by.is_guest
    assert client.get(f"/m/{match.key}/").status_code == 200


@pytest.mark.parametrize(
    ("zone", "kept"),
    [
        ("Pacific/Auckland", "Pacific/Auckland"),
        ("", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("x" * 5000, "UTC"),
    ],
)
def test_a_guest_plays_by_the_day_where_he_is(client: Client, zone: str, kept: str) -> None:
    match = begin(client, zone=zone)
    assert match.club.time_zone == kept
    assert match.played_on == timezone.localdate(timezone=ZoneInfo(kept))


def test_the_first_club_of_an_account_keeps_the_time_of_its_browser(db: None) -> None:
    client, eve = Client(), make_user("Eve")
    client.force_login(eve)
    assert begin(client, zone="Asia/Tokyo").club.time_zone == "Asia/Tokyo"
    assert begin(client, zone="UTC", once_key="k2").club.time_zone == "Asia/Tokyo"


def test_the_same_form_twice_is_one_match(client: Client) -> None:
    assert begin(client).pk == begin(client).pk
    assert Match.objects.count() == 1


def test_every_rule_set_offered_can_be_played(client: Client) -> None:
    page = client.get("/").content.decode()
    for preset in playable():
        offered = f'value="{preset.slug}"' in page
        assert offered or preset.slug == "hollywood-100"
        seats = {"play": preset.rules.play, "third": "Cleo", "fourth": "Dev"}
        match = begin(client, rules=preset.slug, once_key=preset.slug, **seats)
        assert match.seats.count() == {"two": 2, "three": 3, "partners": 4}[preset.rules.play]
        assert match.rules["target"] == preset.rules.target
        assert client.get(f"/m/{match.key}/").status_code == 200


@pytest.mark.parametrize("target", ["150", "250", "500"])
def test_longer_matches_and_hollywood(client: Client, target: str) -> None:
    match = begin(client, target=target, sheet="hollywood")
    assert (match.rules["target"], match.rules["columns"]) == (int(target), 3)
    assert match.rules_name == f"Modern Hollywood {target}"


def test_one_deal_has_no_target(client: Client) -> None:
    answer = client.post("/", {**FORM, "rules": "one-deal", "target": "250"})
    assert answer.status_code == 422
    assert "One deal is decided by one hand" in text_of(answer)
    assert not Match.objects.exists()


@pytest.mark.parametrize("lot", [ANN, BEN])
def test_the_cut_is_said(client: Client, monkeypatch: pytest.MonkeyPatch, lot: int) -> None:
    monkeypatch.setattr(views.secrets, "randbelow", lambda _: lot)
    answer = client.post("/", {**FORM, "dealer": "cut"}, follow=True)
    assert f"The cut: {('Ann', 'Ben')[lot]} deals first." in text_of(answer)
    assert Match.objects.get().first_dealer == lot


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"first": "  "}, "first"),
        ({"second": "ann"}, "second"),
        ({"second": "x" * 61}, "second"),
        ({"first": "A\x00nn"}, "first"),
        ({"rules": "no-such-rules"}, "rules"),
        ({"play": "two", "rules": "partners-125"}, "rules"),
        ({"dealer": "7"}, "dealer"),
        ({"target": "1e5"}, "target"),
        ({"sheet": "9" * 30}, "sheet"),
        ({"once_key": "x" * 65}, ""),
    ],
)
def test_refused_with_what_was_typed(client: Client, changes: dict[str, str], said: str) -> None:
    answer = client.post("/", {**FORM, **changes})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert said in form.errors or not said
    assert not Match.objects.exists()
    if "first" not in changes:
        assert 'value="Ann"' in answer.content.decode()


def test_returning_shows_running_matches_first(cast: Cast, browser_of) -> None:
    running = make_match(cast.guest, knock(ANN, 6, 21), names=("Cleo", "Dev"))
    over = make_match(cast.guest, won(BEN, 99), gin(BEN, 40))
    page = browser_of(cast.guest).get("/")
    words = text_of(page)
    assert words.index("Still running") < words.index("Who is playing?") < words.index("Played")
    assert words.index("Cleo v Dev") < words.index("Ann v Ben")
    assert "15 – 0" in words
    assert "Ben won by 628" in words
    for match in (running, over):
        assert f"/m/{match.key}/" in page.content.decode()


def test_nobody_else_sees_them(cast: Cast, browser_of) -> None:
    match = make_match(cast.guest, names=("Cleo", "Dev"))
    for user in (None, cast.dev):
        assert match.key not in browser_of(user).get("/").content.decode()


def test_the_list_costs_the_same_for_many_matches(
    cast: Cast, browser_of, django_assert_num_queries
) -> None:
    client = browser_of(cast.guest)
    make_match(cast.guest)
    make_match(cast.guest, won(ANN, 100))
    # session, user, house rules, clubs, names; both lists, their seats and players
    with django_assert_num_queries(9):
        client.get("/")
    for number in range(10):
        make_match(cast.guest, won(ANN, 100 if number % 2 else 7))
    with django_assert_num_queries(9):
        client.get("/")
