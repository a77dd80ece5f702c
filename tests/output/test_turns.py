"""The neutral JSON of turns."""

from condense_cli.document.views import Block, Turn
from condense_cli.model.messages import Record, Role
from condense_cli.output.turns import as_json


def turn(role, *blocks, **more):
    return Turn(Record(1, 0, 0), role, blocks, **more)


def test_each_kind_of_block_has_its_shape():
    """Every kind of block is written with the keys that the module documents."""
    said = turn(
        Role.ASSISTANT,
        Block("text", "hello"),
        Block("thinking", "hm", signature="s"),
        Block("call", id="c1", name="bash", arguments={"command": "ls"}),
        Block("image", media_type="image/png", data="AAAA"),
        Block("image", url="https://x.example/a.png"),
        Block("other", "document"),
    )

    assert as_json(said) == {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "hello"},
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "tool_use", "id": "c1", "name": "bash", "input": {"command": "ls"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
            {"type": "image", "source": {"type": "url", "url": "https://x.example/a.png"}},
            {"type": "other", "kind": "document"},
        ],
    }


def test_a_result_is_a_tools_turn():
    """A turn of results has the role tool; its parts stay apart, and only a failed one says so."""
    block = Block("result", "a\nb", "c1", inner=(Block("text", "a"), Block("text", "b")))
    expected = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}

    assert as_json(turn(Role.RESULT, block)) == {"role": "tool", "content": [expected]}
    assert as_json(turn(Role.RESULT, block._replace(error=True)))["content"] == [{**expected, "is_error": True}]


def test_what_the_file_does_not_have_is_left_out():
    """A call without an id has no key for it, an empty id is written, and a turn that is not sent says so."""
    nameless = as_json(turn(Role.ASSISTANT, Block("call", name="bash", arguments={}), Block("call", id="", name="bash", arguments={}), skipped=True))

    assert nameless == {
        "role": "assistant",
        "content": [{"type": "tool_use", "name": "bash", "input": {}}, {"type": "tool_use", "id": "", "name": "bash", "input": {}}],
        "skipped": True,
    }
