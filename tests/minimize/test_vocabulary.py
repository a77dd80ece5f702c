"""The words of the formats."""

from condense_cli.minimize.vocabulary import vocabulary


def test_names_of_fields_and_values_are_words():
    """Of several formats."""
    assert {"role", "assistant", "tool_use_id", "toolCallId", "function_call_output", "parentUuid", "image/png"[:5], "anthropic-messages"} <= vocabulary()


def test_text_is_no_word():
    """Nothing with blanks, and nothing that a person would call a secret."""
    assert not [word for word in vocabulary() if " " in word or len(word) > 49]
    assert not {"password", "secret", "hunter2"} & vocabulary()
