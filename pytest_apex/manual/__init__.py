"""App manuals: text in, values out. Nothing here opens a file or touches a device.

`load` reads one manual, `winners` decides between several, `matching` finds the one for the app in front, `lookup` asks
it, `schema` describes the file for editors.
"""
