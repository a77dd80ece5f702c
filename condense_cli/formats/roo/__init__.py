"""Tasks of Roo Code and of what came of it (Zoo Code, Kilo Code before its version 5)."""
