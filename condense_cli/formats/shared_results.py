"""How results that are blocks of the user message after their call are put in, dropped and moved, whatever the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.messages import ArrayFormat
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft


NO_CALL = "[condense] A tool result stood here whose call is not in this conversation."


class SharedResults(ArrayFormat):
    """Arrays in which all results of a turn are in the user message after it."""

    shared_results = True
    conversations = True
    own_shape = True

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """A user message left empty at the front becomes a short note; elsewhere it goes."""
        return drop_result(draft, result, rule)

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Move a message that holds nothing but results of the call's turn; else move the block into the message
        after the call.
        """
        return move_result(draft, result, anchor, call, rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Put the answer into the user message after the call, after the results that are there."""
        return add_answer(draft, call, cycle, rule)


def add_answer(draft: Draft, call: Call, cycle: int, rule: str) -> bool:
    """Put the answer into the user message after the call, after the results that are there."""
    after = next_user(draft, cycle)
    if after is None or draft.is_gone(after.record):
        return False
    _, blocks = _apart(draft, call)
    put_block(
        draft,
        after.record,
        jsonedit.dump(blocks[0], spaced=jsonedit.is_spaced(draft.raw(after.record))),
        rule,
        call.id,
    )
    return True


def next_user(draft: Draft, cycle: int) -> Message | None:
    """Return the user message after the answer of a cycle."""
    at = draft.pairing.cycles[cycle].at + 1
    after = draft.view.messages[at] if at < len(draft.view.messages) else None
    return after if after is not None and after.role is Role.USER else None


def _apart(draft: Draft, call: Call) -> tuple[dict[str, Any], list[Any]]:
    """Return a user message without content, and the blocks that answer a call."""
    value = draft.format.answer(draft, call, call.record, ANSWER)
    *above, last = draft.format.content_path(call.record)
    holder: Any = value
    for key in above:
        holder = holder[key]
    blocks, holder[last] = holder[last], []
    return value, blocks


def put_block(draft: Draft, record: Record, block: bytes, rule: str, call_id: str | None) -> None:
    """Insert a result block after the results that a user message begins with; a string content becomes a block."""
    raw, path = draft.raw(record), draft.format.content_path(record)
    place = jsonspan.span(raw, path)
    if place and raw[place[0] : place[0] + 1] == b'"':
        said = draft.format.text_of(record, raw[place[0] : place[1]])
        raw = jsonedit.replace(raw, path, b"[" + block + b"," + said + b"]")
    elif place is None or raw[place[0] : place[0] + 1] != b"[":
        raw = jsonedit.replace(raw, path, b"[" + block + b"]")
    else:
        message = draft.message(record)
        raw = jsonedit.insert(raw, path, leading_results(message), block)
    draft.rewrite(record, raw, rule, Change.INSERT, call_id=call_id)


def leading_results(message: Message | None) -> int:
    """Count the results that a message begins with."""
    first = 0
    for result in message.results if message is not None else ():
        first = result.part + 1 if result.part == first else first
    return first


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """A user message left empty at the front becomes a short note; elsewhere it goes."""
    record = result.record
    raw, path = draft.raw(record), draft.format.content_path(result.record)
    first = draft.known.first
    place = jsonspan.span(raw, path)
    alone = place is not None and len(jsonspan.elements(raw, place[0])) == 1
    if not result.server and alone and first is not None and first.record is record:
        raw = jsonedit.replace(raw, path, [draft.format.text_block(record, 0, NO_CALL)])
        draft.rewrite(record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)
        return True
    return False


def move_result(draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a message that holds nothing but results of the call's turn; else move the block into the message after
    the call.
    """
    record = result.record
    if call is None:
        return False
    if result.server:
        return True  # it belongs into the message of its call, which is the provider's
    number = draft.known.cycle_of.get(call)
    if number is None:
        return False
    if _moves_whole(draft, record, anchor, number):
        if not draft.is_gone(record):
            draft.move(record, anchor, rule, call_id=result.id)
        return True
    return _move_block(draft, result, anchor, call, number, rule)


def _moves_whole(draft: Draft, record: Record, anchor: Record, number: int) -> bool:
    """Say whether a message may move as it is: it holds nothing but results of the cycle, and finds none there."""
    message, near = draft.message(record), draft.message(anchor)
    if message is None or message.said:
        return False
    if near is not None and near.role is Role.USER and (near.said or draft.format.together):
        return False
    ids = {(one.id, one.family) for one in draft.pairing.cycles[number].calls}
    return all((r.id, r.family) in ids for r in message.results)


def _move_block(draft: Draft, result: Result, anchor: Record, call: Call, number: int, rule: str) -> bool:
    record = result.record
    raw, path = draft.raw(record), draft.format.content_path(record)
    part = part_now(draft, result)
    place = jsonspan.span(raw, (*path, part))
    if place is None:
        return False
    block = raw[place[0] : place[1]]
    left = jsonedit.remove(raw, (*path, part))
    if jsonspan.elements(left, (jsonspan.span(left, path) or (0, 0))[0]):
        draft.rewrite(record, left, rule, Change.MOVE, part=result.part, call_id=result.id)
    else:
        draft.drop(record, rule, part=result.part, call_id=result.id)
    target = next_user(draft, number)
    home = target.record if target is not None and not draft.is_gone(target.record) else None
    if home is None and anchor is not draft.pairing.cycles[number].message.record and not draft.is_gone(anchor):
        near = draft.message(anchor)
        home = anchor if near is not None and near.role is Role.USER else None
    if home is not None:
        put_block(draft, home, block, rule, result.id)
    else:
        value, _ = _apart(draft, call)
        new = draft.insert(value, anchor, rule, call_id=result.id)
        draft.rewrite(new, jsonedit.insert(draft.raw(new), path, 0, block), rule, Change.MOVE, call_id=result.id)
    return True


def part_now(draft: Draft, result: Result) -> int:
    """Return the number of a result's block in its message as the draft has it: others may have left it by now."""
    message = draft.message(result.record)
    mine = [r.part for r in message.results if (r.id, r.family) == (result.id, result.family)] if message else []
    return result.part if not mine or result.part in mine else mine[0]
