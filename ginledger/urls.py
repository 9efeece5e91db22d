"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("ginledger.matches.urls")),
    path("", include("ginledger.matches.extras_urls")),
    path("", include("ginledger.matches.ink_urls")),
    path("", include("ginledger.matches.files_urls")),
    path("", include("ginledger.matches.paper_urls")),
    path("", include("ginledger.matches.life_urls")),
    path("", include("ginledger.matches.live_urls")),
    path("", include("ginledger.money.sign_urls")),
    path("", include("ginledger.clubs.club_urls")),
    path("", include("ginledger.matches.club_urls")),
    path("", include("ginledger.money.urls")),
    path("", include("ginledger.seasons.urls")),
    path("", include("ginledger.seasons.export_urls")),
    path("account/", include("ginledger.clubs.account_urls")),
    path("rules/", include("ginledger.clubs.rules_urls")),
    path("", include("ginledger.matches.check_urls")),
]
