"""What can be wrong with a session: all rules, in the order of the layers.

The names are an interface: they appear in --select, JSON, SARIF and `explain`. Which contract flags a rule, and with
which severity, is in contracts.py. A new rule is a module of its own and a name in this list.
"""

from __future__ import annotations

from condense_cli.rules.call import arguments, call_id, declared, partial_call, tool_name
from condense_cli.rules.condense import diagnostics, references
from condense_cli.rules.content import (
    blank_text,
    block_order,
    empty_calls,
    empty_message,
    image,
    image_in_result,
    item,
    media,
    missing_content,
    reasoning,
    request_size,
    thinking,
    tool_reference,
    turns,
)
from condense_cli.rules.header import misplaced, missing
from condense_cli.rules.line import (
    bom,
    final_newline,
    fused_line,
    nul_bytes,
    nul_character,
    split_record,
    text,
    unreadable,
)
from condense_cli.rules.pairing import (
    duplicate_call_id,
    duplicate_result,
    misplaced_result,
    open_call,
    orphan_result,
    reused_id,
    skipped_result,
)
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.tree import duplicates, hidden_history, own, parents, stale_copy

__all__ = ["FIX_ORDER", "LAST_SCANS", "PAIRING_RULES", "RULES", "SCAN_ORDER", "Layer", "Rule"]

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        unreadable.UNREADABLE_LINE, unreadable.TORN_TAIL, fused_line.RULE, split_record.RULE, nul_bytes.RULE, bom.RULE,
        final_newline.RULE, text.INVALID_UTF8, text.LONE_SURROGATE, nul_character.RULE,
        missing.RULE, misplaced.RULE,
        duplicates.DUPLICATE_RECORD, stale_copy.RULE, duplicates.DUPLICATE_ID, parents.PARENT_CYCLE, parents.MISSING_PARENT,
        own.UNREACHABLE_REPLY, hidden_history.RULE, own.FOREIGN_SESSION, own.MISSING_ORDINAL, own.BROKEN_LINEAGE, own.DUPLICATE_ORDINAL,
        orphan_result.RULE, open_call.UNANSWERED, open_call.TRAILING, misplaced_result.DISPLACED, misplaced_result.BEFORE_CALL,
        duplicate_result.DUPLICATE, duplicate_result.STORED_TWICE, skipped_result.RULE, duplicate_call_id.RULE, reused_id.RULE,
        partial_call.RULE, arguments.MISSING, arguments.INVALID, tool_name.RULE, declared.UNDECLARED, declared.SCHEMA, call_id.RULE,
        empty_message.RULE, blank_text.RULE, block_order.RESULTS, block_order.TEXT, image.RULE,
        media.LABEL, media.DOCUMENT, media.SIZE, media.NUMBER,
        request_size.RULE, empty_calls.RULE, image_in_result.RULE, tool_reference.RULE, item.RULE, missing_content.RULE, thinking.RULE,
        reasoning.DANGLING, reasoning.FOREIGN, reasoning.MISSING, turns.END, turns.START, turns.NEIGHBOURS,
        references.MISSING_BLOB, references.DANGLING_REF,
        diagnostics.UNRESOLVED_RANGE, diagnostics.RANGE_ID_MISMATCH, diagnostics.ORPHAN_SWEEP, diagnostics.BACKFILL_EMPTY,
    )
}  # fmt: skip

# The rules of the whole file in the order in which they are scanned and fixed: each looks at what the one before
# leaves.
SCAN_ORDER: tuple[Rule, ...] = (
    bom.RULE, nul_bytes.RULE, text.INVALID_UTF8, text.LONE_SURROGATE, fused_line.RULE, text.INVALID_UTF8, text.LONE_SURROGATE,
    split_record.RULE, text.INVALID_UTF8, text.LONE_SURROGATE, unreadable.TORN_TAIL, unreadable.UNREADABLE_LINE, final_newline.RULE,
    missing.RULE, misplaced.RULE, duplicates.DUPLICATE_RECORD, stale_copy.RULE, duplicates.DUPLICATE_ID, parents.PARENT_CYCLE, parents.MISSING_PARENT,
)  # fmt: skip

# After what only the format itself can have wrong: whether the thread is whole that is left then.
LAST_SCANS: tuple[Rule, ...] = (hidden_history.RULE,)

# The rules of a thread in the order in which they are fixed; none may undo what one before it did.
FIX_ORDER: tuple[str, ...] = (
    "duplicate-call-id", "result-of-skipped-call", "partial-call", "orphan-result", "stored-twice", "duplicate-result",
    "displaced-result",    "result-before-call", "invalid-call-id", "unanswered-call", "trailing-call", "reused-id", "invalid-tool-name",
    "missing-arguments", "invalid-arguments", "nul-character", "invalid-image",
    "media-type-mismatch", "invalid-document", "oversized-media", "too-many-media", "empty-calls", "image-in-result", "unknown-tool-reference", "invalid-item",
    "missing-content", "unsigned-thinking", "dangling-reasoning",
    "foreign-reasoning", "missing-reasoning", "blank-text", "empty-message", "results-not-first", "text-after-call",
    "starts-without-user", "roles-not-alternating",
)  # fmt: skip

PAIRING_RULES: frozenset[str] = frozenset(name for name, rule in RULES.items() if rule.layer is Layer.PAIRING)
