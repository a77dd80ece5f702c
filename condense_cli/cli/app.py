"""The command line as Typer sees it: the options before a command's name, and each command when it is asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from condense_cli.cli import declared, options
from condense_cli.cli.commands import BY_NAME, COMMANDS, CommandRow, meant
from condense_cli.cli.loading import load
from condense_cli.errors import ExitCode, UsageError

EPILOG = (
    "Exit codes: 0 fine · 1 findings, differences or not found · 2 usage · 3 unreadable, not recognised or "
    "nothing to check · 4 refused (live, changed meanwhile, proof failed) · 70 a bug in condense · 130 interrupted"
)
_SETTINGS = {"help_option_names": ["-h", "--help"]}
_EVERYWHERE = {"color": (declared.Color, None), "quiet": (declared.Quiet, False), "verbose": (declared.Verbose, False)}

# Typer brings Click along under a name of its own in some versions: this is its base of usage errors.
WrongWords: type[typer.BadParameter] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _bare(parameter: Any) -> Any:
    """Return a flag without the word <bool> that --help would show for it."""
    if not getattr(parameter, "is_flag", False) or parameter.metavar is not None:
        return parameter
    flag = copy(parameter)
    flag.metavar = ""
    return flag


class OneCommand(TyperCommand):
    """A command whose flags have no type in --help."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]
        """Return the parameters, with --help."""
        return [_bare(parameter) for parameter in super().get_params(ctx)]


class Commands(TyperGroup):
    """The commands of the table, each imported when it is asked for."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # noqa: ARG002
        """Return all names in the order of the table."""
        return [row.name for row in COMMANDS]

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]
        """Return the options before a command's name, with --help."""
        return [_bare(parameter) for parameter in super().get_params(ctx)]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]  # noqa: ARG002
        """Return one command, or None where the table does not have it."""
        row = BY_NAME.get(cmd_name)
        return None if row is None else build(row)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Find the command that is meant; a word that people use for one of them is answered with its name."""
        if args and args[0] not in BY_NAME:
            found = meant(args[0])
            advice = f"did you mean `condense {found}`?" if found else "`condense --help` lists the commands"
            raise UsageError(f"there is no command {args[0]!r}", advice)
        return super().resolve_command(ctx, args)


def declaration(row: CommandRow) -> Callable[..., Any]:
    """Return the function that declares a command's options."""
    found: Callable[..., Any] = getattr(import_module(f"condense_cli.cli.{row.function}.command"), row.function)
    return found


def runner(row: CommandRow) -> Callable[..., Any]:
    """Return the function that does the work of a command."""
    found: Callable[..., Any] = load(row.function).run
    return found


def build(row: CommandRow) -> Any:
    """Build one command: its own options, and those of every command."""
    declares = declaration(row)
    own = inspect.signature(declares, eval_str=True).parameters
    parameters = [*own.values(), *(_keyword(name, *rest) for name, rest in _EVERYWHERE.items())]
    if "output_format" in own and "json" not in own:
        parameters.append(_keyword("json", declared.Json, default=False))
    app = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich", context_settings=_SETTINGS
    )
    app.command(row.name, cls=OneCommand, epilog=EPILOG, rich_help_panel=row.panel)(
        _Call(row, declares.__doc__, parameters)
    )
    return typer.main.get_command(app)


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


class _Call:
    """A command as a function: it takes the options of every command out, and calls what does the work."""

    def __init__(self, row: CommandRow, doc: str | None, parameters: list[inspect.Parameter]) -> None:
        keywords = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
        self.row = row
        self.__doc__ = doc
        self.__name__ = row.function
        self.__signature__ = inspect.Signature(keywords)
        self.__annotations__ = {parameter.name: parameter.annotation for parameter in keywords}

    def __call__(self, **given: Any) -> Any:
        options.add(**{name: given.pop(name) for name in _EVERYWHERE})
        if given.pop("json", False):
            asked = given["output_format"]
            if asked is not None and asked.value not in ("json", "text"):
                raise UsageError(
                    f"--json and --output-format {asked.value} contradict each other", "leave one of them out"
                )
            given["output_format"] = _json_of(self.__annotations__["output_format"])
        return runner(self.row)(**given)


def _json_of(annotation: Any) -> Any:
    """Return the member `json` of the enumeration that --output-format takes."""
    kind = annotation.__origin__
    choices = next(member for member in getattr(kind, "__args__", (kind,)) if member is not type(None))
    return choices("json")


def _version(asked: bool) -> None:
    if asked:
        from condense_cli import __version__

        print(f"condense {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="condense",
    cls=Commands,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings=_SETTINGS,
    epilog=EPILOG,
)


@app.callback(invoke_without_command=True)
def condense(
    context: typer.Context,
    version: bool = typer.Option(  # noqa: ARG001 - its callback has printed it
        False, "-V", "--version", help="Print the version and stop.", callback=_version, is_eager=True
    ),
    color: declared.Color = None,
    quiet: declared.Quiet = False,
    verbose: declared.Verbose = False,
) -> int:
    """Fsck for the session files of coding agents: check, explain, repair, undo, query.

    Without a command: what is wrong with the newest session of this folder, and what to do about it.
    """
    options.remember(color=color, quiet=quiet, verbose=verbose)
    if context.invoked_subcommand is None:
        return int(load("diagnose").run())
    return int(ExitCode.FINE)


def call(arguments: list[str]) -> int:
    """Run one command as Typer understands it, and return the exit code; errors of condense itself pass through."""
    try:
        return int(app(arguments, standalone_mode=False, prog_name="condense") or ExitCode.FINE)
    except typer.Exit as ending:
        return int(ending.exit_code)
    except WrongWords as problem:
        problem.show()
        return int(ExitCode.USAGE)
    except typer.Abort:
        raise KeyboardInterrupt from None
