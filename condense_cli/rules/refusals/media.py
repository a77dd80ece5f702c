"""What is answered about images, documents and the size of a request."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    ANTHROPIC,
    ANTHROPIC_CLIENT,
    BAD_REQUEST,
    CHAT,
    CLAUDE_CODE,
    RESPONSES_CODEX,
    Refusal,
)

_ANTHROPIC_HOSTS = ("anthropic", "claude-code", "bedrock")
_HEAVY = "The request is larger than the provider takes. The messages that weigh most are the ones to compact or drop."

# fmt: off
ROWS: tuple[Refusal, ...] = (
    # images
    Refusal(
        "E20", "Anthropic", ANTHROPIC_CLIENT, ("oversized-media",),
        "messages.{n}.content.{m}.image.source.base64.data: [[At least one of the image dimensions exceed max "
        "allowed size]]: {any} pixels",
        variant="pixels",
    ),
    Refusal(
        "E20", "Anthropic", ANTHROPIC_CLIENT, ("oversized-media",),
        "messages.{n}.content.{m}.image.source.base64.data: [[At least one of the image dimensions exceed max "
        "allowed size for many-image requests]]: {any} pixels",
        variant="many-pixels",
    ),
    Refusal(
        "E20", "Anthropic", _ANTHROPIC_HOSTS, ("oversized-media",),
        "messages.{n}.content.{m}.image.source.base64: [[image exceeds {any} maximum]]: {any} bytes > {any} bytes",
        variant="bytes",
    ),
    Refusal(
        "E21", "Anthropic", ANTHROPIC, ("invalid-image",),
        "[[Could not process image]]",
        needs=BAD_REQUEST,
    ),
    Refusal(
        "E21", "Anthropic", ANTHROPIC_CLIENT, ("invalid-image",),
        "messages.{n}.content.{m}.image.source.base64: [[image cannot be empty]]",
        variant="no-data",
    ),
    Refusal(
        "E21", "Anthropic", ANTHROPIC_CLIENT, ("invalid-image",),
        "messages.{n}.content.{m}.[[image.source.base64.media_type: Input should be]] 'image/jpeg', 'image/png', "
        "'image/gif' or 'image/webp'",
        variant="media-type",
    ),
    Refusal(
        "E21", "Anthropic", ANTHROPIC_CLIENT, ("invalid-image",),
        "messages.{n}.content.{m}.tool_result.content.{any}.[[image.source.base64.media_type: Input should be]] "
        "'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
        variant="media-type-in-result",
    ),
    Refusal(
        "E21", "OpenAI", ("openai-chat", "openai-responses"), ("invalid-image",),
        "[[The image data you provided does not represent a valid image]]. Please check your input and try again.",
    ),
    Refusal(
        "E21", "OpenAI Responses", RESPONSES_CODEX, ("invalid-image",),
        "Invalid 'input[{n}].content[{m}].image_url'. [[Expected a base64-encoded data URL with an image MIME "
        "type]] {any}, but got unsupported MIME type '{any}'.",
        variant="media-type",
    ),
    Refusal(
        "E21", "OpenAI-compatible", CHAT, ("invalid-image",),
        "[[failed to decode image]]",
        variant="decode", needs=BAD_REQUEST,
    ),
    Refusal(
        "MD-1", "Anthropic", ANTHROPIC_CLIENT, ("media-type-mismatch",),
        "messages.{n}.content.{m}.image.source.base64.data: [[Image does not match the provided media type]] {any}",
    ),
    Refusal(
        "MD-1", "Anthropic", ANTHROPIC_CLIENT, ("media-type-mismatch",),
        "messages.{n}.content.{m}.image.source.base64: [[The image was specified using the {any} media type, but "
        "the image appears to be a]] {any} image",
        variant="named",
    ),
    Refusal(
        "OC-6", "OpenAI", CHAT, ("image-in-result",),
        "Invalid 'messages[{n}]'. [[Image URLs are only allowed for messages with role 'user', but this "
        "message with role]] '{any}' contains an image URL.",
    ),
    Refusal(
        "OC-6", "OpenAI-compatible", CHAT, ("image-in-result",),
        "messages.{n}.[[tool.content.str: Input should be a valid string]]",
        variant="schema",
    ),
    Refusal(
        "AN-17", "Anthropic", ANTHROPIC, (),
        "messages.{n}.content.{m}.tool_result: [[all content must be type 'text' if 'is_error' is true]]",
        note="An image or document is in a result that is marked as an error; the client has to send it outside.",
    ),
    # documents
    Refusal(
        "MD-2", "Anthropic", ANTHROPIC_CLIENT, ("invalid-document",),
        "messages.{n}.content.{m}.pdf.source.base64.data: [[The PDF specified was not valid]].",
    ),
    Refusal(
        "MD-3", "Anthropic", ANTHROPIC_CLIENT, ("oversized-media",),
        "messages.{n}.content.{m}.pdf.source.base64.data: [[A maximum of {any} PDF pages may be provided]].",
        variant="pages",
    ),
    Refusal(
        "MD-3", "Claude Code", CLAUDE_CODE, ("oversized-media",),
        "[[PDF too large]]. Please double press esc to edit your message and try again.",
        variant="document-client", needs=BAD_REQUEST + "|double press esc",
    ),
    # the request
    Refusal(
        "MD-4", "Anthropic", _ANTHROPIC_HOSTS, ("too-many-media",),
        "messages: [[too many images and documents]]: {any} + {any} > {any}",
    ),
    Refusal(
        "MD-5", "Anthropic", ANTHROPIC, ("oversized-request",),
        '413 {"type":"error","error":{"type":"[[request_too_large]]","message":"Request exceeds the maximum size"}}',
        note=_HEAVY, remedy="heaviest", needs=BAD_REQUEST + "|double press esc",
    ),
    Refusal(
        "MD-5", "Anthropic", ANTHROPIC, ("oversized-request",),
        "[[Request exceeds the maximum size]]",
        variant="message", note=_HEAVY, remedy="heaviest",
    ),
    Refusal(
        "MD-5", "Claude Code", CLAUDE_CODE, ("oversized-request",),
        "[[Request too large. Double press esc to go back]] and try with a smaller file.",
        variant="client", note=_HEAVY, remedy="heaviest",
    ),
    Refusal(
        "MD-5", "HTTP servers", (), ("oversized-request",),
        "413 [[Request Entity Too Large]]",
        variant="server", note=_HEAVY, remedy="heaviest",
    ),
)
# fmt: on
