"""The server, asked by the SDK's own client over standard input and output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conversations import chains, written

pytest.importorskip("mcp.server.mcpserver")
anyio = pytest.importorskip("anyio")

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
SERVER = [sys.executable, "-m", "condense_cli", "mcp"]


@pytest.fixture
def folder(tmp_path):
    """A folder with a compacted session and an untouched one, and a secret beside it."""
    inside = tmp_path / "project"
    inside.mkdir()
    session = written(inside, "claude-code", chains(3))
    subprocess.run([sys.executable, "-m", "condense_cli", "-q", "compact", str(session), "--window", "0", "-o", str(inside / "new.jsonl")], check=True, env=ENV, stdout=subprocess.DEVNULL)
    written(tmp_path, "claude-code", chains(1)).rename(tmp_path / "secret.jsonl")
    return inside


def ask(folder, work):
    """Run an asynchronous function with a connected session of the SDK's client."""
    from mcp import ClientSession, StdioServerParameters, stdio_client

    async def talk():
        server = StdioServerParameters(command=SERVER[0], args=SERVER[1:], cwd=str(folder), env={**ENV, "HOME": str(folder)})
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            return await work(client)

    return anyio.run(talk)


@pytest.mark.slow
def test_the_tools_are_there_and_read_only(folder):
    """Three tools with a schema and a description."""
    tools = {tool.name: tool for tool in ask(folder, lambda client: client.list_tools()).tools}
    assert set(tools) == {"query", "list_outputs", "check_session"}
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert tools["query"].input_schema["required"] == ["refs"]


def test_an_output_that_left_comes_back(folder):
    """Byte for byte; what is outside and what is wrong is an error, and the server goes on."""

    async def work(client):
        return [
            await client.call_tool("query", {"refs": ["t1"], "session": "new.jsonl"}),
            await client.call_tool("query", {"refs": ["t1"], "session": "../secret.jsonl"}),
            await client.call_tool("check_session", {"session": "/etc/passwd"}),
            await client.call_tool("query", {"refs": "t1"}),
            await client.call_tool("query", {"refs": [1, {}], "session": 5}),
            await client.call_tool("list_outputs", {"session": "new.jsonl"}),
        ]

    good, outside, other, wrong, odd, listing = ask(folder, work)
    assert not good.is_error
    assert "output 0 0\nü\u2028" + "x" * 400 in good.content[0].text
    assert outside.is_error and other.is_error and wrong.is_error and odd.is_error
    assert "output" not in outside.content[0].text
    assert "t1\t" in listing.content[0].text


@pytest.mark.slow
def test_malformed_requests_do_not_end_it(folder):
    """Lines that are no JSON, no request, or name nothing: a request after them is answered, and the end is quiet."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}
    lines = ["{", "null", "[]", '"x"', "\udc80", '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":7,"method":"tools/list"}', "[" * 10_000, json.dumps(hello), '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","id":3,"method":"nothing/known"}', '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nope"}}', '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":7}', '{"jsonrpc":"2.0","id":2,"method":"tools/list"}']
    process = subprocess.Popen(SERVER, cwd=folder, env={**ENV, "HOME": str(folder)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        process.stdin.write(b"".join(line.encode("utf-8", "surrogateescape") + b"\n" for line in lines))
        process.stdin.flush()
        while True:
            answer = json.loads(process.stdout.readline())
            if answer.get("id") == 2:
                break
        process.stdin.close()
        assert process.wait(60) == 0
        assert b"Traceback" not in process.stderr.read()
    assert len(answer["result"]["tools"]) == 3


def test_without_the_extra_it_says_how_to_install_it(folder):
    """A usage error."""
    code = "import importlib.util as u; real = u.find_spec; u.find_spec = lambda name, *a: None if name.startswith('mcp') else real(name, *a)\nfrom condense_cli.cli import run\nimport sys; sys.exit(run(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=ENV, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"condense-cli[mcp]" in done.stderr
