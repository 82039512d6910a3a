"""What is kept of a run: files by content, a line for each event, and the masking of secrets in both.

Nothing is imported here; the parts are `store`, `journal`, `redact` and `recorder`.
"""
