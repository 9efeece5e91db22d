"""Accounts: signing up keeps what a guest has, logging in adds it, leaving leaves results."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse

from ginledger.clubs.models import Membership, Role, User
from ginledger.clubs.services import home_club
from ginledger.matches.models import Amendment, Match
from tests.cast import ANN, Cast, gin, make_match, make_user

PASSWORD = "eleven-cards-27"
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


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def sign_up(client: Client, email: str = "eve@example.org", **fields: str) -> Any:
    data = {"name": "Eve", "email": email, "password1": PASSWORD, **fields}
    return client.post(reverse("account_signup"), data)


def log_in(client: Client, email: str, password: str = PASSWORD, **fields: str) -> Any:
    data = {"login": email, "password": password, "remember": "on", **fields}
    return client.post(reverse("account_login"), data)


def with_password(user: User) -> User:
    user.set_password(PASSWORD)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def start(client: Client, first: str = "Ann", second: str = "Ben") -> Match:
    """A match as a new browser starts it."""
    fields = {
        "first": first,
        "second": second,
        "rules": "house-modern",
        "sheet": "one",
        "dealer": "0",
    }
    answer = client.post(reverse("start"), fields)
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.latest("pk")


def who_is(client: Client) -> User | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


def link_in_mail(number: int = -1) -> str:
    found = re.search(r"http://testserver(/\S+)", mail.outbox[number].body)
    assert found, mail.outbox[number].body
    return found[1]


# Signing up


@pytest.mark.django_db
def test_signing_up_needs_a_name_an_address_and_a_password() -> None:
    client = Client()
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    eve = User.objects.get(email="eve@example.org")
    assert (eve.name, eve.is_guest, eve.check_password(PASSWORD)) == ("Eve", False, True)
    assert who_is(client) == eve
    assert "Eve" in client.get("/account/").content.decode()
    assert len(mail.outbox) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "  "}, "A name is needed here."),
        ({"name": "a\nb"}, "A name is one line of plain text."),
        ({"name": "x" * 61}, "up to 60 characters"),
        ({"email": "eve"}, "valid email address"),
        ({"password1": "short"}, "too short"),
        ({"password1": "password123"}, "too common"),
    ],
)
def test_a_sign_up_that_will_not_do_stores_nothing(fields: dict[str, str], words: str) -> None:
    answer = sign_up(Client(), **fields)
    assert words in answer.content.decode()
    assert not User.objects.exists()
    assert not mail.outbox


@pytest.mark.django_db
def test_an_address_is_taken_once_whatever_its_case(cast: Cast) -> None:
    answer = sign_up(Client(), cast.ann.email.upper())
    assert "log in instead" in answer.content.decode()
    assert User.objects.filter(email__iexact=cast.ann.email).count() == 1


@pytest.mark.django_db
def test_two_who_sign_up_with_one_address_at_once_are_one_account(cast: Cast) -> None:
    free = "ginledger.clubs.account_forms.SignupForm.validate_unique_email"
    with mock.patch(free, lambda _form, value: value):
        answer = sign_up(Client(), cast.ann.email)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("account_signup")
    assert User.objects.filter(email=cast.ann.email).count() == 1


@pytest.mark.django_db
def test_a_guest_who_signs_up_keeps_everything_in_a_new_session() -> None:
    client = Client()
    match = start(client)
    guest, before = who_is(client), client.session.session_key
    sign_up(client)
    eve = who_is(client)
    assert eve == guest
    assert (eve.is_guest, eve.email, eve.name) == (False, "eve@example.org", "Eve")
    assert client.session.session_key != before
    assert client.get(reverse("pad", args=[match.key])).status_code == 200
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_what_signed_up_on_one_device_is_there_on_another() -> None:
    one, other = Client(), Client()
    match = start(one)
    sign_up(one)
    assert other.get(reverse("pad", args=[match.key])).status_code == 404
    assert log_in(other, "EVE@example.org").status_code == 302
    assert other.get(reverse("pad", args=[match.key])).status_code == 200


# Logging in


@pytest.mark.django_db
def test_a_guest_who_logs_in_brings_his_matches_along(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    match = start(client, "Zoe", "Yan")
    guest = who_is(client)
    assert guest is not None
    answer = log_in(client, ann.email)
    assert answer.status_code == 302
    assert who_is(client) == ann
    assert not User.objects.filter(pk=guest.pk).exists()
    match.refresh_from_db()
    assert match.created_by == ann
    assert Membership.objects.get(club=match.club, user=ann).role == Role.OWNER
    assert home_club(ann) == cast.club
    assert match.club != cast.club
    page = client.get("/account/").content.decode()
    assert "What this browser held is in your account now." in page
    assert client.get(reverse("pad", args=[match.key])).status_code == 200


@pytest.mark.django_db
def test_what_a_guest_wrote_is_the_accounts_from_then_on(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    client.force_login(cast.guest)
    match = make_match(cast.guest, gin(ANN, 9))
    log_in(client, ann.email)
    assert match.rows.get().entered_by == ann
    assert {entry.who for entry in Amendment.objects.filter(match=match)} == {ann}


@pytest.mark.django_db
def test_a_guests_role_adds_to_the_accounts_and_lowers_none(cast: Cast) -> None:
    cleo, client = with_password(cast.cleo), Client()
    Membership.objects.create(club=cast.club, user=cast.guest, role=Role.SCORER)
    client.force_login(cast.guest)
    log_in(client, cleo.email)
    assert cast.club.memberships.get(user=cleo).role == Role.SCORER
    assert cast.club.memberships.count() == 3
    ben, client = with_password(cast.ben), Client()
    other = make_user("", is_guest=True)
    Membership.objects.create(club=cast.club, user=other, role=Role.VIEWER)
    client.force_login(other)
    log_in(client, ben.email)
    assert cast.club.memberships.get(user=ben).role == Role.SCORER


@pytest.mark.django_db
def test_an_unused_club_of_a_guest_is_not_carried_along(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    client.force_login(cast.guest)
    log_in(client, ann.email)
    assert list(ann.memberships.values_list("club", flat=True)) == [cast.club.pk]


@pytest.mark.django_db
def test_a_wrong_password_brings_nothing_along(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    match = start(client)
    guest = who_is(client)
    answer = log_in(client, ann.email, "wrong-password-1")
    assert "do not belong together" in answer.content.decode()
    assert who_is(client) == guest
    match.refresh_from_db()
    assert match.created_by == guest


@pytest.mark.django_db
def test_the_session_is_another_one_after_the_log_in(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    session = client.session
    session["typed"] = "kept"
    session.save()
    client.cookies["ginledger_session"] = before = session.session_key
    log_in(client, ann.email)
    assert client.session.session_key != before
    assert client.session["typed"] == "kept"
    assert not client.session.exists(before)


@pytest.mark.django_db
def test_logged_in_for_a_year_or_until_the_browser_closes(cast: Cast) -> None:
    ann, kept, shared = with_password(cast.ann), Client(), Client()
    log_in(kept, ann.email)
    assert kept.session.get_expiry_age() > 360 * 24 * 60 * 60
    assert shared.get(reverse("account_login")).content.decode().count("checked") == 1
    shared.post(reverse("account_login"), {"login": ann.email, "password": PASSWORD})
    assert shared.session.get_expire_at_browser_close()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "///evil.example",
        "javascript:x",
        "http:evil.example",
        "http://testserver/account/",
        "/\t/evil.example",
        "evil",
    ],
)
def test_b38_next_leads_nowhere_else(cast: Cast, target: str) -> None:
    ann = with_password(cast.ann)
    for where in ("account_login", "account_signup"):
        page = Client().get(reverse(where), {"next": target})
        assert page.status_code == 200
    by_field, by_query = Client(), Client()
    assert log_in(by_field, ann.email, next=target)["Location"] == "/"
    data = {"login": ann.email, "password": PASSWORD}
    answer = by_query.post(reverse("account_login", query={"next": target}), data)
    assert answer["Location"] == "/"
    again = by_query.get(reverse("account_login", query={"next": target}))
    assert again["Location"] == "/account/"
    assert sign_up(Client(), "eve@example.org", next=target)["Location"] == "/"
    assert by_field.post(reverse("account_logout"), {"next": target})["Location"] == "/"


@pytest.mark.django_db
def test_b38_own_paths_still_work(cast: Cast) -> None:
    ann = with_password(cast.ann)
    assert log_in(Client(), ann.email, next="/m/abc/?cut=1")["Location"] == "/m/abc/?cut=1"


@pytest.mark.django_db
def test_b38_htmx_is_sent_to_the_log_in_and_back_to_its_own_page(cast: Cast) -> None:
    url = reverse("account_change_password")
    for current, back in (
        ("http://testserver/account/?a=1", "/account/?a=1"),
        ("https://evil.example/m/x/", "/"),
        ("//evil.example/", "/"),
    ):
        headers = {"HX-Request": "true", "HX-Current-URL": current}
        answer = Client().get(url, headers=headers)
        expected = reverse("account_login", query={"next": back})
        assert answer["HX-Redirect"] == expected
        assert answer.content == b""


# Guessing


def guess(client: Client, email: str, address: str) -> HttpResponse:
    data = {"login": email, "password": "wrong-password-1"}
    return client.post(reverse("account_login"), data, REMOTE_ADDR=address)


@pytest.mark.django_db
def test_b130_a_strangers_guesses_lock_nobody_out(cast: Cast) -> None:
    ann = with_password(cast.ann)
    told = [guess(Client(), ann.email, "203.0.113.9").content.decode() for _ in range(20)]
    assert sum("Too many wrong tries" in page for page in told) == 15
    # The guesser is stopped, also with the right password; Ann elsewhere is not.
    data = {"login": ann.email, "password": PASSWORD}
    stopped = Client().post(reverse("account_login"), data, REMOTE_ADDR="203.0.113.9")
    assert stopped.status_code == 200
    assert log_in(Client(), ann.email).status_code == 302


@pytest.mark.django_db
def test_b130_guesses_from_everywhere_are_slowed_and_a_known_browser_gets_in(cast: Cast) -> None:
    ann, phone = with_password(cast.ann), Client()
    log_in(phone, ann.email)
    phone.post(reverse("account_logout"))
    for number in range(40):
        last = guess(Client(), ann.email, f"203.0.113.{number}")
    assert "Too many wrong tries" in last.content.decode()
    assert log_in(Client(), ann.email).status_code == 200  # a new browser has to wait
    assert log_in(phone, ann.email).status_code == 302
    # Her mail is another way in, which makes the new browser known too.
    mail.outbox.clear()
    fresh = Client()
    fresh.post(reverse("account_reset_password"), {"email": ann.email})
    form = fresh.get(link_in_mail(), follow=True)
    fresh.post(form.request["PATH_INFO"], {"password1": "another-deck-31"})
    assert who_is(fresh) == ann


@pytest.mark.django_db
def test_b130_one_address_is_slowed_over_all_accounts(cast: Cast) -> None:
    ann = with_password(cast.ann)
    for number in range(20):
        guess(Client(), f"nobody{number}@example.org", "203.0.113.9")
    assert "Too many" in guess(Client(), ann.email, "203.0.113.9").content.decode()
    assert "Too many" not in guess(Client(), ann.email, "203.0.113.10").content.decode()


@pytest.mark.django_db
def test_a_known_browser_is_slowed_too(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    client.post(reverse("account_logout"))
    told = [guess(client, ann.email, f"203.0.113.{n}").content.decode() for n in range(12)]
    assert ["Too many" in page for page in told] == [False] * 10 + [True] * 2


@pytest.mark.django_db
def test_right_passwords_use_nothing_up(cast: Cast) -> None:
    ann = with_password(cast.ann)
    assert {log_in(Client(), ann.email).status_code for _ in range(12)} == {302}


@pytest.mark.django_db
def test_a_known_browser_of_another_account_or_a_forged_one_is_a_stranger(cast: Cast) -> None:
    ann, ben = with_password(cast.ann), with_password(cast.ben)
    client = Client()
    log_in(client, ben.email)
    client.post(reverse("account_logout"))
    forged = Client()
    forged.cookies["ginledger_known"] = f'["mark",[{ann.pk}]]:forged:forged'
    for browser in (client, forged):
        pages = [guess(browser, ann.email, "203.0.113.7").content.decode() for _ in range(6)]
        assert "Too many" in pages[-1]


def test_guesses_are_counted_where_every_process_sees_them() -> None:
    from django.conf import settings

    cache = settings.CACHES["default"]
    assert cache["BACKEND"].endswith("db.DatabaseCache")
    assert cache["OPTIONS"]["MAX_ENTRIES"] >= 100_000  # a full table forgets its counts


def test_the_docs_tell_how_often_one_may_try() -> None:
    from django.conf import settings

    text = (Path(__file__).resolve().parents[2] / "docs" / "accounts.md").read_text()
    told = sorted(re.findall(r"^\| (\d+) in (\d+) minutes \|", text, re.MULTILINE))
    rates = ",".join(settings.ACCOUNT_RATE_LIMITS.values())
    assert told == sorted(re.findall(r"(\d+)/(\d+)m/", rates))


@pytest.mark.django_db
def test_who_tries_too_often_is_told_so_on_a_page_of_ours() -> None:
    client = Client()
    answers = [sign_up(client, "no-address") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert "A little slower" in answers[-1].content.decode()


# Logging out


@pytest.mark.django_db
def test_b104_every_page_logs_out_by_a_form(cast: Cast, browser_of: BrowserOf) -> None:
    match = make_match(cast.ann, gin(ANN, 9))
    client = browser_of(cast.ann)
    row = match.rows.get()
    for url in (
        "/",
        "/account/",
        reverse("pad", args=[match.key]),
        reverse("sheet", args=[match.key]),
        reverse("row", args=[match.key, row.key]),
    ):
        page = client.get(url).content.decode()
        forms = re.findall(
            r'<form method="post" action="/account/logout/".*?</form>', page, re.DOTALL
        )
        assert forms, url
        assert all("csrfmiddlewaretoken" in form for form in forms)
        assert 'href="/account/logout/"' not in page


@pytest.mark.django_db
def test_b87_nothing_is_left_to_read_after_the_log_out(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    match = make_match(ann, gin(ANN, 9))
    log_in(client, ann.email)
    pages = ["/", "/account/", "/account/email/", reverse("pad", args=[match.key])]
    for url in pages:
        assert "no-store" in client.get(url)["Cache-Control"], url
    key = client.session.session_key
    answer = client.post(reverse("account_logout"))
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.cookies["ginledger_session"].value == ""
    assert not client.session.exists(key)
    for url in pages:
        assert "Ann" not in client.get(url, follow=True).content.decode(), url


@pytest.mark.django_db
def test_a_guest_is_asked_before_he_loses_everything() -> None:
    client = Client()
    match = start(client)
    answer = client.post(reverse("account_logout"))
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_delete"))
    assert client.get(reverse("pad", args=[match.key])).status_code == 200
    assert client.post(reverse("account_delete")).status_code == 422
    client.post(reverse("account_delete"), {"sure": "on"})
    assert not Match.objects.exists()
    assert not User.objects.exists()
    assert who_is(client) is None


# Name, password, address


@pytest.mark.django_db
@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_is_shown_as_it_was_typed(name: str) -> None:
    from django.utils.html import escape

    client = Client()
    sign_up(client, name=name)
    page = client.get("/account/").content.decode()
    assert page.count(escape(name)) >= 2
    assert name not in page or escape(name) == name


@pytest.mark.django_db
def test_another_name(cast: Cast, browser_of: BrowserOf) -> None:
    client = browser_of(cast.ann)
    assert client.post(reverse("account_rename"), {"name": " "}).status_code == 422
    assert client.post(reverse("account_rename"), {"name": " Anna "}).status_code == 302
    cast.ann.refresh_from_db()
    assert cast.ann.name == "Anna"


@pytest.mark.django_db
def test_another_password_logs_other_devices_out(cast: Cast) -> None:
    ann, here, there = with_password(cast.ann), Client(), Client()
    log_in(here, ann.email)
    log_in(there, ann.email)
    url = reverse("account_change_password")
    wrong = here.post(url, {"oldpassword": "wrong-password-1", "password1": "another-deck-31"})
    assert "That is not your password." in wrong.content.decode()
    assert here.post(url, {"oldpassword": PASSWORD, "password1": "another-deck-31"}).status_code
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert log_in(Client(), ann.email, "another-deck-31").status_code == 302
    assert mail.outbox[-1].to == [ann.email]


@pytest.mark.django_db
def test_a_forgotten_password_is_set_anew_once(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    answer = client.post(reverse("account_reset_password"), {"email": ann.email.upper()})
    assert answer["Location"] == reverse("account_reset_password_done")
    assert [message.to for message in mail.outbox] == [[ann.email]]
    link = link_in_mail()
    form = client.get(link, follow=True)
    where = form.request["PATH_INFO"]
    assert link != where  # the secret is not in the address of the form
    assert "too common" in client.post(where, {"password1": "password123"}).content.decode()
    assert client.post(where, {"password1": "another-deck-31"}).status_code == 302
    assert who_is(client) == ann
    assert "used up" in Client().get(link, follow=True).content.decode()


@pytest.mark.django_db
def test_whether_there_is_an_account_is_not_told_by_the_reset(cast: Cast) -> None:
    ann = with_password(cast.ann)
    answers = [
        Client().post(reverse("account_reset_password"), {"email": email}, follow=True)
        for email in (ann.email, "nobody@example.org")
    ]
    tokens = re.compile(r'value="[^"]{20,}"')
    pages = [tokens.sub("", answer.content.decode()) for answer in answers]
    assert pages[0] == pages[1]
    assert len(mail.outbox) == 1


@pytest.mark.django_db
def test_another_address_counts_when_its_owner_says_so(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    url, old = reverse("account_email"), ann.email
    wrong = client.post(url, {"email": "new@example.org", "password": "wrong-password-1"})
    assert wrong.status_code == 422
    assert not mail.outbox
    assert client.post(url, {"email": "New@example.org", "password": PASSWORD}).status_code == 302
    ann.refresh_from_db()
    assert ann.email == old
    assert [message.to for message in mail.outbox] == [["new@example.org"]]
    link = link_in_mail()
    assert "Is this your address?" in client.get(link).content.decode()
    ann.refresh_from_db()
    assert ann.email == old
    assert client.post(link).status_code == 302
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    assert log_in(Client(), "new@example.org").status_code == 302
    assert log_in(Client(), old).status_code == 200
    assert mail.outbox[-1].to == [old]  # told where somebody else would have done it
    assert "used up" in client.get(link).content.decode()


@pytest.mark.django_db
def test_an_address_of_somebody_else_is_not_taken_over(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    client.post(reverse("account_email"), {"email": cast.ben.email, "password": PASSWORD})
    link, old = link_in_mail(), ann.email
    client.post(link)
    ann.refresh_from_db()
    cast.ben.refresh_from_db()
    assert ann.email == old
    assert cast.ben.email != old
    assert "another account" in client.get("/account/").content.decode()


@pytest.mark.django_db
def test_only_one_address_waits_and_the_same_is_refused(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    url = reverse("account_email")
    same = client.post(url, {"email": ann.email, "password": PASSWORD})
    assert "your address already" in same.content.decode()
    for email in ("one@example.org", "two@example.org"):
        client.post(url, {"email": email, "password": PASSWORD})
    waiting = EmailAddress.objects.filter(user=ann, verified=False)
    assert list(waiting.values_list("email", flat=True)) == ["two@example.org"]


@pytest.mark.django_db
def test_a_guest_who_sets_a_new_password_by_mail_keeps_his_matches(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    match = start(client, "Zoe", "Yan")
    client.post(reverse("account_reset_password"), {"email": ann.email})
    form = client.get(link_in_mail(), follow=True)
    assert who_is(client) == match.created_by
    assert client.get(reverse("pad", args=[match.key])).status_code == 200
    client.post(form.request["PATH_INFO"], {"password1": "another-deck-31"})
    assert who_is(client) == ann
    assert client.get(reverse("pad", args=[match.key])).status_code == 200
    assert "logged out" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_a_guest_who_confirms_an_address_stays_who_he_is(cast: Cast) -> None:
    ann, client, browser = with_password(cast.ann), Client(), Client()
    log_in(client, ann.email)
    client.post(reverse("account_email"), {"email": "new@example.org", "password": PASSWORD})
    match = start(browser, "Zoe", "Yan")
    browser.post(link_in_mail())
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    assert browser.get(reverse("pad", args=[match.key])).status_code == 200


# Leaving


@pytest.mark.django_db
def test_b47_results_survive_the_account_under_removed_player(cast: Cast) -> None:
    ben, client = with_password(cast.ben), Client()
    match = make_match(cast.ann, gin(ANN, 9))
    player = match.seats.get(number=1).player
    player.user = ben
    player.save()
    enter_by_ben = match.rows.get()
    enter_by_ben.entered_by = ben
    enter_by_ben.save()
    before = Match.objects.filter(pk=match.pk).values("totals", "version", "hand_count").get()
    log_in(client, ben.email)
    url = reverse("account_delete")
    assert client.post(url, {"password": "wrong-password-1", "sure": "on"}).status_code == 422
    assert client.post(url, {"password": PASSWORD}).status_code == 422
    assert User.objects.filter(pk=ben.pk).exists()
    assert client.post(url, {"password": PASSWORD, "sure": "on"}).status_code == 302
    assert not User.objects.filter(pk=ben.pk).exists()
    assert not EmailAddress.objects.filter(email=ben.email).exists()
    assert who_is(client) is None
    assert log_in(Client(), ben.email).status_code == 200
    after = Match.objects.filter(pk=match.pk).values("totals", "version", "hand_count").get()
    assert after == before
    page = Client()
    page.force_login(cast.ann)
    sheet = page.get(reverse("sheet", args=[match.key])).content.decode()
    assert "Removed player" in sheet
    assert "Ben" not in sheet


@pytest.mark.django_db
def test_b112_the_last_owner_hands_over_or_closes_first(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    url = reverse("account_delete")
    page = client.get(url).content.decode()
    assert "only owner" in page
    assert 'name="password"' not in page
    answer = client.post(url, {"password": PASSWORD, "sure": "on"})
    assert answer.status_code == 422
    assert User.objects.filter(pk=ann.pk).exists()
    assert cast.club.memberships.count() == 3
    cast.club.memberships.filter(user=cast.ben).update(role=Role.OWNER)
    assert client.post(url, {"password": PASSWORD, "sure": "on"}).status_code == 302
    assert cast.club.memberships.count() == 2


@pytest.mark.django_db
def test_a_club_with_nobody_else_goes_with_the_account(cast: Cast) -> None:
    dev, client = with_password(cast.dev), Client()
    first = make_match(dev, gin(ANN, 90))
    assert first.over
    client.force_login(dev)
    client.post(reverse("rematch", args=[first.key]))
    assert Match.objects.count() == 2
    others = make_match(cast.ann, gin(ANN, 9))
    page = client.get(reverse("account_delete")).content.decode()
    assert "nobody else is in it" in page
    client.post(reverse("account_delete"), {"password": PASSWORD, "sure": "on"})
    assert list(Match.objects.all()) == [others]
    assert not User.objects.filter(pk=dev.pk).exists()


@pytest.mark.django_db
def test_two_who_leave_one_club_are_two_removed_players(cast: Cast) -> None:
    from ginledger.clubs.accounts import delete_account

    match = make_match(cast.ann, gin(ANN, 9), names=("Cleo", "Ben"))
    for number, user in ((0, cast.cleo), (1, cast.ben)):
        player = match.seats.get(number=number).player
        player.user = user
        player.save()
        delete_account(user=user)
    names = [seat.player.name for seat in match.seats.order_by("number")]
    assert names == ["Removed player", "Removed player 2"]


# Mail


@pytest.mark.django_db
def test_without_a_mail_server_the_pages_say_where_mail_goes(cast: Cast) -> None:
    ann, client = with_password(cast.ann), Client()
    log_in(client, ann.email)
    words = "written to the terminal"
    pages = [
        (Client(), "account_signup"),
        (Client(), "account_reset_password"),
        (Client(), "account_reset_password_done"),
        (client, "account_email"),
    ]
    for browser, name in pages:
        assert words not in browser.get(reverse(name)).content.decode()
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.console.EmailBackend"):
        for browser, name in pages:
            assert words in browser.get(reverse(name)).content.decode(), name


@pytest.mark.django_db
def test_a_mail_server_that_does_not_answer_stops_no_sign_up(caplog: Any) -> None:
    client = Client()
    with mock.patch("django.core.mail.message.EmailMessage.send", side_effect=ConnectionError):
        answer = sign_up(client)
    assert answer.status_code == 302
    assert who_is(client) == User.objects.get()
    assert "could not be sent" in client.get("/account/").content.decode()
    assert "A mail was not sent." in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_in_a_mail_is_text(name: str) -> None:
    sign_up(Client(), name=name)
    (message,) = mail.outbox
    assert name in message.body
    assert not getattr(message, "alternatives", [])
    assert "\n" not in message.subject


@pytest.mark.django_db
@override_settings(DEBUG=False)
def test_every_template_of_allauth_that_we_show_is_ours() -> None:
    from django.template.loader import get_template

    ours = Path(__file__).resolve().parents[2] / "templates"
    for file in (ours / "account").rglob("*"):
        if file.is_file():
            name = file.relative_to(ours).as_posix()
            assert Path(get_template(name).origin.name) == file


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["account_email", "account_change_password", "account", "account_delete"]
)
def test_strangers_are_sent_to_the_log_in_and_back(name: str) -> None:
    url = reverse(name)
    answer = Client().get(url)
    assert answer["Location"] == reverse("account_login", query={"next": url})


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["account_email", "account_change_password"])
def test_a_guest_has_no_password_or_address_to_change(cast: Cast, name: str) -> None:
    client = Client()
    client.force_login(cast.guest)
    for answer in (client.get(reverse(name)), client.post(reverse(name), {"email": "x@y.org"})):
        assert answer["Location"] == reverse("account_login", query={"next": reverse(name)})
    assert not EmailAddress.objects.exists()
