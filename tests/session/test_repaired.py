"""What a repair wrote is read as every later command will read it."""

import json

from tests.strategies import condense


def test_an_array_that_could_be_either_apis_after_the_repair_is_written(tmp_path):
    """The one message that told the APIs apart is taken out: what is left is an array of either, and no reason to refuse."""
    path, out = tmp_path / "a.json", tmp_path / "out.json"
    kept = [{"role": "user", "content": "q"}, {"role": "user", "content": "again"}]
    path.write_text(json.dumps([kept[0], {"role": "assistant", "content": "", "reasoning_content": "Hm."}, kept[1]]))
    assert condense("repair", str(path), "-o", str(out)).code == 0
    assert json.loads(out.read_text()) == kept
