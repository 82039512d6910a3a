"""Judging: what changed, what looks broken, what kind of failure it is. Functions of values; no device in sight."""
