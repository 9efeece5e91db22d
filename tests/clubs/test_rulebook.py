"""House rules: who may do what with them, their names, and that they change no match."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import Http404

from ginledger.clubs import rulebook
from ginledger.clubs.accounts import absorb_guest
from ginledger.clubs.models import HouseRules, Membership, Role
from ginledger.clubs.services import home_club
from ginledger.gin.errors import AgainstRules
from ginledger.gin.ruleset import RuleSet, presets, read_rules
from tests.cast import NOBODY, Cast, fresh, make_match

FRIDAY = RuleSet(gin_bonus=20, target=150)


@pytest.fixture
def friday(cast: Cast) -> HouseRules:
    return rulebook.create_rules(user=cast.ann, name="Friday", rules=FRIDAY)


def test_presets_come_first_then_own_ones_by_name(cast: Cast, friday: HouseRules) -> None:
    rulebook.create_rules(user=cast.ann, name="a late one", rules=RuleSet())
    for user in (cast.ann, cast.ben, cast.cleo):
        found = rulebook.choices(user)
        assert [one.slug for one in found[: len(presets())]] == list(presets())
        assert [one.name for one in found if one.own] == ["a late one", "Friday"]
    assert found[-1].summary == "Gin 20; played to 150."
    assert found[-2].summary == "The usual rules."
    for user in (cast.dev, cast.guest, NOBODY):
        assert not [one for one in rulebook.choices(user) if one.own]


def test_rules_are_found_by_slug_and_by_key(cast: Cast, friday: HouseRules) -> None:
    assert rulebook.find_rules(NOBODY, "straight") == ("Straight", presets()["straight"].rules)
    for user in (cast.ann, cast.ben, cast.cleo):
        assert rulebook.find_rules(user, friday.key) == ("Friday", FRIDAY)
    for user in (cast.dev, cast.guest, NOBODY):
        with pytest.raises(Http404):
            rulebook.find_rules(user, friday.key)
    for wrong in ("", "no-such", "x" * 5000, "\x00"):
        with pytest.raises(Http404):
            rulebook.find_rules(cast.ann, wrong)


@pytest.mark.parametrize("who", ["ann", "ben"])
def test_owner_and_scorer_change_archive_and_restore(
    cast: Cast, friday: HouseRules, who: str
) -> None:
    user = getattr(cast, who)
    seen = rulebook.stamp(friday)
    rules = FRIDAY.replace(target=200)
    rulebook.change_rules(user=user, key=friday.key, name="Fridays", rules=rules, seen=seen)
    assert rulebook.find_rules(user, friday.key) == ("Fridays", rules)
    rulebook.archive_rules(user=user, key=friday.key)
    assert not [one for one in rulebook.choices(user) if one.own]
    assert rulebook.find_rules(user, friday.key).rules == rules
    rulebook.restore_rules(user=user, key=friday.key)
    assert [one.name for one in rulebook.choices(user) if one.own] == ["Fridays"]


@pytest.mark.parametrize(
    ("who", "refusal"), [("cleo", PermissionDenied), ("dev", Http404), ("guest", Http404)]
)
def test_others_change_nothing(
    cast: Cast, friday: HouseRules, who: str, refusal: type[Exception]
) -> None:
    user, seen = getattr(cast, who), rulebook.stamp(friday)
    with pytest.raises(refusal):
        rulebook.change_rules(user=user, key=friday.key, name="Mine", rules=FRIDAY, seen=seen)
    for service in (rulebook.archive_rules, rulebook.restore_rules):
        with pytest.raises(refusal):
            service(user=user, key=friday.key)
    friday.refresh_from_db()
    assert (friday.name, friday.archived_at) == ("Friday", None)


def test_every_field_is_stored_so_that_a_preset_may_change(friday: HouseRules) -> None:
    assert friday.rules == FRIDAY.to_json()
    assert read_rules(friday.rules) == FRIDAY


def test_the_same_form_twice_makes_one(cast: Cast, friday: HouseRules) -> None:
    again = rulebook.create_rules(user=cast.ann, name=" Friday ", rules=FRIDAY)
    assert again == friday
    assert HouseRules.objects.count() == 1


def test_a_name_is_taken_whatever_its_case(cast: Cast, friday: HouseRules) -> None:
    with pytest.raises(AgainstRules) as raised:
        rulebook.create_rules(user=cast.ann, name="FRIDAY", rules=RuleSet())
    assert (raised.value.code, raised.value.field) == ("name-taken", "name")
    other = rulebook.create_rules(user=cast.ann, name="Sunday", rules=RuleSet())
    with pytest.raises(AgainstRules, match="Friday"):
        rulebook.change_rules(
            user=cast.ann,
            key=other.key,
            name="friday",
            rules=RuleSet(target=50),
            seen=rulebook.stamp(other),
        )
    # Another club has its own names, and the database itself holds them apart.
    rulebook.create_rules(user=cast.dev, name="Friday", rules=RuleSet())
    with pytest.raises(IntegrityError), transaction.atomic():
        HouseRules.objects.create(club=friday.club, name="fRiday", folded="friday", rules={})


def test_an_archived_name_is_free_and_cannot_come_back_while_it_is_taken(
    cast: Cast, friday: HouseRules
) -> None:
    rulebook.archive_rules(user=cast.ann, key=friday.key)
    rulebook.create_rules(user=cast.ann, name="Friday", rules=RuleSet())
    with pytest.raises(AgainstRules) as raised:
        rulebook.restore_rules(user=cast.ann, key=friday.key)
    assert raised.value.code == "name-taken"


@pytest.mark.parametrize(
    ("name", "code"),
    [(" ", "name-blank"), ("x" * 61, "name-long"), ("a\nb", "name-unreadable")],
)
def test_a_name_that_is_none_is_refused(cast: Cast, name: str, code: str) -> None:
    with pytest.raises(AgainstRules) as raised:
        rulebook.create_rules(user=cast.ann, name=name, rules=RuleSet())
    assert raised.value.code == code
    assert not HouseRules.objects.exists()


def test_b65_of_two_who_change_at_once_the_later_is_told(cast: Cast, friday: HouseRules) -> None:
    seen, one, other = rulebook.stamp(friday), FRIDAY.replace(target=1), FRIDAY.replace(target=2)
    rulebook.change_rules(user=cast.ann, key=friday.key, name="Friday", rules=one, seen=seen)
    with pytest.raises(AgainstRules) as raised:
        rulebook.change_rules(user=cast.ben, key=friday.key, name="Friday", rules=other, seen=seen)
    assert raised.value.code == "rules-stale"
    assert rulebook.find_rules(cast.ann, friday.key).rules == one
    # The first form sent twice finds that it says so already.
    rulebook.change_rules(user=cast.ann, key=friday.key, name="Friday", rules=one, seen=seen)


def test_b109_a_match_keeps_the_rules_it_was_started_with(cast: Cast, friday: HouseRules) -> None:
    match = make_match(cast.ann, rules=rulebook.find_rules(cast.ann, friday.key).rules)
    rulebook.change_rules(
        user=cast.ann,
        key=friday.key,
        name="Friday",
        rules=RuleSet(target=500),
        seen=rulebook.stamp(friday),
    )
    rulebook.archive_rules(user=cast.ann, key=friday.key)
    assert read_rules(fresh(match).rules) == FRIDAY


def test_a_scorer_of_a_club_keeps_his_own_rules_at_home(cast: Cast) -> None:
    mine = rulebook.create_rules(user=cast.ben, name="Ben's", rules=RuleSet())
    assert mine.club == home_club(cast.ben) != cast.club
    Membership.objects.filter(user=cast.ben, club=cast.club).update(role=Role.VIEWER)
    assert rulebook.find_rules(cast.ben, mine.key).name == "Ben's"


def test_choices_ask_the_database_once(
    cast: Cast, friday: HouseRules, django_assert_num_queries
) -> None:
    rulebook.create_rules(user=cast.ann, name="Sunday", rules=RuleSet())
    with django_assert_num_queries(1):
        rulebook.choices(cast.ann)


def test_a_club_with_rules_of_its_own_is_not_deleted_by_the_way(
    cast: Cast, friday: HouseRules
) -> None:
    with pytest.raises(ProtectedError):
        cast.club.delete()


def test_a_guest_who_signs_up_keeps_his_rules(cast: Cast) -> None:
    mine = rulebook.create_rules(user=cast.guest, name="Ours", rules=FRIDAY)
    absorb_guest(guest=cast.guest, user=cast.dev)
    assert rulebook.find_rules(cast.dev, mine.key) == ("Ours", FRIDAY)
    mine.refresh_from_db()
    assert mine.created_by == cast.dev
