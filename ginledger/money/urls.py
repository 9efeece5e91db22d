"""Addresses of settlements, balances and the ledger."""

from django.urls import path

from . import match_views, views

_PLAYER = "club/<slug:key>/player/<slug:player_key>/"

urlpatterns = [
    path("m/<slug:key>/settlement/", match_views.settlement, name="settlement"),
    path("m/<slug:key>/settlement.csv", match_views.settlement_csv, name="settlement_csv"),
    path("m/<slug:key>/settlement.json", match_views.settlement_json, name="settlement_json"),
    path("m/<slug:key>/stake/", match_views.stake, name="stake"),
    path("m/<slug:key>/stake/done/", match_views.stake_done, name="stake_done"),
    path("m/<slug:key>/decide/", match_views.decide_dispute, name="decide"),
    path("club/<slug:key>/settle/", views.settle, name="settle"),
    path("club/<slug:key>/ledger/", views.ledger, name="ledger"),
    path("club/<slug:key>/ledger.csv", views.ledger_csv, name="ledger_csv"),
    path("club/<slug:key>/ledger/new/", views.ledger_record, name="ledger_record"),
    path("club/<slug:key>/entry/<slug:entry_key>/strike/", views.entry_strike, name="entry_strike"),
    path(f"{_PLAYER}statement/", views.statement, name="statement"),
    path(f"{_PLAYER}statement.csv", views.statement_csv, name="statement_csv"),
]
