"""The words of a page with a space between its parts, so that cells of a table stand apart."""

from __future__ import annotations

import html
import re
from typing import Any


def spoken(response: Any) -> str:
    """The words of the page, without marks."""
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", response.content.decode())
    body = re.sub(r"</?(?:bdi|strong|em|small)\b[^>]*>", "", body)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body))).strip()
