"""The plan of the house, drawn from its imports: no circles, no arrows that run upward, no piles."""

from collections import Counter

import pytest

from helpers.paths import ROOT
from helpers.repository.import_graph import (
    PACKAGES,
    Graph,
    arrows,
    circles_in,
    folder_graph,
    imported_names,
    module_graph,
    module_name,
    source_files,
    tree_of,
)

MOST_MODULES = 15  # in one folder, `__init__.py` not counted

# Imports that still close a circle. A line goes when its import is gone; none is added.
STILL_TO_UNDO = {
    ("tools.tuning.tune_command", "tools.network.train_command"),
}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def graph_without_known() -> Graph:
    return {
        module: {imported for imported in imports if (module, imported) not in STILL_TO_UNDO}
        for module, imports in module_graph().items()
    }


def test_graph_is_drawn_from_the_sources():
    graph = module_graph()
    assert len(graph) == len(source_files())
    assert "core.compiler.jit" in graph["core.rules.bits"]
    assert "core.compiler.jit" in graph["core.native"]  # imported inside a function


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"c"}, "e": {"a"}}
    assert {frozenset(circle) for circle in circles_in(graph)} == {frozenset("abc"), frozenset("cd")}
    assert circles_in({"a": {"b"}, "b": set()}) == []


def test_no_circle_of_modules():
    found = [" imports ".join(circle) for circle in circles_in(graph_without_known())]
    assert not found, "circles of imports:\n" + "\n".join(found)


def test_no_circle_of_folders():
    graph = graph_without_known()
    found = [
        " imports ".join(circle)
        + "".join(
            f"\n    {arrow}" for start, end in zip(circle, circle[1:]) for arrow in arrows(graph, start, end)
        )
        for circle in circles_in(folder_graph(graph))
    ]
    assert not found, "circles of folders:\n" + "\n".join(found)


@pytest.mark.parametrize("module, imported", sorted(STILL_TO_UNDO))
def test_list_of_what_is_to_be_undone_is_short(module, imported):
    assert imported in module_graph().get(module, ()), (
        "this import is gone: take its line out of STILL_TO_UNDO"
    )


def test_packages_import_downward():
    upward = [
        f"{module} imports {imported}"
        for module, imports in module_graph().items()
        for imported in sorted(imports)
        if level_of(imported) > level_of(module)
    ]
    assert not upward, f"imports run {' ← '.join(PACKAGES)}:\n" + "\n".join(upward)


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
    known = {f"bluekrait.{module}" for module in module_graph()}
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
