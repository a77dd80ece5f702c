"""What clients and frameworks say before any request is sent."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    CHAT,
    LINES,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "L1", "pi", ("pi", "openclaw"), ("missing-header", "misplaced-header", "bom"),
        "[[Session file is not a valid pi session]]: {any}",
    ),
    Refusal(
        "L2", "pi, Claude Code", ("pi", "openclaw", "claude-code"),
        ("parent-cycle", "duplicate-id", "duplicate-record"),
        "[[RangeError: Invalid array length]]",
    ),
    Refusal(
        "L2", "pi, Claude Code", ("pi", "openclaw", "claude-code"),
        ("parent-cycle", "duplicate-id", "duplicate-record"),
        "[[JavaScript heap out of memory]]",
        variant="memory",
    ),
    Refusal(
        "L3", "Node.js", (), (),
        "[[Cannot create a string longer than 0x1fffffe8 characters]]",
        note=(
            "The file is larger than this client can read at once (512 MiB); its records may be sound."
        ),
    ),
    Refusal(
        "L4", "Copilot CLI", (), LINES,
        "[[Session file is corrupted]] (line {line}: SyntaxError {any})",
    ),
    Refusal(
        "L4", "Claude Code", ("claude-code",), LINES,
        "[[JSON Parse error: Expected ':' before value in object property definition]]",
    ),
    Refusal(
        "L4", "Copilot CLI", (), ("missing-header", *LINES),
        "[[Session {id} not found on disk]]",
    ),
    Refusal(
        "L5", "Codex", ("codex",), ("missing-ordinal",),
        "[[final paginated rollout record at {any} is missing an ordinal]]",
    ),
    Refusal(
        "L5", "Codex", ("codex",), ("duplicate-ordinal", "missing-ordinal"),
        "[[expected ordinal {any}, got {any}]]",
    ),
    Refusal(
        "L6", "Codex", ("codex",), ("missing-header", "misplaced-header", "bom"),
        "[[failed to parse thread ID from rollout file]]",
    ),
    Refusal(
        "F1", "pydantic-ai", CHAT, ("trailing-call", "unanswered-call"),
        "[[Cannot provide a new user prompt when the message history contains unprocessed tool calls]].",
        variant="client",
    ),
    Refusal(
        "F1", "Vercel AI SDK", CHAT, ("unanswered-call", "trailing-call"),
        "[[ToolInvocation must have a result]]",
        variant="client",
    ),
    Refusal(
        "F1", "Vercel AI SDK", CHAT, ("unanswered-call", "trailing-call"),
        "[[AI_MissingToolResultsError]]",
        variant="client",
    ),
    Refusal(
        "F1", "Vercel AI SDK", CHAT, ("unanswered-call", "trailing-call"),
        "[[Tool result is missing for tool call]] {id}.",
        variant="client", source="source code",
    ),
    Refusal(
        "F1", "Vercel AI SDK", CHAT, ("unanswered-call", "trailing-call"),
        "[[Tool results are missing for tool calls]] {ids}.",
        variant="client", source="source code",
    ),
    Refusal(
        "F1", "LangGraph", CHAT, ("unanswered-call", "trailing-call", "displaced-result"),
        "[[Found AIMessages with tool_calls that do not have a corresponding ToolMessage]]. Here are the first few of "
        "those tool calls: {any}'id': '{id}', 'type': 'tool_call'",
        variant="client",
    ),
    Refusal(
        "F2", "pi", ("pi", "openclaw"), ("missing-content",),
        "TypeError: [[content is not iterable]]",
        needs="TypeError",
    ),
    Refusal(
        "L7", "Codex", ("codex",), ("broken-lineage",),
        "[[invalid paginated history lineage]] for {any}: cutoff byte offset is past the source rollout",
    ),
)
# fmt: on
