"""What Gemini generateContent answers."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    BOTH,
    GEMINI,
    REQUEST,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "E10", "Gemini", GEMINI, (*BOTH[:4], "stored-twice"),
        "[[Please ensure that the number of function response parts is equal to the number of function call "
        "parts of the function call turn]].",
    ),
    Refusal(
        "GE-2", "Gemini", GEMINI, ("displaced-result", "result-before-call", "orphan-result", "unanswered-call"),
        "[[Please ensure that function response turn comes immediately after a function call turn]]",
    ),
    Refusal(
        "GE-3", "Gemini", GEMINI, ("starts-without-user", "displaced-result"),
        "[[Please ensure that function call turn comes immediately after a user turn or after a function "
        "response turn]].",
    ),
    Refusal(
        "E30", "Gemini", GEMINI, (),
        "[[Function call is missing a thought_signature in functionCall parts]].",
        note=(
            "The client did not send back the signature of a call. It cannot be made up: go back to before "
            "that turn, or use another model."
        ),
    ),
    Refusal(
        "E30", "Vertex AI", GEMINI, (),
        "[[Unable to submit request because function call `{name}` in the {any} content block is missing a "
        "`thought_signature`]].",
        note=(
            "The client did not send back the signature of a call. It cannot be made up: go back to before "
            "that turn, or use another model."
        ),
        variant="vertex",
    ),
    Refusal(
        "GE-5", "Gemini", GEMINI, ("empty-message",),
        "GenerateContentRequest.[[contents[{n}].parts: contents.parts must not be empty]].",
    ),
    Refusal(
        "GE-5", "Gemini", GEMINI, ("blank-text", "empty-message"),
        "GenerateContentRequest.contents[{n}].[[parts[{m}].data: required oneof field 'data' must have one "
        "initialized field]]",
    ),
    Refusal(
        "GE-6", "Gemini", GEMINI, (),
        "[[Unknown name \"id\" at 'contents[{n}].parts[{m}].function_]]response'",
        note=REQUEST,
    ),
)
# fmt: on
