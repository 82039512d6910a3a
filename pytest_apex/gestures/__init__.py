"""From what is meant to what a finger does: `compile` makes the exact track, `humanize` a human one of it."""
