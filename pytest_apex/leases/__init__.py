"""Who uses what: a phone, or a folder, belongs to one process at a time."""
