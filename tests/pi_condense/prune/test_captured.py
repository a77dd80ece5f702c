"""Pictures in the text of a result, and finding them again."""

import time

from condense_cli.pi_condense.prune.captured import captured_text, digest_of, marked


def test_markers_come_first_and_name_type_and_digest():
    """Text blocks follow them; a picture without data has none."""
    picture = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    content = [{"type": "text", "text": "a"}, picture, {"type": "image"}, {"type": "image", "data": ""}, {"type": "text", "text": "b"}]

    marker, bare, *text = captured_text(content).split("\n")

    assert marker == f"[image returned: image/png sha256:{digest_of('AA==')}]"
    assert bare == "[image returned: undefined sha256:e3b0c442]"
    assert text == ["a", "b"]
    assert captured_text([picture]) == marker


def test_a_marker_is_on_one_line_and_in_lower_case():
    """Quoted ones count; a bracket or a line break before the digest makes it none."""
    ok = "[image returned: image/png sha256:0123abcd]"

    assert list(marked(f"x {ok}{ok} [image returned: [image returned: a sha256:99999999]")) == ["0123abcd", "0123abcd", "99999999"]
    for wrong in (ok.upper(), ok.replace("png", "p]g"), ok.replace("png", "p\ng"), ok.replace("cd]", "CD]"), ok.replace("0123", "01234")):
        assert list(marked(wrong)) == []


def test_a_text_of_beginnings_is_read_once():
    """Not once for each of them."""
    start = time.process_time()
    assert list(marked("[image returned: " * 200_000)) == []
    assert time.process_time() - start < 2
