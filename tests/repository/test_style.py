"""The rules of the sources: what stays light, where Numba compiles, what is documented."""

import ast
import subprocess
import sys

from helpers.paths import ROOT
from helpers.repository.import_graph import imported_names, module_name, source_files, tree_of

# Modules on the way to the first answer, which is given before anything that takes time is loaded.
LIGHT = (
    *(f"core/{name}.py" for name in ("__init__", "board", "move", "records", "timer")),
    *(f"core/{folder}/*.py" for folder in ("memory", "notation", "tables")),
    *(f"core/compiler/{name}.py" for name in ("cache", "directories", "processor", "sources")),
    *("core/counting/perft_threads.py", "core/generators/registry.py", "uci/**/*.py"),
    *(f"core/sliders/{name}.py" for name in ("__init__", "about", "gallery", "line_tables")),
    "core/sliders/technique_tables.py",
    *(f"search/{name}.py" for name in ("bench_positions", "engine", "limits", "parameters", "reports")),
    *(
        f"search/{name}.py"
        for name in ("scores", "thread_record", "transposition_layout", "transposition_memory")
    ),
    *("search/iterations_record.py", "search/library/*.py"),
    *("search/playing/*.py", "search/thinking/*.py", "search/syzygy/wdl.py"),
    "search/syzygy/root_tables.py",
    *("search/evaluation/__init__.py", "search/evaluation/classical/__init__.py"),
    *(f"search/evaluation/classical/{name}.py" for name in ("evaluation_records", "explain", "tapered")),
    *(f"search/evaluation/classical/{name}.py" for name in ("pawn_cache", "weight_layout", "weights")),
)
HEAVY = {"numba", "numpy", "llvmlite"}

# One process imports them all, one after the other, and names each that brings something heavy with it.
WHO_LOADS_IT = """
import importlib, sys
for module in {modules}:
    before = set(sys.modules)
    importlib.import_module(module)
    if brought := {heavy} & (set(sys.modules) - before):
        print(module, "loads", *sorted(brought))
"""

COMPILERS = {"jit", "njit", "generated_jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass"}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def modules_with_trees():
    return [(name_of(path), tree_of(path)) for path in source_files()]


def test_imports_are_absolute():
    relative = [
        f"{name}, line {node.lineno}"
        for name, tree in modules_with_trees()
        for node in ast.walk(tree)
        if getattr(node, "level", 0) != 0
    ]
    assert not relative, "name the module in full:\n" + "\n".join(relative)


def test_light_modules_load_nothing_heavy():
    paths = dict.fromkeys(path for name in LIGHT for path in sorted(ROOT.glob(name)))
    program = WHO_LOADS_IT.format(modules=[f"bluekrait.{module_name(path)}" for path in paths], heavy=HEAVY)
    loading = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (loading.stdout, loading.stderr) == ("", "")


def test_every_pattern_of_light_modules_means_something():
    assert not [name for name in LIGHT if not list(ROOT.glob(name))]


def test_numba_compiles_in_one_place_only():
    elsewhere = []
    for name, tree in modules_with_trees():
        if name == "core/compiler/jit.py":
            continue
        elsewhere += [
            f"{name}: {imported}"
            for imported in imported_names(tree)
            if imported.startswith("numba.") and imported.split(".")[-1] in COMPILERS
        ]
        elsewhere += [
            f"{name}, line {node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr in COMPILERS
            and isinstance(node.value, ast.Name)
            and node.value.id in ("numba", "nb")
        ]
    assert not elsewhere, "use the decorators of core/compiler/jit.py:\n" + "\n".join(elsewhere)


def test_one_function_only_prints_on_standard_error():
    elsewhere = [
        f"{name}, line {node.lineno}"
        for name, tree in modules_with_trees()
        for node in ast.walk(tree)
        if name != "uci/exits.py" and isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
        if any(ast.unparse(keyword.value) == "sys.stderr" for keyword in node.keywords)
    ]
    assert not elsewhere, "use tell of uci/exits.py, since it may be full or closed:\n" + "\n".join(elsewhere)


def test_everything_public_is_documented():
    silent = [name for name, tree in modules_with_trees() if not ast.get_docstring(tree)]
    silent += [
        f"{name}: {node.name}"
        for name, tree in modules_with_trees()
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
        if not ast.get_docstring(node)
    ]
    assert not silent, "without a docstring:\n" + "\n".join(silent)
