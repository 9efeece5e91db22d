"""Addresses of the live view."""

from django.urls import path

from . import live_views as views

urlpatterns = [
    path("live/<slug:token>/", views.watch, name="live"),
    path("m/<slug:key>/show/", views.show, name="live_show"),
    path("m/<slug:key>/show/end/", views.show_end, name="live_end"),
    path("club/<slug:key>/show/", views.show_club, name="live_club"),
    path("club/<slug:key>/show/end/", views.show_club_end, name="live_club_end"),
    path("robots.txt", views.robots, name="robots"),
]
