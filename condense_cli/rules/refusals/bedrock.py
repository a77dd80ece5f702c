"""What Bedrock Converse answers."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    BEDROCK,
    CALLS,
    REQUEST,
    RESULTS,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "BR-1", "Bedrock", BEDROCK, CALLS,
        "[[Expected toolResult blocks at messages.{n}.content for the following Ids]]: {ids}",
    ),
    Refusal(
        "BR-2", "Bedrock", BEDROCK, RESULTS,
        "[[The number of toolResult blocks at messages.{n}.content exceeds the number of toolUse blocks of "
        "previous turn]].",
    ),
    Refusal(
        "BR-3", "Bedrock", BEDROCK, ("duplicate-result",),
        "[[The toolResult blocks at messages.{n}.content contain duplicate Ids]]: {ids}",
    ),
    Refusal(
        "E12", "Bedrock", BEDROCK, ("duplicate-call-id",),
        "[[The toolUse blocks at messages.{n}.content contain duplicate Ids]]: {ids}",
    ),
    Refusal(
        "E12", "Bedrock", BEDROCK, ("duplicate-call-id",),
        "[[The toolUse blocks at messages.{n} contain duplicate Ids]]: {ids}",
        variant="older",
    ),
    Refusal(
        "BR-5", "Bedrock", BEDROCK, ("roles-not-alternating",),
        "[[A conversation must alternate between user and assistant roles]]. Make sure the conversation "
        "alternates between user and assistant roles and try again.",
    ),
    Refusal(
        "BR-6", "Bedrock", BEDROCK, ("starts-without-user",),
        "[[A conversation must start with a user message]]. Try again with a conversation that starts with a "
        "user message.",
    ),
    Refusal(
        "BR-7", "Bedrock", BEDROCK, ("blank-text", "empty-message"),
        "[[The text field in the ContentBlock object at messages.{n}.content.{m} is blank]]. Add text to the "
        "text field, and try again.",
    ),
    Refusal(
        "BR-8", "Bedrock", BEDROCK, ("empty-message",),
        "[[The content field in the Message object at messages.{n} is empty]]. Add a ContentBlock object to "
        "the content field and try again.",
    ),
    Refusal(
        "BR-9", "Bedrock", BEDROCK, (),
        "[[The content field at messages.{n}.content.{m}.toolResult cannot be empty when status value is "
        "error]].",
        note=(
            "A result that is marked as an error is empty; the client has to send a word in it."
        ),
    ),
    Refusal(
        "BR-10", "Bedrock", BEDROCK, (),
        "[[The toolConfig field must be defined when using toolUse and toolResult content blocks]].",
        note=REQUEST,
    ),
    Refusal(
        "BR-4", "Bedrock", BEDROCK, ("invalid-tool-name",),
        "Value '{any}' at '[[messages.{any}.member.content.{any}.member.toolUse.name' failed to satisfy constraint]]: "
        "Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
        note="The numbers in this text count from 1.",
    ),
    Refusal(
        "BR-4", "Bedrock", BEDROCK, ("invalid-call-id",),
        "Value '{any}' at '[[messages.{any}.member.content.{any}.member.toolUse.toolUseId' failed to satisfy "
        "constraint]]: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+",
        note="The numbers in this text count from 1.",
    ),
    Refusal(
        "BR-4", "Bedrock", BEDROCK, ("invalid-call-id",),
        "Value '{any}' at '[[messages.{any}.member.content.{any}.member.toolResult.toolUseId' failed to satisfy "
        "constraint]]: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+",
        variant="lost", note="The numbers in this text count from 1.",
    ),
    Refusal(
        "BR-11", "Bedrock", BEDROCK, (),
        "messages.{n}.content: [[Conversation blocks and tool result blocks cannot be provided in the same "
        "turn]].",
        note=(
            "This model refuses text beside results, in whatever order; the client has to send the text in a "
            "turn of its own."
        ),
    ),
)
# fmt: on
