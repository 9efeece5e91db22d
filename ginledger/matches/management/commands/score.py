"""``manage.py score FILE…``: match files into sheets (docs/format.md, Commands)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ginledger.gin.bookfile import score_file
from ginledger.gin.errors import GinError, Unreadable
from ginledger.gin.sheet import Sheet
from ginledger.gin.text import problem_line, sheet_text


class Command(BaseCommand):
    help = "Score match files and print their sheets."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a match file; - is stdin")
        parser.add_argument("--json", action="store_true", help="one JSON object a file")

    def handle(self, *args: Any, **options: Any) -> None:
        sheets: list[Sheet] = []
        wrong: list[str] = []
        for name in options["files"]:
            try:
                sheets.append(score_file(_load(name)))
            except GinError as error:
                prefix = f"{name}: " if len(options["files"]) > 1 else ""
                wrong += [f"{prefix}{problem_line(one)}" for one in error.problems]
        if wrong:
            # Nothing else is printed: whoever reads the output never takes half an answer.
            self.stderr.write("\n".join(wrong))
            sys.exit(2)
        for place, sheet in enumerate(sheets):
            if options["json"]:
                self.stdout.write(json.dumps(sheet.to_json(), ensure_ascii=False))
            else:
                self.stdout.write(("\n" if place else "") + sheet_text(sheet))


def _load(name: str) -> object:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Unreadable("file-unreadable", f"The file cannot be read: {error.strerror}.") from None
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unreadable("json-unreadable", f"The file is not JSON: {error}.") from None
