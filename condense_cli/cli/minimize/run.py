"""Run `condense minimize`: make the file, prove it, write it, print the report."""

from __future__ import annotations

import sys

from condense_cli.cli import options
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.minimize.run import minimize
from condense_cli.output.minimized import issue
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.session.opened import open_session
from condense_cli.storage.new_file import write_new


def run(session: str | None, output: str | None, rule: str | None, contract: str | None, format_name: str) -> int:
    """Return 0 where the finding is shown. Nothing is written before it is proved."""
    if rule is not None and rule not in RULES:
        raise UsageError(f"there is no rule {rule!r}", "`condense explain --rules` lists them")
    if contract is not None and contract not in CONTRACTS:
        raise UsageError(f"there is no contract {contract!r}", f"one of: {', '.join(CONTRACTS)}")
    path = session_of(session, writes=output is not None)
    with open_session(path, format_name) as opened:
        data = opened.source.read(0, opened.source.size)
        made = minimize(opened.document, data, _named(output) or opened.path, contract=contract, rule=rule)
        if output is not None:
            write_new(output, [made.data], source=opened.source)
    text = issue(made, _named(output) or "FILE")
    (sys.stderr if output == "-" else sys.stdout).write(text)
    small = f"{made.records[0]} records, {len(data)} bytes → {made.records[1]}, {len(made.data)}"
    stayed = (
        f"; {made.stayed} texts stayed as they are, the finding is about them: read the file before you send it"
        if made.stayed
        else ""
    )
    options.note(
        f"condense: {small}{stayed}" + ("" if output is not None else "; nothing was written, -o FILE writes it")
    )
    return int(ExitCode.FINE)


def _named(output: str | None) -> str:
    """Return the name of the file that is written, or "" where there is none."""
    return output if output is not None and output != "-" else ""
