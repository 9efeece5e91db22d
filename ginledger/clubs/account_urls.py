"""Addresses of the account; allauth finds its own by these names."""

from django.urls import path, re_path

from . import account_views as views

urlpatterns = [
    path("", views.account, name="account"),
    path("login/", views.login, name="account_login"),
    path("signup/", views.signup, name="account_signup"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.inactive, name="account_inactive"),
    path("name/", views.rename, name="account_rename"),
    path("email/", views.email, name="account_email"),
    path("email/again/", views.email_again, name="account_email_again"),
    path("email/confirm/<str:key>/", views.confirm_email, name="account_confirm_email"),
    path("password/", views.password_change, name="account_change_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/sent/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("delete/", views.delete, name="account_delete"),
]
