"""The hook in a client's settings: what is not about it keeps its bytes."""

import json

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.hook.settings import with_hooks, without_hooks
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law

GROUPS = {"SessionStart": {"matcher": "resume", "hooks": [{"type": "command", "command": "/bin/condense hook"}]}, "Stop": {"hooks": [{"type": "command", "command": "'/a b/condense' hook"}]}}
OTHER = {"hooks": [{"type": "command", "command": "notify hook"}]}
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(), v, max_size=3), max_leaves=8)
SETTINGS = st.dictionaries(st.text(max_size=3), JSON, max_size=3).flatmap(
    lambda rest: st.dictionaries(st.sampled_from(["Stop", "PreToolUse"]), st.just([OTHER]), max_size=2).map(lambda hooks: {**rest, **({"hooks": hooks} if hooks else {})})
)


@law(100)
@given(SETTINGS, st.sampled_from([None, 2, 4, "\t"]), st.sampled_from(["", "\n"]))
def test_settings_with_the_hook_have_it_and_all_else(value, indent, end):
    """Each event has the group, what was there is there, and taking it out gives the settings back byte for byte."""
    before = (json.dumps(value, ensure_ascii=False, indent=indent) + end).encode()
    after = with_hooks(before, GROUPS)
    hooks = json.loads(after)["hooks"]
    for event, group in GROUPS.items():
        assert hooks[event][-1] == group
        assert hooks[event][:-1] == value.get("hooks", {}).get(event, [])
    assert {k: v for k, v in json.loads(after).items() if k != "hooks"} == {k: v for k, v in value.items() if k != "hooks"}
    assert with_hooks(after, GROUPS) == after
    assert json.loads(without_hooks(after)) == value
    if indent is not None:
        assert without_hooks(after) == before


def test_new_settings_are_indented():
    """A file that does not exist is written for people to read."""
    assert with_hooks(b"", GROUPS).startswith(b'{\n  "hooks": {\n')
    assert json.loads(without_hooks(with_hooks(b"", GROUPS))) == {}


def test_odd_spelling_stays():
    """White space and escapes of settings in no common style stay."""
    before = b'{ "model" :"\\u006fpus",\n\n"n": 1.0e5}\n'
    after = with_hooks(before, GROUPS)
    assert after.startswith(before[:-2])
    assert without_hooks(after) == before


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": 1}}', b"// note\n{}", b"\xff"])
def test_what_is_not_understood_is_refused(data):
    """Settings of another shape are left alone."""
    with pytest.raises(UnreadableError):
        with_hooks(data, GROUPS)
