"""The pairing rules once more, slow and by definition: no streams, no counters, no state between messages.

A list here is abstract: ("user",), ("text",), ("call", ids, names), ("result", id), ("reasoning",),
("system",), ("custom",). Each question is answered by looking at the whole list again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import groupby, pairwise
from typing import NamedTuple

ASSISTANT = {"text", "call", "reasoning"}

# --- notation: U user, T text, A(x,tool:y) calls, R(x) result, R(-) without id, R() empty id, N reasoning, P system, C custom

_KINDS = {"U": "user", "T": "text", "N": "reasoning", "P": "system", "C": "custom", "A": "call", "R": "result"}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_TOKEN = re.compile(r"([UTNPCAR])'?(?:\(([^)]*)\))?$")


def notation(text):
    """Read a list from its short form, say "U A(x,y) R(y) R'(x)"."""
    return [_message(*_TOKEN.match(token).groups()) for token in text.split()]


def _message(letter, inside):
    kind = _KINDS[letter]
    if kind == "result":
        return (kind, _id(inside))
    if kind == "call":
        pairs = [part.rpartition(":") for part in inside.split(",")]
        return (kind, [_id(i) for _, _, i in pairs], [name or "bash" for name, _, _ in pairs])
    return (kind,)


def _id(text):
    return None if text == "-" else text


def spell(messages):
    """Write a list in its short form; tool names are left out."""
    return " ".join(_spell_one(message) for message in messages)


def _spell_one(message):
    letter = _LETTERS[message[0]]
    if message[0] == "call":
        return f"{letter}({','.join('-' if i is None else i for i in message[1])})"
    if message[0] == "result":
        return f"{letter}({'-' if message[1] is None else message[1]})"
    return letter


# --- halves


class Half(NamedTuple):
    """One half of a tool use: message from 0, block from 0."""

    index: int
    part: int
    kind: str
    id: str | None
    name: str | None


def halves(messages):
    """All halves of a list, in order."""
    found = []
    for index, message in enumerate(messages):
        if message[0] == "call":
            found += [
                Half(index, part, "call", i, name)
                for part, (i, name) in enumerate(zip(message[1], message[2], strict=True))
            ]
        if message[0] == "result":
            found.append(Half(index, 0, "result", message[1], None))
    return found


def without(messages, gone):
    """The list without the halves in gone, a set of (index, part); a message that loses its last half goes."""
    rest = []
    for index, message in enumerate(messages):
        if message[0] == "result" and (index, 0) in gone:
            continue
        if message[0] == "call":
            kept = [part for part in range(len(message[1])) if (index, part) not in gone]
            if not kept and message[1]:
                continue
            message = ("call", [message[1][p] for p in kept], [message[2][p] for p in kept])  # noqa: PLW2901
        rest.append(message)
    return rest


# --- the turn rule (pi-condense)


def turn_drops(messages):
    """The halves that the turn rule removes: results that the nearest other message before them did not ask for."""
    return {(i, 0) for i, message in enumerate(messages) if message[0] == "result" and not _asked_in_turn(messages, i)}


def _asked_in_turn(messages, at):
    wanted = messages[at][1]
    run = at
    while run > 0 and messages[run - 1][0] == "result":
        run -= 1
    asker = messages[run - 1] if run else ("nobody",)
    answered_already = any(messages[k][1] == wanted for k in range(run, at))
    return asker[0] == "call" and wanted in asker[1] and not answered_already


def turn_sweep(messages):
    """The list after pi-condense's orphan sweep: only results go."""
    return without(messages, turn_drops(messages))


# --- the count rule (the kernel's)


def count_drops(messages, exempt=()):
    """The halves that the count rule removes: those that stay when, id by id, neighbouring call and result cancel out.

    A half whose id is missing is no half for this rule. Calls of an exempt tool cancel like any other, but never go.
    """
    gone = set()
    by_id = {}
    for half in halves(messages):
        if half.id is not None:
            by_id.setdefault(half.id, []).append(half)
    for left in by_id.values():
        while (at := _couple(left)) is not None:
            del left[at : at + 2]
        gone |= {(half.index, half.part) for half in left if half.kind == "result" or half.name not in exempt}
    return gone


def _couple(row):
    for at in range(len(row) - 1):
        if (row[at].kind, row[at + 1].kind) == ("call", "result"):
            return at
    return None


def count_sweep(messages, exempt=()):
    """The list after both passes of the count rule and the removal of reasoning runs that nothing follows."""
    return without_dangling_reasoning(without(messages, count_drops(messages, exempt)))


def without_dangling_reasoning(messages):
    """The list without the runs of reasoning that neither an assistant's text nor a call follows."""
    runs = [(is_run, list(run)) for is_run, run in groupby(messages, key=lambda message: message[0] == "reasoning")]
    rest = []
    for number, (is_run, run) in enumerate(runs):
        follower = runs[number + 1][1][0][0] if number + 1 < len(runs) else "end"
        if not is_run or follower in {"text", "call"}:
            rest += run
    return rest


# --- the contract rule (ours), for lists in which no turn declares one id twice and no half lacks an id


def contract_owners(messages):
    """Which call each result belongs to: result index → (index, part) of the call, both from 0; the others belong to none.

    First the results of a cycle go to its calls, one each; what is left in a cycle that asked for it is a second
    answer and belongs to none. Then a call and a result that are the only ones left over of their id are a pair,
    unless the result comes first and other calls have that id.
    """
    asked = [half for half in halves(messages) if half.kind == "call"]
    answers = [half for half in halves(messages) if half.kind == "result"]
    own = {}
    for call in asked:
        claimed = [
            answer.index
            for answer in answers
            if answer.id == call.id and _cycle_of(messages, answer.index) == call.index
        ]
        if claimed:
            own[claimed[0]] = (call.index, call.part)
    for wanted in {call.id for call in asked}:
        open_calls = [call for call in asked if call.id == wanted and (call.index, call.part) not in own.values()]
        loose = [a for a in answers if a.id == wanted and a.index not in own and not _second_answer(messages, a)]
        if len(open_calls) == len(loose) == 1:
            early = loose[0].index < open_calls[0].index
            if not early or [call.id for call in asked].count(wanted) == 1:
                own[loose[0].index] = (open_calls[0].index, open_calls[0].part)
    return own


def _second_answer(messages, answer):
    asker = _cycle_of(messages, answer.index)
    return asker is not None and answer.id in messages[asker][1]


def _cycle_of(messages, index):
    """The assistant message that the message at index belongs to; None when that one called nothing."""
    turn = next((at for at in range(index, -1, -1) if messages[at][0] in ASSISTANT), None)
    return turn if turn is not None and messages[turn][0] == "call" else None


def contract_sweep(messages, running=("result",)):
    """The list as the contract rule leaves it: each call's result at the call, surplus results gone, open calls answered.

    Returned are (message, index it stood at or None) pairs. The calls of the last turn stay open while nothing
    but the kinds in running stands behind it.
    """
    own = contract_owners(messages)
    rest = []
    for index, message in enumerate(messages):
        if message[0] == "result":
            continue
        rest.append((message, index))
        if message[0] == "call":
            rest += [(messages[result], result) for result in sorted(own) if own[result][0] == index]
            if any(later[0] not in running for later in messages[index + 1 :]):
                open_parts = [part for part in range(len(message[1])) if (index, part) not in own.values()]
                rest += [(("result", message[1][part]), None) for part in open_parts]
    return rest


# --- who accepts a list


class Violation(NamedTuple):
    """A rule of a reader that a list breaks, and the message (from 0) it is seen at."""

    rule: str
    index: int


def wc018(messages, exempt=()):
    """Where a list breaks WC-018: no answer without an earlier open declaration, no declaration without one later answer."""
    all_halves = [half for half in halves(messages) if half.id is not None]
    found = []
    for at, half in enumerate(all_halves):
        before = [h.kind for h in all_halves[: at + 1] if h.id == half.id]
        after = [h.kind for h in all_halves[at:] if h.id == half.id]
        if half.kind == "result" and before.count("result") > before.count("call"):
            found.append(Violation("answer without an open declaration", half.index))
        if half.kind == "call" and half.name not in exempt and after.count("call") > after.count("result"):
            found.append(Violation("declaration without a later answer", half.index))
    return found


def accepted(messages, contract):
    """What a provider refuses in a list; empty means that it accepts the list as a whole request.

    openai-chat, kimi, deepseek: strict neighbourhood. anthropic: turns of one role are merged first.
    """
    return _CONTRACTS[contract](messages)


def _missing_ids(messages):
    return [Violation("no id", half.index) for half in halves(messages) if not half.id]


def _compare(asked, answered, index):
    """The differences between the ids of one turn's calls and the (id, index) of the results that follow it."""
    found = []
    found += [Violation("duplicate declaration", index) for n in Counter(asked).values() if n > 1]
    found += [Violation("unanswered", index) for i in dict.fromkeys(asked) if i not in [a for a, _ in answered]]
    for position, (i, at) in enumerate(answered):
        if i not in asked:
            found.append(Violation("not asked for", at))
        elif i in [a for a, _ in answered[:position]]:
            found.append(Violation("duplicate answer", at))
    return found


def _chat(messages):
    found = _missing_ids(messages)
    for index, message in enumerate(messages):
        if message[0] == "result" and (index == 0 or messages[index - 1][0] not in {"result", "call"}):
            run = _run_of_results(messages, index)
            found += [Violation("not asked for", at) for _, at in run]
        if message[0] == "call":
            found += _compare(message[1], _run_of_results(messages, index + 1), index)
    return found


def _run_of_results(messages, start):
    stop = start
    while stop < len(messages) and messages[stop][0] == "result":
        stop += 1
    return [(messages[at][1], at) for at in range(start, stop)]


def _mistral(messages):
    found = _chat(messages)
    found += [
        Violation("id shape", half.index)
        for half in halves(messages)
        if half.id and not re.fullmatch("[a-zA-Z0-9]{9}", half.id)
    ]
    calls = Counter(half.id for half in halves(messages) if half.kind == "call")
    results = Counter(half.id for half in halves(messages) if half.kind == "result")
    if calls != results:
        found.append(Violation("not the same number of calls and responses", len(messages) - 1))
    for index, pair in enumerate(pairwise(messages), 1):
        if pair[0][0] == "result" and pair[1][0] in {"user", "custom"}:
            found.append(Violation("user after tool", index))
    return found


def _turns(messages):
    """Runs of one role as Anthropic sees them, each a list of (index, message); system stands beside the list."""
    spoken = [(index, message) for index, message in enumerate(messages) if message[0] != "system"]
    return [list(run) for _, run in groupby(spoken, key=lambda item: item[1][0] in ASSISTANT)]


def _anthropic(messages):
    found = _missing_ids(messages)
    turns = _turns(messages)
    if turns and turns[0][0][1][0] in ASSISTANT:
        found.append(Violation("first is not user", turns[0][0][0]))
    for number, turn in enumerate(turns):
        asked = [i for _, message in turn if message[0] == "call" for i in message[1]]
        next_turn = turns[number + 1] if number + 1 < len(turns) else []
        if turn[0][1][0] in ASSISTANT:
            found += _compare(
                asked, [(message[1], at) for at, message in next_turn if message[0] == "result"], turn[0][0]
            )
            kinds = [message[0] for _, message in turn]
            if "call" in kinds and "text" in kinds[kinds.index("call") :]:
                found.append(Violation("text after call", turn[0][0]))
        else:
            if number == 0:
                found += [Violation("not asked for", at) for at, message in turn if message[0] == "result"]
            kinds = [message[0] for _, message in turn]
            if "result" in kinds and any(
                kind != "result" for kind in kinds[: len(kinds) - kinds[::-1].index("result")]
            ):
                found.append(Violation("results not first", turn[0][0]))
    calls = [half for half in halves(messages) if half.kind == "call"]
    for at, half in enumerate(calls):
        if half.id in [other.id for other in calls[:at] if other.index != half.index]:
            found.append(Violation("id used again", half.index))
        if half.id and not re.fullmatch("[a-zA-Z0-9_-]{1,64}", half.id):
            found.append(Violation("id shape", half.index))
    return found


def _responses(messages):
    duplicates = [
        Violation("duplicate declaration", index)
        for index, message in enumerate(messages)
        if message[0] == "call" and len(set(message[1])) < len(message[1])
    ]
    return _missing_ids(messages) + wc018(messages) + duplicates


def _gemini(messages):
    found = []
    for index, message in enumerate(messages):
        before = messages[index - 1][0] if index else "nothing"
        if message[0] == "call":
            if len(_run_of_results(messages, index + 1)) != len(message[1]):
                found.append(Violation("not the same number of calls and responses", index))
            if before not in {"user", "custom", "result"}:
                found.append(Violation("call not after user or response", index))
        if message[0] == "result" and before not in {"call", "result"}:
            found.append(Violation("not asked for", index))
    return found


def _bedrock(messages):
    found = _chat(messages)
    spoken = [(index, message[0]) for index, message in enumerate(messages) if message[0] != "system"]
    if spoken and spoken[0][1] in ASSISTANT:
        found.append(Violation("first is not user", spoken[0][0]))
    for (_, one), (index, two) in pairwise(spoken):
        # Results share a message with each other and with the user text behind them; thinking belongs to what follows it.
        together = (one == "result" and two in {"result", "user", "custom"}) or (
            one == "reasoning" and two in ASSISTANT
        )
        if (one in ASSISTANT) == (two in ASSISTANT) and not together:
            found.append(Violation("roles do not alternate", index))
    found += [
        Violation("id shape", half.index)
        for half in halves(messages)
        if half.id and not re.fullmatch("[a-zA-Z0-9_-]{1,64}", half.id)
    ]
    return found


_CONTRACTS = {
    "anthropic": _anthropic,
    "bedrock": _bedrock,
    "deepseek": _chat,
    "gemini": _gemini,
    "kimi": _chat,
    "mistral": _mistral,
    "openai-chat": _chat,
    "openai-responses": _responses,
}


# --- a pi session file, read without any help of ours


class PiSession(NamedTuple):
    """What a pi file says: entries as (line from 1, object), the last owner of each id, and the path to the leaf."""

    header: dict | None
    entries: list
    by_id: dict
    path: list
    cycle: bool

    @property
    def leaf(self):
        """The entry that pi resumes at: the last one of the file."""
        return self.entries[-1][1] if self.entries else None

    def missing_parents(self):
        """Lines of the entries whose parent no entry owns."""
        return [line for line, entry in self.entries if entry.get("parentId") and entry["parentId"] not in self.by_id]

    def cycles(self):
        """Lines of the entries from which the walk up never ends."""
        return [line for line, entry in self.entries if _walk(self.by_id, entry)[1]]

    def owners_of_one_id(self):
        """Ids that several entries own."""
        return [i for i, n in Counter(entry.get("id") for _, entry in self.entries).items() if n > 1]


def pi_lines(data):
    """Cut bytes at line feeds, as pi does; each as (line from 1, bytes without its end)."""
    return list(enumerate(data.split(b"\n"), 1))


def pi_parse(raw):
    """Read one line as pi's JSON.parse would after lossy decoding; None where pi skips the line."""

    def refuse(constant):
        raise ValueError(constant)

    try:
        value = json.loads(raw.decode("utf-8", "replace"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value else None


def read_pi(data):
    """Read a pi session file (bytes) by itself: header, entries, leaf, path from the root to the leaf."""
    parsed = [(line, value) for line, raw in pi_lines(data) if (value := pi_parse(raw)) is not None]
    header = (
        parsed[0][1]
        if parsed and parsed[0][1].get("type") == "session" and isinstance(parsed[0][1].get("id"), str)
        else None
    )
    entries = [(line, entry) for line, entry in parsed if entry.get("type") != "session"]
    if header is not None and not header.get("version"):
        _number_v1(header, entries)
    by_id = {}
    for line, entry in entries:
        by_id[entry.get("id")] = (line, entry)
    path, cycle = _walk(by_id, entries[-1][1]) if entries else ([], False)
    return PiSession(header, entries, by_id, path, cycle)


def _number_v1(header, entries):
    everything = [header, *[entry for _, entry in entries]]
    for number, (_, entry) in enumerate(entries, 1):
        entry["id"] = f"v1-{number}"
        entry["parentId"] = f"v1-{number - 1}" if number > 1 else None
        kept = entry.get("firstKeptEntryIndex")
        if entry.get("type") == "compaction" and isinstance(kept, int) and 0 < kept < len(everything):
            entry["firstKeptEntryId"] = everything[kept].get("id")


def _walk(by_id, entry):
    path, seen, at = [], set(), entry
    line = next((n for n, e in by_id.values() if e is entry), None)
    while True:
        if at.get("id") in seen:
            return path[::-1], True
        seen.add(at.get("id"))
        path.append((line, at))
        parent = at.get("parentId")
        if not parent or parent not in by_id:
            return path[::-1], False
        line, at = by_id[parent]


def pi_context(session):
    """The (line, message) pairs that pi sends on from the active thread: its last compaction and its context edits applied."""
    path = session.path
    chosen = path
    compactions = [at for at, (_, entry) in enumerate(path) if entry.get("type") == "compaction"]
    if compactions:
        last = compactions[-1]
        kept = path[last][1].get("firstKeptEntryId")
        start = next((at for at in range(last) if path[at][1].get("id") == kept), last)
        before = [
            (line, entry) for line, entry in path[start:last] if (entry.get("message") or {}).get("role") != "system"
        ]
        chosen = [path[last], *before, *path[last + 1 :]]
    edits = {entry.get("targetId"): entry for _, entry in chosen if entry.get("type") == "context_edit"}
    messages = []
    for line, entry in chosen:
        edit = edits.get(entry.get("id"))
        if edit is not None and edit.get("replacement") is None:
            continue
        message = _pi_message(entry, is_first=entry is chosen[0][1])
        if message is None:
            continue
        if edit is not None:
            message = {**message, "content": edit["replacement"].get("content")}
        messages.append((line, message))
    return messages


def _pi_message(entry, *, is_first):
    kind = entry.get("type")
    if kind == "message":
        return entry.get("message") or {}
    if kind == "custom_message":
        return {"role": "custom", "content": entry.get("content")}
    if kind == "branch_summary" and entry.get("summary"):
        return {"role": "branchSummary"}
    if kind == "compaction" and is_first:
        return {"role": "compactionSummary"}
    return None


_PI_ROLES = {"user": "user", "assistant": "text", "toolResult": "result", "system": "system"}


def pi_abstract(session, *, sent=True):
    """The active thread as (lines, abstract list), system messages filtered.

    sent: an aborted or failed turn is not sent, but pi answers what is open before it goes on, so the turn still
    ends the one before it: it stands for an assistant turn that called nothing.
    """
    lines, found = [], []
    for line, message in pi_context(session):
        if message.get("role") == "system":
            continue
        skipped = sent and message.get("stopReason") in {"aborted", "error"}
        kind = _PI_ROLES.get(message.get("role"), "custom")
        content = message.get("content")
        blocks = (
            [b for b in content if isinstance(b, dict) and b.get("type") == "toolCall"]
            if isinstance(content, list)
            else []
        )
        if kind == "text" and blocks and not skipped:
            abstract = ("call", [b.get("id") for b in blocks], [b.get("name") for b in blocks])
        elif kind == "result":
            abstract = ("result", message.get("toolCallId"))
        else:
            abstract = (kind,)
        lines.append(line)
        found.append(abstract)
    return lines, found


def pi_orphans(data):
    """The (line, id) of the results on the active thread of a pi file that have no open call by the turn rule.

    The calls of aborted and failed assistant turns do not count, since pi does not send them.
    """
    lines, messages = pi_abstract(read_pi(data))
    return {(lines[index], messages[index][1]) for index, _ in turn_drops(messages)}
