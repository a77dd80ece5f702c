"""The rules of the layer line, a module each or for a few that share their scan."""
