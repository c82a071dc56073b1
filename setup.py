"""Which packages there are, and their page; all else about the project stands in pyproject.toml.

The folders of the sources lie at the top of the repository and are installed in one package, `bluekrait`.
Setuptools can find packages by itself, but has no declarative way to put a name before theirs.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "bluekrait"
FOLDERS = ("core", "search", "uci", "tools")

TOP_LEVEL = "uci.top_level"  # installed as `bluekrait` itself

patterns = [pattern for folder in FOLDERS for pattern in (folder, f"{folder}.*")]
found = find_packages(include=patterns, exclude=[TOP_LEVEL])


def package_page():
    """The README for a page that stands alone: files beside it are named there, not linked, and not shown."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    return re.sub(r"\[([^]]*)\]\((?!https?:|#)([^)]*)\)", _named, text)


def _named(link):
    text, target = link.groups()
    return f"`{target}`" if text in (target, "guide") else f"{text} (`{target}`)"


setup(
    packages=[PACKAGE, *(f"{PACKAGE}.{name}" for name in found)],
    long_description=package_page(),
    long_description_content_type="text/markdown",
)
