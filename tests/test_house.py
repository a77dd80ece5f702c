"""The shape of the code: sizes, docstrings, mirrored tests and where own modules are imported. Exceptions have a reason each."""

from __future__ import annotations

import ast
import statistics
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = ROOT / "condense_cli"
MODULE_LINES, MEDIAN_LINES, FUNCTION_LINES, OWN_IMPORTS = 400, 110, 60, 30

LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}
TESTED_ELSEWHERE: dict[str, str] = {}
"""Modules without a test file of their own -> where they are tested."""


@cache
def modules() -> dict[str, ast.Module]:
    """All modules by path below the package."""
    return {str(path.relative_to(CODE)): ast.parse(path.read_text()) for path in sorted(CODE.rglob("*.py"))}


def lines(name: str) -> int:
    """Lines of a module."""
    return len((CODE / name).read_text().splitlines())


def definitions(tree: ast.Module):
    """Yield (qualified name, node, is public) for every function and class of a module."""
    todo = [(node, "", True) for node in tree.body]
    while todo:
        node, inside, public = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            shown = public and not node.name.startswith("_")
            yield f"{inside}{node.name}", node, shown
            if isinstance(node, ast.ClassDef):
                todo += [(child, f"{inside}{node.name}.", shown) for child in node.body]


def test_no_module_is_long() -> None:
    """A module decides one thing."""
    long = {name for name in modules() if lines(name) > MODULE_LINES}

    assert long == set(LONG_MODULES)
    assert statistics.median(lines(name) for name in modules() if not name.endswith("__init__.py")) <= MEDIAN_LINES


def test_no_function_is_long() -> None:
    """A function is seen at once."""
    long = {
        f"{name}:{what}"
        for name, tree in modules().items()
        for what, node, _ in definitions(tree)
        if not isinstance(node, ast.ClassDef) and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    }

    assert long == set(LONG_FUNCTIONS)


def test_everything_public_says_what_it_does() -> None:
    """Modules, classes and functions without an underscore have a docstring."""
    silent = [name for name, tree in modules().items() if not ast.get_docstring(tree)]
    for name, tree in modules().items():
        silent += [f"{name}:{what}" for what, node, public in definitions(tree) if public and not ast.get_docstring(node)]

    assert silent == []


def test_tests_mirror_the_tree() -> None:
    """The test of a module is found where the module is."""
    alone = {
        name
        for name in modules()
        if not Path(name).name.startswith("__") and not (ROOT / "tests" / Path(name).parent / f"test_{Path(name).name}").exists()
    }

    assert alone == set(TESTED_ELSEWHERE)
    missing = [place for place in TESTED_ELSEWHERE.values() if not (ROOT / "tests" / place).exists()]
    assert missing == []


def test_own_modules_are_imported_at_the_top() -> None:
    """Only start-up is a reason to import a module of our own inside a function."""
    inside = [
        f"{name}:{node.lineno}"
        for name, tree in modules().items()
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("condense_cli")
    ]

    assert len(inside) <= OWN_IMPORTS, inside


@pytest.mark.parametrize("name", modules())
def test_no_state_is_kept_in_a_module(name: str) -> None:
    """No `global`, and nothing keyed by id()."""
    for node in ast.walk(modules()[name]):
        assert not isinstance(node, ast.Global), f"{name}:{node.lineno}"
