"""Outputs recorded from the real program, where they are at hand."""

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from condense_cli.jsonbytes.javascript import replaced_halves, stringify
from condense_cli.output.messages import rendered_document
from condense_cli.pi_condense.prune.settings import Settings, settings_from
from condense_cli.pi_condense.prune.views import render
from condense_cli.recall.find import Finder
from condense_cli.recall.output import answer_text
from condense_cli.session.opened import open_session

REPOSITORY = Path(__file__).parents[3]
GOLDEN = REPOSITORY.parent / "shared" / "golden-2.11"

pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs the recorded outputs")


def ordered(data):
    """Read JSON with the order of keys as part of the value, and numbers as doubles."""
    return json.loads(data, object_pairs_hook=list, parse_int=float)


def without_clock(data):
    """Read wire messages; the time of a result that pi made up was its clock."""
    return ordered(re.sub(rb'("text":"No result provided"}\],"isError":true,"timestamp":)\d+', rb"\g<1>0", data))


def recorded():
    with gzip.open(GOLDEN / "pi-condense" / "random-visible.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            data = base64.b64decode(case["session_b64"]) if "session_b64" in case else case["session"].encode()
            yield case, data, dict(ordered(line))


def test_random_sessions_are_rendered_sent_and_answered_as_recorded(tmp_path):
    """Messages, sizes, diagnostics, wire messages and query texts of all recorded sessions, key order included."""
    path = tmp_path / "session.jsonl"
    for case, data, wanted in recorded():
        path.write_bytes(data)
        settings = Settings() if case["config"] is None else settings_from({**case["config"], "enabled": True})
        with open_session(str(path)) as session:
            rendering = render(session.branch(), session.load, settings)
            assert ordered(b"".join(rendered_document(rendering))) == wanted["render"], case["name"]
            assert without_clock(stringify(list(rendering.wire()))) == wanted["wire"], case["name"]
            finder = Finder(session, index_only=True)
            for ref, text in case["queries"].items():
                assert replaced_halves(answer_text(finder.answer(ref))) == replaced_halves(text), (case["name"], ref)


def test_pictures_come_back_as_recorded(tmp_path):
    """The blocks of each answer, in order, with repeats; markers of spilled outputs count too."""
    stem = GOLDEN / "pi-condense" / "74-image-queries"
    shutil.copytree(f"{stem}-blobs", tmp_path / f"{stem.name}-blobs")
    text = Path(f"{stem}.jsonl").read_text(encoding="utf-8").replace("@DIR@", str(tmp_path))
    (tmp_path / "session.jsonl").write_text(text, encoding="utf-8")
    case = json.loads(Path(f"{stem}.json").read_bytes())
    with open_session(str(tmp_path / "session.jsonl")) as session:
        finder = Finder(session, index_only=True)
        found = {ref: [image for output in finder.answer(ref).outputs for image in output.images] for ref in case["queries"]}

    assert {ref: images for ref, images in found.items() if images} == case["queryImages"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["08-*", "10-*"])
def test_the_command_line_reproduces_them_too(name, tmp_path):
    """render, render --view wire and query as processes, with spilled outputs in one of them."""
    script = shutil.copy(GOLDEN.parent / "golden" / "compare.py", tmp_path)
    done = subprocess.run(
        [sys.executable, script, "--condense", f"{sys.executable} -m condense_cli", "--only", name, os.fspath(GOLDEN / "pi-condense")],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.fspath(REPOSITORY)},
    )

    assert done.stdout.strip() == "1 passed, 0 failed", done.stdout + done.stderr
