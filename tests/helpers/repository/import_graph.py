"""The graph of the modules, drawn from their import statements."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from helpers.paths import ROOT

PACKAGES = ("core", "search", "uci", "tools")  # each may import itself and those before it
PROTOTYPE = "perft_yardstick.py"  # kept as it was measured

Graph = dict[str, set[str]]


@cache
def source_files() -> list[Path]:
    """The sources of all modules, tests excepted."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in paths if path.name != PROTOTYPE]


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a source."""
    return ast.parse(path.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    """The dotted name of a module without the name before all: `core.rules.bits`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_names(tree: ast.AST):
    """The full dotted names of everything that is imported anywhere in a tree, in functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def module_graph() -> Graph:
    """Which of our modules each module imports."""
    known = {module_name(path) for path in source_files()}
    graph = {}
    for path in source_files():
        names = (name.removeprefix("bluekrait.") for name in imported_names(tree_of(path)))
        found = {name if name in known else name.rpartition(".")[0] for name in names}
        graph[module_name(path)] = (found & known) - {module_name(path)}
    return graph


def calls_import_module(tree: ast.AST) -> list[ast.Call]:
    """The calls of `import_module` in a tree."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [
        call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "import_module"
    ]


@cache
def graph_of_names() -> Graph:
    """Which of our modules each module may load by name: those whose names stand in it as strings.

    Packages count too: `bluekrait.tools` is the beginning of many names. A constant of another module counts
    where `import_module` is called with it.
    """
    known = {module_name(path) for path in source_files()} | set(PACKAGES)
    constants = {
        name: value
        for path in source_files()
        for name, value in string_constants(tree_of(path))
        if value in known
    }
    graph: Graph = {}
    for path in source_files():
        tree = tree_of(path)
        strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        found = {our_name(text) for text in strings if isinstance(text, str)} & known
        for call in calls_import_module(tree):
            names = (getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(call))
            found |= {constants[name] for name in names if name in constants} & known
        graph[module_name(path)] = found - {module_name(path)}
    return graph


def string_constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The constants of a module that are names of modules, without the name before all."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str) and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id, our_name(node.value.value)


def our_name(text: str) -> str:
    """`core.rules` for `bluekrait.core.rules` and for `bluekrait.core.rules.`, "" for other texts."""
    return text.removeprefix("bluekrait.").rstrip(".") if text.startswith("bluekrait.") else ""


def folder_graph(graph: Graph) -> Graph:
    """The same between folders inside the packages: `core.rules`, `search.tree`.

    A module that lies directly in a package (`core.board`) is a node of its own: the package's folders
    may stand above it or below.
    """
    folders: Graph = {}
    for module, imports in graph.items():
        own = folder_of(module)
        folders.setdefault(own, set()).update(other for other in map(folder_of, imports) if other != own)
    return folders


def folder_of(module: str) -> str:
    """The folder of a module, at the first level inside its package."""
    return ".".join(module.split(".")[:2])


def circle_in(graph: Graph) -> list[str] | None:
    """The nodes of one circle, each importing the next, or None."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return None


def circles_in(graph: Graph) -> list[list[str]]:
    """One circle for each knot, shortest description: found one at a time, its first arrow taken out."""
    graph = {node: set(imports) for node, imports in graph.items()}
    circles = []
    while circle := circle_in(graph):
        circles.append(circle)
        graph[circle[0]].discard(circle[1])
    return circles


def arrows(graph: Graph, start: str, end: str) -> list[str]:
    """The imports that lead from one folder (or module) into another."""
    return [
        f"{module} → {imported}"
        for module, imports in sorted(graph.items())
        for imported in sorted(imports)
        if folder_of(module) == start and folder_of(imported) == end
    ]
