"""Settings. Everything a deployment may choose is an environment variable, read by one of the
small readers below; a bad value stops the start with a sentence that says what would be right.
docs/settings.md lists them all (a test keeps it so).
"""

import os
import re
import secrets
import tempfile
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

HOST = re.compile(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\]", re.IGNORECASE)


def bad(name: str, value: str, right: str) -> ImproperlyConfigured:
    """The error for a variable: names it, shows what it holds and says what is right."""
    return ImproperlyConfigured(f"{name}={value!r} cannot be used: {right}")


def read_switch(name: str) -> bool:
    """True for 1, false for 0 or nothing; ImproperlyConfigured for anything else."""
    value = os.environ.get(name, "")
    if value not in ("", "0", "1"):
        raise bad(name, value, "set it to 1 (on) or 0 (off).")
    return value == "1"


def read_hosts(name: str, default: list[str]) -> list[str]:
    """Host names from a list with commas; a leading dot takes the subdomains in."""
    value = os.environ.get(name, "")
    hosts = [host.strip() for host in value.split(",") if host.strip()]
    for host in hosts:
        if not HOST.fullmatch(host):
            raise bad(
                name,
                value,
                f"{host!r} is not a host name. Give names or addresses with commas between them, "
                "without scheme, port or path, as in gin.example.org,192.168.1.20.",
            )
    return hosts or default


def read_folder(name: str, default: Path) -> Path:
    """An absolute folder; it need not exist yet."""
    value = os.environ.get(name, "")
    folder = Path(value) if value else default
    if not folder.is_absolute():
        raise bad(name, value, "give the folder's absolute path, as in /srv/ginledger.")
    return folder


def read_database(name: str, default: Path) -> Path:
    """The file of a sqlite:/// address; a relative path starts at the project's folder."""
    value = os.environ.get(name, "")
    if not value:
        return default
    url = urlsplit(value)
    if url.scheme in ("postgres", "postgresql", "psql", "pgsql"):
        raise ImproperlyConfigured(
            f"{name} names a PostgreSQL database, which ginledger does not support yet: "
            "use sqlite:////absolute/path/to/file.sqlite3."
        )
    path = unquote(url.path.removeprefix("/"))
    if url.scheme != "sqlite" or url.netloc or not path or path == ":memory:":
        # Not echoed: an address may carry a password.
        raise ImproperlyConfigured(
            f"{name} cannot be used: it takes sqlite:////absolute/path/to/file.sqlite3 "
            "(four slashes) or sqlite:///path/from/the/project."
        )
    return BASE_DIR / path


def read_secret_key(name: str, file: Path) -> str:
    """The key in the variable, else the one in `file`, which is made (mode 0600) at first use."""
    value = os.environ.get(name, "")
    if value:
        if len(value) < 50:
            raise ImproperlyConfigured(
                f"{name} has {len(value)} characters, which is too short to be secret: "
                "give at least 50 random ones."
            )
        return value
    try:
        if not file.exists():
            make_secret_key(file)
        key = file.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key cannot be kept in {file} ({error.strerror}): make that folder "
            f"writable, choose another with GINLEDGER_DATA, or set {name}."
        ) from error
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"{file} does not hold a whole secret key: delete it and a new one will be made "
            "(everyone has to log in again)."
        )
    return key


def make_secret_key(file: Path) -> None:
    """Write a new key to `file`. Of two processes that start at once, the first one's stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=".secret_key")  # mode 0600
    try:
        with os.fdopen(descriptor, "w") as out:
            out.write(secrets.token_urlsafe(64))
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()


# How a mail server is spoken to: the port it usually has, TLS from the start, TLS after a word.
MAIL_SCHEMES = {
    "smtps": (465, True, False),
    "smtp+starttls": (587, False, True),
    "smtp": (25, False, False),
}


def read_mail_server(name: str) -> dict[str, Any]:
    """The EMAIL_ settings for an address such as smtps://user:password@host; none without one."""
    value = os.environ.get(name, "")
    if not value:
        return {}
    right = (
        f"{name} cannot be used: it takes smtps://user:password@mail.example.org, "
        "smtp+starttls://… or, on this machine alone, smtp://localhost:25. "
        "Characters other than letters and digits in user and password are written as %40."
    )  # Not echoed: it carries a password.
    try:
        url = urlsplit(value)
        host, port = url.hostname or "", url.port
    except ValueError as error:
        raise ImproperlyConfigured(right) from error
    if url.scheme not in MAIL_SCHEMES or not HOST.fullmatch(host) or url.path not in ("", "/"):
        raise ImproperlyConfigured(right)
    usual, tls, starttls = MAIL_SCHEMES[url.scheme]
    if url.scheme == "smtp" and host not in ("localhost", "127.0.0.1") and url.password:
        raise ImproperlyConfigured(
            f"{name} would send a password in the clear: use smtps:// or smtp+starttls://."
        )
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or usual,
        "EMAIL_USE_SSL": tls,
        "EMAIL_USE_TLS": starttls,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
    }


def read_sender(name: str, default: str) -> str:
    """An address that mail comes from: name@example.org or Name <name@example.org>."""
    value = os.environ.get(name, "")
    if not value:
        return default
    address = parseaddr(value)[1]
    if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", address) or "\n" in value:
        raise bad(name, value, "give an address, as in Gin ledger <gin@example.org>.")
    return value


# What a deployment chooses

DEBUG = read_switch("GINLEDGER_DEBUG")
HTTPS = read_switch("GINLEDGER_HTTPS")
DATA_DIR = read_folder("GINLEDGER_DATA", BASE_DIR / "var")
DATABASE_FILE = read_database("DATABASE_URL", DATA_DIR / "ginledger.sqlite3")
SECRET_KEY = read_secret_key("GINLEDGER_SECRET_KEY", DATA_DIR / "secret_key")
ALLOWED_HOSTS = read_hosts("GINLEDGER_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
MAIL_SERVER = read_mail_server("GINLEDGER_EMAIL_URL")
DEFAULT_FROM_EMAIL = read_sender("GINLEDGER_EMAIL_FROM", "ginledger@localhost")

# The application

INSTALLED_APPS = [
    "ginledger.clubs",
    "ginledger.matches",
    "ginledger.money",
    "ginledger.seasons",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "django_htmx",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ginledger.limits.LimitBody",
    "ginledger.busy.SayBusy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "ginledger.urls"
WSGI_APPLICATION = "ginledger.wsgi.application"
AUTH_USER_MODEL = "clubs.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ginledger.clubs.context.mail",
            ],
        },
    },
]

# Accounts: people are known by their address; whoever has none is a guest of one browser.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "start"
ACCOUNT_ADAPTER = "ginledger.clubs.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "ginledger.clubs.account_forms.LoginForm",
    "signup": "ginledger.clubs.account_forms.SignupForm",
    "reset_password": "ginledger.clubs.account_forms.ResetPasswordForm",
    "reset_password_from_key": "ginledger.clubs.account_forms.NewPasswordForm",
    "change_password": "ginledger.clubs.account_forms.ChangePasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# A guest is logged in as far as allauth can tell, and must reach log-in and sign-up all the same.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
# How often one may try, by address (ip), account (user) or what the adapter takes as the key.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "20/5m/ip,5/5m/key",  # key: the account from this address
    "login_failed_account": "30/15m/key",  # key: the account from wherever it is not known
    "login_failed_known": "10/5m/key",  # key: the account in a browser that was in it before
}
# The proxy that speaks HTTPS for us appends the address it heard from.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
USE_THOUSAND_SEPARATOR = False  # ids and points go into addresses and fields as digits

# SQLite: one writer at a time, who takes the lock at the start (IMMEDIATE) and so never finds
# out half-way; readers are not held up (WAL); a hand that was answered is on the disk (FULL).
# Foreign keys are always on under Django.
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATABASE_FILE,
        "OPTIONS": {
            # Seconds to wait for the writer before: an import of 500 matches takes some twenty.
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
        },
    },
}

# Counts how often a password was tried, for every process alike: so it lies in the database.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "ginledger_cache",
        # Far more than anybody guesses in a while: a full table would forget the counts.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}

# Mail: without a server it is written to the terminal, and the pages that send one say so.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
EMAIL_TIMEOUT = 10  # seconds
globals().update(MAIL_SERVER)

# Static files: hashed names, compressed beside the original, served by whitenoise.
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Sessions: a guest's browser is the only key to its matches, so it is kept for a year.
SESSION_COOKIE_NAME = "ginledger_session"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "ginledger_csrf"
CSRF_COOKIE_HTTPONLY = True  # pages carry the token in their forms
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "ginledger.web.csrf_failure"

# Security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # HSTS speaks for this host only: what else lives under the domain is not ours to decide.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Requests: the largest is a match file, far below a mebibyte.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 5000  # so that a page can say how many it takes

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "filters": {"secrets": {"()": "ginledger.logs.MaskSecrets"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["secrets"],
        },
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "ginledger": {"level": "INFO"},
        # Django's own handlers would mail the administrators, of whom there are none.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # The lines of `make dev`, which Django would write past our handler.
        "django.server": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
