"""Which packages there are; all else about the project stands in pyproject.toml.

The rooms of the house stand at the top of the repository and are installed under one roof, `bluekrait`.
Setuptools can find packages by itself, but has no declarative way to put a name before theirs.
"""

from setuptools import find_packages, setup

ROOF = "bluekrait"
ROOMS = ("core", "search", "uci", "tools")

found = find_packages(include=[pattern for room in ROOMS for pattern in (room, f"{room}.*")])
setup(packages=[f"{ROOF}.{name}" for name in found])
