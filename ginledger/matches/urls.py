"""Addresses of matches. Keys are unguessable and url-safe."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.start, name="start"),
    path("m/<slug:key>/", views.pad, name="pad"),
    path("m/<slug:key>/now/", views.pad_now, name="pad_now"),
    path("m/<slug:key>/enter/", views.enter, name="enter"),
    path("m/<slug:key>/preview/", views.preview, name="preview"),
    path("m/<slug:key>/undo/", views.undo, name="undo"),
    path("m/<slug:key>/redo/", views.redo, name="redo"),
    path("m/<slug:key>/rematch/", views.rematch, name="rematch"),
    path("m/<slug:key>/sheet/", views.sheet, name="sheet"),
    path("m/<slug:key>/row/<slug:row_key>/", views.row, name="row"),
    path("m/<slug:key>/row/<slug:row_key>/preview/", views.row_preview, name="row_preview"),
    path("m/<slug:key>/row/<slug:row_key>/void/", views.row_void, name="row_void"),
    path("m/<slug:key>/row/<slug:row_key>/restore/", views.row_restore, name="row_restore"),
]
