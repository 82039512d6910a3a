"""WebDriverAgent as Appium's XCUITest driver sees it, over the built-in iPhone, Apple TV and Apple Watch; and the part
of usbmuxd and lockdown that the driver needs on a computer without Xcode.

What each command does is that of appium/WebDriverAgent (`Commands/`, `Utilities/`, `Routing/`).
"""
