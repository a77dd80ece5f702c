"""Write rules.md and contracts.md from the tables that the program itself uses: python docs/generate.py [--check]."""

from __future__ import annotations

import os
import sys

from condense_cli.rules.catalogue import RULES, Layer
from condense_cli.rules.contracts import CLIENTS, CONTRACTS, PROVIDERS, cell, variants
from condense_cli.rules.refusals import provider_error

HERE = os.path.dirname(os.path.abspath(__file__))
EVIDENCE = {
    "L": "seen with the real client", "S": "read in its source", "O": "a public report", "M": "measured by a third party",
    "D": "vendor documentation", "P": "stated in a public pull request or rule ledger", "I": "inferred",
}  # fmt: skip


def rules() -> str:
    """Return the page of rules: one table a layer."""
    out = ["# Rules", "", "What can be wrong with a session, in the order in which repair works. `condense explain RULE` says more."]
    for layer in Layer:
        out += ["", f"## {layer.value}", "", "| rule | means | repair | " + " | ".join(CLIENTS) + " |", "|---|---|---|" + "---|" * len(CLIENTS)]
        for rule in RULES.values():
            if rule.layer is layer:
                marks = [", ".join(dict.fromkeys(_letter(rule.name, variant, client) for variant in variants(rule.name))) for client in CLIENTS]
                out.append(f"| `{rule.name}` | {rule.means} | {rule.repair or 'reported only'} | " + " | ".join(marks) + " |")
    out += ["", "E error · W warning · I info · – not a rule there; several letters: it depends on the variant."]
    return "\n".join(out) + "\n"


def contracts() -> str:
    """Return the page of contracts: every cell with its evidence and where to read on."""
    out = ["# Contracts", "", "Who rejects what: `condense check --contract NAME` judges by one of these, `explain --contracts` prints the table."]
    out += ["", "Evidence: " + " · ".join(f"{key} {text}" for key, text in EVIDENCE.items()) + ". An inferred cell is never an error."]
    for contract in CONTRACTS:
        kind = "client" if contract in CLIENTS else "data sets" if contract == "training" else "provider"
        out += ["", f"## {contract} ({kind})", "", "| rule | severity | evidence | source | answer |", "|---|---|---|---|---|"]
        for rule in RULES:
            for variant in variants(rule):
                found = cell(rule, variant, contract)
                if found.severity is None:
                    continue
                said = provider_error(rule, variant, contract) if contract in PROVIDERS else None
                name = f"`{rule}`" + (f" ({variant})" if variant else "")
                out.append(f"| {name} | {found.severity} | {found.evidence} | {found.source} | {_cell(said)} |")
    return "\n".join(out) + "\n"


def _letter(rule: str, variant: str, contract: str) -> str:
    severity = cell(rule, variant, contract).severity
    return severity.value[0].upper() if severity else "–"


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|").replace("\n", " ")


PAGES = {"rules.md": rules, "contracts.md": contracts}


def main() -> int:
    """Write the pages, or with --check say which are not what the tables say."""
    stale = []
    for name, page in PAGES.items():
        path = os.path.join(HERE, name)
        text = page()
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:  # noqa: SIM115
            stale.append(name)
    for name in stale:
        print(f"docs/{name} is not what the tables say: run python docs/generate.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
