"""The secret of a link is in no line of a log."""

from __future__ import annotations

import io
import logging

import pytest
from django.conf import settings
from django.test import Client

from ginledger.logs import MaskSecrets, mask

TOKEN = "dGhpcy1pcy1hLXRva2Vu"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"Not Found: /live/{TOKEN}/", "Not Found: /live/…/"),
        (f"GET /live/{TOKEN} HTTP/1.1", "GET /live/… HTTP/1.1"),
        (f"/sign/{TOKEN}/?x=1 and /live/{TOKEN}/", "/sign/…/?x=1 and /live/…/"),
        (f"/m/{TOKEN}/", f"/m/{TOKEN}/"),
        (f"/join/{TOKEN}.{TOKEN}/", "/join/…/"),
        (f"/account/login/?next=%2Fjoin%2F{TOKEN}%2F", "/account/login/?next=%2Fjoin%2F…%2F"),
        (f"/account/password/reset/1-{TOKEN}/", "/account/password/reset/…/"),
        (f"/account/email/confirm/Mg:1x:{TOKEN}/", "/account/email/confirm/…/"),
        ("/account/password/reset/sent/", "/account/password/reset/sent/"),
    ],
)
def test_secrets_are_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


def test_message_arguments_and_traceback_are_masked() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(MaskSecrets())
    logger = logging.getLogger("test.masked")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        raise ValueError(f"at /live/{TOKEN}/")
    except ValueError:
        logger.exception("%s: /sign/%s/ 100%%", "Error", TOKEN)
    text = stream.getvalue()
    assert "Error: /sign/…/ 100%" in text
    assert "ValueError: at /live/…/" in text
    assert TOKEN not in text


def test_what_django_says_of_a_request_is_masked(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the handler of the settings, as it stands in the running process."""
    stream = io.StringIO()
    (handler,) = (
        one
        for one in logging.getLogger().handlers
        if any(isinstance(kept, MaskSecrets) for kept in one.filters)
    )
    assert isinstance(handler, logging.StreamHandler)
    monkeypatch.setattr(handler, "stream", stream)
    assert client.get(f"/live/{TOKEN}/").status_code == 404
    assert client.post(f"/live/{TOKEN}/").status_code == 405
    assert "Not Found: /live/…/" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_every_handler_of_ours_masks() -> None:
    for handler in settings.LOGGING["handlers"].values():
        assert "secrets" in handler["filters"]


def test_gunicorn_is_masked_too() -> None:
    import ginledger.wsgi  # noqa: F401

    for name in ("gunicorn.error", "gunicorn.access"):
        assert any(isinstance(one, MaskSecrets) for one in logging.getLogger(name).filters)
