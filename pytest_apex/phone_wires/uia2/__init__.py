"""The server that Appium's UiAutomator2 driver puts on a phone: its HTTP on port 6790, its commands, its page source.

What each command does is that of appium/appium-uiautomator2-server (`handler/`, `utils/w3c/`, `core/`) and of
androidx.test.uiautomator under it (`Gestures`).
"""
