"""What was uploaded waits on the disk between a look and the word to store it.

It lies in the data folder under an unguessable name that only the account that brought it is
asked for, and goes when it is stored, when the same account brings more, or after a day.
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from ginledger.clubs.models import User
from ginledger.gin.errors import Unreadable

MOST_BYTES = 5_000_000
MOST_FILES = 50
KEPT_FOR = 24 * 60 * 60  # seconds
KEPT_EACH = 3
LONGEST_NAME = 80
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


class Upload(NamedTuple):
    """A file as it was chosen."""

    name: str
    data: bytes


def read_uploads(files: Iterable[UploadedFile]) -> list[Upload]:
    """The chosen files; raises Unreadable where there is none, or too much of them."""
    chosen = list(files)
    if not chosen:
        raise Unreadable("file-missing", "Choose a file first.", "file")
    if len(chosen) > MOST_FILES:
        raise Unreadable("files-many", f"Up to {MOST_FILES} files come in at once.", "file")
    if sum(file.size or 0 for file in chosen) > MOST_BYTES:
        text = f"Up to {MOST_BYTES // 1_000_000} MB come in at once; this is more."
        raise Unreadable("file-large", text, "file")
    return [Upload((file.name or "file")[-LONGEST_NAME:], bytes(file.read())) for file in chosen]


def keep(user: User, uploads: Sequence[Upload]) -> str:
    """Have files wait; gives the word by which their owner finds them again."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _clear(folder, user)
    token = secrets.token_urlsafe(16)
    text = json.dumps([[one.name, base64.b64encode(one.data).decode()] for one in uploads])
    descriptor = os.open(_path(user, token), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    return token


def find(user: User, token: str) -> list[Upload]:
    """The files that wait under a word; raises Unreadable where they do no more."""
    try:
        text = _path(user, token).read_text(encoding="utf-8")
    except (OSError, ValueError):
        text = "What you had chosen is here no more: choose it again."
        raise Unreadable("file-gone", text, "file") from None
    return [Upload(name, base64.b64decode(data)) for name, data in json.loads(text)]


def drop(user: User, token: str) -> None:
    """Let them go."""
    _path(user, token).unlink(missing_ok=True)


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "uploads"


def _path(user: User, token: str) -> Path:
    if not _TOKEN.fullmatch(token):
        raise ValueError("no word of ours")
    return _folder() / f"{user.pk}-{token}"


def _clear(folder: Path, user: User) -> None:
    """Remove what is old, and of this account all but the latest."""
    oldest = time.time() - KEPT_FOR
    mine: list[tuple[float, Path]] = []
    for path in folder.iterdir():
        try:
            written = path.stat().st_mtime
        except FileNotFoundError:
            continue  # Another process was quicker.
        if written < oldest:
            path.unlink(missing_ok=True)
        elif path.name.startswith(f"{user.pk}-"):
            mine.append((written, path))
    for _, path in sorted(mine, reverse=True)[KEPT_EACH - 1 :]:
        path.unlink(missing_ok=True)
