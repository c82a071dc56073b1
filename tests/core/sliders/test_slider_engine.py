"""The gallery and the engine: techniques that stand in for its lookup, and a cache that keeps them apart."""

import pytest

from bluekrait.core.compiler import cache, processor
from bluekrait.core.sliders import gallery
from helpers.kernels import only_compiled
from helpers.paths import ROOT
from helpers.processes.conversation import printed_by
from helpers.processes.copies import Installation, edit

# --- standing in --------------------------------------------------------------------------------------

RULES = """
from bluekrait.core import parse_fen, perft
from bluekrait.core.rules import attacks
from bluekrait.core.sliders import gallery

for kind in ("rook", "bishop", "queen"):
    name = f"{kind}_attacks"
    assert getattr(attacks, name) is getattr(gallery.open_technique("hyperbola"), name)
print(perft(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 4))
print(perft(parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 3))
"""

ENTRIES = """
import sys
from bluekrait.core.notation import fen
from bluekrait.core import native
from bluekrait.core.counting.perft_threads import Perft

told = []
entries = native.load("bluekrait.core.rules_entries", lambda *progress: told.append(progress))
kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
trees = ((fen.STARTING_FEN, 4), (kiwipete, 3))
counts = [Perft(entries).run(fen.parse_fen(text), depth).nodes for text, depth in trees]
print("compiled" if told else "linked", *counts, *{"numba"} & set(sys.modules))
"""


def test_rules_with_a_stand_in(tmp_path):
    settings = {"BLUEKRAIT_SLIDERS": "hyperbola", "BLUEKRAIT_CACHE_DIR": str(tmp_path)}
    assert printed_by(RULES, **settings).split() == ["197281", "97862"]


@only_compiled
def test_entries_with_a_stand_in_from_compiling_to_linking(tmp_path):
    settings = {"BLUEKRAIT_SLIDERS": "kindergarten", "BLUEKRAIT_CACHE_DIR": str(tmp_path)}
    assert printed_by(ENTRIES, **settings) == "compiled 197281 97862 numba\n"
    assert printed_by(ENTRIES, **settings) == "linked 197281 97862\n"


def test_stand_ins_are_those_that_need_only_square_and_occupancy():
    assert "kindergarten" in gallery.replacements()
    assert not {"rotated", "rotated-indices", *cache.OWN_SLIDERS} & set(gallery.replacements())
    for name in gallery.replacements():
        assert gallery.checked(name) == name
    for name in ("rotated", "Kindergarten", "parabola", "../pext"):
        with pytest.raises(ValueError, match="BLUEKRAIT_SLIDERS must be one of pext, magic, classical, "):
            gallery.checked(name)


@only_compiled
@pytest.mark.parametrize("has_pext", [True, False])
def test_the_gallery_is_usable_but_for_pext_where_the_processor_lacks_it(has_pext, monkeypatch):
    monkeypatch.setattr(processor, "has_pext", lambda: has_pext)
    missing = [name for name in gallery.TECHNIQUES if name not in gallery.usable()]
    assert missing == ([] if has_pext else ["pext"])


# --- without a compiler ---------------------------------------------------------------------------------

INTERPRETED = """
import random
import sys
from bluekrait.core.tables import geometry
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import gallery, magic_search

rng = random.Random(51)
for name in gallery.usable():
    technique, facts = gallery.open_technique(name), gallery.TECHNIQUES[name]
    for square in range(64):
        occupied = rng.getrandbits(64) & rng.getrandbits(64)
        asked = technique.rotated_occupancy(U64(occupied)) if facts.is_rotated else U64(occupied)
        attacks = technique.queen_attacks(U64(square), asked)
        assert attacks == geometry.slides(square, geometry.KING_STEPS, occupied), (name, square)
for name, offered in gallery.SCANS.items():
    for what in offered:
        for word in (1, 40, 1 << 63, 2**64 - 1):
            lowest, highest = (word & -word).bit_length() - 1, word.bit_length() - 1
            expected = {"lowest_square": lowest, "highest_square": highest, "popcount": word.bit_count()}
            assert getattr(gallery.open_scan(name), what)(U64(word)) == expected[what]
assert len(gallery.usable()) == len(gallery.TECHNIQUES) - 3  # the magics: their tables would take hours
print(magic_search.find(66, [0, 2, 64, 66], [5, 6, 7, 8], 2).slots.keys() == {0, 1, 2, 3})
"""


def test_interpreted_techniques_are_as_right():
    assert printed_by(INTERPRETED, NUMBA_DISABLE_JIT="1") == "True\n"


# --- the cache ------------------------------------------------------------------------------------------

FINGERPRINTS = """
from bluekrait.core.compiler import cache
for module in ("core.rules_entries", "core.sliders.lines.kindergarten"):
    print(cache.file_name("entry.native", f"bluekrait.{module}"))
"""
COUNT = "from bluekrait.core.sliders.scans import kernighan; print(int(kernighan.popcount(40)))"


@pytest.fixture
def installation(tmp_path):
    return Installation(tmp_path).furnish(ROOT)


def fingerprints(installation, **settings):
    installation.settings = settings
    return installation.output(FINGERPRINTS).split()


def append_a_line(installation, path):
    with open(installation.sources / "bluekrait" / path, "ab") as file:
        file.write(b"\n")


def test_the_engine_does_not_depend_on_the_gallery_but_the_gallery_on_the_engine(installation):
    engine, gallery_code = fingerprints(installation)
    assert engine != gallery_code
    append_a_line(installation, "core/sliders/scans/kernighan.py")
    assert fingerprints(installation) == [engine, gallery_code]
    for path in ("core/sliders/technique_tables.py", "core/sliders/lines/kindergarten.py"):
        append_a_line(installation, path)
        after = fingerprints(installation)
        assert after[0] == engine and after[1] != gallery_code
        gallery_code = after[1]
    append_a_line(installation, "core/rules/bits.py")
    after = fingerprints(installation)
    assert after[0] != engine and after[1] != gallery_code


def test_an_engine_with_a_stand_in_depends_on_the_gallery(installation):
    engine, _ = fingerprints(installation, BLUEKRAIT_SLIDERS="dumb7")
    append_a_line(installation, "core/sliders/fills/dumb7.py")
    assert engine != fingerprints(installation, BLUEKRAIT_SLIDERS="dumb7")[0]


def test_no_kernel_of_the_gallery_is_ever_stale(installation):
    assert installation.output(COUNT) == "2\n"
    assert len(list(installation.cache.rglob("*kernighan*.kernel"))) == 1
    edit(
        installation.sources / "bluekrait/core/sliders/scans/kernighan.py",
        "twice += TWO",
        "twice += TWO + TWO",
    )
    assert installation.output(COUNT) == "4\n"
    assert len(list(installation.cache.rglob("*kernighan*.kernel"))) == 2


def test_nobody_who_plays_chess_enters_the_gallery():
    program = "import sys; from bluekrait.core import api; from bluekrait.search.tree import root\n"
    program += "print(*(name for name in sys.modules if name.startswith('bluekrait.core.sliders')))"
    assert printed_by(program) == "\n"
