"""Attempts and steps turned into something to read. A report never touches a device.

Nothing is imported here; each report is a module of its own.
"""
