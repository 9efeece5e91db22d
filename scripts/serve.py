"""Serve ginledger from this checkout: `make run`, or `make dev` for the reloading server.

Runs in .venv. Prepares what the first start lacks (secret key, database, static files), prints
the addresses, and turns itself into the server, so that Ctrl-C and signals reach it directly.
"""

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
# Kept for documentation (RFC 5737): no route but the default one leads there.
ELSEWHERE = ("192.0.2.1", 9)


class CannotServe(Exception):
    """Why the server cannot start, in one sentence for the person at the terminal."""


def read_port(environ: Mapping[str, str]) -> int:
    """The port in PORT, 8000 when there is none; CannotServe unless it is from 1 to 65535."""
    value = environ.get("PORT") or "8000"
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 65535):
        raise CannotServe(f"PORT={value} is not a port: give a number from 1 to 65535.")
    return int(value)


def require_free(address: str, port: int) -> None:
    """CannotServe unless the port can be bound now."""
    with socket.socket() as probe:
        # As gunicorn binds: connections of the last run that linger are no hindrance.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen()
        except PermissionError as error:
            raise CannotServe(
                f"Port {port} is for the administrator only: choose another, "
                "as in PORT=8000 make run."
            ) from error
        except OSError as error:
            raise CannotServe(
                f"Port {port} is taken by another program: stop it or choose another port, "
                f"as in PORT={port % 65535 + 1} make run."
            ) from error


def require_writable(folder: Path) -> None:
    """Make the data folder; CannotServe unless files can be made in it."""
    probe = folder / f".writable-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CannotServe(
            f"Cannot write into {folder} ({error.strerror}): make it writable, "
            "or choose another folder, as in GINLEDGER_DATA=/srv/ginledger make run."
        ) from error


def lan_address() -> str | None:
    """This machine's address on its network; None when there is no network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def own_hosts(lan: str | None) -> str:
    """The hosts under which this machine can be reached, as GINLEDGER_HOSTS takes them."""
    name = socket.gethostname().lower()
    names = [name] if "." in name else [name, f"{name}.local"]
    hosts = ["localhost", "127.0.0.1", *names, *([lan] if lan else [])]
    return ",".join(host for host in hosts if host.isascii() and "_" not in host)


def prepare() -> None:
    """Bring the database and the static files to the state of this checkout."""
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import DatabaseError

    try:
        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
    except (ImproperlyConfigured, OSError) as error:
        raise CannotServe(str(error)) from error
    except DatabaseError as error:
        from django.conf import settings

        raise CannotServe(f"The database {settings.DATABASE_FILE} answers: {error}.") from error


def announce(port: int, lan: str | None) -> None:
    """Print where the app can be opened, with a QR code for the phone on the table."""
    print(f"ginledger on this machine:  http://127.0.0.1:{port}/")
    if lan:
        import segno

        address = f"http://{lan}:{port}/"
        print(f"ginledger on this network:  {address}\n")
        if "utf" in (sys.stdout.encoding or "").lower():
            segno.make(address, micro=False).terminal(compact=True)
    print("Ctrl-C stops it.", flush=True)


def command(dev: bool, port: int) -> list[str]:
    """The server's command line."""
    if dev:
        return [sys.executable, str(ROOT / "manage.py"), "runserver", f"127.0.0.1:{port}"]
    return [
        *(sys.executable, "-m", "gunicorn", "ginledger.wsgi"),
        *("--bind", f"0.0.0.0:{port}", "--workers", "2", "--threads", "4"),
        *("--log-level", "warning", "--no-control-socket"),
    ]


def serve(dev: bool) -> NoReturn:
    """Check, prepare, announce, and become the server."""
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    os.environ["DJANGO_SETTINGS_MODULE"] = "ginledger.settings"
    port = read_port(os.environ)
    require_free("127.0.0.1" if dev else "0.0.0.0", port)  # noqa: S104 - the phone must reach it
    require_writable(Path(os.environ.get("GINLEDGER_DATA") or ROOT / "var"))
    lan = None if dev else lan_address()
    if dev:
        os.environ["GINLEDGER_DEBUG"] = "1"
    if not os.environ.get("GINLEDGER_HOSTS"):
        os.environ["GINLEDGER_HOSTS"] = own_hosts(lan)
    prepare()
    announce(port, lan)
    arguments = command(dev, port)
    os.execv(arguments[0], arguments)  # noqa: S606 - there is no shell, which is the point


if __name__ == "__main__":
    try:
        serve(dev="--dev" in sys.argv[1:])
    except CannotServe as problem:
        sys.exit(f"ginledger: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
