"""The phone's command line, and the commands that tools ask of it."""
