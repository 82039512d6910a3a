"""`python -m pytest_apex`: the same as `pytest-apex`."""

import sys

from pytest_apex.cli import main

sys.exit(main())
