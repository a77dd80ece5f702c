"""The proof of a repair: what a new file must be before it is kept."""

import pytest
from condense_cli.document.memory import Held
from condense_cli.errors import RefusedError
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from tests.strategies import calls, pi_file

OLD = pi_file([("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)])


def read(data):
    """A document of these bytes."""
    return read_document("s.jsonl", Held(data), "pi")


@pytest.fixture
def plan():
    """The plan for a session with one orphan."""
    return make_plan(read(OLD), Choice())


@pytest.fixture
def new(plan):
    """What it makes of the session."""
    return b"".join(apply(plan.segments, Held(OLD)))


def test_what_was_promised_is_accepted(plan, new):
    """The new file as it was planned has nothing against it."""
    prove(plan, read(new), Held(OLD), Held(new))


def test_another_end_of_the_thread_is_refused(plan, new):
    """The entry that the client resumes from must be the one that the plan says."""
    with pytest.raises(RefusedError, match="end at another entry"):
        prove(plan._replace(leaf="00000003"), read(new), Held(OLD), Held(new))


@pytest.mark.parametrize("at", [10, -10])
def test_bytes_that_nobody_edited_are_compared(plan, new, at):
    """One changed byte anywhere is refused, in what was kept and in what was written."""
    bad = bytearray(new)
    bad[at] ^= 1

    with pytest.raises(RefusedError, match=r"bytes that were not edited changed|not what was written"):
        prove(plan, read(new), Held(OLD), Held(bytes(bad)))


def test_a_fault_that_is_still_there_is_refused(plan, new):
    """A plan that promises more than its segments do is refused; what it says will remain is not."""
    unfixed = make_plan(read(OLD), Choice(ignore=frozenset({"orphan-result"})))

    with pytest.raises(RefusedError, match="still break orphan-result"):
        prove(unfixed._replace(remaining=()), read(OLD), Held(OLD), Held(OLD))
    prove(unfixed, read(OLD), Held(OLD), Held(OLD))


def test_a_new_fault_is_refused(plan):
    """Whatever a repair breaks that was whole before is found."""
    bad = OLD.replace(b'"toolCallId":"a"', b'"toolCallId":"c"')
    whole = make_plan(read(bad), Choice(ignore=frozenset({"orphan-result"}), select=frozenset({"bom"})))

    with pytest.raises(RefusedError, match="still break"):
        prove(whole._replace(remaining=whole.remaining[:1]), read(bad), Held(bad), Held(bad))
