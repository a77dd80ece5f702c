"""What pruning changes, as a value."""

from condense_cli.pi_condense.prune.difference import differences
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.views import render
from condense_cli.session.opened import open_session


def test_every_change_has_its_line_and_the_prefix_ends_at_the_first(chat, tmp_path):
    """Drops, stubs and insertions are listed by position; sizes add up; the first change decides the prefix."""
    chat.user(500).user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200).chain("b1", 1000, 1200, ["bash_1"])
    chat.user(2000).calls(2100, "bash_2").result(2150, "bash_2").index("bash_2", 2150, "x")
    path = tmp_path / "s.jsonl"
    path.write_bytes(chat.data())

    with open_session(str(path)) as session:
        rendering = render(session.branch(), session.load, Settings())
        summary = differences(rendering)

    assert [(d.change, d.line, d.position) for d in summary.differences] == [
        ("insert", 3, 1),
        ("drop", 4, 2),
        ("drop", 5, 3),
        ("replace", 10, 7),
    ]
    assert summary.first == 2
    assert summary.before - summary.after == sum(d.before - d.after for d in summary.differences)
    assert 0 < summary.prefix < summary.before
