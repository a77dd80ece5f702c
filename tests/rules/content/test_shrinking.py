"""`--shrink`: an image that is too large is made smaller; all else of its record keeps its bytes."""

from __future__ import annotations

import base64
import io
import json
import sys

import pytest
from condense_cli import Session
from condense_cli.cli import run
from condense_cli.model.media import GIF, JPEG, PNG, WEBP
from condense_cli.rules.content.shrinking import shrunk

Image = pytest.importorskip("PIL.Image")


def picture(kind: str, width: int, height: int, *, noise: bool = False) -> bytes:
    """Write an image; with noise it does not compress."""
    image = Image.effect_noise((width, height), 80).convert("RGB") if noise else Image.new("RGB", (width, height), "teal")
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def size_of(data: bytes) -> tuple[str, tuple[int, int]]:
    """Say what an image is."""
    with Image.open(io.BytesIO(data)) as image:
        return image.format, image.size


def blocks(data: bytes, media_type: str) -> dict[str, object]:
    """Return the same image as each client keeps it."""
    text = base64.b64encode(data).decode()
    return {
        "anthropic": {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": text}},
        "openai-chat": {"type": "image_url", "image_url": {"detail": "high", "url": f"data:{media_type};base64,{text}"}},
    }


@pytest.mark.parametrize(("kind", "written"), [(PNG, PNG), (JPEG, JPEG), (WEBP, WEBP), (GIF, PNG)])
def test_the_longer_side_fits(kind, written):
    """The shape stays; a GIF becomes a PNG."""
    made = shrunk(picture(kind.removeprefix("image/").upper(), 900, 300), kind, side=300, size=1 << 20)
    assert (made.kind, made.width, made.height) == (written, 300, 100)
    assert size_of(made.data) == (written.removeprefix("image/").upper(), (300, 100))


@pytest.mark.parametrize("kind", [PNG, JPEG])
def test_the_bytes_fit(kind):
    """An image with few pixels and many bytes."""
    large = picture(kind.removeprefix("image/").upper(), 500, 400, noise=True)
    made = shrunk(large, kind, side=None, size=len(large) // 3)
    assert len(made.data) <= len(large) // 3
    assert max(made.width, made.height) > 100


@pytest.mark.parametrize("data", [b"", b"no image", picture("PNG", 9, 9)[:40]])
def test_what_cannot_be_decoded_is_left_to_the_note(data):
    """Nothing is raised."""
    assert shrunk(data, PNG, side=4, size=1000) is None
    assert shrunk(data, "image/heic", side=4, size=1000) is None


def test_without_pillow_there_is_no_picture(monkeypatch):
    """The library falls back to the note; the command line says what is missing."""
    data = picture("PNG", 9, 9)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert shrunk(data, PNG, side=4, size=1000) is None


@pytest.mark.parametrize("shape", ["anthropic", "openai-chat"])
def test_a_session_is_repaired_by_smaller_images(tmp_path, capfd, shape):
    """Only the image's text changes, the outcome is fine, and a second repair finds nothing to do."""
    wide = picture("PNG", 8400, 21) if shape == "anthropic" else picture("JPEG", 20_100, 12)
    block = blocks(wide, PNG if shape == "anthropic" else JPEG)[shape]
    messages = [{"content": [{"text": "What is this?", "type": "text"}, block], "role": "user"}]
    path, out = tmp_path / "s.json", tmp_path / "out.json"
    path.write_text(json.dumps(messages, indent=1), "utf-8")
    contract = [] if shape == "anthropic" else ["--contract", "mistral"]
    assert run(["repair", "--shrink", *contract, "--output-format", "json", str(path), "-o", str(out)]) == 0
    said = json.loads(capfd.readouterr().out)
    assert "made smaller: " in said["edits"][0]["detail"]
    old, new = path.read_text("utf-8"), out.read_text("utf-8")
    text = base64.b64encode(wide).decode()
    start = old.index(text)
    end = len(old) - start - len(text)
    assert (new[:start], new[len(new) - end :]) == (old[:start], old[start + len(text) :])
    kind, (width, height) = size_of(base64.b64decode(new[start : len(new) - end]))
    assert (kind, width) == (("PNG", 8000) if shape == "anthropic" else ("JPEG", 10_000))
    assert height > 1
    assert run(["repair", "--shrink", *contract, str(out)]) == 0


def test_many_images_of_any_size(tmp_path):
    """With more than twenty images in a request, each may have 2,000 pixels a side."""
    wide, small = (blocks(picture("PNG", side, 3), PNG)["anthropic"] for side in (2100, 30))
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"role": "user", "content": [wide, *[small] * 20]}]), "utf-8")
    with Session.open(path) as session:
        plan = session.plan(shrink=True)
        assert [edit.part for edit in plan.edits] == [0]
        plan.apply(tmp_path / "out.json")
    first = json.loads((tmp_path / "out.json").read_bytes())[0]["content"][0]
    assert size_of(base64.b64decode(first["source"]["data"])) == ("PNG", (2000, 3))


def test_a_plan_that_was_reviewed_makes_the_same_images(tmp_path, capfd):
    """The choice is part of the plan."""
    block = blocks(picture("PNG", 8400, 21), PNG)["anthropic"]
    path, plan, out, direct = (tmp_path / name for name in ("s.json", "plan.json", "out.json", "direct.json"))
    path.write_text(json.dumps([{"role": "user", "content": [block]}]), "utf-8")
    assert run(["repair", "--shrink", str(path), "--plan-out", str(plan)]) == 1
    assert "--shrink" in capfd.readouterr().err
    assert run(["repair", str(path), "--plan", str(plan), "-o", str(out)]) == 0
    assert run(["repair", "--shrink", str(path), "-o", str(direct)]) == 0
    assert out.read_bytes() == direct.read_bytes()
    plan.write_text(plan.read_text("utf-8").replace('"shrink": true', '"shrink": "yes"'), "utf-8")
    assert run(["repair", str(path), "--plan", str(plan), "-o", str(out)]) == 2


def test_what_cannot_be_made_smaller_gets_its_note(tmp_path):
    """A header alone says 8200 pixels; there is no picture behind it."""
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (8200).to_bytes(4, "big") + (3).to_bytes(4, "big") + b"\x08\x02\0\0\0"
    path, out = tmp_path / "s.json", tmp_path / "out.json"
    path.write_text(json.dumps([{"role": "user", "content": [blocks(header, PNG)["anthropic"]]}]), "utf-8")
    assert run(["repair", "--shrink", str(path), "-o", str(out)]) == 0
    assert "[image removed: " in out.read_text("utf-8")


def test_the_command_line_says_what_is_missing(tmp_path, capfd, monkeypatch):
    """A usage error that names the extra."""
    monkeypatch.setattr("condense_cli.cli.repair.planned.find_spec", lambda name: None)
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"role": "user", "content": "hi"}]), "utf-8")
    assert run(["repair", "--shrink", str(path)]) == 2
    assert "condense-cli[images]" in capfd.readouterr().err
