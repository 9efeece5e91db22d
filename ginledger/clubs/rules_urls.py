"""Addresses of the rules. A rule set is named by a preset's slug or by an own one's key."""

from django.urls import path

from . import rules_views as views

urlpatterns = [
    path("", views.rules_list, name="rules"),
    path("new/", views.rules_new, name="rules_new"),
    path("compare/", views.rules_compare, name="rules_compare"),
    path("<slug:key>/", views.rules_page, name="rules_page"),
    path("<slug:key>/edit/", views.rules_edit, name="rules_edit"),
    path("<slug:key>/archive/", views.rules_archive, name="rules_archive"),
    path("<slug:key>/restore/", views.rules_restore, name="rules_restore"),
]
