"""The rules of the layer condense, a module each or for a few that share their scan."""
