"""Android, iOS, tvOS and watchOS through an Appium server, a Selenium Grid or a farm that speaks WebDriver.

Appium-Python-Client opens the session and is `device.raw`; what is asked of the device goes over a connection of our
own to the same session: `wire` is one request, `channel` says what is known of a request that failed, `commands` is the
table of gestures. It is imported where it is used, and only in this package.
"""
