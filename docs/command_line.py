"""Write what is made from the declarations of the command line: python docs/command_line.py [--check].

hot_table.py: the plain command lines of the commands that run most often; condense.1: the manual page.
"""

from __future__ import annotations

import os
import re
import sys
from enum import Enum
from typing import Any

import typer
from condense_cli.cli import app
from condense_cli.cli.commands import BY_NAME, COMMANDS

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOT = ("check", "check-orphans", "query", "hook", "doctor", "repair", "diff")
HOT_TABLE = "condense_cli/cli/hot_table.py"
MANUAL = "docs/condense.1"


# ---------------------------------------------------------------------- plain command lines
def hot_table() -> str:
    """Return hot_table.py with the table of the declarations."""
    with open(os.path.join(ROOT, HOT_TABLE), encoding="utf-8") as file:
        head = file.read().split("TABLE: dict[str, Spec] = ")[0]
    out = [head + "TABLE: dict[str, Spec] = {"]
    for name in HOT:
        command = app.build(BY_NAME[name])
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        out += [f'    "{name}": Spec(', f'        "{arguments[0].name if arguments else ""}",', "        {"]
        out += [f'            "{flag}": {_option(option)},' for option in options for flag in option.opts]
        out += ["        },", "        {"]
        everywhere = {"color", "quiet", "verbose", "json"}
        out += [f'            "{p.name}": {_default(p)},' for p in command.params if p.name not in everywhere]
        single = any(argument.nargs == 1 for argument in arguments)
        out += ["        },", *(["        single=True,"] if single else []), "    ),"]
    return "\n".join([*out, "}", ""])


def _option(option: Any) -> str:
    described = option.type_descriptor
    kind = "flag" if option.is_flag else "number" if described.annotation is int else "choice" if described.is_choice else "text"
    words = [f'"{option.name}"', f'"{kind}"']
    if option.multiple:
        words.append("many=True")
    if described.is_choice:
        words.append("choices=(" + ", ".join(f'"{choice.value}"' for choice in described.choices) + ")")
        enum = type(described.choices[0])
        words.append(f'enum="{enum.__module__}:{enum.__name__}"')
    return f"Option({', '.join(words)})"


def _default(parameter: Any) -> str:
    value = parameter.default
    value = value.value if isinstance(value, Enum) else value
    return f'"{value}"' if isinstance(value, str) else repr(value)


# ---------------------------------------------------------------------- manual page
def manual() -> str:
    """Return the manual page, in the language of man(7)."""
    root = typer.main.get_command(app.app)
    out = ['.TH CONDENSE 1 "" "condense" "User Commands"', ".SH NAME", "condense \\- fsck for the session files of coding agents"]
    out += [".SH SYNOPSIS", ".B condense", "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR] [\\fIARGUMENTS\\fR]", ".SH DESCRIPTION", *_text(root.help)]
    out += [".SH OPTIONS", *_parameters(root)]
    for row in COMMANDS:
        command = app.build(row)
        with typer.Context(command, info_name=f"condense {row.name}") as context:
            usage = " ".join(command.collect_usage_pieces(context))
        out += [f".SH CONDENSE {row.name.upper()}", f".B condense {row.name}", _quote(usage), ".PP", *_text(command.help), *_parameters(command)]
    out += [".SH EXIT STATUS"]
    for part in app.EPILOG.removeprefix("Exit codes: ").split(" · "):
        code, _, means = part.partition(" ")
        out += [".TP", f".B {code}", _quote(means)]
    out += [".SH ENVIRONMENT", ".TP", ".B CONDENSE_SESSION", "The session that query reads where none is named."]
    out += [".TP", ".B NO_COLOR, FORCE_COLOR", "Never or always colour the output.", ".TP", ".B CONDENSE_TRACEBACK", "Show where a bug was."]
    return "\n".join(out) + "\n"


def _parameters(command: Any) -> list[str]:
    out: list[str] = []
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            names = parameter.metavar or parameter.name.upper()
        else:
            value = "" if parameter.is_flag else " " + (parameter.metavar or _choices(parameter))
            names = ", ".join(parameter.opts) + value
        out += [".TP", f".B {_quote(names)}", *_text(parameter.help)]
    return out


def _choices(parameter: Any) -> str:
    described = parameter.type_descriptor
    return "|".join(str(choice.value) for choice in described.choices) if described.is_choice else parameter.name.upper()


def _text(text: str | None) -> list[str]:
    paragraphs = re.split(r"\n\s*\n", (text or "").strip())
    return [line for paragraph in paragraphs for line in (".PP", _quote(" ".join(paragraph.split())))][1:]


def _quote(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace("-", "\\-")
    return "\\&" + quoted if quoted.startswith((".", "'")) else quoted


# ---------------------------------------------------------------------- files
PAGES = {HOT_TABLE: hot_table, MANUAL: manual}


def main() -> int:
    """Write the files, or with --check say which are not what the declarations say."""
    stale = []
    for name, page in PAGES.items():
        path, text = os.path.join(ROOT, name), page()
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:  # noqa: SIM115
            stale.append(name)
    for name in stale:
        print(f"{name} is not what the declarations say: run make docs", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
