from __future__ import annotations

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "ginledger.matches"
    label = "matches"
    default_auto_field = "django.db.models.BigAutoField"
