"""Settings: each reader with good and bad values, what production gets, and the page of docs."""

import ast
import json
import os
import re
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.test import Client

from ginledger import settings as ours

ROOT = Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "settings.md"
LONG = "k3y-" * 20


def manage(python: str, data: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess:
    """Run manage.py in an environment of its own."""
    return subprocess.run(
        [python, "manage.py", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "GINLEDGER_DATA": str(data), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("", False)])
def test_switch(monkeypatch: pytest.MonkeyPatch, value: str, on: bool) -> None:
    monkeypatch.setenv("GINLEDGER_DEBUG", value)
    assert ours.read_switch("GINLEDGER_DEBUG") is on


@pytest.mark.parametrize("value", ["yes", "true", "01", " 1"])
def test_switch_refuses(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GINLEDGER_HTTPS", value)
    with pytest.raises(ImproperlyConfigured) as caught:
        ours.read_switch("GINLEDGER_HTTPS")
    assert str(caught.value) == (
        f"GINLEDGER_HTTPS={value!r} cannot be used: set it to 1 (on) or 0 (off)."
    )


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        ("", ["localhost"]),
        (" , ", ["localhost"]),
        ("gin.example.org", ["gin.example.org"]),
        ("a, .b.example,10.0.0.2,[::1]", ["a", ".b.example", "10.0.0.2", "[::1]"]),
    ],
)
def test_hosts(monkeypatch: pytest.MonkeyPatch, value: str, hosts: list[str]) -> None:
    monkeypatch.setenv("GINLEDGER_HOSTS", value)
    assert ours.read_hosts("GINLEDGER_HOSTS", ["localhost"]) == hosts


@pytest.mark.parametrize("host", ["*", "https://a.example", "a.example:8000", "a/b", "a b"])
def test_hosts_refuse(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("GINLEDGER_HOSTS", f"good.example,{host}")
    with pytest.raises(ImproperlyConfigured, match=f"GINLEDGER_HOSTS.*{re.escape(repr(host))}"):
        ours.read_hosts("GINLEDGER_HOSTS", [])


def test_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GINLEDGER_DATA", raising=False)
    assert ours.read_folder("GINLEDGER_DATA", tmp_path) == tmp_path
    monkeypatch.setenv("GINLEDGER_DATA", "/srv/ginledger")
    assert ours.read_folder("GINLEDGER_DATA", tmp_path) == Path("/srv/ginledger")
    monkeypatch.setenv("GINLEDGER_DATA", "data")
    with pytest.raises(ImproperlyConfigured, match=r"GINLEDGER_DATA='data'.*absolute path"):
        ours.read_folder("GINLEDGER_DATA", tmp_path)


@pytest.mark.parametrize(
    ("value", "file"),
    [
        ("", Path("/default")),
        ("sqlite:////srv/gin.sqlite3", Path("/srv/gin.sqlite3")),
        ("sqlite:////srv/my%20gin.sqlite3", Path("/srv/my gin.sqlite3")),
        ("sqlite:///kept/gin.sqlite3", ROOT / "kept" / "gin.sqlite3"),
    ],
)
def test_database(monkeypatch: pytest.MonkeyPatch, value: str, file: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", value)
    assert ours.read_database("DATABASE_URL", Path("/default")) == file


@pytest.mark.parametrize(
    "value",
    ["mysql://u:hush@h/d", "/srv/gin.sqlite3", "sqlite://gin", "sqlite:///", "sqlite:///:memory:"],
)
def test_database_refuses(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DATABASE_URL", value)
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL.*sqlite:////absolute") as caught:
        ours.read_database("DATABASE_URL", Path("/default"))
    assert "hush" not in str(caught.value)


def test_postgres_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:hush@db/gin")
    with pytest.raises(ImproperlyConfigured, match=r"PostgreSQL.*not support yet") as caught:
        ours.read_database("DATABASE_URL", Path("/default"))
    assert "hush" not in str(caught.value)


def test_secret_key_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GINLEDGER_SECRET_KEY", raising=False)
    file = tmp_path / "new" / "secret_key"
    key = ours.read_secret_key("GINLEDGER_SECRET_KEY", file)
    assert len(key) >= 50
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert ours.read_secret_key("GINLEDGER_SECRET_KEY", file) == key
    ours.make_secret_key(file)  # as a process would that looked before the file was there
    assert ours.read_secret_key("GINLEDGER_SECRET_KEY", file) == key
    assert [path.name for path in file.parent.iterdir()] == ["secret_key"]


def test_secret_key_from_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GINLEDGER_SECRET_KEY", LONG)
    assert ours.read_secret_key("GINLEDGER_SECRET_KEY", tmp_path / "secret_key") == LONG
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("GINLEDGER_SECRET_KEY", "hush")
    with pytest.raises(ImproperlyConfigured, match=r"4 characters.*at least 50") as caught:
        ours.read_secret_key("GINLEDGER_SECRET_KEY", tmp_path / "secret_key")
    assert "hush" not in str(caught.value)


def test_secret_key_file_that_cannot_serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GINLEDGER_SECRET_KEY", raising=False)
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"delete it"):
        ours.read_secret_key("GINLEDGER_SECRET_KEY", tmp_path / "secret_key")
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"GINLEDGER_DATA"):
        ours.read_secret_key("GINLEDGER_SECRET_KEY", tmp_path / "file" / "secret_key")


@pytest.mark.django_db(transaction=True)
def test_sqlite_is_set_for_a_ledger() -> None:
    with connection.cursor() as cursor:
        pragmas = {}
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
            cursor.execute(f"PRAGMA {name}")
            pragmas[name] = cursor.fetchone()[0]
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "busy_timeout": 30_000,
    }


@pytest.mark.django_db(transaction=True)
def test_a_transaction_takes_the_lock_at_its_start() -> None:
    other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0, isolation_level=None)
    try:
        with transaction.atomic():
            connection.ensure_connection()
            with pytest.raises(sqlite3.OperationalError, match=r"locked"):
                other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    finally:
        other.close()


@pytest.mark.django_db
def test_headers_of_every_page(client: Client) -> None:
    headers = client.get("/no-such-page").headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    }
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_deployment_checks_are_clean(python: str, tmp_path: Path) -> None:
    done = manage(
        *(python, tmp_path, "check", "--deploy", "--fail-level", "WARNING"),
        GINLEDGER_HTTPS="1",
        GINLEDGER_HOSTS="gin.example.org",
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_https_is_demanded(python: str, tmp_path: Path) -> None:
    code = (
        "import json; from django.test import Client; from django.conf import settings as s\n"
        "plain = Client(headers={'host': 'gin.example.org'}).get('/no-such-page')\n"
        "safe = Client(headers={'host': 'gin.example.org', 'x-forwarded-proto': 'https'})"
        ".get('/no-such-page')\n"
        "print(json.dumps([plain.status_code, plain.headers['Location'], safe.status_code,"
        " safe.headers['Strict-Transport-Security'],"
        " s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.DEBUG]))"
    )
    environ = {"GINLEDGER_HTTPS": "1", "GINLEDGER_HOSTS": "gin.example.org"}
    assert manage(python, tmp_path, "collectstatic", "--noinput", **environ).returncode == 0
    assert manage(python, tmp_path, "migrate", **environ).returncode == 0
    done = manage(python, tmp_path, "shell", "--no-imports", "-c", code, **environ)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        *(301, "https://gin.example.org/no-such-page", 404, "max-age=31536000"),
        *(True, True, False),
    ]


def test_a_bad_value_stops_every_command(python: str, tmp_path: Path) -> None:
    done = manage(python, tmp_path, "check", GINLEDGER_DEBUG="on")
    assert done.returncode != 0
    assert "GINLEDGER_DEBUG='on' cannot be used" in done.stderr


def variables_read(file: Path) -> set[str]:
    """Names of environment variables in a Python file: the readers' and environ's arguments."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func)
            if called.startswith("read_") or called.endswith("environ.get"):
                found.add(node.args[0].value)
    return found


def test_the_docs_list_exactly_the_variables_there_are() -> None:
    files = ["ginledger/settings.py", "scripts/serve.py", "tests/conftest.py"]
    there_are = set().union(*(variables_read(ROOT / file) for file in files))
    there_are |= set(re.findall(r"\$\{([A-Z_]+):", (ROOT / "scripts/venv.sh").read_text()))
    documented = re.findall(r"^\| `([A-Z_]+)` \|", DOC.read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(there_are)


def test_settings_alone_read_the_environment() -> None:
    reading = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "ginledger").rglob("*.py")
        if re.search(r"\b(environ|getenv)\b", file.read_text())
    }
    assert reading == {"ginledger/settings.py", "ginledger/wsgi.py"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("smtps://ann:pass%40word@mail.example.org", ("mail.example.org", 465, True, False)),
        (
            "smtp+starttls://ann:pass%40word@mail.example.org",
            ("mail.example.org", 587, False, True),
        ),
        ("smtps://ann:pass%40word@mail.example.org:2465/", ("mail.example.org", 2465, True, False)),
        ("smtp://ann:pass%40word@localhost", ("localhost", 25, False, False)),
    ],
)
def test_mail_server(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: tuple[str, int, bool, bool]
) -> None:
    monkeypatch.setenv("GINLEDGER_EMAIL_URL", value)
    read = ours.read_mail_server("GINLEDGER_EMAIL_URL")
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_USE_SSL", "EMAIL_USE_TLS")
    assert tuple(read[name] for name in names) == expected
    assert (read["EMAIL_HOST_USER"], read["EMAIL_HOST_PASSWORD"]) == ("ann", "pass@word")
    assert read["EMAIL_BACKEND"].endswith("smtp.EmailBackend")


def test_no_mail_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GINLEDGER_EMAIL_URL", raising=False)
    assert ours.read_mail_server("GINLEDGER_EMAIL_URL") == {}


@pytest.mark.parametrize(
    "value",
    [
        "mail.example.org",
        "https://ann:hush@mail.example.org",
        "smtps://ann:hush@",
        "smtps://ann:hush@mail.example.org:port",
        "smtps://ann:hush@mail.example.org/path",
        "smtp://ann:hush@mail.example.org",
    ],
)
def test_mail_server_refuses(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GINLEDGER_EMAIL_URL", value)
    with pytest.raises(ImproperlyConfigured, match=r"GINLEDGER_EMAIL_URL.*smtps://") as caught:
        ours.read_mail_server("GINLEDGER_EMAIL_URL")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("", True),
        ("gin@example.org", True),
        ("Gin ledger <gin@example.org>", True),
        ("Gin ledger", False),
        ("gin@example.org\nBcc: all@example.org", False),
    ],
)
def test_sender(monkeypatch: pytest.MonkeyPatch, value: str, right: bool) -> None:
    monkeypatch.setenv("GINLEDGER_EMAIL_FROM", value)
    if right:
        read = ours.read_sender("GINLEDGER_EMAIL_FROM", "ginledger@localhost")
        assert read == (value or "ginledger@localhost")
        return
    with pytest.raises(ImproperlyConfigured, match=r"GINLEDGER_EMAIL_FROM.*Gin ledger <gin@"):
        ours.read_sender("GINLEDGER_EMAIL_FROM", "ginledger@localhost")
