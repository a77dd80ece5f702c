"""The text of a report to the client's developers: what is wrong, where it shows, what the providers answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted
from condense_cli.output.shell import command, path_word
from condense_cli.rules.catalogue import RULES

if TYPE_CHECKING:
    from condense_cli.minimize.run import Minimized

_MOST_SHOWN = 4000  # bytes of a file that is in the report itself


def issue(made: Minimized, path: str) -> str:
    """Return the report in Markdown. The file has no word of the session, so it may be part of it."""
    finding = made.finding
    client = made.format + (f" {made.version}" if made.version else "")
    name = os.path.basename(path)
    contract = () if made.contract == made.format else ("--contract", made.contract)
    words = command("condense", "check", "--fail-on", "info", *contract, path_word(name))
    where = f"in line {finding.line} of {name}, {counted(made.records[1], 'record')}"
    lines = [f"{client}: {RULES[finding.rule].means}", ""]
    lines += [f"`{finding.rule}` ({finding.severity}, by the contract {made.contract}) {where}.", ""]
    answers = [f"- {who}: `{one_line(text)}`" for who, text in made.answers]
    lines += ["What providers answer to it:", "", *answers, ""] if answers else []
    lines += [f"To see it: `{words}`", ""]
    if len(made.data) <= _MOST_SHOWN:
        shown = [one_line(line) for line in made.data.decode("utf-8", "replace").split("\n") if line]
        lines += [f"{name}:", "", *(f"    {line}" for line in shown), ""]
    return "\n".join((*lines, "Made by `condense minimize`: other letters stand for every word.")) + "\n"
