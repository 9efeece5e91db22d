"""Addresses of what goes out and comes in as files."""

from django.urls import path

from . import blank_views, import_views, restore_views
from . import export_views as views

urlpatterns = [
    path("blank/", blank_views.blank, name="blank"),
    path("club/<slug:key>/export/", views.export, name="export"),
    path("club/<slug:key>/export/table/", views.export_table, name="export_table"),
    path("club/<slug:key>/backup/", views.backup, name="backup"),
    path("club/<slug:key>/import/", import_views.import_table, name="import"),
    path("club/<slug:key>/import/<slug:batch>/", import_views.import_done, name="import_done"),
    path("club/<slug:key>/import/<slug:batch>/back/", import_views.import_back, name="import_back"),
    path("restore/", restore_views.club_restore, name="club_restore"),
    path("club/<slug:key>/restored/", restore_views.club_restored, name="club_restored"),
    path(
        "club/<slug:key>/restored/back/",
        restore_views.club_restored_back,
        name="club_restored_back",
    ),
    path("m/<slug:key>/export/", views.match_table, name="match_table"),
]
