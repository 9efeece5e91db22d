"""Addresses of a club's own page and of its players."""

from django.urls import path

from . import club_views as views

_PLAYER = "club/<slug:key>/player/<slug:player_key>/"

urlpatterns = [
    path("club/<slug:key>/", views.club, name="club"),
    path("club/<slug:key>/players/", views.players, name="players"),
    path(_PLAYER, views.player, name="player"),
    path(f"{_PLAYER}rename/", views.player_rename, name="player_rename"),
    path(f"{_PLAYER}archive/", views.player_archive, name="player_archive"),
    path(f"{_PLAYER}restore/", views.player_restore, name="player_restore"),
    path(f"{_PLAYER}claim/", views.player_claim, name="player_claim"),
    path(f"{_PLAYER}unclaim/", views.player_unclaim, name="player_unclaim"),
    path(f"{_PLAYER}merge/", views.player_merge, name="player_merge"),
    path("club/<slug:key>/merges/<slug:merge_key>/undo/", views.merge_undo, name="merge_undo"),
]
