"""The rules of the layer tree, a module each or for a few that share their scan."""
