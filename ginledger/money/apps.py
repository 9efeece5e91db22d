from __future__ import annotations

from django.apps import AppConfig


class MoneyConfig(AppConfig):
    name = "ginledger.money"
    label = "money"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ginledger.clubs.signals import club_changing
        from ginledger.matches import panels, posters

        from . import match_page, signing, sums
        from .ledger import keep_a_currency
        from .posting import check, post
        from .sign_views import panel

        club_changing.connect(keep_a_currency)
        posters.register(post)
        posters.register_check(check)
        posters.register(signing.post)
        posters.register_check(signing.check)
        posters.register_club(sums.remake, sums.check)
        panels.register(panels.Panel(match_page.panel, lambda _match_id: ""))
        panels.register(panels.Panel(panel, signing.signing_state))
