"""What the API of a model takes."""

import pytest
from condense_cli.document.model_in_use import ModelInUse


@pytest.mark.parametrize(
    ("model_in_use", "openai", "anthropic", "signs"),
    [
        (ModelInUse("openai-completions", "openai", "m"), True, False, False),
        (ModelInUse("openai-responses", "azure", "m"), True, False, False),
        (ModelInUse("openai-completions", "moonshotai", "kimi-k2"), False, False, False),  # it refuses a blank text
        (ModelInUse("anthropic-messages", "anthropic", "m"), False, True, True),
        (ModelInUse("anthropic-messages", "zai", "glm"), False, True, False),
        (ModelInUse("bedrock-converse-stream", "amazon-bedrock", "m"), False, True, True),
        (ModelInUse("google-generative-ai", "google", "m"), False, False, False),
        (ModelInUse(), False, False, False),
    ],
)
def test_what_a_model_speaks(model_in_use, openai, anthropic, signs):
    """An unknown API takes nothing for granted."""
    assert (model_in_use.speaks_openai, model_in_use.speaks_anthropic, model_in_use.signs_thinking) == (openai, anthropic, signs)
