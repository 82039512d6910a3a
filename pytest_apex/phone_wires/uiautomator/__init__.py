"""The uiautomator server that uiautomator2 puts on a phone: its HTTP, its calls, its dump of the windows.

What each call does is that of openatx/android-uiautomator-server (`AutomatorServiceImpl.java`) and of
androidx.test.uiautomator under it (`InteractionController`, `UiObject`).
"""
