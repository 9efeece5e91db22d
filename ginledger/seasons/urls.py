"""Addresses of seasons."""

from django.urls import path

from . import played_views, race_views, rating_views, season_views, statistics_views, views

urlpatterns = [
    path("demo/", views.demo, name="demo"),
    path("m/<str:key>/race/", race_views.race, name="race"),
    path("club/<str:key>/season/", season_views.now, name="season_now"),
    path("club/<str:key>/season/<str:period>/", season_views.season, name="season"),
    path(
        "club/<str:key>/season/<str:period>/statistics/",
        statistics_views.statistics_page,
        name="statistics",
    ),
    path("club/<str:key>/season/<str:period>/matches/", played_views.played, name="played"),
    path("club/<str:key>/season/<str:period>/ratings/", rating_views.rating_page, name="ratings"),
    path("club/<str:key>/seasons/", season_views.season_list, name="season_list"),
    path("club/<str:key>/seasons/<str:season_key>/", season_views.season_edit, name="season_edit"),
]
