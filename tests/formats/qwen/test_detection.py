"""What tells a Qwen Code session from others."""

import pytest
from condense_cli.formats.qwen.detection import is_record


@pytest.mark.parametrize("kind", [[], {}, None, 1, "else"])
def test_a_record_of_no_known_type_is_none(kind):
    """Whatever JSON value stands where the type should be."""
    assert not is_record({"uuid": "a", "parentUuid": None, "type": kind, "message": {"parts": []}})
    assert is_record({"uuid": "a", "parentUuid": None, "type": "user", "message": {"parts": []}})
