"""python -m condense_cli, and the `condense` command."""

from condense_cli.cli import main

if __name__ == "__main__":
    main()
