"""The built-in phone: a deterministic simulation on its own clock. No I/O, no threads, no wall clock.

`app.load_app` reads an app file, `phone.Phone` runs it; `fixtures/virtual_apps/README.md` documents the file.
"""
