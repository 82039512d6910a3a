"""Android over adb: the server of uiautomator2 on the phone, spoken to over one connection with real time-outs.

`adb` speaks to adb's server, `handset` to one phone behind it, `channel` to the server on it; `backend` puts them
together, with one module beside it for each thing that it can do. uiautomator2 and adbutils are imported where they are
used, and only in this package.
"""
