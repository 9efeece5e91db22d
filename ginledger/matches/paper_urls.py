"""The address of the form for a whole paper sheet."""

from django.urls import path

from . import paper_views as views

urlpatterns = [
    path("m/<slug:key>/paper/", views.paper, name="paper"),
]
