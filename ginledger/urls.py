"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("ginledger.matches.urls")),
    path("rules/", include("ginledger.clubs.rules_urls")),
    path("", include("ginledger.matches.live_urls")),
]
