#!/bin/sh
# Make .venv and install requirements/NAME.txt into it, once: scripts/venv.sh NAME
# A copy of the installed pins in .venv is the stamp; while it equals the file there is nothing to do.
set -eu
cd "$(dirname "$0")/.."
name=${1:-base}
pins=requirements/$name.txt
stamp=.venv/.installed-$name.txt

fail() {
    echo "ginledger: $*" >&2
    exit 1
}

# The first Python of 3.11 or later; $PYTHON, when given, is the only candidate.
find_python() {
    old=
    for python in ${PYTHON:-python3 python python3.14 python3.13 python3.12 python3.11}; do
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
            continue
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            echo "$python"
            return
        fi
        old=${old:-$version}
    done
    [ -z "$old" ] || fail "Python $old is too old: ginledger needs Python 3.11 or later."
    fail "Python is missing: install Python 3.11 or later${PYTHON:+ (PYTHON=$PYTHON does not run)}."
}

if .venv/bin/python -c '' 2>/dev/null && cmp -s "$pins" "$stamp"; then
    exit 0
fi

python=$(find_python)
[ -w . ] || fail "cannot write into $PWD: make the folder writable, or clone into one that is."
if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        fail "Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)."
    rm -rf .venv
    "$python" -m venv .venv || fail "could not make the virtual environment in $PWD/.venv."
fi
echo "ginledger: installing $pins (once; later starts skip this)"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$pins" ||
    fail "could not install $pins: see pip's message above."
cp "$pins" "$stamp"
# The larger sets hold the smaller ones with the same pins.
case $name in
dev) cp requirements/base.txt .venv/.installed-base.txt ;;
bench) cp requirements/base.txt .venv/.installed-base.txt && cp requirements/dev.txt .venv/.installed-dev.txt ;;
esac
