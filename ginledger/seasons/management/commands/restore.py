"""``manage.py restore FILE``: a club out of the backup that ``export --json`` wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ginledger.clubs.models import User
from ginledger.gin.errors import GinError
from ginledger.gin.text import problem_line
from ginledger.seasons.backup_read import restore_club


class Command(BaseCommand):
    help = "Store the club of a backup; all of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the backup; - is standard input")
        parser.add_argument("--owner", metavar="EMAIL", help="an account that becomes an owner")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = _account(options["owner"])
        try:
            club = restore_club(_document(options["file"]), owner=owner)
        except GinError as error:
            lines = "\n".join(problem_line(one) for one in error.problems)
            raise CommandError(lines, returncode=2) from error
        self.stdout.write(
            f"{club.name}: {club.matches.count()} matches of {club.players.count()} players."
        )


def _account(email: str | None) -> User | None:
    if email is None:
        return None
    user = User.objects.filter(email__iexact=email).exclude(email="").first()
    if user is None:
        raise CommandError(f"Nobody here has the e-mail address {email}.", returncode=2)
    return user


def _document(name: str) -> object:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return json.loads(data)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}.", returncode=2) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{name} is not JSON: {error}.", returncode=2) from error
