"""README tells the truth about the size of the sources."""

import ast
import re

from helpers.paths import ROOT
from helpers.repository.import_graph import tree_of

COMPARED = ("core/generators", "core/sliders")  # kept for comparison
TOLERANCE = 0.15


def lines_of_code(path):
    """The lines of a source without blank lines, comments and docstrings."""
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        line
        for node in ast.walk(tree_of(path))
        if isinstance(node, described) and ast.get_docstring(node, clean=False) is not None
        for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return sum(1 for number, line in lines if line.strip()[:1] not in ("", "#") and number not in docstrings)


def size_of(*folders, without=()):
    excluded = tuple(f"{ROOT / folder}/" for folder in without)
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sum(lines_of_code(path) for path in paths if not str(path).startswith(excluded or "\0"))


def test_sizes_are_those_of_the_sources():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## ")[0]
    claimed = [int(number.replace(",", "")) for number in re.findall(r"\d+,\d{3}", text)]
    measured = [
        size_of("core", "search", "uci", without=COMPARED),
        size_of(*COMPARED),
        size_of("tools"),
        size_of("tests"),
    ]
    print(measured)
    assert len(claimed) == len(measured)
    for number, size in zip(claimed, measured):
        assert abs(number - size) <= TOLERANCE * size, f"README says {number}, there are {size} lines"


def test_comments_and_docstrings_do_not_count(tmp_path):
    path = tmp_path / "sample.py"
    path.write_text('"""One\n\ntwo."""\n\n# three\n\n\ndef one():  # counts\n    """No."""\n    return 1\n')
    assert lines_of_code(path) == 2
