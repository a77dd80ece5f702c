"""The words that formats themselves consist of: names of fields and values that the program knows, so no session's
own.
"""

from __future__ import annotations

import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from types import CodeType

from condense_cli import formats

_WORD = re.compile(r"\$?[A-Za-z][A-Za-z0-9_.-]{0,48}")
PREFIXES = frozenset(
    [
        "toolu",
        "srvtoolu",
        "call",
        "fc",
        "fco",
        "msg",
        "rs",
        "req",
        "ws",
        "ctc",
        "chatcmpl",
        "resp",
        "ses",
        "prt",
        "bash",
        "exec",
        "tool",
    ]
)
"""How ids of calls, items and messages begin, and the types of parts that have a tool's name after it."""

_MORE = frozenset(
    [
        "args",
        "budget_tokens",
        "cache_control",
        "cache_creation_input_tokens",
        "cache_read",
        "cache_read_input_tokens",
        "cacheRead",
        "cacheWrite",
        "citations",
        "completion_tokens",
        "container",
        "context_management",
        "cost",
        "created_at",
        "ephemeral_1h_input_tokens",
        "ephemeral_5m_input_tokens",
        "external",
        "finish_reason",
        "gitBranch",
        "inference_geo",
        "input_tokens",
        "is_error",
        "isVisibleInTranscriptOnly",
        "isReplay",
        "iterations",
        "max_tokens",
        "now",
        "operation",
        "output_tokens",
        "permissionMode",
        "promptId",
        "prompt_tokens",
        "requestId",
        "reasoning_tokens",
        "service_tier",
        "server_tool_use",
        "speed",
        "standard",
        "stop",
        "stopReason",
        "stop_reason",
        "stop_sequence",
        "system",
        "tool_calls",
        "tool_choice",
        "tools",
        "total",
        "total_tokens",
        "totalTokens",
        "toolUse",
        "toolUseID",
        "ttl",
        "url",
        "usage",
        "userType",
        "version",
        "web_fetch_requests",
        "web_search_requests",
    ]
)

_MEDIA_TYPES = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/svg+xml",
    "image/heic",
    "image/bmp",
    "application/pdf",
    "text/plain",
]
_SERVER_TOOLS = [
    "advisor",
    "bash_code_execution",
    "code_execution",
    "mcp",
    "text_editor_code_execution",
    "tool_search",
    "web_fetch",
    "web_search",
]


@cache
def vocabulary() -> frozenset[str]:
    """Return the words. They are the constants of the compiled formats: text has blanks, a word has none."""
    found = set(_MORE)
    for module in pkgutil.walk_packages(formats.__path__, "condense_cli.formats."):
        spec = importlib.util.find_spec(module.name)
        code = (
            spec.loader.get_code(module.name)
            if spec is not None and spec.loader is not None and hasattr(spec.loader, "get_code")
            else None
        )
        if code is not None:
            found.update(word for word in _constants(code) if _WORD.fullmatch(word))
    found.update(f"{tool}_tool_result{end}" for tool in _SERVER_TOOLS for end in ("", "_error"))
    return frozenset(found.union(_MEDIA_TYPES))


def _constants(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        elif isinstance(constant, str):
            yield constant
        elif isinstance(constant, (tuple, frozenset)):
            yield from (item for item in constant if isinstance(item, str))
