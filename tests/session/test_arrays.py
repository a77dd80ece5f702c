"""Arrays of messages that are no files."""

import json

from condense_cli.session.arrays import check_array, repair_array
from tests.dataset.rows import GOOD, chat, result

BROKEN = json.dumps(chat(result("c9"))).encode()


def test_findings_of_bytes():
    """The findings are those of a file with these bytes."""
    (found,) = (f for f in check_array(BROKEN, "openai-chat", "openai-chat") if f.severity == "error")

    assert (found.rule, found.index) == ("orphan-result", 1)


def test_repaired_bytes():
    """The rest keeps its bytes; a sound array comes back as it is."""
    assert json.loads(repair_array(BROKEN, "openai-chat", "openai-chat")) == chat()
    sound = json.dumps(GOOD, indent=3).encode()
    assert repair_array(sound, "openai-chat", "training") == sound
