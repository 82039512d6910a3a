"""What the device shows and does by itself: looks, rest, what lives on a screen, its processes and manuals."""
