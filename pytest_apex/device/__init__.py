"""The device as a test sees it: the one place where engines (floors 1 and 2) and doors (floor 3) meet."""
