"""Sessions for an agent to look things up in: read-only tools, in the scope of one folder."""
