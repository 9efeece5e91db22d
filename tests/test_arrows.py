"""Imports go down only: seasons, money, matches, clubs, gin; and gin stands on Python alone."""

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ginledger"
# From the bottom. A layer may import itself and what comes before it.
LAYERS = ["gin", "clubs", "matches", "money", "seasons"]
# Modules beside the packages that every web app may use, because they know none of the apps.
SHARED = sorted(
    file.stem
    for file in PACKAGE.glob("*.py")
    if file.stem not in ("__init__", "settings", "urls", "wsgi")
)


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, module: str, is_package: bool) -> Iterator[str]:
    """Every module that the source may import, absolute; `from a import b` counts as a.b too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: None if is_package else -1]
                above = above[: len(above) - node.level + 1]
                base = ".".join([*above, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imports_of(file: Path) -> set[str]:
    return set(imported(file.read_text(), module_name(file), file.name == "__init__.py"))


def sources(layer: str) -> list[Path]:
    return sorted((PACKAGE / layer).rglob("*.py"))


def upward(layer: str, names: set[str]) -> set[str]:
    """What of the names a module in `layer` must not import."""
    down = LAYERS[: LAYERS.index(layer) + 1]
    if layer != "gin":
        down += SHARED
    return outside(down, names)


def outside(allowed: list[str], names: set[str]) -> set[str]:
    """The names below ginledger that lie in none of the allowed packages and modules."""
    return {
        name
        for name in names
        if name.startswith("ginledger.") and name.split(".")[1] not in allowed
    }


@pytest.mark.parametrize("module", SHARED)
def test_shared_modules_know_no_app(module: str) -> None:
    assert outside(["gin", *SHARED], imports_of(PACKAGE / f"{module}.py")) == set()


@pytest.mark.parametrize("layer", [name for name in LAYERS if sources(name)])
def test_imports_go_down(layer: str) -> None:
    found = {str(file): upward(layer, imports_of(file)) for file in sources(layer)}
    assert {file: names for file, names in found.items() if names} == {}


def test_every_package_has_its_layer() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= set(LAYERS)
    assert {"gin", "clubs", "matches"} <= packages


def test_models_point_down() -> None:
    """A foreign key is an arrow too, also when it names its target in a string."""
    for model in apps.get_models():
        layer = model._meta.app_label
        if layer not in LAYERS:
            continue
        for field in model._meta.get_fields():
            if field.concrete and field.related_model:
                target = field.related_model._meta.app_label
                assert target not in LAYERS[LAYERS.index(layer) + 1 :], field


def test_gin_imports_the_standard_library_only() -> None:
    for file in sources("gin"):
        for name in imports_of(file):
            top = name.split(".")[0]
            assert top in sys.stdlib_module_names or name.startswith("ginledger.gin"), (
                f"{file} imports {name}"
            )


def test_gin_has_no_circles() -> None:
    modules = {module_name(file) for file in sources("gin")}
    graph = {
        module_name(file): (imports_of(file) & modules) - {module_name(file), "ginledger.gin"}
        for file in sources("gin")
    }
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_gin_runs_without_django() -> None:
    """In an interpreter without site-packages, every module of gin can be imported."""
    names = [module_name(file) for file in sources("gin")]
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        f"for name in {names!r}: __import__(name)\n"
        "try:\n    import django\n"
        "except ImportError:\n    print('without Django:', len(sys.modules) > 0)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "without Django: True\n"), done.stderr


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import ginledger.matches.models", {"ginledger.matches.models"}),
        ("from ginledger import matches", {"ginledger", "ginledger.matches"}),
        ("from ..matches import models", {"ginledger.matches", "ginledger.matches.models"}),
        ("from . import names", {"ginledger.clubs", "ginledger.clubs.names"}),
        ("def f():\n    from ginledger.money import x", {"ginledger.money", "ginledger.money.x"}),
    ],
)
def test_the_walk_sees_every_form(source: str, names: set[str]) -> None:
    assert set(imported(source, "ginledger.clubs.models", is_package=False)) == names
    assert bool(upward("clubs", names)) == ("clubs" not in source and "names" not in source)
