"""python -m condense_cli, and the `condense` command."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it as quietly as later."""
    try:
        from condense_cli.cli import main as run

        run()
    except KeyboardInterrupt:
        print("condense: interrupted", file=sys.stderr)
        os._exit(130)


if __name__ == "__main__":
    main()
