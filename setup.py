"""Which packages there are; all else about the project stands in pyproject.toml.

The rooms of the house stand at the top of the repository and are installed under one roof, `bluekrait`.
Setuptools can find packages by itself, but has no declarative way to put a name before theirs.
"""

from setuptools import find_packages, setup

ROOF = "bluekrait"
ROOMS = ("core", "search", "uci", "tools")

TOP_LEVEL = "uci.top_level"  # installed as `bluekrait` itself

rooms = [pattern for room in ROOMS for pattern in (room, f"{room}.*")]
found = find_packages(include=rooms, exclude=[TOP_LEVEL])
setup(packages=[ROOF, *(f"{ROOF}.{name}" for name in found)])
