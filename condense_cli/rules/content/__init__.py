"""The rules of the layer content, a module each or for a few that share their scan."""
