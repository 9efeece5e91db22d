"""No line of a log holds the secret of an address that is a key by itself."""

from __future__ import annotations

import logging
import re

# Addresses that begin so go on with a secret: whoever knows it may look.
SECRET_PATHS = ("/live/", "/sign/", "/join/", "/account/password/reset/", "/account/email/confirm/")
# The same in a query, as the address to go on to.
_SLASH = "(?:/|%2[Ff])"
_STARTS = "|".join(path.replace("/", _SLASH) for path in SECRET_PATHS)
_SECRET = re.compile(rf"({_STARTS})[^/\s\"'?#&%]{{16,}}")


def mask(text: str) -> str:
    """The text with "…" in the place of every secret of an address."""
    return _SECRET.sub(r"\1…", text)


class MaskSecrets(logging.Filter):
    """Lets every record through, its message and traceback masked."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = mask(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = mask(logging.Formatter().formatException(record.exc_info))
        return True
