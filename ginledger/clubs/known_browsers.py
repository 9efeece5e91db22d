"""Browsers an account was in before: they are told apart from strangers who guess its password.

After a log-in the browser keeps a signed cookie with a random mark and the accounts it was in.
It opens nothing. It only lets the adapter count wrong passwords of such a browser by themselves,
so that no stranger can use up the tries of the account's owner.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

COOKIE = "ginledger_known"
SECONDS = 365 * 24 * 60 * 60
MOST_ACCOUNTS = 5
_SALT = "ginledger.known-browser"


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """mark: tells this browser from others; accounts: the ids it was logged in to, latest last."""

    mark: str
    accounts: tuple[int, ...]


def read_browser(request: HttpRequest) -> KnownBrowser:
    """What the browser's cookie says; a new mark and no accounts without a good one."""
    try:
        mark, accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=SECONDS)
        return KnownBrowser(str(mark), tuple(int(one) for one in accounts))
    except (signing.BadSignature, ValueError, TypeError):
        return KnownBrowser(secrets.token_urlsafe(12), ())


def remember_account(request: HttpRequest, response: HttpResponseBase, account: int) -> None:
    """Have the browser know that it was in this account."""
    browser = read_browser(request)
    accounts = [*(one for one in browser.accounts if one != account), account][-MOST_ACCOUNTS:]
    response.set_cookie(
        COOKIE,
        signing.dumps([browser.mark, accounts], salt=_SALT),
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
