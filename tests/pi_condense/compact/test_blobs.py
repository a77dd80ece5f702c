"""Files for long outputs: their names come from the session, which is not to be trusted."""

import os

import pytest
from condense_cli.pi_condense.compact.blobs import BlobFolder, blob_name, content_hash, preview


def plan(folder, key, text):
    return folder.plan(key, text, lambda: text)


def test_a_name_has_safe_characters_only():
    """Each UTF-16 unit beside letters, digits, `_` and `-` becomes `_`."""
    assert blob_name("../a b@12é😀") == "___a_b_12___.txt"


def test_a_long_key_gets_a_name_of_255_characters_of_its_own():
    """251 characters stay whole; a longer name ends with a digest of the key as it was."""
    assert blob_name("a" * 251) == "a" * 251 + ".txt"
    first, second = blob_name("é" * 252), blob_name("ü" * 252)
    assert len(first) == len(second) == 255
    assert first != second and first[:235] == "_" * 234 + "."


@pytest.mark.parametrize("ident", ["../evil", "a/b", "..", ".", "", "a\0b", "a\\b", "\ud800", "x" * 300])
def test_a_header_id_that_is_no_name_gets_no_folder(tmp_path, ident):
    """Nothing leaves the session's folder: the output stays in its entry, and that is counted."""
    folder = BlobFolder(str(tmp_path), ident)

    assert plan(folder, "a@1", b"text") is None
    assert (folder.blobs, folder.inline) == ((), 1)


def test_two_occurrences_of_one_id_get_two_files(tmp_path):
    """The time is part of the name."""
    folder = BlobFolder(str(tmp_path), "s")

    paths = [plan(folder, "bash_1@100", b"one"), plan(folder, "bash_1@200", b"two")]

    assert [os.path.relpath(path, tmp_path) for path in paths] == ["s-blobs/bash_1_100.txt", "s-blobs/bash_1_200.txt"]


def test_two_keys_with_one_name_share_it_only_for_equal_texts(tmp_path):
    """The second text stays in its entry, the first file is not written over."""
    folder = BlobFolder(str(tmp_path), "s")

    first = plan(folder, "a/1@5", b"one")

    assert plan(folder, "a.1@5", b"two") is None
    assert plan(folder, "a-1@5", b"other name") != first
    assert plan(folder, "a:1@5", b"one") == first
    assert [blob.read() for blob in folder.blobs] == [b"one", b"other name"]


@pytest.mark.parametrize("there", ["other text", "link", "folder", "same text"])
def test_what_is_there_is_never_written_over(tmp_path, there):
    """Only a plain file with the very same bytes is used again."""
    path = tmp_path / "s-blobs" / "a_1.txt"
    path.parent.mkdir()
    (tmp_path / "elsewhere").write_bytes(b"text")
    if there == "link":
        path.symlink_to(tmp_path / "elsewhere")
    elif there == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"text" if there == "same text" else b"mine")

    assert (plan(BlobFolder(str(tmp_path), "s"), "a@1", b"text") is not None) is (there == "same text")


def test_a_blob_folder_that_is_a_link_is_not_followed(tmp_path):
    """It could lead anywhere."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "s-blobs").symlink_to(tmp_path / "elsewhere")

    assert BlobFolder(str(tmp_path), "s").path is None


def test_the_preview_ends_with_a_whole_line_or_character():
    """Bytes of UTF-8 are counted, and no character is cut in two."""
    assert preview(b"ab\ncd\nef", 7) == "ab\ncd"
    assert preview("😀😀😀".encode(), 9) == "😀😀"
    assert preview(b"\nabcdef", 4) == "\nabc"
    assert preview(b"short", 5) == "short"


def test_equal_outputs_have_one_hash():
    """Line ends and white space at ends do not count, the tool does."""
    assert content_hash("bash", b"  a \t\r\nb\n\n") == content_hash("bash", b"a\nb")
    assert content_hash("bash", b"a") != content_hash("read", b"a")
