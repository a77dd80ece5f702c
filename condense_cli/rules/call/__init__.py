"""The rules of the layer call, a module each or for a few that share their scan."""
