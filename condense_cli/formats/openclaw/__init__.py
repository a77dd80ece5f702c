"""OpenClaw sessions in JSONL."""
