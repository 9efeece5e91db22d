"""Addresses of the pages beside the pad."""

from django.urls import path

from . import extras_views as views

urlpatterns = [
    path("agreed/", views.start_agreed, name="start_agreed"),
    path("m/<slug:key>/agreed/", views.agreed, name="agreed"),
    path("m/<slug:key>/count/", views.count, name="count"),
    path("m/<slug:key>/under/", views.under, name="under"),
]
