"""`make run`: what it says when it cannot, and that it serves when it can."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from ginledger import settings
from scripts import serve

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(**variables: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **variables}


def run_serve(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/serve.py", *arguments],
        cwd=ROOT,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# The environment: scripts/venv.sh in a checkout of its own, with nothing but the tools it names.


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "venv.sh", tmp_path / "scripts")
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "base.txt").write_text("nothing==1\n")
    (tmp_path / "bin").mkdir()
    for tool in ("sh", "dirname", "cmp", "cp", "rm", "cat"):
        (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
    return tmp_path


def program(file: Path, script: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def run_venv(checkout: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "scripts/venv.sh", "base"],
        cwd=checkout,
        env={"PATH": str(checkout / "bin"), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_no_python(checkout: Path) -> None:
    done = run_venv(checkout)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ginledger: Python is missing: install Python 3.11 or later.\n"


def test_named_python_that_does_not_run(checkout: Path) -> None:
    done = run_venv(checkout, PYTHON="/nowhere/python")
    assert done.stderr == (
        "ginledger: Python is missing: install Python 3.11 or later "
        "(PYTHON=/nowhere/python does not run).\n"
    )


def test_python_too_old(checkout: Path) -> None:
    program(checkout / "bin" / "python3", 'case "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac')
    done = run_venv(checkout)
    assert done.returncode == 1
    assert done.stderr == (
        "ginledger: Python 3.9 is too old: ginledger needs Python 3.11 or later.\n"
    )


def test_old_python_before_a_good_one(checkout: Path) -> None:
    program(checkout / "bin" / "python3", 'case "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac')
    good = 'case "$2" in *print*) echo 3.12 ;; *ensurepip*) exit 1 ;; esac'
    program(checkout / "bin" / "python3.12", good)
    done = run_venv(checkout)
    assert "venv module is missing" in done.stderr
    assert "too old" not in done.stderr


def test_no_venv_module(checkout: Path) -> None:
    program(
        checkout / "bin" / "python3",
        f'case "$2" in *ensurepip*) exit 1 ;; esac\nexec {sys.executable} "$@"',
    )
    done = run_venv(checkout)
    assert done.returncode == 1
    assert done.stderr == (
        "ginledger: Python's venv module is missing: install it "
        "(on Debian and Ubuntu: apt install python3-venv).\n"
    )


def test_pins_are_installed_by_hash_and_only_once(checkout: Path) -> None:
    program(checkout / ".venv" / "bin" / "python", 'echo "$@" >>calls')
    program(checkout / "bin" / "python3", f'exec {sys.executable} "$@"')
    calls = checkout / "calls"

    assert run_venv(checkout).returncode == 0
    assert "pip install" in calls.read_text()
    assert "--require-hashes -r requirements/base.txt" in calls.read_text()

    calls.write_text("")
    assert run_venv(checkout).returncode == 0
    assert "pip" not in calls.read_text()

    (checkout / "requirements" / "base.txt").write_text("nothing==2\n")
    assert run_venv(checkout).returncode == 0
    assert "pip install" in calls.read_text()


def test_pins_that_cannot_be_installed(checkout: Path) -> None:
    program(checkout / ".venv" / "bin" / "python", 'case "$*" in *install*) exit 1 ;; esac')
    program(checkout / "bin" / "python3", f'exec {sys.executable} "$@"')
    done = run_venv(checkout)
    assert done.returncode == 1
    assert done.stderr == (
        "ginledger: could not install requirements/base.txt: see pip's message above.\n"
    )
    assert not (checkout / ".venv" / ".installed-base.txt").exists()


# The server


@pytest.mark.parametrize(("value", "port"), [(None, 8000), ("", 8000), ("1", 1), ("65535", 65535)])
def test_port(value: str | None, port: int) -> None:
    assert serve.read_port({} if value is None else {"PORT": value}) == port


@pytest.mark.parametrize("value", ["0", "65536", "-1", "80a", "8_0", " 80", "٣٣"])
def test_port_refused(value: str) -> None:
    with pytest.raises(serve.CannotServe, match="is not a port"):
        serve.read_port({"PORT": value})


def test_free_and_taken_port(taken: int) -> None:
    serve.require_free("127.0.0.1", free_port())
    with pytest.raises(serve.CannotServe, match=f"Port {taken} is taken.*PORT={taken + 1} make"):
        serve.require_free("0.0.0.0", taken)


def test_taken_port_is_one_sentence(taken: int, tmp_path: Path) -> None:
    done = run_serve(PORT=str(taken), GINLEDGER_DATA=str(tmp_path))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"ginledger: Port {taken} is taken by another program")
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")  # root may write anywhere, but not into a file
    folder = tmp_path / "file" / "data"
    done = run_serve(PORT=str(free_port()), GINLEDGER_DATA=str(folder))
    assert done.returncode == 1
    assert done.stderr.startswith(f"ginledger: Cannot write into {folder} (")
    assert len(done.stderr.splitlines()) == 1


def test_bad_setting_is_one_sentence(tmp_path: Path) -> None:
    done = run_serve(
        PORT=str(free_port()), GINLEDGER_DATA=str(tmp_path), GINLEDGER_HOSTS="http://gin.example"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("ginledger: GINLEDGER_HOSTS='http://gin.example' cannot be used")
    assert len(done.stderr.splitlines()) == 1


def test_damaged_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ginledger.sqlite3").write_text("not a database, but long enough to be read\n" * 50)
    done = run_serve(PORT=str(free_port()), GINLEDGER_DATA=str(tmp_path))
    assert done.returncode == 1
    assert f"{tmp_path}/ginledger.sqlite3 answers: file is not a database." in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("lan", [None, "192.168.1.20"])
@pytest.mark.parametrize("name", ["den", "den.home.example", "my_pc", "DEN"])
def test_own_hosts_can_be_read(monkeypatch: pytest.MonkeyPatch, lan: str | None, name: str) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    monkeypatch.setenv("GINLEDGER_HOSTS", serve.own_hosts(lan))
    hosts = settings.read_hosts("GINLEDGER_HOSTS", [])
    assert hosts[:2] == ["localhost", "127.0.0.1"]
    assert (lan in hosts) == (lan is not None)
    assert ("den.local" in hosts) == (name.lower() == "den")


def test_addresses_and_qr_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve.announce(8000, "192.168.1.20")
    shown = capsys.readouterr().out
    assert "http://127.0.0.1:8000/" in shown
    assert "http://192.168.1.20:8000/" in shown
    assert shown.count("█") > 100
    serve.announce(8000, None)
    assert "network" not in capsys.readouterr().out


def get(url: str) -> int:
    """The status of a page; keeps trying while nobody listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"nothing answers at {url}")


def stopped(server: subprocess.Popen[str]) -> tuple[str, str]:
    """What a server printed until Ctrl-C stopped it, which a terminal sends to the whole group."""
    os.killpg(server.pid, signal.SIGINT)
    try:
        return server.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.communicate()
        pytest.fail("Ctrl-C does not stop it")


def heed_interrupts() -> None:
    """Be stopped by Ctrl-C, also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("mode", ["run", "dev"])
def test_serves_and_stops_cleanly(tmp_path: Path, mode: str) -> None:
    port = free_port()
    arguments = ["--dev"] if mode == "dev" else []
    server = subprocess.Popen(
        [sys.executable, "scripts/serve.py", *arguments],
        cwd=ROOT,
        env=environment(PORT=str(port), GINLEDGER_DATA=str(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )
    try:
        assert get(f"http://127.0.0.1:{port}/") == 200
        assert get(f"http://127.0.0.1:{port}/no-such-page") == 404
        assert get(f"http://127.0.0.1:{port}/static/css/base.css") == 200
    finally:
        shown, said = stopped(server)
    assert server.returncode == 0, said
    assert f"http://127.0.0.1:{port}/" in shown
    assert "Traceback" not in said
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    serve.require_free("127.0.0.1", port)
