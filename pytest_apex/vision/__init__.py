"""Pictures: reading, comparing, measuring, drawing on copies. The only room that knows Pillow and numpy."""
