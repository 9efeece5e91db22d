"""allauth's forms with our words; the templates draw them field by field."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseRedirect

from ginledger.gin.errors import AgainstRules

from .names import clean_name


class NameField(forms.CharField):
    """A name as ``clean_name`` takes it, with its problem beside the field."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            **{"label": "Name", "strip": False, "required": False, **kwargs},
            widget=forms.TextInput(
                attrs={"maxlength": "60", "dir": "auto", "autocomplete": "name"}
            ),
        )

    def clean(self, value: Any) -> str:
        try:
            return clean_name(super().clean(value) or "")
        except AgainstRules as problem:
            raise ValidationError(problem.message) from problem


def _relabel(form: forms.Form, **labels: str) -> None:
    for name, label in labels.items():
        field = form.fields[name]
        field.label, field.help_text = label, ""
        field.widget.attrs.pop("placeholder", None)


class LoginForm(allauth_forms.LoginForm):
    """Address and password; staying logged in is what a score keeper's phone wants."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _relabel(self, login="E-mail", password="Password", remember="Stay logged in here")  # noqa: S106
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["remember"].initial = True


class SignupForm(allauth_forms.SignupForm):
    """Name, address, password."""

    name = NameField()
    field_order = ("name", "email", "password1")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _relabel(self, email="E-mail", password1="Password")
        self.fields["password1"].help_text = "At least 8 characters, nothing that is easy to guess."

    def try_save(self, request: HttpRequest) -> Any:
        """Two who take the same address at the same moment: the second is asked again."""
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            return None, HttpResponseRedirect(request.get_full_path())


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """The address that a link to a new password is mailed to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _relabel(self, email="E-mail")


class _OnePassword:
    """A new password is typed once."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"].label = "New password"
        self.fields["password1"].help_text = "At least 8 characters, nothing that is easy to guess."
        self.fields["password1"].widget.attrs.pop("placeholder", None)


class NewPasswordForm(_OnePassword, allauth_forms.ResetPasswordKeyForm):
    """The new password behind a mailed link."""


class ChangePasswordForm(_OnePassword, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _relabel(self, oldpassword="Present password")


class ChangeEmailForm(forms.Form):
    """A new address, and the password to show that it is the owner who changes it."""

    email = forms.EmailField(label="New e-mail", max_length=254)
    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class DeleteAccountForm(forms.Form):
    """The password of an account (a guest has none), and a word that it is meant."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(
        label="Delete it for good",
        error_messages={"required": "Tick this to show that you mean it."},
    )


class RenameForm(forms.Form):
    """The name of an account."""

    name = NameField(label="Your name")
