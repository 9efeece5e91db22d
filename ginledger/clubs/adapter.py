"""What allauth does our way: guests become accounts, guessing is slowed, ``next`` stays here."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal import ratelimit
from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from ginledger.web import own_path

from .accounts import absorb_guest
from .known_browsers import read_browser, remember_account
from .models import User

logger = logging.getLogger(__name__)

_APP = "allauth.account"
NOT_SENT = "The mail could not be sent. Nothing else was lost; try again in a while."


class AccountAdapter(DefaultAccountAdapter):
    """The hooks of allauth's log-in, sign-up and mail."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_taken": _("There is an account with this address: log in instead."),
        "email_password_mismatch": _("Address and password do not belong together."),
        "too_many_login_attempts": _(
            "Too many wrong tries. Wait five minutes, or have a new password mailed to you."
        ),
        "enter_current_password": _("That is not your password."),
        "incorrect_password": _("That is not your password."),
    }

    def is_safe_url(self, url: str) -> bool:
        """Whether ``next`` may be followed: paths of this site alone."""
        return own_path(url)

    # A guest becomes an account.

    def new_user(self, request: HttpRequest) -> User:
        """The guest who signs up, so that all he has stays his; else a new user."""
        user = request.user
        return User.objects.get(pk=user.pk) if isinstance(user, User) and user.is_guest else User()

    def save_user(
        self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True
    ) -> User:
        """Store who signed up, with the name given."""
        user.name, user.is_guest = form.cleaned_data["name"], False
        saved = super().save_user(request, user, form, commit)
        assert isinstance(saved, User)
        return saved

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log in; what the guest of this browser has goes to the account first."""
        guest = request.user
        if isinstance(guest, User) and guest.is_guest and absorb_guest(guest=guest, user=user):
            messages.success(request, "What this browser held is in your account now.")
        super().login(request, user)

    def logout(self, request: HttpRequest) -> None:
        """Log an account out. A guest could not come back: a mailed link must not end him."""
        if isinstance(request.user, User) and request.user.is_guest:
            return
        super().logout(request)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Go on to where one was; this browser is no stranger from now on."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_account(request, response, user.pk)
        return response

    # Wrong passwords are counted by account and address together, so that a stranger elsewhere
    # cannot use up the owner's tries; over all addresses the account allows more of them, and a
    # browser that was in the account before is counted by itself.

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Take one try from every count it belongs to; raises when one is used up."""
        self._tries: list[Any] = []
        for action, key in self._counts(request, str(credentials.get("email", ""))):
            try_ = ratelimit.consume(request, app=_APP, action=action, key=key)
            if not try_:
                raise self.validation_error("too_many_login_attempts")
            self._tries.append(try_)

    def _counts(self, request: HttpRequest, email: str) -> list[tuple[str, str]]:
        email = email.lower()
        browser = read_browser(request)
        if browser.accounts and any(
            user.pk in browser.accounts for user in filter_users_by_email(email, for_login=True)
        ):
            return [("login_failed_known", f"{email} {browser.mark}")]
        return [
            ("login_failed", f"{email} {self.get_client_ip(request)}"),
            ("login_failed_account", email),
        ]

    def _rollback_login_failed_rl_usage(self) -> None:
        for try_ in self._tries:
            try_.rollback()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        for action, key in self._counts(request, str(credentials.get("email", ""))):
            ratelimit.clear(request, app=_APP, action=action, key=key)

    # Mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send, or say on the next page that it was not possible."""
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError):
            logger.exception("A mail was not sent.")
            self._tell_not_sent()

    def _tell_not_sent(self) -> None:
        if context.request is not None:
            messages.error(context.request, NOT_SENT)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Take a confirmed address over, unless another account has it meanwhile."""
        others = User.objects.exclude(pk=email_address.user_id)
        if others.filter(email__iexact=email_address.email).exists():
            messages.error(request, "That address belongs to another account by now.")
            return False
        confirmed: bool = super().confirm_email(request, email_address)
        return confirmed
