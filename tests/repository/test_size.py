"""What the README says of the size of this program."""

import ast
import re
from collections import Counter

from helpers.paths import ROOT
from helpers.repository.import_graph import source_files

COMPARED = ("core/sliders/", "core/generators/")  # kept for comparison
ENGINE, OTHERS = "engine", "others"


def part_of(path):
    """The part of the program that a file belongs to, as the README divides it."""
    name = path.relative_to(ROOT).as_posix()
    folder = name.partition("/")[0]
    if name.startswith(COMPARED):
        return OTHERS
    return ENGINE if folder in ("core", "search", "uci") else folder


def lines_of_code(path):
    """How many lines have code on them: comments and docstrings are none."""
    source = path.read_text(encoding="utf-8")
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            docstrings.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(map(str.strip, source.splitlines()), start=1)
    return sum(bool(line) and line[0] != "#" and number not in docstrings for number, line in lines)


def test_the_readme_tells_its_size():
    counted = Counter()
    for path in {*source_files(), *(ROOT / "tests").rglob("*.py")}:
        counted[part_of(path)] += lines_of_code(path)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    said = re.search(
        r"about ([\d,]+) lines of code.* have ([\d,]+), the tools ([\d,]+), the tests ([\d,]+)\.", readme
    )
    parts = (ENGINE, OTHERS, "tools", "tests")
    for part, text in zip(parts, said.groups(), strict=True):
        number = int(text.replace(",", ""))
        assert abs(counted[part] - number) < max(500, 0.05 * number), f"{part}: {counted[part]} lines"
