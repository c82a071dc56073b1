"""Where things lie, wherever a test stands."""

from pathlib import Path

HELPERS = Path(__file__).parent
TESTS = HELPERS.parent
DATA = TESTS / "data"
ROOT = TESTS.parent
