"""The rules of the layer pairing, a module each or for a few that share their scan."""
