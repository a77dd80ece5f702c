"""Everything that touches the disk: read, replace, journal, in-use detection, client folders."""
