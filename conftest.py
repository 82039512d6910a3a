"""pytest turned on for testing the plugin from outside; nothing a user needs."""

pytest_plugins = ["pytester"]
