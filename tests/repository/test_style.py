"""The rules of the house: who imports whom, what stays light, where Numba compiles, what is documented."""

import ast
import subprocess
import sys

import pytest

from helpers.paths import ROOT

ROOMS = ("core", "search", "uci", "tools")  # each may import itself and those before it

# Modules on the way to the first answer, which is given before anything that takes time is loaded.
LIGHT = (
    *(f"core/{name}.py" for name in ("__init__", "board", "move", "records", "timer")),
    *(f"core/{room}/*.py" for room in ("tables", "notation")),
    *(f"core/compiler/{name}.py" for name in ("cache", "native", "physical_memory", "shared_memory")),
    *("core/counting/perft_threads.py", "core/generators/registry.py", "uci/**/*.py"),
    *(f"core/sliders/{name}.py" for name in ("__init__", "card", "gallery", "line_tables")),
    "core/sliders/technique_tables.py",
    *(f"search/{name}.py" for name in ("bench_positions", "engine", "limits", "parameters", "reports")),
    *(f"search/{name}.py" for name in ("scores", "thread_record", "transposition_memory")),
    *("search/playing/*.py", "search/thinking/*.py", "search/syzygy/root_tables.py"),
    *("search/evaluation/__init__.py", "search/evaluation/classical/__init__.py"),
    *(f"search/evaluation/classical/{name}.py" for name in ("evaluation_records", "explain", "tapered")),
    *(f"search/evaluation/classical/{name}.py" for name in ("weight_layout", "weights")),
)
HEAVY = {"numba", "numpy", "llvmlite"}

COMPILERS = {"jit", "njit", "generated_jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass"}


def source_files():
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return [path for path in paths if path.name != "perft_yardstick.py"]  # the prototype, kept as it was


def name_of(path):
    return path.relative_to(ROOT).as_posix()


every_module = pytest.mark.parametrize("path", source_files(), ids=name_of)
tree_of = {path: ast.parse(path.read_text(encoding="utf-8")) for path in source_files()}


def imported_names(tree):
    """The full dotted names of everything that is imported anywhere in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@every_module
def test_imports_are_absolute(path):
    for node in ast.walk(tree_of[path]):
        assert getattr(node, "level", 0) == 0, f"line {node.lineno}: name the module in full"


@every_module
def test_imports_run_one_way(path):
    own_room = ROOMS.index(path.relative_to(ROOT).parts[0])
    for name in imported_names(tree_of[path]):
        top, *rest = name.split(".")
        assert top not in (*ROOMS, "tests"), f"{name}: import it as bluekrait.{name}"
        if top == "bluekrait":
            room = rest[0]
            assert ROOMS.index(room) <= own_room, f"{ROOMS[own_room]} must not import {room}"


@pytest.mark.parametrize("path", [path for name in LIGHT for path in ROOT.glob(name)], ids=name_of)
def test_light_modules_load_nothing_heavy(path):
    module = ".".join(("bluekrait", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    program = f"import sys, {module}; print(*{HEAVY} & set(sys.modules))"
    loading = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (loading.stdout, loading.stderr) == ("\n", "")


@every_module
def test_numba_compiles_in_one_place_only(path):
    if name_of(path) == "core/compiler/jit.py":
        return
    tree = tree_of[path]
    for name in imported_names(tree):
        compiles = name.startswith("numba.") and name.split(".")[-1] in COMPILERS
        assert not compiles, f"{name}: use the decorators of core/compiler/jit.py"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in COMPILERS:
            named = isinstance(node.value, ast.Name) and node.value.id in ("numba", "nb")
            assert not named, f"line {node.lineno}: use the decorators of core/compiler/jit.py"


@every_module
def test_everything_public_is_documented(path):
    tree = tree_of[path]
    assert ast.get_docstring(tree), "the module has no docstring"
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"
