"""Addresses of the ink: rows in between, adjustments, dealers, and the history of a match."""

from django.urls import path

from . import ink_views as views

urlpatterns = [
    path("m/<slug:key>/adjust/", views.adjust, name="adjust"),
    path("m/<slug:key>/adjust/preview/", views.adjust_preview, name="adjust_preview"),
    path("m/<slug:key>/history/", views.history, name="history"),
    path("m/<slug:key>/row/<slug:row_key>/insert/", views.insert, name="insert"),
    path(
        "m/<slug:key>/row/<slug:row_key>/insert/preview/",
        views.insert_preview,
        name="insert_preview",
    ),
    path("m/<slug:key>/row/<slug:row_key>/adjustment/", views.row_adjust, name="row_adjust"),
    path(
        "m/<slug:key>/row/<slug:row_key>/adjustment/preview/",
        views.row_adjust_preview,
        name="row_adjust_preview",
    ),
    path("m/<slug:key>/row/<slug:row_key>/dealer/", views.dealer, name="dealer"),
]
