from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SeasonsConfig(AppConfig):
    name = "ginledger.seasons"
    label = "seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ginledger.matches import posters

        from . import ratings, results, totals
        from .filling import fill_after_migrating
        from .tally import check, post

        posters.register(post)
        posters.register_check(check)
        posters.register_club(totals.remake, totals.check)
        posters.register(ratings.post)
        posters.register_club(ratings.remake, ratings.check)
        posters.register(results.post)
        posters.register_check(results.check)
        post_migrate.connect(fill_after_migrating, sender=self)
