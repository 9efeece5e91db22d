"""A user at the page where matches come in: choose, look, store, take back."""

from __future__ import annotations

import re
from html import unescape
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


def typed_on(page: str) -> dict[str, str]:
    """What the form of a page sends as it stands there, its buttons and files apart."""
    (form,) = re.findall(r'<form method="post" action="[^"]*" enctype.*?</form>', page, re.DOTALL)
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    fields = {name: unescape(value) for name, value in fields.items()}
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.findall(r'value="([^"]*)" selected', options)
        fields[name] = unescape((chosen or re.findall(r'value="([^"]*)"', options))[0])
    for box in re.findall(r'<input type="checkbox"[^>]*>', form):
        if " checked" in box:
            fields[re.findall(r'name="([^"]+)"', box)[0]] = "on"
    fields.pop("csrfmiddlewaretoken")
    return fields


class Desk:
    """The page in the cast's club."""

    def __init__(self, cast: Cast, user: User | None = None) -> None:
        self.cast = cast
        self.client = Client(raise_request_exception=True)
        self.client.force_login(user or cast.ben)
        self.path = reverse("import", args=[cast.club.key])

    def look(self, *files: bytes, name: str = "table.csv", **more: str) -> Any:
        """Choose files and press Look at it: the page that one comes to."""
        chosen = [SimpleUploadedFile(name, data) for data in files]
        body = {"file": chosen, "rules": "house-modern", "step": "look", **more}
        return self.client.post(self.path, body, follow=True)

    def store(self, looked: Any, **more: str) -> Any:
        """Press Store on the page that was answered, with its fields as they stand there."""
        body = {**typed_on(looked.content.decode()), "step": "store", **more}
        return self.client.post(self.path, body)

    def refused(self, answer: Any) -> str:
        """The page after Store where nothing was stored: the look once more, which says why."""
        assert answer.status_code == 302 and answer.headers["Location"].startswith(self.path + "?")
        return str(self.client.get(answer.headers["Location"]).content.decode())

    def take_back(self) -> Any:
        """Take the latest import back."""
        batch = latest(self.cast.club)[0].key
        return self.client.post(reverse("import_back", args=[self.cast.club.key, batch]))
