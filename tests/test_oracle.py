"""The oracle says what the published tables say, so that it may judge the product."""

import json

import pytest
from tests import oracle
from tests.oracle import accepted, count_sweep, notation, spell, turn_sweep, wc018

# name, list, what the count rule makes of it, what the turn rule makes of it; None: unchanged
EXAMPLES = [
    ("W1", "U A(x,y) R(y) R(x)", None, None),
    ("W2", "U A(x) R(x) U A(x) R(x)", None, None),
    ("W3", "U R(x) A(x) R(x)", "U A(x) R(x)", "U A(x) R(x)"),
    ("W4", "U A(x) R(x) U A(x) U", "U A(x) R(x) U U", None),
    ("W5", "U A(x) U A(x) R(x)", "U U A(x) R(x)", None),
    ("W6", "U A(x) R(x) R'(x)", "U A(x) R(x)", "U A(x) R(x)"),
    ("W7", "U R(x) A(x)", "U", "U A(x)"),
    ("W8", "U A(x) A(y) R(x) R(y)", None, "U A(x) A(y) R(y)"),
    ("W9", "U A(x,y,z) R(x) R(z) U", "U A(x,z) R(x) R(z) U", None),
    ("W10", "U A(x) R(-) R(x)", None, "U A(x) R(x)"),
    ("W11", "U A(compress:c) U", None, None),
    ("W12", "U A(x,x) R(x) R(x)", None, "U A(x,x) R(x)"),
    ("W13", "U A(x,x) R(x)", "U A(x) R(x)", None),
    ("W14", "U A(x) U A(x) R(x) R'(x)", None, "U A(x) U A(x) R(x)"),
    ("W15", "U A(x) R(x) R'(x) A(x) R(x)", "U A(x) R(x) A(x) R(x)", "U A(x) R(x) A(x) R(x)"),
    ("W16", "U A(x) R(x) R'(x) A(x)", "U A(x) R(x)", "U A(x) R(x) A(x)"),
    ("W17", "U A(x) R(x) A(y) R(y) R'(x)", "U A(x) R(x) A(y) R(y)", "U A(x) R(x) A(y) R(y)"),
    ("W18", "U A(x)", "U", None),
    ("L1", "U A(x) U R(x)", None, "U A(x) U"),
    ("L2", "U A(x) A(y) R(y) R(x)", None, "U A(x) A(y) R(y)"),
    ("L3", "U A(x) U A(x) R(x)", "U U A(x) R(x)", None),
    ("L4", "U A(x)", "U", None),
    ("L5", "U A(x) U A(x) R(x) R'(x)", None, "U A(x) U A(x) R(x)"),
    ("L6", "U A(x,x) R(x) R(x)", None, "U A(x,x) R(x)"),
    ("L7", "U R(x) A(x)", "U", "U A(x)"),
    ("L8", "U A(x) R(-) R(x)", None, "U A(x) R(x)"),
    ("L9", "U A(x) T R(x)", None, "U A(x) T"),
    ("L10", "U A(x,y) R(x) U R(y)", None, "U A(x,y) R(x) U"),
    ("L11", "U A(compress:c) U", None, None),
    ("L12", "U A(x,y,z) R(x) R(z) U", "U A(x,z) R(x) R(z) U", None),
]
NAMES = [row[0] for row in EXAMPLES]


@pytest.mark.parametrize(("_name", "given", "by_count", "_by_turn"), EXAMPLES, ids=NAMES)
def test_count_sweep_makes_the_published_outputs(_name, given, by_count, _by_turn):
    """The count rule, with `compress` exempt, gives the column of the kernel's table."""
    assert count_sweep(notation(given), exempt={"compress"}) == notation(by_count or given)


@pytest.mark.parametrize(("_name", "given", "_by_count", "by_turn"), EXAMPLES, ids=NAMES)
def test_turn_sweep_makes_the_published_outputs(_name, given, _by_count, by_turn):
    """The turn rule gives the column of the other ancestor's table."""
    assert turn_sweep(notation(given)) == notation(by_turn or given)


def test_the_second_of_two_calls_with_one_id_survives():
    """Where two calls of one turn share an id and one result, the nearer call is kept by the count rule."""
    assert oracle.count_drops(notation("U A(x,x) R(x)")) == {(1, 0)}


def test_an_exempt_call_claims_its_result_before_an_older_call_can():
    """A result behind an exempt call belongs to that call, so the older ordinary call of the same id goes."""
    assert spell(count_sweep(notation("U A(x) A(compress:x) R(x)"), exempt={"compress"})) == "U A(x) R(x)"
    assert oracle.count_drops(notation("U A(x) A(compress:x) R(x)"), {"compress"}) == {(1, 0)}


def test_an_exempt_call_without_a_result_stays_only_while_exempt():
    """The exemption is by tool name: without it the same call goes."""
    assert spell(count_sweep(notation("U A(compress:c) U"))) == "U U"


def test_an_empty_id_is_not_exempt():
    """A lone half with an empty id goes under the count rule, while one without any id stays."""
    assert spell(count_sweep(notation("U A() R(-) U"))) == "U R(-) U"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("U N A(x) R(x)", "U N A(x) R(x)"),
        ("U N N T", "U N N T"),
        ("U N A(x) U", "U U"),
        ("U N U T", "U U T"),
        ("U T N", "U T"),
        ("U N N A(x) N A(y) R(y)", "U N N N A(y) R(y)"),  # two runs become one when A(x) goes
    ],
)
def test_reasoning_goes_with_what_it_led_to(given, expected):
    """A run of reasoning stays only in front of an assistant's text or call, looked at after the calls went."""
    assert spell(count_sweep(notation(given))) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("U A(x) U R(x)", "U A(x) R(x) U"),
        ("U A(x) A(y) R(y) R(x)", "U A(x) R(x) A(y) R(y)"),
        ("U R(x) A(x)", "U A(x) R(x)"),
        ("U A(x) R(x) R'(x) A(x)", "U A(x) R(x) A(x)"),
        ("U A(x) U A(x) T R(x) U", "U A(x) R(x) U A(x) R(x) T U"),
        ("U A(x,y) R(x) R(z)", "U A(x,y) R(x)"),
    ],
)
def test_contract_sweep_by_hand(given, expected):
    """The contract rule moves, removes and answers; a last turn's call stays open."""
    assert spell([message for message, _ in oracle.contract_sweep(notation(given))]) == expected


# Raw list → who refuses it; from the published acceptance table. Everyone: all contracts below.
EVERYONE = {"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "kimi", "deepseek"}
RAW = [
    ("L1", "U A(x) U R(x)", EVERYONE - {"openai-responses"}),
    ("L2", "U A(x) A(y) R(y) R(x)", EVERYONE - {"openai-responses", "anthropic"}),
    ("L3", "U A(x) U A(x) R(x)", EVERYONE),
    ("L4", "U A(x)", EVERYONE),
    ("L5", "U A(x) U A(x) R(x) R'(x)", EVERYONE - {"openai-responses"}),
    ("L6", "U A(x,x) R(x) R(x)", EVERYONE - {"gemini"}),
    ("L7", "U R(x) A(x)", EVERYONE),
    ("L8", "U A(x) R(-) R(x)", EVERYONE),
    ("L9", "U A(x) T R(x) U", EVERYONE - {"openai-responses"}),
    ("L10", "U A(x,y) R(x) U R(y)", EVERYONE - {"openai-responses"}),
    ("L11", "U A(compress:c) U", EVERYONE),
    ("L12", "U A(x,y,z) R(x) R(z) U", EVERYONE),
]


@pytest.mark.parametrize(("_name", "given", "refused_by"), RAW, ids=[row[0] for row in RAW])
def test_raw_lists_are_refused_by_whom_the_table_says(_name, given, refused_by):
    """Each provider's checker refuses the raw examples exactly where the acceptance table has a 400."""
    assert {contract for contract in EVERYONE if accepted(notation(given), contract)} == refused_by


@pytest.mark.parametrize("contract", sorted(EVERYONE))
def test_sound_lists_are_accepted_by_everyone(contract):
    """A parallel turn answered out of order, followed by text and a new user turn, breaks no rule."""
    assert accepted(notation("U A(x,y) R(y) R(x) T U A(z) R(z) T U"), contract) == []


def test_mistral_wants_nine_characters_and_no_user_behind_a_tool():
    """Mistral's checker names the id's shape and the user message after a result."""
    assert [v.rule for v in accepted(notation("U A(abcdefghi) R(abcdefghi) T U"), "mistral")] == []
    assert [v.rule for v in accepted(notation("U A(abc) R(abc) U"), "mistral")] == [
        "id shape",
        "id shape",
        "user after tool",
    ]


def test_anthropic_refuses_an_id_that_a_later_turn_uses_again():
    """Two complete pairs with one id are a violation for Anthropic and none for the chat contract."""
    twice = notation("U A(x) R(x) U A(x) R(x)")
    assert [(v.rule, v.index) for v in accepted(twice, "anthropic")] == [("id used again", 4)]
    assert accepted(twice, "openai-chat") == []


@pytest.mark.parametrize(
    "given", ["U R(x)", "U A(x) R(x) R(x)", "U A(x)", "U R(x) A(x)", "U A(x,x) R(x)", "U A(x) R(x) A(x)"]
)
def test_wc018_sees_order_and_multiplicity(given):
    """A surplus half, on either side or in the wrong order, breaks WC-018."""
    assert wc018(notation(given))


def test_wc018_has_no_neighbourhood():
    """WC-018 passes the lists that only a provider with a neighbourhood rule refuses."""
    assert [
        wc018(notation(given)) for given in ("U A(x) U R(x)", "U A(x) A(y) R(y) R(x)", "U A(x) U A(x) R(x) R'(x)")
    ] == [[], [], []]


# --- the reader of pi files


def _pi(*records):
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
    return b"".join(json.dumps(record).encode() + b"\n" for record in (header, *records))


def _said(i, parent, role, **more):
    return {"type": "message", "id": i, "parentId": parent, "message": {"role": role, "content": [], **more}}


def _called(i, parent, *ids, **more):
    content = [{"type": "toolCall", "id": one, "name": "bash", "arguments": {}} for one in ids]
    return _said(i, parent, "assistant", **{"content": content, "stopReason": "toolUse", **more})


def _result(i, parent, one):
    return _said(i, parent, "toolResult", toolCallId=one)


def test_pi_orphans_are_found_on_the_active_thread_only():
    """A result on another branch is none of the active thread's business, and its lines count from 1."""
    data = _pi(
        _said("a", None, "user"),
        _result("b", "a", "x"),
        _called("c", "a", "y"),
        _result("d", "c", "y"),
        _result("e", "d", "x"),
    )
    assert oracle.pi_orphans(data) == {(6, "x")}


def test_the_result_of_an_aborted_turn_is_an_orphan():
    """An aborted assistant turn is not sent, so what answered it stands alone."""
    data = _pi(_said("a", None, "user"), _called("b", "a", "x", stopReason="aborted"), _result("c", "b", "x"))
    assert oracle.pi_orphans(data) == {(4, "x")}


def test_an_aborted_turn_ends_the_one_before_it():
    """pi answers open calls before it skips a failed turn, so a result behind that turn comes too late."""
    late = [_said("c", "b", "assistant", stopReason="error"), _result("d", "c", "x")]
    assert oracle.pi_orphans(_pi(_said("a", None, "user"), _called("b", "a", "x"), *late)) == {(5, "x")}


def test_a_context_edit_hides_its_target():
    """An omitted result is no orphan, and a call that is omitted leaves one."""
    base = [_said("a", None, "user"), _called("b", "a", "x"), _result("c", "b", "x")]
    hide = {"type": "context_edit", "id": "d", "parentId": "c", "replacement": None}
    assert oracle.pi_orphans(_pi(*base, {**hide, "targetId": "b"})) == {(4, "x")}
    assert oracle.pi_orphans(_pi(*base, {**hide, "targetId": "c"})) == set()


def test_compaction_cuts_what_stands_before_the_first_kept_entry():
    """A call that the compaction swallowed leaves its kept result without a call."""
    base = [_said("a", None, "user"), _called("b", "a", "x"), _result("c", "b", "x")]
    cut = {"type": "compaction", "id": "d", "parentId": "c", "summary": "s", "tokensBefore": 1}
    assert oracle.pi_orphans(_pi(*base, {**cut, "firstKeptEntryId": "c"})) == {(4, "x")}
    assert oracle.pi_orphans(_pi(*base, {**cut, "firstKeptEntryId": "b"})) == set()
    assert oracle.pi_orphans(_pi(*base, {**cut, "firstKeptEntryId": "d"}, _result("e", "d", "x"))) == {(6, "x")}


def test_system_messages_are_no_barrier_for_pi():
    """System entries are filtered before pairing, custom messages are not."""
    call, answer = _called("b", "a", "x"), _result("d", "c", "x")
    custom = {"type": "custom_message", "id": "c", "parentId": "b", "customType": "t", "content": "n", "display": True}
    assert oracle.pi_orphans(_pi(_said("a", None, "user"), call, _said("c", "b", "system"), answer)) == set()
    assert oracle.pi_orphans(_pi(_said("a", None, "user"), call, custom, answer)) == {(5, "x")}


def test_the_reader_ends_on_cycles_and_names_lost_parents():
    """A parent cycle ends the walk, a parent that no entry owns is listed, the last line is the leaf."""
    looped = oracle.read_pi(_pi(_said("a", "b", "user"), _said("b", "a", "user")))
    assert looped.cycle
    assert looped.cycles() == [2, 3]
    torn = oracle.read_pi(_pi(_said("a", None, "user"), _said("b", "gone", "user")) + b'{"type":"mess')
    assert (torn.missing_parents(), torn.leaf["id"]) == ([3], "b")
