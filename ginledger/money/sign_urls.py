"""Addresses of the signing."""

from django.urls import path

from . import sign_views as views

urlpatterns = [
    path("m/<slug:key>/sign/<int:seat>/", views.sign, name="sign"),
    path("m/<slug:key>/sign/<int:seat>/link/", views.side_link, name="sign_link"),
    path("m/<slug:key>/sign/<int:seat>/link/end/", views.side_link_end, name="sign_link_end"),
    path("sign/<slug:token>/", views.by_link, name="sign_by_link"),
]
