"""The records that a repair of a Claude Code session makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.claude_code.chain import chain_of
from condense_cli.formats.claude_code.facts import facts
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result
from condense_cli.model.times import shifted

if TYPE_CHECKING:
    from condense_cli.document.records import Records


KEPT_LEAF = "[condense] The conversation goes on from here."


_ENVELOPE = ("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "agentId", "slug")


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the result of a call: one millisecond after the call, but not before the record that it goes after."""
    block = {"tool_use_id": call.id, "type": "tool_result", "content": text, "is_error": True}
    time = max(shifted(facts(call.record).time, 1), facts(after).time)
    made = new_record(
        document, call.record, after, time, f"answer {call.id} {call.part}", {"role": "user", "content": [block]}
    )
    made["toolUseResult"] = f"Error: {text}"
    made["sourceToolAssistantUUID"] = call.record.id
    return made


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a prompt that takes the place of the record's parent, one millisecond earlier."""
    time = shifted(facts(before).time, -1)
    made = new_record(document, before, before, time, "note", {"role": "user", "content": text})
    made["parentUuid"] = before.parent
    return made


def replacement(document: Records, first: Record, after: Record, text: str) -> dict[str, Any]:
    """Build a prompt after a record, not earlier than it, which nobody typed."""
    made = user_note(document, first, text)
    made["parentUuid"] = after.id
    made["isMeta"] = True
    before = document.value(after).get("timestamp")
    if isinstance(before, str):
        made["timestamp"] = max(made["timestamp"], before)
    return made


def result_note(document: Records, result: Result) -> dict[str, Any] | None:
    """Build the record again with the result's text as a note in its place."""
    value: dict[str, Any] = document.value(result.record)
    blocks = list(value["message"]["content"])
    said = _texts(blocks[result.part].get("content"))
    blocks[result.part] = {
        "type": "text",
        "text": f"[condense] Result of a call that is not in this conversation:\n{said}",
    }
    value = {**value, "message": {**value["message"], "content": blocks}}
    if not any(isinstance(b, dict) and b.get("type") == "tool_result" for b in blocks):
        value = {key: item for key, item in value.items() if key not in OF_RESULTS}
    return value


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in content if isinstance(block, dict)) if isinstance(content, list) else ()
    return "\n".join(text for text in texts if isinstance(text, str))


OF_RESULTS = ("toolUseResult", "sourceToolAssistantUUID")


def keep_leaf(document: Records, leaf: Record) -> dict[str, Any] | None:
    """Build a system record to put after the old leaf when another branch would be newer now."""
    chain = chain_of(document)
    end = chain.leaf()
    if end is None or any(record.id == leaf.id for record in chain.up(end)):
        return None
    made = new_record(document, leaf, leaf, shifted(facts(end).time, 1), "leaf", None)
    made.update(type="system", subtype="informational", content=KEPT_LEAF, level="info", isMeta=False)
    return made


def new_record(
    document: Records, like: Record, after: Record, time: str, salt: str, message: dict[str, Any] | None
) -> dict[str, Any]:
    """Build a record after another one, with the envelope of one like it."""
    old = document.value(like)
    made: dict[str, Any] = {"parentUuid": after.id}
    made.update((key, old[key]) for key in _ENVELOPE if key in old)
    if message is not None:
        made["type"] = "user"
        made["message"] = message
    taken = document.taken
    made["uuid"] = fresh_id("0" * 8 + "-0000" * 3 + "-" + "0" * 12, f"{like.id} {after.id} {salt}".encode(), taken)
    made["timestamp"] = time
    return made
