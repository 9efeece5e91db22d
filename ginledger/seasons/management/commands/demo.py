"""``manage.py demo``: a club with a season in it, for somebody who has an account."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ginledger.clubs.models import User
from ginledger.seasons.demo import make_demo

EMAIL = "demo@example.org"


class Command(BaseCommand):
    help = "Fill a new club with a demo season."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default=EMAIL, help="whose club it becomes")
        parser.add_argument("--seed", type=int, help="another season of the same plan")

    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"]
        user = User.objects.filter(email__iexact=email).first()
        if user is None and email != EMAIL:
            raise CommandError(f"Nobody here has the e-mail address {email}.", returncode=2)
        if user is None:
            user = User(email=EMAIL, name="Demo")
            password = secrets.token_urlsafe(9)
            user.set_password(password)
            user.save()
            self.stdout.write(f"New account: log in as {EMAIL} with the password {password}")
        club = make_demo(user=user, seed=options["seed"])
        self.stdout.write(
            f"{club.name}: {club.matches.count()} matches of {club.players.count()} players, "
            f"in a club of {email}."
        )
