"""On which sources a module depends: found by reading, and compared with what Python itself says."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from bluekrait.core.compiler import sources
from helpers.paths import ROOT
from helpers.processes.copies import Installation


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("bluekrait", *(parts[:-1] if parts[-1] == "__init__" else parts)))


PATHS = {
    name_of(path): path for folder in ("core", "search") for path in sorted((ROOT / folder).rglob("*.py"))
}


def imports_of(module: str) -> set[str]:
    """The modules of ours that stand in the import statements of a module, and the packages around it."""
    found = {module.rsplit(".", depth)[0] for depth in range(1, module.count("."))}
    for node in ast.walk(ast.parse(PATHS[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found & PATHS.keys()


def closure_by_syntax(module: str) -> set[str]:
    closure, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in closure:
            closure.add(name)
            waiting += imports_of(name)
    return closure


@pytest.mark.parametrize("module", PATHS)
def test_all_that_a_module_imports_is_found(module):
    assert closure_by_syntax(module) <= sources.closure_of(module).keys()


def test_little_else_is_found():
    module = "bluekrait.search.engine_entries"
    assert sources.closure_of(module).keys() == closure_by_syntax(module)


@pytest.mark.parametrize(
    "module", ["core.rules_entries", "search.engine_entries", "core.generators.dirgolem.perft", "core.api"]
)
def test_all_that_python_loads_is_found(module):
    program = f"import sys, bluekrait.{module}\n"
    program += "print(*(name for name in sys.modules if name.startswith('bluekrait.')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= sources.closure_of(f"bluekrait.{module}").keys()


def test_every_way_to_write_an_import_is_understood(tmp_path):
    installation = Installation(tmp_path).furnish(ROOT)
    folder = installation.sources / "bluekrait/core/trial"
    folder.mkdir()
    for name in ("__init__", *"abcdefgh"):
        (folder / f"{name}.py").touch()
    (folder / "all_ways.py").write_text(
        "from bluekrait.core.trial import a, b as bee\n"
        "from bluekrait.core.trial import (\n    c,  # a word about it\n    d as dee,\n)\n"
        "def later():\n    import bluekrait.core.trial.e as e, bluekrait.core.trial.f\n"
        "    from bluekrait.core.trial \\\n        import g\n"
        "    import_module('bluekrait.core.trial.h')\n"
    )
    program = "from bluekrait.core.compiler import sources\n"
    program += "print(*sorted(sources.closure_of('bluekrait.core.trial.all_ways')))"
    around = ["bluekrait.core", "bluekrait.core.trial"]
    assert installation.output(program).split() == [
        *around,
        *(f"bluekrait.core.trial.{name}" for name in (*"a", "all_ways", *"bcdefg")),
    ]


def test_a_data_file_counts_for_the_module_that_names_it(tmp_path):
    installation = Installation(tmp_path).furnish(ROOT)
    modules = ("core.tables.zobrist", "core.tables.table_block", "core.tables.geometry")
    program = "from bluekrait.core.compiler import sources\n"
    program += f"print(*(sources.digest_of(f'bluekrait.{{name}}') for name in {modules!r}))"
    before = installation.output(program).split()
    with open(installation.sources / "bluekrait/core/tables/polyglot_keys.bin", "ab") as file:
        file.write(b"\0")
    after = installation.output(program).split()
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, False, True]


def test_without_the_tools_no_other_folder_is_taken_for_theirs(tmp_path):
    installation = Installation(tmp_path).furnish(ROOT)
    (installation.temporary / "trial").mkdir()  # in the working directory
    (installation.temporary / "trial/__init__.py").touch()
    program = "from bluekrait.core.compiler import sources\n"
    program += "sources.remember_all()\n"
    program += "print(*(name for name, source in sources._remembered.items() if source is None))"
    _, output, _ = installation.run("-S", "-c", program)  # else Python finds tools that are installed
    assert "bluekrait.tools" in output.split()
    assert "bluekrait.tools.trial" not in output.split()


def test_the_engine_neither_depends_on_the_gallery_nor_on_plain_python_beside_it():
    closure = sources.closure_of("bluekrait.search.engine_entries")
    for package in ("sliders", "generators", "notation"):
        assert not [name for name in closure if name.startswith(f"bluekrait.core.{package}")]
    assert not [name for name in closure if name.startswith("bluekrait.search.playing")]


@pytest.mark.parametrize("module", ["search.tree.alphabeta", "search.self_play.self_play_entries"])
def test_the_search_and_self_play_do_not_depend_on_perft(module):
    closure = sources.closure_of(f"bluekrait.{module}")
    assert not [name for name in closure if name.startswith("bluekrait.core.counting")]
