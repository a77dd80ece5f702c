"""The model that a thread uses now, and what its API takes."""

from __future__ import annotations

from typing import NamedTuple


class ModelInUse(NamedTuple):
    """The model that the thread uses now: it decides what several rules cost."""

    api: str = ""
    provider: str = ""
    model: str = ""

    @property
    def anthropic(self) -> bool:
        """Say whether requests go to Anthropic itself."""
        return self.provider == "anthropic"

    @property
    def signs_thinking(self) -> bool:
        """Say whether the model is Anthropic's own or Bedrock's: other hosts that speak its API never sign thinking."""
        return self.provider in ("anthropic", "amazon-bedrock") or self.api == "bedrock-converse-stream"

    @property
    def speaks_openai(self) -> bool:
        """Say whether requests are chat messages or Responses items, which may begin with any role and hold blank
        texts; Moonshot's may not.
        """
        return "openai" in self.api and not any(name in self.provider for name in ("moonshot", "kimi"))

    @property
    def speaks_anthropic(self) -> bool:
        """Say whether requests are Anthropic messages, there or at Bedrock."""
        return self.api in ("anthropic-messages", "bedrock-converse-stream") or self.provider in (
            "anthropic",
            "amazon-bedrock",
        )
