"""condense compact: what pi-condense would append for its closed chains of tool calls, without a model."""
