"""Which program it is."""

import condense_cli
from condense_cli.storage.program import program_version


def test_a_program_that_changed_is_another_one(tmp_path, monkeypatch):
    """A module's bytes or times, a new module; not other files."""
    (tmp_path / "rules").mkdir()
    for name in ("__init__.py", "rules/one.py"):
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(condense_cli, "__file__", str(tmp_path / "__init__.py"))
    first = program_version()
    (tmp_path / "notes.txt").write_text("x")
    assert program_version() == first
    (tmp_path / "rules" / "one.py").write_text("x = 12\n")
    second = program_version()
    (tmp_path / "rules" / "two.py").write_text("")
    assert len({first, second, program_version()}) == 3
