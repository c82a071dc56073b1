"""Which packages there are, and their page; all else about the project stands in pyproject.toml.

The rooms of the house stand at the top of the repository and are installed under one roof, `bluekrait`.
Setuptools can find packages by itself, but has no declarative way to put a name before theirs.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOF = "bluekrait"
ROOMS = ("core", "search", "uci", "tools")

TOP_LEVEL = "uci.top_level"  # installed as `bluekrait` itself

rooms = [pattern for room in ROOMS for pattern in (room, f"{room}.*")]
found = find_packages(include=rooms, exclude=[TOP_LEVEL])


def package_page():
    """The README for a page that stands alone: files beside it are named there, not linked, and not shown."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    return re.sub(r"\[([^]]*)\]\((?!https?:|#)([^)]*)\)", _named, text)


def _named(link):
    text, target = link.groups()
    return f"`{target}`" if text in (target, "guide") else f"{text} (`{target}`)"


setup(
    packages=[ROOF, *(f"{ROOF}.{name}" for name in found)],
    long_description=package_page(),
    long_description_content_type="text/markdown",
)
