"""Attacks looked up in tables against attacks walked square by square."""

import os
import random
import subprocess
import sys
from functools import cache

import pytest

from bluekrait.core import bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks
from bluekrait.core.sliders import magic_search
from bluekrait.core.tables import geometry, table_block
from bluekrait.core.tables.magic_numbers import BISHOP_MAGICS, ROOK_MAGICS
from helpers.kernels import only_compiled, too_slow_interpreted

FULL = (1 << 64) - 1
SLIDERS = {"rook": (rook_attacks, geometry.ROOK_STEPS), "bishop": (bishop_attacks, geometry.BISHOP_STEPS)}
every_square = pytest.mark.parametrize("square", range(64))
each_slider = pytest.mark.parametrize("slider", SLIDERS)


@cache
def walked(slider, square):
    """The attacks of a slider by relevant occupancy."""
    steps = SLIDERS[slider][1]
    mask = geometry.relevant_occupancy(square, steps)
    return {subset: geometry.slides(square, steps, subset) for subset in geometry.subsets(mask)}


# --- the technique of this machine -------------------------------------------------------------------


@each_slider
@every_square
def test_sliders_for_every_relevant_occupancy(slider, square):
    look_up = SLIDERS[slider][0]
    assert {subset: look_up(square, subset) for subset in walked(slider, square)} == walked(slider, square)


@every_square
def test_sliders_on_crowded_boards(square):
    rng = random.Random(square)
    for _ in range(200):
        occupied = rng.getrandbits(64) & (rng.getrandbits(64) | -rng.randrange(2) & FULL)
        rook, bishop = rook_attacks(square, occupied), bishop_attacks(square, occupied)
        assert rook == geometry.slides(square, geometry.ROOK_STEPS, occupied)
        assert bishop == geometry.slides(square, geometry.BISHOP_STEPS, occupied)
        assert queen_attacks(square, occupied) == rook | bishop


@every_square
def test_leapers(square):
    assert knight_attacks(square) == geometry.leaps(square, geometry.KNIGHT_STEPS)
    assert king_attacks(square) == geometry.leaps(square, geometry.KING_STEPS)


# --- magic numbers -------------------------------------------------------------------------------------


MAGICS = {"rook": ROOK_MAGICS, "bishop": BISHOP_MAGICS}


@each_slider
@every_square
def test_magics(slider, square):
    attacks, number = walked(slider, square), MAGICS[slider][square]
    shift = 64 - max(attacks).bit_count()  # the fullest occupancy is the mask
    table = {}
    for subset, expected in attacks.items():
        assert table.setdefault((subset * number & FULL) >> shift, expected) == expected


@too_slow_interpreted
@each_slider
@pytest.mark.parametrize("square", (0, 27, 63))
def test_magics_are_found_again(slider, square):
    attacks = walked(slider, square)
    mask = max(attacks)
    found = magic_search.find(mask, list(attacks), list(attacks.values()), mask.bit_count())
    assert found.number == MAGICS[slider][square]


# --- the other technique -------------------------------------------------------------------------------

ANOTHER_MACHINE = """
import random
from bluekrait.core import bishop_attacks, rook_attacks
from bluekrait.core import native
from bluekrait.core.counting.perft_threads import Perft
from bluekrait.core.notation import fen
from bluekrait.core.tables import geometry, table_block

assert table_block.technique() == "magic"
told = []
entries = native.load("bluekrait.core.rules_entries", lambda *progress: told.append(progress))
nodes = Perft(entries).run(fen.parse_fen(fen.STARTING_FEN), 5).nodes
print("compiled" if told else "linked", nodes)
rng = random.Random(61)
for square in 10 * list(range(64)):
    occupied = rng.getrandbits(64) & rng.getrandbits(64)
    assert rook_attacks(square, occupied) == geometry.slides(square, geometry.ROOK_STEPS, occupied)
    assert bishop_attacks(square, occupied) == geometry.slides(square, geometry.BISHOP_STEPS, occupied)
"""


@only_compiled
def test_magics_instead_of_pext_from_compiling_to_linking(tmp_path):
    settings = os.environ | {"BLUEKRAIT_SLIDERS": "magic", "BLUEKRAIT_CACHE_DIR": str(tmp_path / "cache")}
    for how in ("compiled", "linked"):
        run = subprocess.run(
            [sys.executable, "-c", ANOTHER_MACHINE], env=settings, capture_output=True, text=True
        )
        assert (run.stdout, run.stderr) == (f"{how} 4865609\n", "")


def test_unknown_techniques_are_refused(monkeypatch):
    monkeypatch.setenv("BLUEKRAIT_SLIDERS", "parabola")
    with pytest.raises(ValueError, match="BLUEKRAIT_SLIDERS"):
        table_block.technique()
