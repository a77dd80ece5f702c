"""What the API of a model takes."""

import pytest
from condense_cli.document.writer import Writer


@pytest.mark.parametrize(
    ("writer", "openai", "anthropic", "signs"),
    [
        (Writer("openai-completions", "openai", "m"), True, False, False),
        (Writer("openai-responses", "azure", "m"), True, False, False),
        (Writer("openai-completions", "moonshotai", "kimi-k2"), False, False, False),  # it refuses a blank text
        (Writer("anthropic-messages", "anthropic", "m"), False, True, True),
        (Writer("anthropic-messages", "zai", "glm"), False, True, False),
        (Writer("bedrock-converse-stream", "amazon-bedrock", "m"), False, True, True),
        (Writer("google-generative-ai", "google", "m"), False, False, False),
        (Writer(), False, False, False),
    ],
)
def test_what_a_model_speaks(writer, openai, anthropic, signs):
    """An unknown API takes nothing for granted."""
    assert (writer.speaks_openai, writer.speaks_anthropic, writer.signs_thinking) == (openai, anthropic, signs)
