"""The values that decisions are made on."""
