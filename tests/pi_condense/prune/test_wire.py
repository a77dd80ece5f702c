"""What pi hands to an Anthropic model."""

from condense_cli.pi_condense.prune.wire import NO_RESULT, folded_system, for_anthropic

SELF = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-5"}


def assistant(*blocks, **fields):
    return {"role": "assistant", "content": list(blocks), **fields, "timestamp": 5}


def call(call_id, **fields):
    return {"type": "toolCall", "id": call_id, "name": "bash", "arguments": {}, **fields}


def result(call_id):
    return {"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": [], "isError": False, "timestamp": 6}


def test_an_open_call_is_answered_before_the_next_turn():
    """A user message, an assistant message and the end each close what is open; the made-up result is deterministic."""
    sent = list(for_anthropic([assistant(call("a"), call("b"), **SELF), result("a"), {"role": "user", "content": "x"}, assistant(call("c"), **SELF)]))

    made_up = [(n, m["toolCallId"]) for n, m in enumerate(sent) if m["role"] == "toolResult" and m["content"] == [{"type": "text", "text": NO_RESULT}]]
    assert made_up == [(2, "b"), (5, "c")]
    assert sent[2]["timestamp"] == 5


def test_a_failed_attempt_is_not_sent_but_its_results_are():
    """The assistant message goes, and its results stay behind unpaired, as in pi."""
    sent = list(for_anthropic([assistant(call("a"), **SELF, stopReason="error"), result("a")]))

    assert [m["role"] for m in sent] == ["toolResult"]


def test_foreign_messages_lose_what_only_their_model_reads():
    """Thinking and text signatures of another model go, and its call ids are made legal, in the result too."""
    message = assistant({"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi", "textSignature": "s"}, call("a|b", thoughtSignature="t"), provider="x")

    sent = list(for_anthropic([message, result("a|b")]))

    assert sent[0]["content"] == [{"type": "text", "text": "hi"}, call("a_b")]
    assert sent[1]["toolCallId"] == "a_b"


def test_own_thinking_is_kept_when_it_says_something():
    """Signed, redacted or non-blank thinking stays; blank thinking goes."""
    kept = [{"type": "thinking", "thinking": "", "thinkingSignature": "s"}, {"type": "thinking", "thinking": "x"}, {"type": "thinking", "redacted": True}]

    assert next(for_anthropic([assistant(*kept, {"type": "thinking", "thinking": " "}, **SELF)]))["content"] == kept


def test_shell_commands_become_user_text():
    """Command, fenced output and exit code; an excluded one is left out."""
    bash = {"role": "bashExecution", "command": "ls", "output": "a\n", "exitCode": 2, "timestamp": 1}

    (sent,) = for_anthropic([bash, {**bash, "excludeFromContext": True}, {"role": "unknown"}])

    assert sent["content"][0]["text"] == "Ran `ls`\n```\na\n\n```\n\nCommand exited with code 2"


def test_system_messages_wait_for_open_calls():
    """A system message in the middle of a cycle is sent behind the answers."""
    sent = list(for_anthropic([assistant(call("a"), **SELF), {"role": "system", "content": "s"}, result("a"), {"role": "user", "content": "x"}]))

    assert [m["role"] for m in sent] == ["assistant", "toolResult", "system", "user"]


def test_system_messages_fold_into_one():
    """Texts are joined, sections and tools are the last ones, the time is the first one's."""
    folded = folded_system(
        [
            {"role": "system", "content": "a", "sections": {"x": "1", "y": "2"}, "toolsAdded": [{"name": "t"}], "timestamp": 1},
            {"role": "system", "content": "", "sections": {"x": None}, "toolsRemoved": [{"name": "t"}], "timestamp": 2},
            {"role": "system", "content": "b", "timestamp": 3},
        ]
    )

    assert folded == [{"role": "system", "content": "a\n\nb", "sections": {"y": "2"}, "timestamp": 1}]
    assert folded_system([]) == []


def test_after_pruning_one_system_message_stands_in_front(chat, show):
    """Unpruned, system messages stay where they are; pruned, they are folded and replayed."""
    chat.user(1000).message("system", 1001, "be brief").calls(1100, "bash_1").result(1150, "bash_1")

    assert [m["role"] for m in show(chat).wire] == ["user", "system", "assistant", "toolResult"]
    assert [m["role"] for m in show(chat.index("bash_1", 1150, "x")).wire] == ["system", "user", "assistant", "toolResult"]
