"""condense as a user runs it: in a pipe, and in a pseudo-terminal of 80 columns."""

import os
import pty
import subprocess
import sys


def environment(home):
    """Return an environment with a home folder, and nothing that moves a client's store."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH")}
    return {**kept, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "COLUMNS": "80", "TERM": "xterm"}


def in_a_pipe(home, work, *words, typed=""):
    """Run condense with its streams in pipes; return the code, and what it said on both."""
    done = subprocess.run(
        [sys.executable, "-m", "condense_cli", *words],
        cwd=work,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
        input=typed,
    )
    return done.returncode, done.stdout + done.stderr


def in_a_terminal(home, work, *words, typed=""):
    """Run condense in a pseudo-terminal of 80 columns; what is typed ends with Ctrl-D."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(work)
        os.execve(sys.executable, [sys.executable, "-m", "condense_cli", *words], {**environment(home), "NO_COLOR": "1"})
    if typed:
        os.write(terminal, typed.encode() + b"\n\x04")
    said = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        said += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode().replace("\r\n", "\n")
