"""The public library: a session of any client, and lists of messages, checked, shown, queried and repaired.

It never prints, never changes what it was given, and raises the errors of `condense_cli.errors`.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from types import TracebackType
from typing import Any, NamedTuple, Self

from condense_cli.check.engine import check as check_document
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UsageError
from condense_cli.formats.read import read_document
from condense_cli.jsonbytes.javascript import stringify
from condense_cli.jsonbytes.jsonedit import dump
from condense_cli.jsonbytes.jsonread import loads
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Edit, Plan, apply
from condense_cli.model.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered
from condense_cli.output.difference.show import show
from condense_cli.output.difference.write import Look
from condense_cli.output.swept import messages as swept_messages
from condense_cli.output.turns import as_json
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.pi_condense.prune.sweeps import sweep_rule
from condense_cli.pi_condense.prune.views import render as render_pi
from condense_cli.recall.find import Finder
from condense_cli.recall.output import Output
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.request.thread import Thread
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.session import named, opened, repaired

_VIEWS = ("context", "rendered", "wire")


class RepairPlan:
    """What a repair of one session changes. Nothing is written before `apply` or `apply_in_place`."""

    def __init__(self, session: opened.Session, plan: Plan, command: str) -> None:
        self._session = session
        self._plan = plan
        self._command = command

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return the edits, each with its rule and line (from 1)."""
        return self._plan.edits

    @property
    def remaining(self) -> tuple[Finding, ...]:
        """Return the findings that are left afterwards."""
        return self._plan.remaining

    @property
    def changes(self) -> bool:
        """Say whether a byte changes."""
        return self._plan.changes

    def diff(self) -> str:
        """Return the edits with old and new text, as `condense repair --diff` shows them."""
        text = io.StringIO()
        show(self._plan, self._session, text, Look(), records=True)
        return text.getvalue()

    def apply(self, output: str | os.PathLike[str]) -> None:
        """Write the repaired session to a new file.

        Raises RefusedError where its proof fails, UsageError for the session itself.
        """
        repaired.write(self._plan, self._session, os.fspath(output), self._command)

    def apply_in_place(self, *, force: bool = False) -> str | None:
        """Replace the session and return the id that `condense undo` takes, or None where nothing had to change.

        Raises RefusedError where a client works on it (force: that is overridden), it changed, or the proof fails.
        """
        if not self._plan.changes:
            return None
        done = repaired.replace(self._plan, self._session, self._command, force=force)
        return done.entry.id if done.entry is not None else None


class Session:
    """A session file as its client reads it. Open it with `Session.open`, as a context manager."""

    def __init__(self, session: opened.Session) -> None:
        self._session = session

    @classmethod
    def open(cls, path: str | os.PathLike[str], format: str = "auto", leaf: str | None = None) -> Self:
        """Open a session by its path, its id, the start of that, or `@last`. Raises UnreadableError and UsageError."""
        found = named.find(os.fspath(path), os.getcwd(), os.environ)
        return cls(opened.open_session(found.path, format, leaf))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._session.close()

    @property
    def path(self) -> str:
        """Return the path."""
        return self._session.path

    @property
    def format(self) -> str:
        """Return the name of the format."""
        return self._session.format.name

    def messages(self) -> list[dict[str, Any]]:
        """Return the active thread as its client reads it: `{"role", "content": [blocks]}`, the same for every
        format.
        """
        thread = Thread(self._session.document, self._session.view())
        return [as_json(turn) for turn in thread.turns()]

    def findings(self, contract: str | Iterable[str] | None = None, *, all_threads: bool = False) -> list[Finding]:
        """Return what is wrong, each with `.rule`, `.line` (from 1) and `.severity`, judged by one or more contracts.

        contract: names; default the client's own. Raises UsageError for one that is none.
        """
        names = _contracts(contract) or (self._session.format.contract,)
        return list(
            check_document(self._session.document, list(names), leaf=self._session.leaf, every=all_threads).findings
        )

    def plan(  # noqa: PLR0913 - the options of `condense repair`
        self,
        contract: str | Iterable[str] | None = None,
        *,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        displaced: str = "move",
        unanswered: str = "answer",
        trailing: str = "auto",
        orphan: str = "drop",
        ids: str = "auto",
        shrink: bool = False,
    ) -> RepairPlan:
        """Return the plan of a repair; the options are those of `condense repair`.

        Raises UsageError and RefusedError.
        """
        policies = _policies(
            displaced=displaced, unanswered=unanswered, trailing=trailing, orphan=orphan, ids=ids, shrink=shrink
        )
        choice = Choice(_contracts(contract), frozenset(select), frozenset(ignore), policies, self._session.leaf)
        return RepairPlan(self._session, repaired.plan_of(self._session, choice), "condense_cli.Session.plan")

    def query(self, ref: str) -> list[Output]:
        """Return every output that a reference names (`t5`, `bash_23`, `bash_23#2`, `L120`), with `.text`, `.tool`
        and `.line`.
        """
        return list(Finder(self._session, self._session.leaf).answer(ref).outputs)

    def render(
        self, view: str = "rendered", *, sweep: str | None = None, settings: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the messages of a view: `context`, `rendered` (after pi-condense's pruning and the sweep) or `wire`
        (pi).

        sweep: `turn`, `count` or `contract`; default turn for pi, else contract. settings: the path of pi's settings.json.
        """  # noqa: E501 - a sentence is one text
        if view not in _VIEWS:
            raise UsageError(f"there is no view {view!r}", f"one of {', '.join(_VIEWS)}")
        if self._session.format.pruned:
            rule = sweep_rule(sweep or "turn")
            rendering = render_pi(self._session.branch(), self._session.loader(), read_settings(settings), rule)
            return [loads(stringify(message)) for message in getattr(rendering, view)()]
        if view == "wire":
            raise UsageError("the wire view is pi's", "view='rendered' is what is sent of other sessions")
        thread = Thread(self._session.document, self._session.view())
        decision = None if view == "context" else thread.decide(sweep or "contract")
        return [loads(stringify(message)) for message in swept_messages(thread, decision)]


class MessageFinding(NamedTuple):
    """A rule that a list of messages breaks. index counts messages from 0, part counts blocks or calls from 0."""

    rule: str
    severity: str
    index: int | None  # type: ignore[assignment]
    part: int | None
    call_id: str | None
    detail: str


def check(messages: list[dict[str, Any]], contract: str | None = None, *, format: str = "auto") -> list[MessageFinding]:
    """Return what is wrong with a list of messages (OpenAI chat or Anthropic).

    contract: default that of the API that the messages are of. Raises UnreadableError where they are of neither.
    """
    document = read_document("messages", BytesInMemory(dump(messages)), format)
    names = _contracts(contract) or (document.format.contract,)
    return [
        MessageFinding(f.rule, str(f.severity), f.index, f.part, f.call_id, f.detail)
        for f in check_document(document, list(names)).findings
    ]


def repair(
    messages: list[dict[str, Any]], contract: str | None = None, *, format: str = "auto"
) -> list[dict[str, Any]]:
    """Return the repaired list. The list that was given is not changed; messages without an edit are equal."""
    source = BytesInMemory(dump(messages))
    plan = make_plan(read_document("messages", source, format), Choice(_contracts(contract)), bind=False)
    repaired_messages: list[dict[str, Any]] = loads(b"".join(apply(plan.segments, source)))
    return repaired_messages


def _contracts(contract: str | Iterable[str] | None) -> tuple[str, ...]:
    names = () if contract is None else (contract,) if isinstance(contract, str) else tuple(contract)
    for name in names:
        if name not in CONTRACTS:
            raise UsageError(f"there is no contract {name!r}", f"one of {', '.join(CONTRACTS)}")
    return names


def _policies(*, displaced: str, unanswered: str, trailing: str, orphan: str, ids: str, shrink: bool) -> Policies:
    try:
        return Policies(
            Displaced(displaced), Unanswered(unanswered), Trailing(trailing), Orphan(orphan), Ids(ids), shrink
        )
    except ValueError as problem:
        raise UsageError(f"a policy: {problem}", "`condense repair --help` lists the words of each policy") from None
