"""A pi session whose every text, name and id tries to run, load, style or steer something."""

import json

ATTACKS = (
    "<script>window.ran=1</script>",
    "</script><script>window.ran=2</script>",
    "</style><script>window.ran=3</script>",
    "<img src=x onerror='window.ran=4'>",
    "<svg onload=window.ran=5><svg/onload=window.ran=6>",
    "\"><iframe srcdoc='<script>parent.ran=7</script>'>",
    "' autofocus onfocus='window.ran=8",
    "[link](javascript:window.ran=9) javascript:window.ran=10",
    "<a href='javascript:window.ran=11' id=strip>x</a>",
    "{{ 7*7 }}{% raw %}<b>",
    "<style>body{display:none}</style><link rel=stylesheet href=https://example.invalid/x.css>",
    "\u202eevil\u2066bidi\u200b",
    "```html\n<script>window.ran=12</script>\n```",
    "```<script>window.ran=13</script>\ncode\n```",
    "<!--", "-->", "]]>", "<meta http-equiv=refresh content='0;url=https://example.invalid/'>", "<base href=https://example.invalid/>",
    "&lt;script&gt;", "\x00\x1b[31m", "x" * 30_000,
)  # fmt: skip


def hostile():
    """Return the bytes of the session: sound but for an orphan result, so that there is a finding, too."""
    lines = [{"type": "session", "version": 3, "id": "<script>window.ran=20</script>", "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/"}]
    parent = None

    def add(ident, message):
        nonlocal parent
        lines.append({"type": "message", "id": ident, "parentId": parent, "timestamp": "2026-11-01T10:00:00.000Z", "message": message})
        parent = ident

    for n, attack in enumerate(ATTACKS):
        call = f"{attack[:200]}{n}"
        add(f"u{n}{attack[:300]}", {"role": "user", "content": [{"type": "text", "text": attack}], "timestamp": 1})
        content = [
            {"type": "thinking", "thinking": attack},
            {"type": "text", "text": f"look:\n{attack}"},
            {"type": "image", "mimeType": f"image/png{attack}", "data": attack},
            {"type": "image", "mimeType": "image/svg+xml", "data": "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"},
            {"type": "toolCall", "id": call, "name": attack[:100], "arguments": {attack[:50]: attack, "command": attack, "path": f"x.{attack[:20]}"}},
        ]
        add(f"a{n}", {"role": "assistant", "content": content, "provider": "p", "model": attack[:50], "stopReason": "toolUse", "timestamp": 2})
        add(f"r{n}", {"role": "toolResult", "toolCallId": call, "toolName": attack[:100], "content": [{"type": "text", "text": attack}], "isError": n % 2 == 0, "timestamp": 3})
    add("orphan", {"role": "toolResult", "toolCallId": ATTACKS[0], "toolName": "x", "content": [{"type": "text", "text": "o"}], "isError": False, "timestamp": 4})
    add("end", {"role": "assistant", "content": [{"type": "text", "text": "done"}], "provider": "p", "model": "m", "stopReason": "stop", "timestamp": 5})
    return b"".join(json.dumps(line, ensure_ascii=n % 2 == 0).encode("utf-8", "surrogatepass") + b"\n" for n, line in enumerate(lines))
