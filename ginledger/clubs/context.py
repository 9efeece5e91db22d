"""What every template may ask."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def mail(_request: HttpRequest) -> dict[str, bool]:
    """``mail_in_terminal``: whether mail is written to the terminal instead of being sent."""
    return {"mail_in_terminal": settings.EMAIL_BACKEND.endswith("console.EmailBackend")}
