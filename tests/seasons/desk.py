"""A user at the page where matches come in: choose, look, store, take back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ginledger.clubs.models import User
from ginledger.seasons.import_store import latest
from tests.cast import Cast


@pytest.fixture(autouse=True)
def data_folder(settings: Any, tmp_path: Path) -> Path:
    """What is uploaded waits below here; a module imports this to have it."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


class Desk:
    """The page in the cast's club."""

    def __init__(self, cast: Cast, user: User | None = None) -> None:
        self.cast = cast
        self.client = Client(raise_request_exception=True)
        self.client.force_login(user or cast.ben)
        self.path = reverse("import", args=[cast.club.key])

    def look(self, *files: bytes, name: str = "table.csv", **more: str) -> Any:
        chosen = [SimpleUploadedFile(name, data) for data in files]
        return self.client.post(self.path, {"file": chosen, "rules": "house-modern", **more})

    def store(self, looked: Any, **more: str) -> Any:
        """Press Store on the page that was answered."""
        draft = re.findall(r'name="draft" value="([^"]+)"', looked.content.decode())
        body = {"draft": draft[0], "rules": "house-modern", "step": "store", **more}
        return self.client.post(self.path, body)

    def take_back(self) -> Any:
        """Take the latest import back."""
        batch = latest(self.cast.club)[0].key
        return self.client.post(reverse("import_back", args=[self.cast.club.key, batch]))
