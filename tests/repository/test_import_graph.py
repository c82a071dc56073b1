"""The graph of imports: no circles, no import that runs upward, no folder of too many modules."""

import re
from collections import Counter

import pytest

from helpers.paths import ROOT
from helpers.repository.import_graph import (
    PACKAGES,
    Graph,
    arrows,
    calls_import_module,
    circles_in,
    folder_graph,
    graph_of_names,
    imported_names,
    module_graph,
    module_name,
    source_files,
    tree_of,
)

MOST_MODULES = 15  # in one folder, `__init__.py` not counted

# Modules that are loaded by name, upward or in a circle, and only if somebody asks for them.
LOADED_IF_ASKED_FOR = {
    # BLUEKRAIT_SLIDERS names another technique of the gallery; its tables and its sources then count.
    ("core.rules.attacks", "core.sliders.gallery"),
    ("core.tables.table_block", "core.sliders.gallery"),
    ("core.tables.table_block", "core.sliders.technique_tables"),
    ("core.compiler.cache", "core.sliders.gallery"),
    # `bluekrait match` and the other commands of the laboratory: the engine runs without them.
    ("uci.cli", "tools"),
}
# Modules that load what no string in them names.
WITH_OTHER_NAMES = {
    "core": "its own modules, when a name of theirs is asked for",
    "core.native": "what its callers name",
    "core.second_compiler": "what the first process names",
    "core.sliders.gallery": "the techniques in the folders beside it",
    "uci.top_level": "modules of the library, when a name of theirs is asked for",
}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def test_graph_is_drawn_from_the_sources():
    graph = module_graph()
    assert len(graph) == len(source_files())
    assert "core.compiler.jit" in graph["core.rules.bits"]
    assert "core.compilation" in graph["core.native"]  # imported inside a function


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"c"}, "e": {"a"}}
    assert {frozenset(circle) for circle in circles_in(graph)} == {frozenset("abc"), frozenset("cd")}
    assert circles_in({"a": {"b"}, "b": set()}) == []


def test_no_circle_of_modules():
    found = [" imports ".join(circle) for circle in circles_in(module_graph())]
    assert not found, "circles of imports:\n" + "\n".join(found)


def test_no_circle_of_folders():
    graph = module_graph()
    found = [
        " imports ".join(circle)
        + "".join(
            f"\n    {arrow}" for start, end in zip(circle, circle[1:]) for arrow in arrows(graph, start, end)
        )
        for circle in circles_in(folder_graph(graph))
    ]
    assert not found, "circles of folders:\n" + "\n".join(found)


def test_packages_import_downward():
    upward = [
        f"{module} imports {imported}"
        for module, imports in module_graph().items()
        for imported in sorted(imports)
        if level_of(imported) > level_of(module)
    ]
    assert not upward, f"imports run {' ← '.join(PACKAGES)}:\n" + "\n".join(upward)


def graph_with_names() -> Graph:
    """The graph with what is loaded by name, except what is loaded only if somebody asks for it."""
    by_name = graph_of_names()
    return {
        module: imports | {name for name in by_name[module] if (module, name) not in LOADED_IF_ASKED_FOR}
        for module, imports in module_graph().items()
    }


def test_what_is_loaded_by_name_makes_no_circle():
    graph = {module: imports - set(PACKAGES) for module, imports in graph_with_names().items()}
    found = [" loads ".join(circle) for circle in circles_in(graph)]
    assert not found, "circles of imports and names:\n" + "\n".join(found)


def test_what_is_loaded_by_name_lies_below():
    upward = [
        f"{module} loads {name}"
        for module, names in graph_with_names().items()
        if calls_import_module(tree_of(path_of(module)))
        for name in sorted(names)
        if level_of(name) > level_of(module)
    ]
    assert not upward, "\n".join(upward)


@pytest.mark.parametrize("module, name", sorted(LOADED_IF_ASKED_FOR))
def test_list_of_what_is_loaded_if_asked_for_is_short(module, name):
    assert name in graph_of_names()[module] and calls_import_module(tree_of(path_of(module)))


def test_every_import_by_name_is_seen():
    """No module computes the name of what it loads, except those listed."""
    loading = {module for module in module_graph() if calls_import_module(tree_of(path_of(module)))}
    assert {module for module in loading if not graph_of_names()[module]} == WITH_OTHER_NAMES.keys()


def path_of(module):
    return next(path for path in source_files() if module_name(path) == module)


def level_of(module):
    return PACKAGES.index(module.partition(".")[0])


def test_no_folder_is_a_pile():
    modules = [*source_files(), *(ROOT / "tests").rglob("*.py")]
    counts = Counter(path.parent for path in modules if path.name != "__init__.py")
    piles = [
        f"{name_of(folder)}: {count} modules" for folder, count in counts.items() if count > MOST_MODULES
    ]
    assert not piles, f"more than {MOST_MODULES} modules in one folder:\n" + "\n".join(piles)


def test_our_modules_are_imported_by_their_full_names():
    short = [
        f"{name_of(path)}: {name}"
        for path in source_files()
        for name in imported_names(tree_of(path))
        if name.partition(".")[0] in (*PACKAGES, "tests", "helpers")
    ]
    assert not short, "write bluekrait.NAME:\n" + "\n".join(short)


def test_every_import_of_ours_exists():
    known = {"bluekrait", *(f"bluekrait.{module}" for module in module_graph())}
    missing = [
        f"{name_of(path)}: {name}"
        for path in source_files()
        for name in imported_names(tree_of(path))
        if name.startswith("bluekrait.") and not {name, name.rpartition(".")[0]} & known
    ]
    assert not missing, "there is no such module:\n" + "\n".join(missing)


def test_every_folder_is_a_package():
    folders = {path.parent for path in source_files()}
    missing = [name_of(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()]
    assert not missing, f"without __init__.py: {', '.join(missing)}"


def test_names_of_modules():
    assert module_name(ROOT / "core" / "rules" / "bits.py") == "core.rules.bits"
    assert module_name(ROOT / "core" / "__init__.py") == "core"


def test_the_largest_folders_are_named():
    counts = Counter(path.parent for path in source_files() if path.name != "__init__.py")
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    sentence = " ".join(text.partition("The largest folders")[2].partition("are not split")[0].split())
    largest = {name_of(folder) for folder, count in counts.items() if count == MOST_MODULES}
    assert set(re.findall(r"`([\w/]+)`", sentence)) == largest
    assert f"{MOST_MODULES} modules each" in sentence
