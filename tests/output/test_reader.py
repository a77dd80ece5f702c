"""A transcript for a reader at a terminal."""

from __future__ import annotations

import pytest
from condense_cli.output import reader
from condense_cli.output.placed import Note, Placed
from condense_cli.output.reader import Look
from condense_cli.output.wrapped import cells

LONG = "\n".join(f"row {n}" for n in range(50))
HERE = Look(session=("a b.jsonl",))


def text(lines):
    """Lines as text."""
    return ["".join(part for part, _ in line) for line in lines]


def placed(*messages):
    """Messages on every second line."""
    return [Placed(2 * n, message) for n, message in enumerate(messages, 1)]


def user(said):
    return {"role": "user", "content": said}


def test_long_messages_are_folded_and_counted():
    """A long text shows its beginning and how much more there is, an output the command that shows it, the end that for all."""
    shown = text(reader.shown(placed(user("short"), {"role": "tool", "content": LONG}), HERE))

    assert shown[:4] == ["[1] user", "  short", "[2] tool", "  row 0  … 49 more lines: condense query L4"]
    assert shown[-2] == "1 message folded; to see all of them: condense render --full 'a b.jsonl'"
    assert shown[-1] == "`condense query` of an output takes --session 'a b.jsonl'"


def test_a_long_line_is_broken_between_words_and_folded():
    """What is left out is counted in rows; --full has every word."""
    said = "some words " * 100
    shown = text(reader.shown(placed(user(said)), HERE))
    full = text(reader.shown(placed(user(said)), HERE._replace(folds=False)))

    assert shown[8].endswith("… 7 more lines")
    assert " ".join(full[1:]).split() == said.split()


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("folds", [False, True])
def test_every_line_fits(width, folds):
    """Wide characters, tabs and long words included."""
    messages = placed(user("漢字" * 100), {"role": "tool", "content": "\t\tx" + "y" * 300}, {"role": "assistant", "content": "`a`\t- b " * 40})
    notes = [Note(3, (("! error at a place " * 10, "red"),))]
    shown = text(reader.shown(messages, Look(width, ("s.jsonl",), notes, folds=folds, markdown=True)))

    assert max(map(cells, shown)) <= width


@pytest.mark.parametrize("width", [40, 80])
def test_an_outline_has_a_line_per_message(width):
    """Each line fits the width."""
    messages = placed(user(LONG), {"role": "assistant", "content": [{"type": "text", "text": "yes " * 40}]})
    shown = text(reader.outline(messages, Look(width)))

    assert [line.split("  ")[0] for line in shown] == ["[1] user", "[2] assistant"]
    assert all(len(line) <= width for line in shown)
    assert shown[0].startswith("[1] user  row 0 row 1")


def test_notes_are_where_they_are():
    """A note of a line comes below its message; one of a line that is not shown before the next one, the rest at the end."""
    notes = [Note(line, ((f"! {line}", "red"),)) for line in (1, 2, 3, 9)]
    for shown in (reader.shown(placed(user("a"), user("b")), Look(notes=notes)), reader.outline(placed(user("a"), user("b")), Look(notes=notes))):
        found = [line.split("  ")[0] for line in text(shown) if line[:1] in "![" and line]
        assert found == ["! 1", "[1] user", "! 2", "! 3", "[2] user", "! 9"]


def test_around_a_line():
    """The message of the line is whole, three are shown before it and after it, with the numbers and notes that they have."""
    messages = placed(*(user(f"m{n}\n{LONG}") for n in range(20)))
    notes = [Note(line, ((f"! {line}", "red"),)) for line in (1, 21, 40)]
    shown = text(reader.around(lambda: messages, 21, HERE._replace(notes=notes)))

    assert [line for line in shown if line.startswith("[")] == [f"[{n}] user" for n in range(7, 14)]
    assert "  row 49" in shown
    assert shown.count("  row 49") == 1
    assert [line for line in shown if line.startswith("!")] == ["! 21"]


def test_around_a_line_at_the_ends():
    """Before the first message it is the first, after the last the last."""
    messages = placed(*(user(f"m{n}") for n in range(9)))

    assert text(reader.around(lambda: messages, 1, HERE))[0] == "[1] user"
    assert text(reader.around(lambda: messages, 999, HERE))[-1] == "  m8"
    assert text(reader.around(list, 5, HERE)) == []


def test_answers_are_markdown_where_it_is_wanted():
    """Signs of Markdown become the terminal's; calls, and what a user wrote, stay as they are."""
    answer = {"role": "assistant", "content": [{"type": "text", "text": "# Head\n\n**bold** [x](http://e.example)"}, {"type": "tool_use", "name": "n", "id": "i", "input": {"a": "**b**"}}]}
    plain = "\n".join(text(reader.shown(placed(answer, user("**u**")), Look(folds=False))))
    shown = "\n".join(text(reader.shown(placed(answer, user("**u**")), Look(folds=False, markdown=True))))

    assert "**bold**" in plain
    assert "**bold**" not in shown
    assert "bold" in shown
    assert '-> n i {"a":"**b**"}' in shown
    assert "  **u**" in shown


def test_the_stored_error_is_shown():
    """What the client stored of a failed request is part of its turn."""
    shown = text(reader.shown(placed({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "400 \x1b[31mno"}), Look()))

    assert shown == ["[1] assistant error", r"  error: 400 \x1b[31mno"]
