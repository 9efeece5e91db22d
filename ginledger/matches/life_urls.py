"""Addresses of a match's life and of the lists of matches."""

from django.urls import path

from . import life_views as views

urlpatterns = [
    path("matches/", views.matches, name="matches"),
    path("m/<slug:key>/about/", views.about, name="about"),
    path("m/<slug:key>/stop/", views.act, {"name": "stop"}, name="stop"),
    path("m/<slug:key>/reopen/", views.act, {"name": "reopen"}, name="reopen"),
    path("m/<slug:key>/swap/", views.act, {"name": "swap"}, name="swap"),
    path("m/<slug:key>/archive/", views.act, {"name": "archive"}, name="archive"),
    path("m/<slug:key>/unarchive/", views.act, {"name": "unarchive"}, name="unarchive"),
    path("m/<slug:key>/delete/", views.act, {"name": "delete"}, name="delete"),
    path("m/<slug:key>/undelete/", views.undelete, name="undelete"),
]
