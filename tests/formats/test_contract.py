"""What is the same for every format: the base class, detection, a healthy session, and values of any type anywhere."""

import gc
import inspect
import json
import os
from pathlib import Path

import pytest
from condense_cli.check.engine import check
from condense_cli.document.format import Format
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import CondenseError
from condense_cli.formats import ABILITIES, BY_NAME, detect
from condense_cli.formats.read import look, read_document
from condense_cli.model.messages import Call, Message, Record, Result
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.request.build import TARGETS
from condense_cli.rules.contracts import CONTRACTS
from tests.strategies import condense

HEALTHY = Path(__file__).parents[2] / "fixtures" / "sessions"
QUESTION = "Run the tests, and look at the log – please."  # what the user of every healthy session asks
OUTPUT = "14 passed"  # and what the first tool answers
SAID = (QUESTION, "Both at once.", OUTPUT, "no errors since Monday", "The tests pass, and the log is quiet.", "pytest -q", "Hm.")
VALUES = (None, True, 0, "", [], {}, ["x"], {"a": 1})
every_format = pytest.mark.parametrize("name", list(BY_NAME))


def healthy(name):
    """The healthy session of a format."""
    (path,) = (HEALTHY / name).iterdir()
    return path


def read(name, data=None):
    """A document of these bytes (default: the healthy session), read as the format."""
    path = healthy(name)
    return read_document(str(path), BytesInMemory(path.read_bytes() if data is None else data), name)


# ---------------------------------------------------------------------- the base class
def public(kind):
    """The public members of a class itself."""
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def ancestors(name):
    """A format's class and the classes between it and the base class."""
    return [kind for kind in type(BY_NAME[name]).__mro__ if kind not in (Format, object)]


@every_format
def test_every_public_member_is_known_to_the_base_class(name):
    """Nobody asks a format for what the base class has no default for."""
    known = set(public(Format)) | set(Format.__annotations__)

    assert len(known) > 45
    for kind in ancestors(name):
        assert set(public(kind)) <= known, kind


@every_format
def test_every_override_has_the_signature_of_the_base_class(name):
    """Parameters have the same names, order and kinds, and the same defaults: none."""
    count = 0
    for kind in ancestors(name):
        for member, value in public(kind).items():
            if inspect.isfunction(value):
                count += 1
                asked = inspect.signature(getattr(Format, member)).parameters.values()
                given = inspect.signature(value).parameters.values()
                assert [(p.name, p.kind, p.default) for p in given] == [(p.name, p.kind, p.default) for p in asked], (kind, member)
    assert count > 8


@every_format
def test_what_has_no_default_is_there(name):
    """Members without a default, which raise NotImplementedError in the base class, are overridden."""
    missing = [member for member, value in public(Format).items() if inspect.isfunction(value) and "NotImplementedError" in inspect.getsource(value)]

    assert set(missing) == {"answer", "call_paths", "detect", "is_record", "read", "result_paths", "turn", "views"}
    for member in missing:
        assert getattr(type(BY_NAME[name]), member) is not getattr(Format, member), member


@every_format
def test_a_format_is_a_value(name):
    """A format keeps nothing: what is learnt from one file does not reach the next one."""
    assert vars(BY_NAME[name]) == {}
    check(read(name), [BY_NAME[name].contract])
    make_plan(read(name), Choice())
    assert vars(BY_NAME[name]) == {}


@every_format
def test_it_is_registered_under_its_name(name):
    """The registry, the table of abilities, the option --format and the contracts know it."""
    assert name == BY_NAME[name].name
    assert name in ABILITIES
    assert condense("check", "--format", name, healthy(name)).code == 0
    assert BY_NAME[name].contract in CONTRACTS


# ---------------------------------------------------------------------- a healthy session
@every_format
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_no_other_format_takes_a_healthy_session_for_its_own(name, kind, tmp_path):
    """A healthy session is detected as what it is, by its content alone, and whatever the file is called."""
    data = healthy(name).read_bytes()
    path = tmp_path / f"copy.{kind}"
    path.write_bytes(data)

    assert name == detect(look(str(path), BytesInMemory(data))).name


@every_format
def test_nothing_is_wrong_with_it(name):
    """Its own contract finds neither an error nor a warning, and counts every message, call and result."""
    outcome = condense("check", "--output-format", "json", healthy(name))
    report = json.loads(outcome.out)["files"][0]

    assert outcome.code == 0, outcome.err
    assert (report["format"], report["error"]) == (name, None)
    assert {f["severity"] for f in report["findings"]} <= {"info"}
    assert report["calls"] == report["results"] >= 3
    assert report["messages"] >= 6


@every_format
def test_turns_alternate_where_results_stand_in_the_message_of_their_calls(name):
    """A contract that wants turns to alternate has nothing against an answer behind a turn that holds its results."""
    outcome = condense("check", "--contract", "bedrock", "--output-format", "json", healthy(name))
    findings = json.loads(outcome.out)["files"][0]["findings"]

    repeated = [f["line"] for f in findings if f["rule"] == "roles-not-alternating"]
    assert repeated == ([20] if name == "codex" else [])  # a summary, and the user's next question behind it


@every_format
def test_the_plan_for_it_is_empty(name):
    """There is nothing to change: the plan has no edit, and its bytes are the file's."""
    document = read(name)
    plan = make_plan(document, Choice())

    assert plan.edits == ()
    assert not plan.changes
    assert b"".join(apply(plan.segments, document.source)) == healthy(name).read_bytes()


@every_format
def test_a_repair_of_it_is_a_copy(name, tmp_path):
    """`repair -o` writes the same bytes, and `repair -i` does not touch the file."""
    path = tmp_path / healthy(name).name
    path.write_bytes(healthy(name).read_bytes())
    os.utime(path, ns=(1_700_000_000_123_456_789,) * 2)
    before = path.stat()

    assert condense("repair", path, "-o", tmp_path / "new").code == 0
    assert (tmp_path / "new").read_bytes() == path.read_bytes()
    assert condense("repair", "-i", path).code == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns, path.stat().st_ctime_ns) == (before.st_ino, before.st_mtime_ns, before.st_ctime_ns)


@every_format
def test_it_is_rendered(name):
    """As text for people, as JSON lines and as one object, each with what was said."""
    text = condense("render", "--output-format", "text", "--view", "context", healthy(name))
    lines = condense("render", "--output-format", "jsonl", "--view", "context", healthy(name))
    whole = condense("render", "--output-format", "json", "--view", "context", healthy(name))

    assert (text.code, lines.code, whole.code) == (0, 0, 0)
    assert "Still 14." in text.out.decode()
    assert len(lines.records) == len(json.loads(whole.out)["messages"]) >= 4
    assert "Still 14." in json.dumps(json.loads(whole.out)["messages"])


@every_format
def test_its_outputs_are_found(name):
    """`query` gives the output of a call by the call's id."""
    document = read(name)
    view = next(iter(BY_NAME[name].views(document, None, False)))
    called = [call.id for message in view.messages for call in message.calls]
    outcome = condense("query", called[-1], "--raw", "--session", healthy(name))

    assert (outcome.code, outcome.out.decode()) == (0, OUTPUT)
    assert condense("query", "nobody", "--session", healthy(name)).code == 1


@every_format
@pytest.mark.parametrize("api", list(TARGETS))
def test_its_requests_are_accepted(name, api, tmp_path):
    """What `render --as` writes is complete, and our own check of that API finds nothing in it."""
    request = tmp_path / "request.json"

    assert condense("render", "--as", api, healthy(name), "-o", request).code == 0
    assert "Still 14." in request.read_text(encoding="utf-8")
    checked = condense("check", "--format", TARGETS[api].format, "--contract", api, "--output-format", "json", request)
    assert checked.code == 0, checked.out
    assert json.loads(checked.out)["files"][0]["calls"] >= 1


@every_format
def test_every_leaf_can_be_looked_at(name):
    """--all-threads and --view stored find nothing worse in a healthy session."""
    assert condense("check", "--all-threads", healthy(name)).code == 0
    assert condense("check", "--view", "stored", healthy(name)).code == 0
    assert BY_NAME[name].threads(read(name)) == (2 if BY_NAME[name].tree and name != "claude-code" else 1)


@every_format
@pytest.mark.parametrize("command", [["check"], ["diff"], ["repair"], ["render"]])
def test_a_leaf_that_is_not_there_is_a_usage_error(name, command):
    """No command goes on with another thread than the one that was asked for."""
    outcome = condense(*command, "--leaf", "nowhere", healthy(name))

    assert (outcome.code, outcome.out) == (2, b"")


# ---------------------------------------------------------------------- memory
def reachable(*roots):
    """All strings and bytes that can be reached from these values, but not through modules and types."""
    seen, todo, found = set(), list(roots), []
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type) or inspect.ismodule(item) or inspect.isroutine(item):
            continue
        seen.add(id(item))
        if isinstance(item, (str, bytes)):
            found.append(item)
        else:
            todo.extend(gc.get_referents(item))
    return found


@every_format
def test_no_text_is_kept(name):
    """Facts are read and what was said is let go: no text, thought, argument or output is reachable from the records."""
    data = healthy(name).read_bytes()
    for said in SAID:
        data = data.replace(said.encode(), b"long " * 2000)
    document = read(name, data)
    kept = reachable(document.records)

    assert data.count(b"long " * 2000) >= 5
    assert any(isinstance(value, Record) for value in document.records)
    assert max(map(len, kept)) < 200
    report = check(document, [document.format.contract])
    assert max(map(len, reachable(document.records, list(report.findings)))) < 200


def test_what_is_kept_can_be_seen():
    """The walk through memory finds a text that a record holds on to."""
    record = Record(1, 0, 0)
    record.message = Message(record, "user", (Call(record, 0, "x" * 300, None),), (Result(record, 0, None),))

    assert max(map(len, reachable([record]))) == 300


# ---------------------------------------------------------------------- values of any type
def places(value, path=()):
    """Every path in a JSON value."""
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from places(inner, (*path, step))


def shape(value, path):
    """What a place means: the keys on the way and the kinds of the objects around it, without positions."""
    found, at = [], value
    for step in path:
        if isinstance(at, dict):
            found.append((step, *(str(at.get(key)) for key in ("type", "role"))))
        at = at[step]
    return tuple(found)


def changed(value, path, new):
    """The value with another one at a path; the rest is shared with the old one."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def mutations(name):
    """The bytes of the healthy session with one value replaced by each of VALUES: once for each kind of place."""
    path = healthy(name)
    data = path.read_bytes()
    lines = data.splitlines() if path.suffix == ".jsonl" else [data]
    seen = set()
    for n, line in enumerate(lines):
        value = json.loads(line)
        for place in places(value):
            what = (shape(value, place), n == len(lines) - 1)
            if what in seen:
                continue
            seen.add(what)
            for new in VALUES:
                made = json.dumps(changed(value, place, new)).encode()
                yield (n, place, new), b"\n".join([*lines[:n], made, *lines[n + 1 :]]) + b"\n"


@pytest.mark.slow
@every_format
def test_no_type_is_trusted(name):
    """Whatever type of value stands in any field, check, plan and views give an answer or an error for people."""
    fmt = BY_NAME[name]
    count = 0
    for what, data in mutations(name):
        count += 1
        try:
            check(read(name, data), [fmt.contract])
            document = read(name, data)
            for view in fmt.views(document, None, False):
                for message in view.messages:
                    fmt.turn(document, message)
            plan = make_plan(document, Choice())
            b"".join(apply(plan.segments, document.source))
        except CondenseError:
            continue
        except Exception as bug:
            raise AssertionError(f"{name}: {what}") from bug
    assert count > 150
