"""Plain command lines of the commands that run most often, understood without Typer: it costs more than a small check.

The table hot_table.py is generated from the declarations (docs/command_line.py). Whatever it does not explain in full,
Typer reads: help, errors, abbreviations, joined short options.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from condense_cli.cli import options
from condense_cli.cli.hot_table import TABLE, Option, Spec
from condense_cli.cli.loading import load


class Plain(NamedTuple):
    """A command line that was understood: the command, its parameters, and the options of every command."""

    command: str
    given: dict[str, Any]
    everywhere: dict[str, Any]


def parse(arguments: list[str]) -> Plain | None:
    """Understand a plain command line, or return None: then Typer has to."""
    words = list(arguments)
    everywhere: dict[str, Any] = {}
    while words and words[0] in ("-q", "--quiet", "-v", "--verbose"):
        everywhere["quiet" if words.pop(0).strip("-")[0] == "q" else "verbose"] = True
    spec = TABLE.get(words[0]) if words else None
    if spec is None:
        return None
    given = _given(spec, words[1:])
    if given is None:
        return None
    for name in ("color", "quiet", "verbose"):
        if name in given:
            everywhere[name] = given.pop(name)
    if given.pop("json", False):
        if given.get("output_format", "json") != "json":
            return None
        given["output_format"] = "json"
    return Plain(words[0], _values(spec, given), everywhere)


def call(plain: Plain) -> int:
    """Run the command."""
    color = plain.everywhere.pop("color", None)
    options.remember(color=options.ColorWhen(color) if color else None, **plain.everywhere)
    return int(load(plain.command.replace("-", "_")).run(**plain.given))


def _given(spec: Spec, words: list[str]) -> dict[str, Any] | None:
    """Return the parameters that are on the command line, as words; None where a word is not plain."""
    given: dict[str, Any] = {}
    arguments: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "-" or not word.startswith("-"):
            arguments.append(word)
            continue
        name, equals, value = word.partition("=")
        option = spec.options.get(name)
        if option is None or (equals and (not name.startswith("--") or option.kind == "flag")):
            return None
        if option.kind != "flag" and not equals:
            if not rest:
                return None
            value = rest.pop()
        if not _keep(given, option, value):
            return None
    if arguments:
        if not spec.arguments or (spec.single and len(arguments) > 1):
            return None
        given[spec.arguments] = arguments[0] if spec.single else arguments
    return given


def _keep(given: dict[str, Any], option: Option, value: str) -> bool:
    """Add the value of an option; say whether it is one that the option takes."""
    if option.kind == "flag":
        given[option.parameter] = True
        return True
    if option.choices and value not in option.choices:
        return False
    if option.kind == "number" and not (value.isascii() and value.isdigit()):
        return False
    if option.many:
        given.setdefault(option.parameter, []).append(value)
    else:
        given[option.parameter] = value
    return True


def _values(spec: Spec, given: dict[str, Any]) -> dict[str, Any]:
    """Return all parameters with their values: those that were not given have their defaults."""
    found: dict[str, Any] = {}
    kinds = {option.parameter: option for option in spec.options.values()}
    for name, default in spec.defaults.items():
        value = given.get(name, default)
        kind = kinds.get(name)
        if value is not None and kind is not None:
            if kind.kind == "number":
                value = int(value)
            elif kind.enum and not kind.many:
                module, _, attribute = kind.enum.partition(":")
                value = getattr(import_module(module), attribute)(value)
        found[name] = value
    return found
