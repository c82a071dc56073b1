"""What is compiled again after an edit: what depends on the edited module, and nothing else."""

import pytest

from helpers.processes.copies import COMPILED, PERFT, WARM


def append_a_line(installation, path):
    with open(installation.sources / "bluekrait" / path, "ab") as file:
        file.write(b"\n")


def compiled_by(installation, program=PERFT, answer=COMPILED):
    """The names of the functions that a program compiled."""
    before = installation.kernels()
    assert installation.output(program) == answer
    return {name for file, name in installation.kernels().items() if file not in before}


def modules_of(names):
    return {name.removeprefix("bluekrait.").rpartition(".")[0] for name in names}


@pytest.mark.parametrize(
    "path",
    [
        "core/api.py",
        "core/native.py",
        "core/memory/shared_memory.py",
        "core/generators/cerulean/squares.py",
        "core/notation/fen.py",
        "core/notation/san_and_uci.py",
        "core/sliders/gallery.py",
        "core/sliders/lines/kindergarten.py",
        "search/playing/book.py",
        "search/syzygy/root_tables.py",
        "search/self_play/game.py",
        "search/thinking/clock.py",
        "search/transposition_memory.py",
        "search/engine.py",
        "uci/cli.py",
    ],
)
def test_an_edit_of_plain_python_or_of_what_the_engine_does_not_use_compiles_nothing(warm, path):
    append_a_line(warm, path)
    assert warm.output(PERFT) == WARM


def test_an_edit_of_the_search_compiles_what_depends_on_it(warm):
    append_a_line(warm, "search/tree/alphabeta.py")
    entries = {path.name for path in warm.cache.rglob("*.native")}
    compiled = compiled_by(warm)
    searched = {"search.tree.alphabeta", "search.tree.root", "search.tree.aspiration"}
    assert modules_of(compiled) == {*searched, "search.iterations"}
    assert "bluekrait.search.tree.alphabeta.null_window" in compiled
    made = {path.name.partition("-")[0] for path in warm.cache.rglob("*.native") if path.name not in entries}
    names = ("open_window", "search", "probe_tablebases", "evaluate")
    assert made == {f"bluekrait.search.engine_entries.{name}" for name in names}
    assert warm.output(PERFT) == WARM


def test_an_edit_that_is_taken_back_compiles_nothing(warm):
    path = warm.sources / "bluekrait/search/tree/root.py"
    original = path.read_bytes()
    append_a_line(warm, "search/tree/root.py")
    assert modules_of(compiled_by(warm)) == {
        "search.tree.root",
        "search.tree.aspiration",
        "search.iterations",
    }
    path.write_bytes(original)
    assert warm.output(PERFT) == WARM


def test_entries_of_the_rules_alone_are_those_of_the_engine(warm):
    """Another module of entries finds what was compiled for the first."""
    program = """
import sys
from bluekrait.core import native
print(*native.load("bluekrait.core.rules_entries"))
"""
    assert compiled_by(warm, program, "perft legal_moves play_move\n") == set()
