"""The part of pi's settings.json that decides what is pruned.

Members that are missing stay undefined, as in the original.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from condense_cli.errors import UnreadableError
from condense_cli.jsonbytes.javascript import UNDEFINED, double, is_number, truthy

PROTECTED_PATHS = ("**/skills/**/*.md", "**/gauntlet-overrides.md")
_DEFAULTS: dict[str, Any] = {
    "protectedTools": [],
    "protectedPaths": list(PROTECTED_PATHS),
    "chainCompression": {
        "enabled": True,
        "rollingWindow": 3,
        "stripFinalAssistantThinking": True,
        "fuseRangeSummary": True,
    },
    "purgeErrors": {"enabled": True, "cooldownTurns": 2, "minArgChars": 500},
}
DEFAULT_GRACE_TURNS = 3


class Settings(NamedTuple):
    """What pruning reads of `contextPrune`. Numbers may be undefined: every comparison with one is then false.

    most_images is what maxImagesPerRequest says, None where it says nothing that counts.
    """

    enabled: bool = True
    grace_turns: float = DEFAULT_GRACE_TURNS
    protected_tools: Any = ()
    protected_paths: Any = PROTECTED_PATHS
    compress: bool = True
    strip_final_thinking: bool = True
    purge: bool = True
    cooldown_turns: Any = 2
    min_argument_chars: Any = 500
    window: Any = 3
    spill_threshold: float = 65536
    spill_preview_bytes: float = 2048
    most_images: int | None = None


def settings_from(raw: Any) -> Settings:
    """Merge the `contextPrune` object over the defaults, one level deep: a nested object replaces the default one."""
    given = raw if isinstance(raw, dict) else {}
    merged = {**_DEFAULTS, **given}
    chains, errors = merged["chainCompression"], merged["purgeErrors"]
    return Settings(
        enabled=given.get("enabled") is True,
        grace_turns=_at_least_zero(given.get("recoveryGraceTurns"), DEFAULT_GRACE_TURNS),
        protected_tools=merged["protectedTools"],
        protected_paths=merged["protectedPaths"],
        compress=truthy(_member(chains, "enabled")),
        strip_final_thinking=truthy(_member(chains, "stripFinalAssistantThinking")),
        purge=truthy(_member(errors, "enabled")),
        cooldown_turns=_member(errors, "cooldownTurns"),
        min_argument_chars=_member(errors, "minArgChars"),
        window=_member(chains, "rollingWindow"),
        spill_threshold=_at_least_zero(given.get("spillThreshold"), 65536),
        spill_preview_bytes=_at_least_zero(given.get("spillPreviewBytes"), 2048),
        most_images=_at_least_one(given.get("maxImagesPerRequest")),
    )


def _member(value: Any, name: str) -> Any:
    return value.get(name, UNDEFINED) if isinstance(value, dict) else UNDEFINED


def _at_least_zero(value: Any, default: float) -> float:
    if not is_number(value) or not math.isfinite(double(value)) or value < 0:
        return default
    return float(math.floor(value))


def _at_least_one(value: Any) -> int | None:
    return math.floor(value) if is_number(value) and math.isfinite(double(value)) and value >= 1 else None


def read_settings(path: str | None) -> Settings:
    """Read a settings.json; without a path the defaults with pruning on. Raises UnreadableError."""
    if path is None:
        return Settings()
    from condense_cli.jsonbytes import jsonread

    try:
        with open(path, "rb") as file:
            data = jsonread.loads(file.read())
    except OSError as problem:
        raise UnreadableError(f"{path}: {problem.strerror}", "--settings takes pi's settings.json") from problem
    except ValueError as problem:
        raise UnreadableError(f"{path}: not JSON", "--settings takes pi's settings.json") from problem
    return settings_from(data.get("contextPrune") if isinstance(data, dict) else None)
