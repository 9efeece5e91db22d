from __future__ import annotations

from django.apps import AppConfig


class MoneyConfig(AppConfig):
    name = "ginledger.money"
    label = "money"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ginledger.matches import posters

        from .posting import post

        posters.register(post)
