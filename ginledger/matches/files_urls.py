"""Addresses of matches as files."""

from django.urls import path

from . import files_views as views

urlpatterns = [
    path("matches/upload/", views.upload, name="upload"),
    path("m/<slug:key>/file/", views.match_file, name="match_file"),
]
