"""An output of the index comes from its entry, from its file, or from the file that the call's id names."""

import hashlib
import json

import pytest
from tests.strategies import condense, pi_records

BODY = b"the whole output"


def spilled(**fields):
    return {"toolCallId": "x|1", "toolName": "bash", "args": {}, "resultText": "", "isError": False, "turnIndex": 0, "timestamp": 5, "resultTimestamp": 7,
            "spillPath": "/gone/x-blobs/x_1_7.txt", "resultPreview": "the whole", **fields}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"contentHash": hashlib.sha1(BODY).hexdigest()}, BODY),
        ({"spillBytes": len(BODY)}, BODY),
        ({"contentHash": "0" * 40, "spillBytes": len(BODY)}, b"the whole"),
        ({"spillBytes": 3}, b"the whole"),
        ({}, b"the whole"),
        ({"toolCallId": None, "spillBytes": len(BODY)}, b""),
    ],
)
def test_a_file_named_by_the_bare_id_is_used_only_if_it_is_this_output(tmp_path, fields, text):
    """Its hash says so, or its size; else the preview is what is left."""
    records = pi_records([("user",)])
    records.append({"type": "custom", "customType": "context-prune-index", "data": {"toolCalls": [spilled(**fields)]}, "id": "feed0001", "parentId": records[-1]["id"], "timestamp": records[-1]["timestamp"]})
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    folder = tmp_path / f"{records[0]['id']}-blobs"
    folder.mkdir()
    (folder / "x_1.txt").write_bytes(BODY)

    assert condense("query", "--session", tmp_path / "s.jsonl", "--raw", "x|1").out == text
