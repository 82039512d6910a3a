"""What is done on the device: the walk of one act, and what is built on it."""
