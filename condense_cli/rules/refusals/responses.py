"""What OpenAI Responses answers."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    BAD_REQUEST,
    CALLS,
    DEEPSEEK,
    ITEM_ID,
    REQUEST,
    RESPONSES,
    RESPONSES_CODEX,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "E6", "OpenAI Responses", RESPONSES, ("unanswered-call", "trailing-call"),
        "[[No tool output found for function call]] {id}.",
    ),
    Refusal(
        "E6", "OpenAI Responses", RESPONSES, ("unanswered-call", "trailing-call"),
        "[[No tool output found for custom tool call]] {id}.",
        variant="custom",
    ),
    Refusal(
        "E6", "DeepSeek", DEEPSEEK, CALLS,
        "[[No tool output found for tool call]] {id}",
        variant="responses",
    ),
    Refusal(
        "E6", "OpenAI Responses", RESPONSES, ("unanswered-call", "trailing-call"),
        "[[No tool output found for {any} call]] {id}.",
        variant="other",
    ),
    Refusal(
        "E7", "OpenAI Responses", RESPONSES_CODEX,
        ("orphan-result", "result-before-call", "duplicate-result", "result-of-skipped-call"),
        "[[No tool call found for function call output with call_id]] {id}.",
    ),
    Refusal(
        "E23", "OpenAI Responses", RESPONSES_CODEX, ("invalid-call-id",),
        "Invalid '[[input[{n}].call_id': string too long]]. Expected a string with maximum length 64, but got "
        "a string with length {length} instead.",
        variant="long",
    ),
    Refusal(
        "E26", "OpenAI Responses", RESPONSES_CODEX, ("invalid-tool-name",),
        "Invalid '[[input[{n}].name': string does not match pattern]]. Expected a string that matches the "
        "pattern '^[a-zA-Z0-9_-]+$'.",
        variant="characters",
    ),
    Refusal(
        "OR-6", "OpenAI Responses", RESPONSES, (),
        "Invalid 'input[{n}].id': '{id}'. [[Expected an ID that begins with]] '{any}'.",
        note=ITEM_ID,
    ),
    Refusal(
        "OR-7", "OpenAI Responses", RESPONSES_CODEX, ("duplicate-record",),
        "[[Duplicate item found with id]] {id}. Remove duplicate items from your input and try again.",
    ),
    Refusal(
        "OR-7", "OpenAI-compatible", RESPONSES_CODEX, ("duplicate-call-id", "reused-id"),
        "[[Duplicate 'call_id']]: {id}",
        needs=BAD_REQUEST,
    ),
    Refusal(
        "E15", "OpenAI Responses", RESPONSES_CODEX, ("dangling-reasoning",),
        "Item '{id}' [[of type 'reasoning' was provided without its required following item]].",
    ),
    Refusal(
        "E16", "OpenAI Responses", RESPONSES, ("dangling-reasoning", "foreign-reasoning"),
        "Item '{id}' [[of type '{any}' was provided without its required 'reasoning' item]]: '{id}'.",
        variant="follower",
        note=ITEM_ID,
    ),
    Refusal(
        "E17", "OpenAI Responses", RESPONSES_CODEX, ("foreign-reasoning",),
        "[[The encrypted content {any} could not be verified]].",
        note=(
            "Nobody but the provider can tell which reasoning it means: `condense repair --select "
            "foreign-reasoning` drops what is bound to another provider or model."
        ),
    ),
    Refusal(
        "E17", "OpenAI Responses", RESPONSES_CODEX, ("foreign-reasoning",),
        "[[invalid_encrypted_content]]",
        note=(
            "Nobody but the provider can tell which reasoning it means: `condense repair --select "
            "foreign-reasoning` drops what is bound to another provider or model."
        ),
        variant="code",
    ),
    Refusal(
        "IT-1", "OpenAI Responses", RESPONSES_CODEX, ("invalid-item",),
        "Invalid value: '{any}'. [[Supported values are: 'search', 'open_page', and 'find_in_page']].",
        variant="action",
    ),
    Refusal(
        "IT-1", "OpenAI Responses", RESPONSES_CODEX, ("invalid-item",),
        "Invalid value: '{any}'. [[Supported values are: 'in_progress', 'completed', and 'incomplete']].",
        variant="status",
    ),
    Refusal(
        "IT-2", "OpenAI Responses", RESPONSES_CODEX, ("invalid-item", "dangling-reasoning"),
        "Invalid '[[input[{n}].content': array too long]]. Expected an array with maximum length {any}, but got an "
        "array with length {any} instead.",
        variant="reasoning-content",
    ),
    Refusal(
        "IT-3", "OpenAI Responses", RESPONSES_CODEX, ("dangling-reasoning", "foreign-reasoning"),
        "[[Missing required parameter: 'input[{n}].encrypted_content']].",
        variant="not-encrypted",
    ),
    Refusal(
        "IT-4", "OpenAI Responses", RESPONSES_CODEX, ("invalid-item",),
        "Invalid '[[input[{n}].id': string too long]]. Expected a string with maximum length {any}, but got a string "
        "with length {any} instead.",
        variant="id-long",
    ),
    Refusal(
        "IT-4", "OpenAI Responses", RESPONSES_CODEX, ("invalid-item",),
        "Invalid '[[input[{n}].id': empty string]]. Expected a string with minimum length 1, but got an empty string "
        "instead.",
        variant="id-empty",
    ),
    Refusal(
        "OR-11", "OpenAI Responses", RESPONSES, (),
        "[[Invalid value: 'tool'. Supported values are]]: 'assistant', 'system', 'developer', and 'user'.",
        note=REQUEST,
    ),
)
# fmt: on
