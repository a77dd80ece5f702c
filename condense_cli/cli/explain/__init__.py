"""condense explain: what a rule means, or what an error is about and where in a session it comes from."""
