"""The pages of the rules: reading, the form of an own set, comparing, and who may do what."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ginledger.clubs import rulebook
from ginledger.clubs.club_services import ClubTerms, create_club
from ginledger.clubs.models import HouseRules, User
from ginledger.clubs.rules_forms import RulesForm
from ginledger.clubs.services import home_club
from ginledger.gin.ruleset import ExtraBoxes, RuleSet, presets, read_rules
from ginledger.gin.words import FIELDS, agreement, field_words, hint_words
from ginledger.matches.models import Match
from tests.cast import Cast, dead, make_match
from tests.web.page import filled, text_of
from tests.web.spoken import spoken

pytestmark = pytest.mark.django_db
FRIDAY = RuleSet(gin_bonus=20, target=150, knock_limit=7)
NEW, LIST, COMPARE = (reverse(name) for name in ("rules_new", "rules", "rules_compare"))


@pytest.fixture
def friday(cast: Cast) -> HouseRules:
    return rulebook.create_rules(user=cast.ann, name="Friday", rules=FRIDAY)


def at(name: str, house: HouseRules) -> str:
    return reverse(name, args=[house.key])


def as_typed(client: Client, where: str = NEW, **changes: Any) -> dict[str, Any]:
    """What the form sends as it stands, with some fields typed otherwise."""
    return {**filled(client.get(where), "rules-form"), **changes}


def test_presets_say_what_they_have_otherwise(cast: Cast, friday: HouseRules, browser_of) -> None:
    said = text_of(browser_of(cast.cleo).get(LIST))
    assert "Straight 100 Straight gin: only gin ends a hand." in said
    assert "Friday 150 Knock with 7 or less; gin 20; played to 150." in said
    assert "These are the usual rules." in said
    assert "Friday" not in text_of(browser_of(None).get(LIST))


@pytest.mark.parametrize("slug", presets())
def test_a_preset_reads_like_the_agreement(browser_of, slug: str) -> None:
    page = browser_of(None).get(reverse("rules_page", args=[slug]))
    said = text_of(page).lower()
    for clause in agreement(presets()[slug].rules):
        assert clause.lower() in said
    assert f'href="/?rules={slug}"' in page.content.decode()
    assert "change these rules" not in said


def test_the_form_brings_every_rule_set_back_unchanged() -> None:
    odd = RuleSet(
        big_gin_bonus=None,
        game_bonus="target",
        columns=3,
        column_weights=(1, 1, 2),
        extra_boxes=ExtraBoxes(2, 1, 3),
        rounding=500,
        oklahoma=True,
    )
    for rules in (odd, FRIDAY, *(one.rules for one in presets().values())):
        form = RulesForm(base=rules)
        typed = {name: form[name].value() for name in form.fields}
        typed = {name: one for name, one in typed.items() if one is not None and one is not False}
        sent = RulesForm(typed | {"name": "Ours"}, base=RuleSet())  # type: ignore[arg-type]
        assert sent.is_valid(), sent.errors
        assert sent.rules == rules


def test_every_field_has_its_label_and_its_sentence(browser_of) -> None:
    body = unescape(browser_of(None).get(NEW).content.decode())
    for name in FIELDS:
        assert f'name="{name}"' in body
        assert field_words(name) in body
        assert hint_words(name) in body


def test_a_guest_keeps_a_rule_set_and_finds_it_again(db: None, browser_of) -> None:
    client = browser_of(None)
    start = f"{NEW}?from=short-50"
    typed = as_typed(client, start, name=" Ours ", gin_bonus="20", big_gin_bonus="")
    answer = client.post(start, typed)
    assert answer.status_code == 302
    house = HouseRules.objects.get()
    short = presets()["short-50"].rules
    assert read_rules(house.rules) == short.replace(gin_bonus=20, big_gin_bonus=None)
    assert answer.headers["Location"] == at("rules_page", house)
    said = text_of(client.get(answer.headers["Location"]))
    assert "Ours" in said and "Big gin is not played, it counts as gin." in said
    assert "Ours" in text_of(client.get(LIST))
    # Sent twice, it is one.
    assert client.post(start, typed).status_code == 302
    assert HouseRules.objects.count() == 1
    assert "Ours" not in text_of(browser_of(None).get(LIST))


def test_a_second_club_keeps_rules_of_its_own_and_has_them_as_its_usual_ones(
    cast: Cast, browser_of
) -> None:
    second = create_club(user=cast.ann, terms=ClubTerms(name="Second table"))
    client = browser_of(cast.ann)
    where = f"{NEW}?club={second.key}"
    assert f'value="{second.key}" selected' in client.get(where).content.decode()
    typed = as_typed(client, where, name="Ours", gin_bonus="20", club=second.key)
    client.post(where, typed)
    house = HouseRules.objects.get()
    assert house.club == second
    assert "Kept by Second table." in text_of(client.get(LIST))
    settings = reverse("club_settings", args=[second.key])
    terms = {"name": "Second table", "usual_rules": house.key, "time_zone": "UTC"}
    assert client.post(settings, terms).status_code == 302
    start = client.get(f"/?club={second.key}").content.decode()
    assert re.search(f'value="{house.key}"[^>]* checked', start)


def test_who_owns_no_club_keeps_rules_for_the_one_he_scores_in(cast: Cast, browser_of) -> None:
    client = browser_of(cast.ben)
    assert client.post(NEW, as_typed(client, name="Ours")).status_code == 302
    assert HouseRules.objects.get().club == cast.club
    theirs = home_club(cast.dev).key
    assert client.post(NEW, as_typed(client, name="Theirs", club=theirs)).status_code == 404
    as_viewer = browser_of(cast.cleo)
    typed = as_typed(as_viewer, name="Not mine", club=cast.club.key)
    assert as_viewer.post(NEW, typed).status_code == 403
    assert HouseRules.objects.count() == 1


def test_what_was_put_away_is_found_on_the_list(cast: Cast, friday: HouseRules, browser_of) -> None:
    client = browser_of(cast.ann)
    client.post(at("rules_archive", friday))
    assert at("rules_page", friday) in client.get(LIST).content.decode()
    assert at("rules_page", friday) not in browser_of(cast.dev).get(LIST).content.decode()


WRONG = {
    "name": ("", "A name is needed here."),
    "gin_bonus": ("1e3", "A whole number from 0 to 10000."),
    "target": ("100001", "A whole number from 0 to 100000."),
    "knock_limit": ("11", "A whole number from 0 to 10."),
    "undercut_bonus": ("-5", "A whole number from 0 to 10000."),
    "box_bonus": ("9" * 50, "A whole number from 0 to 10000."),
    "extra_boxes.gin": ("", "A whole number from 0 to 100."),
    "column_weights": ("1, 2", "2 for one game: one for each, or none at all."),
    "rounding": ("7", "Select a valid choice. 7 is not one of the available choices."),
    "game_bonus": ("target", "A whole number from 0 to 100000."),
}


def test_all_that_is_wrong_is_told_at_once_beside_its_field(browser_of) -> None:
    client = browser_of(None)
    typed = as_typed(client, **{name: value for name, (value, _) in WRONG.items()})
    answer = client.post(NEW, typed)
    assert answer.status_code == 422
    body, said = unescape(answer.content.decode()), text_of(answer)
    for name, (value, message) in WRONG.items():
        assert f'id="wrong-{name.replace(".", "-")}"' in body
        assert message in said
        if name != "rounding":
            assert f'name="{name}" value="{value}"' in body
    assert body.count('<details class="group card" open>') == 4
    assert not HouseRules.objects.exists()
    assert not User.objects.exists()


@pytest.mark.parametrize("weights", ["x", "1,,2", "0", "1 101 1", "1" * 400])
def test_weights_that_cannot_be_read(browser_of, weights: str) -> None:
    client = browser_of(None)
    answer = client.post(NEW, as_typed(client, name="A", column_weights=weights, columns="3"))
    assert answer.status_code == 422
    assert "such as 1, 1, 2." in text_of(answer)


def test_a_game_bonus_as_high_as_the_target(browser_of) -> None:
    client = browser_of(None)
    typed = as_typed(client, name="A", game_bonus="", game_as_target="1", target="250")
    assert client.post(NEW, typed).status_code == 302
    assert read_rules(HouseRules.objects.get().rules).game_points == 250


@pytest.mark.parametrize("name", ["<img src=x onerror=x>", 'O"Hara', "{{x}}", "x" * 60, "‮abc"])
def test_b07_b94_names_are_text(cast: Cast, browser_of, name: str) -> None:
    client = browser_of(cast.ann)
    answer = client.post(NEW, as_typed(client, name=name), follow=True)
    assert answer.status_code == 200
    assert name in unescape(answer.content.decode())
    for where in (LIST, COMPARE, at("rules_edit", HouseRules.objects.get())):
        body = client.get(where).content.decode()
        assert "<img" not in body and name in unescape(body)


@pytest.mark.parametrize("who", ["ann", "ben"])
def test_owner_and_scorer_change_it(cast: Cast, friday: HouseRules, browser_of, who: str) -> None:
    client = browser_of(getattr(cast, who))
    where = at("rules_edit", friday)
    match = make_match(cast.ann, rules=FRIDAY)
    answer = client.post(where, as_typed(client, where, target="200"))
    assert answer.headers["Location"] == at("rules_page", friday)
    friday.refresh_from_db()
    assert read_rules(friday.rules) == FRIDAY.replace(target=200)
    match.refresh_from_db()
    assert read_rules(match.rules) == FRIDAY


@pytest.mark.parametrize(
    ("who", "read", "write"),
    [
        ("ann", 200, 302), ("ben", 200, 302), ("cleo", 200, 403),
        ("dev", 404, 404), ("guest", 404, 404), (None, 404, 404),
    ],
)  # fmt: skip
def test_who_may_read_and_who_may_write(
    cast: Cast, friday: HouseRules, browser_of, who: str | None, read: int, write: int
) -> None:
    client = browser_of(getattr(cast, who) if who else None)
    before = HouseRules.objects.values().get()
    page = client.get(at("rules_page", friday))
    assert page.status_code == read
    assert ("Friday" in text_of(page)) == (read == 200)
    assert client.get(f"{NEW}?from={friday.key}").status_code == read
    assert client.get(at("rules_edit", friday)).status_code == (200 if write == 302 else write)
    for name in ("rules_edit", "rules_archive", "rules_restore"):
        typed = {**filled(client.get(NEW), "rules-form"), "name": "Taken over", "seen": "x"}
        if write != 302:
            answer = client.post(at(name, friday), typed)
            # Who has no session is asked to log in.
            assert answer.status_code == (write if who else 302)
            assert who or "/login/?next=" in answer.headers["Location"]
        elif name != "rules_edit":
            assert client.post(at(name, friday)).status_code == write
    assert HouseRules.objects.values().get() == before
    if who == "cleo":
        assert "You may look" in text_of(page)
        assert "Change these rules" not in text_of(page)


@pytest.mark.parametrize("name", ["rules_archive", "rules_restore"])
def test_a_link_writes_nothing(cast: Cast, friday: HouseRules, browser_of, name: str) -> None:
    assert browser_of(cast.ann).get(at(name, friday)).status_code == 405


def test_a_preset_is_not_changed(cast: Cast, browser_of) -> None:
    for name in ("rules_edit", "rules_archive"):
        assert browser_of(cast.ann).post(reverse(name, args=["straight"])).status_code == 404


def test_put_away_and_offered_again(cast: Cast, friday: HouseRules, browser_of) -> None:
    client = browser_of(cast.ann)
    client.post(at("rules_archive", friday))
    page = text_of(client.get(at("rules_page", friday)))
    assert "Put away on" in page and "Start a match" not in page
    assert "Friday" not in text_of(client.get(LIST)).split("Put away")[0]
    answer = client.post(at("rules_edit", friday), as_typed(client, name="Friday", target="1"))
    assert (answer.status_code, "out of the archive" in text_of(answer)) == (422, True)
    rulebook.create_rules(user=cast.ann, name="Friday", rules=RuleSet())
    answer = client.post(at("rules_restore", friday))
    assert answer.status_code == 422
    assert "There is a rule set Friday here already." in text_of(answer)


def test_who_changed_it_meanwhile_is_not_overwritten_unseen(
    cast: Cast, friday: HouseRules, browser_of
) -> None:
    ann, ben, where = browser_of(cast.ann), browser_of(cast.ben), at("rules_edit", friday)
    hers, his = as_typed(ann, where, target="200"), as_typed(ben, where, gin_bonus="x", target="")
    assert ann.post(where, hers).status_code == 302
    # An error of his own does not make him have seen hers.
    again = {**filled(ben.post(where, his), "rules-form"), "gin_bonus": "30", "target": "300"}
    answer = ben.post(where, again)
    assert answer.status_code == 422
    assert "Someone else changed this rule set meanwhile" in text_of(answer)
    kept = filled(answer, "rules-form")
    assert (kept["gin_bonus"], kept["target"]) == ("30", "300")
    assert ben.post(where, kept).status_code == 302
    friday.refresh_from_db()
    assert read_rules(friday.rules).target == 300


def test_two_rule_sets_show_just_where_they_differ(
    cast: Cast, friday: HouseRules, browser_of
) -> None:
    page = browser_of(cast.cleo).get(COMPARE, {"a": "house-modern", "b": friday.key})
    assert [(row.label, row.one, row.other) for row in page.context["rows"]] == [
        ("Knock limit", "10", "7"),
        ("Gin", "25", "20"),
        ("Played to", "100", "150"),
    ]
    said = text_of(page)
    assert "Modern A shutout adds at least 200." in said
    assert "Friday A shutout adds at least 250." in said
    same = browser_of(None).get(COMPARE, {"a": "straight", "b": "straight"})
    assert "They are the same" in text_of(same)


@pytest.mark.parametrize(
    "asked", [{"a": "straight"}, {"a": "x", "b": "straight"}, {"a": "straight", "b": "\x00"}]
)
def test_a_rule_set_that_is_not_there_is_asked_for(browser_of, asked: dict[str, str]) -> None:
    answer = browser_of(None).get(COMPARE, asked)
    assert answer.status_code == 422
    assert "rule set" in text_of(answer)


def test_another_clubs_rules_are_not_compared(cast: Cast, friday: HouseRules, browser_of) -> None:
    answer = browser_of(cast.dev).get(COMPARE, {"a": "straight", "b": friday.key})
    assert answer.status_code == 422
    assert "Friday" not in text_of(answer)


def test_unknown_addresses_are_not_here(browser_of) -> None:
    client = browser_of(None)
    for where in (
        "/rules/no-such/",
        f"{NEW}?from=nothing",
        f"{NEW}?from=%00",
        f"/rules/{'x' * 99}/",
    ):
        assert client.get(where).status_code == 404


def test_pages_ask_little_of_the_database(
    cast: Cast, friday: HouseRules, browser_of, django_assert_max_num_queries
) -> None:
    client = browser_of(cast.ann)
    for name in "ABCDEFG":
        rulebook.create_rules(user=cast.ann, name=name, rules=RuleSet())
    for where in (LIST, COMPARE, NEW, at("rules_page", friday), at("rules_edit", friday)):
        with django_assert_max_num_queries(5):
            client.get(where)


def start_with(client: Client, **typed: str) -> Match:
    """A match begun with the form of the first page."""
    form = {"first": "Ann", "second": "Ben", "target": "", "sheet": "one", "dealer": "0"}
    answer = client.post("/", {**form, "once_key": secrets.token_hex(4), **typed})
    assert answer.status_code == 302, text_of(answer)
    return Match.objects.latest("pk")


def test_a_match_starts_with_an_own_rule_set(cast: Cast, friday: HouseRules, browser_of) -> None:
    client = browser_of(cast.ben)
    page = client.get(f"/?rules={friday.key}")
    assert f'value="{friday.key}" checked' in page.content.decode()
    assert "Agreed: Friday" in spoken(page)
    match = start_with(client, rules=friday.key)
    assert (match.rules_name, read_rules(match.rules)) == ("Friday", FRIDAY)
    pad = spoken(client.get(reverse("pad", args=[match.key])))
    assert "Agreed: Friday Game to 150" in pad
    assert "A shutout adds at least 250." in pad
    assert "Knock with 7 or less." in pad
    longer = start_with(client, rules=friday.key, target="250", sheet="hollywood")
    assert longer.rules_name == "Friday Hollywood 250"


def test_rules_of_others_start_nothing(cast: Cast, friday: HouseRules, browser_of) -> None:
    client = browser_of(cast.dev)
    page = client.get(f"/?rules={friday.key}")
    assert "Friday" not in text_of(page)
    assert 'value="house-modern" checked' in page.content.decode()
    data = {"first": "A", "second": "B", "rules": friday.key, "sheet": "one", "dealer": "0"}
    assert client.post("/", data).status_code == 422
    assert not Match.objects.exists()


def test_a_long_name_leaves_room_for_the_target(cast: Cast, browser_of) -> None:
    mine = rulebook.create_rules(user=cast.ann, name="x" * 60, rules=RuleSet())
    match = start_with(browser_of(cast.ann), rules=mine.key, target="500", sheet="hollywood")
    assert match.rules_name == "x" * 46 + " Hollywood 500"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "Agreed: Modern 100 Game to 100"),
        ("?rules=hollywood-100", "Agreed: Hollywood 100 Three games to 100"),
        ("?rules=straight&target=250", "Agreed: Straight 250 Game to 250"),
        ("?rules=one-deal&target=250", "Agreed: One deal Game of one hand"),
        ("?rules=no-such&target=9&sheet=x", "Agreed: Modern 100 Game to 100"),
    ],
)
def test_the_card_at_the_start_follows_what_is_chosen(browser_of, asked: str, said: str) -> None:
    client = browser_of(None)
    assert said in spoken(client.get(f"/{asked}"))
    card = client.get(reverse("start_agreed") + asked)
    assert said in spoken(card)
    assert card.content.decode().startswith('<div id="start_agreed"')
    assert not User.objects.exists()


def test_the_agreement_leaves_the_pad_with_the_first_hand(cast: Cast, browser_of) -> None:
    client = browser_of(cast.ann)
    match = make_match(cast.ann, dead())
    pad = client.get(reverse("pad", args=[match.key]))
    assert "A shutout adds" not in text_of(pad)
    assert reverse("agreed", args=[match.key]) in pad.content.decode()
    sheet = spoken(client.get(reverse("sheet", args=[match.key])))
    assert "Agreed: Test rules" in sheet and "A shutout adds at least 200." in sheet
