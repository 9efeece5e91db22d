#!/bin/sh
# Pin requirements/*.in to the newest releases that fit, with hashes, for every Python from 3.11.
# The flags keep the address of the index that answered out of the files.
set -eu
cd "$(dirname "$0")/.."
[ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet uv
for name in base dev bench; do
    .venv/bin/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-header --quiet \
        "requirements/$name.in" --output-file "requirements/$name.txt"
done
