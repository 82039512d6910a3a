"""Doors to devices. Each backend is one module; `base` says what a backend is."""
