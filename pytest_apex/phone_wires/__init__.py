"""The built-in phone as real tools see it: over adb, with the uiautomator server on it.

`serve.serve_phone` switches one on; `docs/phone-wire.md` says what it answers. `adb/` is the device's side of adb,
`shell/` its commands, `uiautomator/` the server that uiautomator2 talks to. All of them act on one `phone.Phone`.
"""
