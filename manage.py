#!/usr/bin/env python
"""Django's commands, with ginledger's settings."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginledger.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("ginledger: Django is not installed here: run `make setup`, then .venv/bin/python")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
