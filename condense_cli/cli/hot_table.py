"""Which command lines are plain: made from the declarations by docs/command_line.py, never by hand."""

from __future__ import annotations

from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option. kind: flag, text, number or choice; enum: module:attribute of the enumeration of a choice."""

    parameter: str
    kind: str
    many: bool = False
    choices: tuple[str, ...] = ()
    enum: str = ""


class Spec(NamedTuple):
    """One command: the parameter of its arguments, its options by their names, and all defaults."""

    arguments: str
    options: dict[str, Option]
    defaults: dict[str, Any]


TABLE: dict[str, Spec] = {
    "check": Spec(
        "paths",
        {
            "--contract": Option("contract", "text", many=True),
            "--fail-on": Option("fail_on", "choice", choices=("error", "warning", "info", "never"), enum="condense_cli.cli.check.values:FailOn"),
            "--select": Option("select", "text", many=True),
            "--ignore": Option("ignore", "text", many=True),
            "--exempt-tool": Option("exempt_tool", "text", many=True),
            "--output-format": Option("output_format", "choice", choices=("text", "json", "sarif", "github", "junit"), enum="condense_cli.cli.check.values:Output"),
            "-o": Option("output", "text"),
            "--output": Option("output", "text"),
            "--statistics": Option("statistics", "flag"),
            "--max-findings": Option("max_findings", "number"),
            "--unknown": Option("unknown", "choice", choices=("error", "warn", "skip"), enum="condense_cli.cli.check.values:Unknown"),
            "--as-found": Option("as_found", "flag"),
            "--view": Option("view", "choice", choices=("stored", "context", "rendered"), enum="condense_cli.cli.check.values:ViewName"),
            "--all-threads": Option("all_threads", "flag"),
            "--baseline": Option("baseline", "text"),
            "-j": Option("jobs", "number"),
            "--jobs": Option("jobs", "number"),
            "--max-size": Option("max_size", "text"),
            "--format": Option("format_name", "text"),
            "--leaf": Option("leaf", "text"),
            "--color": Option("color", "choice", choices=("auto", "always", "never"), enum="condense_cli.cli.options:ColorWhen"),
            "-q": Option("quiet", "flag"),
            "--quiet": Option("quiet", "flag"),
            "-v": Option("verbose", "flag"),
            "--verbose": Option("verbose", "flag"),
            "--json": Option("json", "flag"),
        },
        {
            "paths": None,
            "contract": None,
            "fail_on": None,
            "select": None,
            "ignore": None,
            "exempt_tool": None,
            "output_format": None,
            "output": None,
            "statistics": False,
            "max_findings": None,
            "unknown": None,
            "as_found": False,
            "view": None,
            "all_threads": False,
            "baseline": None,
            "jobs": 0,
            "max_size": "1G",
            "format_name": "auto",
            "leaf": None,
        },
    ),
    "check-orphans": Spec(
        "paths",
        {
            "--contract": Option("contract", "text", many=True),
            "--fail-on": Option("fail_on", "choice", choices=("error", "warning", "info", "never"), enum="condense_cli.cli.check.values:FailOn"),
            "--select": Option("select", "text", many=True),
            "--ignore": Option("ignore", "text", many=True),
            "--exempt-tool": Option("exempt_tool", "text", many=True),
            "--output-format": Option("output_format", "choice", choices=("text", "json", "sarif", "github", "junit"), enum="condense_cli.cli.check.values:Output"),
            "-o": Option("output", "text"),
            "--output": Option("output", "text"),
            "--statistics": Option("statistics", "flag"),
            "--max-findings": Option("max_findings", "number"),
            "--unknown": Option("unknown", "choice", choices=("error", "warn", "skip"), enum="condense_cli.cli.check.values:Unknown"),
            "--as-found": Option("as_found", "flag"),
            "--view": Option("view", "choice", choices=("stored", "context", "rendered"), enum="condense_cli.cli.check.values:ViewName"),
            "--all-threads": Option("all_threads", "flag"),
            "--baseline": Option("baseline", "text"),
            "-j": Option("jobs", "number"),
            "--jobs": Option("jobs", "number"),
            "--max-size": Option("max_size", "text"),
            "--format": Option("format_name", "text"),
            "--leaf": Option("leaf", "text"),
            "--color": Option("color", "choice", choices=("auto", "always", "never"), enum="condense_cli.cli.options:ColorWhen"),
            "-q": Option("quiet", "flag"),
            "--quiet": Option("quiet", "flag"),
            "-v": Option("verbose", "flag"),
            "--verbose": Option("verbose", "flag"),
            "--json": Option("json", "flag"),
        },
        {
            "paths": None,
            "contract": None,
            "fail_on": None,
            "select": None,
            "ignore": None,
            "exempt_tool": None,
            "output_format": None,
            "output": None,
            "statistics": False,
            "max_findings": None,
            "unknown": None,
            "as_found": False,
            "view": None,
            "all_threads": False,
            "baseline": None,
            "jobs": 0,
            "max_size": "1G",
            "format_name": "auto",
            "leaf": None,
        },
    ),
    "query": Spec(
        "refs",
        {
            "--session": Option("session", "text"),
            "--raw": Option("raw", "flag"),
            "--output-format": Option("output_format", "choice", choices=("text", "json"), enum="condense_cli.cli.options:TextOrJson"),
            "--grep": Option("grep", "text"),
            "--no-truncate": Option("no_truncate", "flag"),
            "--index-only": Option("index_only", "flag"),
            "--allow-outside-blobs": Option("outside", "flag"),
            "--images": Option("images", "text"),
            "--leaf": Option("leaf", "text"),
            "--format": Option("format_name", "text"),
            "--color": Option("color", "choice", choices=("auto", "always", "never"), enum="condense_cli.cli.options:ColorWhen"),
            "-q": Option("quiet", "flag"),
            "--quiet": Option("quiet", "flag"),
            "-v": Option("verbose", "flag"),
            "--verbose": Option("verbose", "flag"),
            "--json": Option("json", "flag"),
        },
        {
            "refs": None,
            "session": None,
            "raw": False,
            "output_format": "text",
            "grep": None,
            "no_truncate": False,
            "index_only": False,
            "outside": False,
            "images": None,
            "leaf": None,
            "format_name": "auto",
        },
    ),
    "hook": Spec(
        "",
        {
            "--install": Option("install", "text"),
            "--uninstall": Option("uninstall", "text"),
            "-n": Option("dry_run", "flag"),
            "--dry-run": Option("dry_run", "flag"),
            "--color": Option("color", "choice", choices=("auto", "always", "never"), enum="condense_cli.cli.options:ColorWhen"),
            "-q": Option("quiet", "flag"),
            "--quiet": Option("quiet", "flag"),
            "-v": Option("verbose", "flag"),
            "--verbose": Option("verbose", "flag"),
        },
        {
            "install": None,
            "uninstall": None,
            "dry_run": False,
        },
    ),
    "doctor": Spec(
        "",
        {
            "--client": Option("client", "text", many=True),
            "--since": Option("since", "text"),
            "--watch": Option("watch", "flag"),
            "--fail-on": Option("fail_on", "choice", choices=("error", "warning", "info", "never"), enum="condense_cli.cli.check.values:FailOn"),
            "--output-format": Option("output_format", "choice", choices=("text", "json"), enum="condense_cli.cli.options:TextOrJson"),
            "-j": Option("jobs", "number"),
            "--jobs": Option("jobs", "number"),
            "--max-size": Option("max_size", "text"),
            "--color": Option("color", "choice", choices=("auto", "always", "never"), enum="condense_cli.cli.options:ColorWhen"),
            "-q": Option("quiet", "flag"),
            "--quiet": Option("quiet", "flag"),
            "-v": Option("verbose", "flag"),
            "--verbose": Option("verbose", "flag"),
            "--json": Option("json", "flag"),
        },
        {
            "client": None,
            "since": None,
            "watch": False,
            "fail_on": "warning",
            "output_format": "text",
            "jobs": 0,
            "max_size": "1G",
        },
    ),
}
