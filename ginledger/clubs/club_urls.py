"""Addresses of clubs and their members; the club's own page and its players lie in matches."""

from django.urls import path

from . import club_views as views

urlpatterns = [
    path("club/", views.clubs, name="clubs"),
    path("club/new/", views.club_new, name="club_new"),
    path("club/<slug:key>/settings/", views.club_settings, name="club_settings"),
    path("club/<slug:key>/members/", views.club_members, name="club_members"),
    path("club/<slug:key>/members/<slug:member_key>/role/", views.member_role, name="member_role"),
    path(
        "club/<slug:key>/members/<slug:member_key>/remove/",
        views.member_remove,
        name="member_remove",
    ),
    path("club/<slug:key>/leave/", views.club_leave, name="club_leave"),
    path("club/<slug:key>/close/", views.club_close, name="club_close"),
    path("club/<slug:key>/reopen/", views.club_reopen, name="club_reopen"),
    path("club/<slug:key>/invite/", views.club_invite, name="club_invite"),
    path("club/<slug:key>/invitations/<slug:invitation_key>/", views.invitation, name="invitation"),
    path(
        "club/<slug:key>/invitations/<slug:invitation_key>/revoke/",
        views.invitation_revoke,
        name="invitation_revoke",
    ),
    path("club/<slug:key>/claims/<slug:claim_key>/", views.claim_settle, name="claim_settle"),
    path("join/<str:code>/", views.join, name="join"),
]
