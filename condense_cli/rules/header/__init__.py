"""The rules of the layer header, a module each or for a few that share their scan."""
