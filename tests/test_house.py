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
LONG_FUNCTIONS: dict[str, str] = {
    "cli/compact/command.py:compact": "a declaration: one line for each option",
    "formats/anthropic/reading.py:read_assistant": "one branch for each kind of block, read best side by side",
}
TESTED_AS_A_WHOLE: dict[str, str] = {
    "cli": "cli/test_*.py",  # a command is tested by its words, as users call it
    "dataset": "dataset/test_*.py",
    "document": "document/test_*.py",
    "formats": "formats/test_contract.py",  # every member of every format, by the same assertions
    "jsonbytes": "jsonbytes/test_*.py",
    "lookup": "cli/test_mcp.py",
    "model": "model/test_*.py",
    "output": "output/test_*.py",
    "pairing": "pairing/test_*.py",
    "pi_condense": "pi_condense/*/test_fixtures.py",  # recorded sessions, whole
    "recall": "recall/test_*.py",
    "repair": "repair/test_*.py",
    "check": "check/test_*.py",
    "request": "request/test_request.py",
    "rules": "rules/test_examples.py",  # each rule by its example and by the cases of fixtures/
    "session": "session/test_*.py",
    "storage": "storage/test_*.py",
}
"""Rooms in which some modules have no test file of their own -> the tests that go through all of them."""


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
    """The test of a module is where the module is, or the room says which tests go through all of it."""
    alone = {
        Path(name).parts[0]
        for name in modules()
        if not Path(name).name.startswith("__")
        and len(Path(name).parts) > 1
        and not (ROOT / "tests" / Path(name).parent / f"test_{Path(name).name}").exists()
    }

    assert alone <= set(TESTED_AS_A_WHOLE)
    assert [room for room, tests in TESTED_AS_A_WHOLE.items() if not list((ROOT / "tests").glob(tests))] == []


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
