"""A failure with all that was seen around it, as the facts that the judge reads."""
