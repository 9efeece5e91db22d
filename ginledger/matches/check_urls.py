"""Addresses of the card check."""

from django.urls import path

from . import check_views as views

urlpatterns = [
    path("judge/", views.judge, name="judge"),
    path("m/<slug:key>/cards/", views.cards, name="cards"),
    path("m/<slug:key>/row/<slug:row_key>/cards/", views.row_cards, name="row_cards"),
]
