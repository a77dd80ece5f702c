"""Exports of OpenCode."""
