"""The pages of one's account: most are allauth's views, each with who may use it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.flows.manage_email import sync_user_email_address
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth import logout as forget_session
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.gin.errors import AgainstRules
from ginledger.web import login_address, own_path, private, wants_fragment

from .account_forms import ChangeEmailForm, DeleteAccountForm, RenameForm
from .accounts import add_email, delete_account, leftovers, rename_user
from .models import User

View = Callable[..., HttpResponse]


def is_account(request: HttpRequest) -> bool:
    """Whether somebody with an account is logged in; a guest has none."""
    return isinstance(request.user, User) and not request.user.is_guest


def to_login(request: HttpRequest) -> HttpResponse:
    """Send the whole page to the log-in, and back here after."""
    if not wants_fragment(request):
        return HttpResponseRedirect(login_address(request.get_full_path()))
    shown = request.htmx.current_url_abs_path or ""  # type: ignore[attr-defined]
    after = shown if own_path(shown) else reverse("start")
    return HttpResponse(status=401, headers={"HX-Redirect": login_address(after)})


def for_accounts(view: View) -> View:
    """Let people with an account through; others may log in first and come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if is_account(request) else to_login(request)

    return guarded


def for_newcomers(view: View) -> View:
    """Let strangers and guests through; who has an account is where he wanted to be."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_account(request):
            return HttpResponseRedirect(get_next_redirect_url(request) or reverse("account"))
        return view(request, *args, **kwargs)

    return guarded


login = access("public")(private(for_newcomers(allauth_views.login)))
signup = access("public")(private(for_newcomers(allauth_views.signup)))
password_change = access("account")(private(for_accounts(allauth_views.password_change)))
password_reset = access("public")(private(allauth_views.password_reset))
password_reset_done = access("public")(private(allauth_views.password_reset_done))
password_reset_from_key = access("token")(private(allauth_views.password_reset_from_key))
confirm_email = access("token")(private(allauth_views.confirm_email))
inactive = access("public")(private(allauth_views.account_inactive))


@access("user")
@private
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, one's clubs, and what can be changed."""
    if not isinstance(request.user, User):
        return to_login(request)
    return _account_page(request)


def _account_page(
    request: HttpRequest, form: RenameForm | None = None, status: int = 200
) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    memberships = user.memberships.select_related("club").order_by("joined_at", "pk")
    context = {"form": form or RenameForm(initial={"name": user.name}), "memberships": memberships}
    return render(request, "account/account.html", context, status=status)


@access("user")
@private
@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Another name for the account; a guest may have one too."""
    if not isinstance(request.user, User):
        return to_login(request)
    form = RenameForm(request.POST)
    if not form.is_valid():
        return _account_page(request, form, status=422)
    rename_user(user=request.user, name=form.cleaned_data["name"])
    messages.success(request, "Your name is changed.")
    return HttpResponseRedirect(reverse("account"))


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def logout(request: HttpRequest) -> HttpResponse:
    """Log out; a guest, who could never come back, is asked what to do with his matches."""
    if isinstance(request.user, User) and request.user.is_guest:
        return HttpResponseRedirect(reverse("account_delete"))
    response: HttpResponse = allauth_views.logout(request)
    return response


@access("account")
@private
@for_accounts
@rate_limit(action="manage_email")
@require_http_methods(["GET", "HEAD", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    """The address one logs in with: another one counts once its owner followed the link."""
    user = request.user
    assert isinstance(user, User)
    sync_user_email_address(user)
    form = ChangeEmailForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _owner(request, form):
        try:
            pending = add_email(user=user, email=form.cleaned_data["email"])
        except AgainstRules as problem:
            form.add_error("email", problem.message)
        else:
            send_verification_email_to_address(request, pending)
            return HttpResponseRedirect(reverse("account_email"))
    status = 422 if form.errors else 200
    addresses = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
    context = {"form": form, "addresses": addresses}
    return render(request, "account/email.html", context, status=status)


def _owner(request: HttpRequest, form: Any) -> bool:
    """Whether the form's password is the account's; tries are counted as at the log-in."""
    try:
        right = get_adapter(request).reauthenticate(request.user, form.cleaned_data["password"])
    except ValidationError as problem:
        form.add_error("password", problem)
        return False
    if not right:
        form.add_error("password", "That is not your password.")
    return bool(right)


@access("account")
@private
@require_POST
@for_accounts
def email_again(request: HttpRequest) -> HttpResponse:
    """Mail the link to one's unconfirmed address once more."""
    waiting = EmailAddress.objects.filter(user_id=request.user.pk, verified=False).last()
    if waiting is not None:
        send_verification_email_to_address(request, waiting)
    return HttpResponseRedirect(reverse("account_email"))


@access("user")
@private
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account: results stay with the clubs, under "removed player"."""
    user = request.user
    if not isinstance(user, User):
        return to_login(request)
    form = DeleteAccountForm(request.POST if request.method == "POST" else None)
    if user.is_guest:
        del form.fields["password"]
    if request.method == "POST" and form.is_valid() and (user.is_guest or _owner(request, form)):
        try:
            delete_account(user=user)
        except AgainstRules as problem:
            form.add_error(None, problem.message)
        else:
            forget_session(request)
            messages.success(request, "Your account is deleted.")
            return HttpResponseRedirect(reverse("start"))
    context = {"form": form, "leftovers": leftovers(user)}
    return render(request, "account/delete.html", context, status=422 if form.errors else 200)
