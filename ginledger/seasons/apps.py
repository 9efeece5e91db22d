from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    name = "ginledger.seasons"
    label = "seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ginledger.matches import posters

        from . import ratings, totals
        from .tally import check, post

        posters.register(post)
        posters.register_check(check)
        posters.register_club(totals.remake, totals.check)
        posters.register(ratings.post)
        posters.register_club(ratings.remake, ratings.check)
