#!/bin/sh
# Everything CI runs, in .venv; `--lint` stops before the checks that need a database.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

step() {
    echo "== $*"
    "$@"
}

step $python -m ruff format --check --quiet .
step $python -m ruff check --quiet .
step $python -m mypy
step $python -m mypy --strict --package ginledger.gin
[ "${1:-}" != --lint ] || exit 0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
step env GINLEDGER_DATA="$scratch" $python manage.py makemigrations --check --dry-run
step env GINLEDGER_DATA="$scratch" GINLEDGER_HTTPS=1 GINLEDGER_HOSTS=gin.example.org \
    $python manage.py check --deploy --fail-level WARNING
# The slow ones, in a browser, lie together: whoever is done takes over of them.
step $python -m pytest -n 2 --dist worksteal --quiet
