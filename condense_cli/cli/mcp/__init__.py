"""condense mcp: read-only tools for agents, by the Model Context Protocol."""
