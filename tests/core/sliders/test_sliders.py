"""The gallery of slider techniques: attacks on all squares, and what their modules say of them."""

import random
from functools import cache

import chess
import numpy as np
import pytest

from bluekrait.core.compiler.jit import int64, uint64
from bluekrait.core.sliders import gallery, magic_search, technique_tables
from bluekrait.core.tables import geometry
from helpers.kernels import WORD, too_slow_interpreted, uncached_kernel

FULL = (1 << 64) - 1
PIECES = {"rook": geometry.ROOK_STEPS, "bishop": geometry.BISHOP_STEPS, "queen": geometry.KING_STEPS}
FUNCTIONS = tuple(f"{piece}_attacks" for piece in PIECES)
SET_FUNCTIONS = tuple(f"{name}_of" for name in FUNCTIONS)
SETWISE = [name for name, facts in gallery.TECHNIQUES.items() if facts.is_setwise]
ROTATED = [name for name, facts in gallery.TECHNIQUES.items() if facts.is_rotated]
MANY = 1_000_000

every_technique = pytest.mark.parametrize("name", gallery.usable())
_words = uint64[::1]


# --- the truth --------------------------------------------------------------------------------------


@cache
def walked(piece):
    """Squares, relevant occupancies and attacks, all of them, by the slow walker; and what is irrelevant."""
    rows = []
    for square in range(64):
        mask = geometry.relevant_occupancy(square, PIECES[piece])
        for subset in geometry.subsets(mask):
            rows.append((square, subset, geometry.slides(square, PIECES[piece], subset), FULL ^ mask))
    return [np.array(column, dtype=np.uint64) for column in zip(*rows)]


@uncached_kernel(uint64(uint64, uint64))
def queen_walk(square, occupied):
    """The slow walker again, but compiled: eight directions, step by step."""
    attacked = np.uint64(0)
    for files in range(-1, 2):
        for ranks in range(-1, 2):
            file, rank = int(square) % 8 + files, int(square) // 8 + ranks
            while (files != 0 or ranks != 0) and 0 <= file < 8 and 0 <= rank < 8:
                target = np.uint64(1) << np.uint64(8 * rank + file)
                attacked |= target
                if occupied & target:
                    break
                file += files
                rank += ranks
    return attacked


@cache
def many_random_questions():
    """Squares and occupancies, sparse and dense, and where queens attack."""
    rng = np.random.default_rng(seed=41)
    squares = rng.integers(0, 64, MANY).astype(np.uint64)
    words = rng.integers(0, FULL, (4, MANY), dtype=np.uint64, endpoint=True)
    occupied = np.where(words[3] & np.uint64(1), words[0] & words[1], words[0] & (words[1] | words[2]))
    return squares, occupied, np.array([queen_walk(*pair) for pair in zip(squares, occupied)], np.uint64)


def wrong_answers(look_up, rotated_occupancy, squares, occupancies, attacks):
    """How often a technique is wrong, counted in a kernel, as techniques are used."""

    def plain(squares, occupancies, attacks):
        count = 0
        for i in range(len(squares)):
            count += look_up(squares[i], occupancies[i]) != attacks[i]
        return count

    def in_rotated(squares, occupancies, attacks):
        count = 0
        for i in range(len(squares)):
            count += look_up(squares[i], rotated_occupancy(occupancies[i])) != attacks[i]
        return count

    counter = uncached_kernel(int64(_words, _words, _words))(
        plain if rotated_occupancy is None else in_rotated
    )
    return counter(squares, occupancies, attacks)


def rotated_occupancy(name):
    return gallery.open_technique(name).rotated_occupancy if name in ROTATED else None


def test_the_compiled_walker_walks_like_the_slow_one():
    rng = random.Random(42)
    for square in 20 * list(range(64)):
        occupied = rng.getrandbits(64) & rng.getrandbits(64)
        assert queen_walk(square, occupied) == geometry.slides(square, geometry.KING_STEPS, occupied)


# --- attacks ----------------------------------------------------------------------------------------


@too_slow_interpreted
@every_technique
@pytest.mark.parametrize("piece", ["rook", "bishop"])
def test_every_square_with_every_relevant_occupancy(name, piece):
    squares, occupancies, attacks, irrelevant = walked(piece)
    look_up = getattr(gallery.open_technique(name), f"{piece}_attacks")
    clutter = np.random.default_rng(seed=43).integers(0, FULL, len(squares), dtype=np.uint64) & irrelevant
    twice = [np.concatenate(pair) for pair in ((squares, squares), (occupancies, occupancies | clutter))]
    assert len(squares) == {"rook": 102_400, "bishop": 5_248}[piece]
    assert wrong_answers(look_up, rotated_occupancy(name), *twice, np.concatenate((attacks, attacks))) == 0


@too_slow_interpreted
@every_technique
def test_queens_on_a_million_random_boards(name):
    queen_attacks = gallery.open_technique(name).queen_attacks
    assert wrong_answers(queen_attacks, rotated_occupancy(name), *many_random_questions()) == 0


@every_technique
def test_attacks_for_python_programs(name):
    technique = gallery.open_technique(name)
    rng = random.Random(44)
    for square in range(64):
        occupied = rng.getrandbits(64) & rng.getrandbits(64)
        asked = technique.rotated_occupancy(occupied) if name in ROTATED else WORD(occupied)
        for function, steps in zip(FUNCTIONS, PIECES.values()):
            assert getattr(technique, function)(square, asked) == geometry.slides(square, steps, occupied)


@pytest.mark.parametrize("name", SETWISE)
def test_many_sliders_at_once_attack_what_each_of_them_does(name):
    technique = gallery.open_technique(name)
    rng = random.Random(45)
    for _ in range(500):
        occupied, others = (rng.getrandbits(64) & rng.getrandbits(64) for _ in range(2))
        sliders, bishops = occupied & rng.getrandbits(64) & rng.getrandbits(64), occupied & others
        for function, steps in zip(SET_FUNCTIONS, PIECES.values()):
            fill = getattr(technique, function)
            assert fill(WORD(sliders), WORD(occupied)) == union(sliders, steps, occupied)
        attacked = union(sliders, geometry.ROOK_STEPS, occupied)
        attacked |= union(bishops, geometry.BISHOP_STEPS, occupied)
        assert technique.slider_attacks_of(*map(WORD, (sliders, bishops, occupied))) == attacked


@pytest.mark.parametrize("name", SETWISE)
def test_a_set_may_be_empty_or_everywhere(name):
    for function, steps in zip(SET_FUNCTIONS, PIECES.values()):
        fill = getattr(gallery.open_technique(name), function)
        none, all_squares = WORD(0), WORD(FULL)
        assert fill(none, none) == fill(none, all_squares) == 0
        assert fill(all_squares, all_squares) == union(FULL, steps, FULL)
        assert fill(all_squares, none) == union(FULL, steps, 0) == FULL


def union(sliders, steps, occupied):
    attacked = 0
    for square in geometry.squares(sliders):
        attacked |= geometry.slides(square, steps, occupied)
    return attacked


# --- rotated occupancies ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROTATED)
def test_an_updated_rotated_occupancy_is_the_one_from_scratch(name):
    technique = gallery.open_technique(name)
    for game in range(4):
        rng, board = random.Random(game), chess.Board()
        before = board.occupied
        rotated = technique.rotated_occupancy(before)
        while board.legal_moves and board.ply() < 200:
            board.push(rng.choice(list(board.legal_moves)))
            for square in geometry.squares(before & ~board.occupied):
                technique.remove_piece(rotated, square)
            for square in geometry.squares(board.occupied & ~before):
                technique.add_piece(rotated, square)
            before = board.occupied
            assert np.array_equal(rotated, technique.rotated_occupancy(before))
            square = rng.randrange(64)
            assert technique.queen_attacks(square, rotated) == geometry.slides(
                square, PIECES["queen"], before
            )


@pytest.mark.parametrize("name", ROTATED)
def test_all_pieces_can_be_removed_from_a_rotated_occupancy(name):
    technique = gallery.open_technique(name)
    for occupied in (FULL, 0x8100000000000081, 0x55AA55AA55AA55AA):
        rotated, left = technique.rotated_occupancy(occupied), occupied
        for square in geometry.squares(occupied):
            technique.remove_piece(rotated, square)
            left ^= geometry.bit(square)
            assert np.array_equal(rotated, technique.rotated_occupancy(left))
        assert not rotated.any()


# --- magic ------------------------------------------------------------------------------------------


@too_slow_interpreted
@pytest.mark.parametrize("square", [0, 27, 35, 62])
def test_magics_are_found_again_and_keep_attacks_apart(square):
    mask = geometry.relevant_occupancy(square, geometry.BISHOP_STEPS)
    keys = list(geometry.subsets(mask))
    attacks = [geometry.slides(square, geometry.BISHOP_STEPS, key) for key in keys]
    magic = magic_search.find(mask, keys, attacks, bits=9)
    assert magic == magic_search.find(mask, keys, attacks, bits=9)
    assert all(magic.slots[(key * magic.number & FULL) >> 55] == attack for key, attack in zip(keys, attacks))


@too_slow_interpreted
def test_refined_magics_need_shorter_tables():
    mask = geometry.relevant_occupancy(9, geometry.ROOK_STEPS)
    keys = list(geometry.subsets(mask))
    attacks = [geometry.slides(9, geometry.ROOK_STEPS, key) for key in keys]
    rough, refined = (magic_search.find(mask, keys, attacks, 12, refinements) for refinements in (0, 3000))
    assert set(refined.slots.values()) == set(attacks)
    assert max(refined.slots) - min(refined.slots) < max(rough.slots) - min(rough.slots)


def test_tables_are_laid_over_each_other_where_they_agree():
    room, is_used = np.zeros(10, np.uint64), np.zeros(10, np.int64)
    tables = [((0, 2, 3), (5, 6, 7)), ((0, 1), (8, 9)), ((0, 1, 2), (6, 7, 8)), ((0,), (4,))]
    starts = [
        magic_search.overlap(np.array(indices), np.array(attacks, dtype=np.uint64), room, is_used)
        for indices, attacks in tables
    ]
    assert starts == [0, 4, 2, 1]
    assert room[:6].tolist() == [5, 4, 6, 7, 8, 9]


# --- bits -------------------------------------------------------------------------------------------

SCANS = [(name, what) for name, offered in gallery.SCANS.items() for what in offered]
BY_PYTHON = {
    "lowest_square": lambda word: (word & -word).bit_length() - 1,
    "highest_square": lambda word: word.bit_length() - 1,
    "popcount": int.bit_count,
}


@pytest.mark.parametrize(("name", "what"), SCANS, ids="-".join)
def test_bits_are_found_and_counted(name, what):
    scan, rng = getattr(gallery.open_scan(name), what), random.Random(46)
    words = [1 << square for square in range(64)] + [FULL >> shift for shift in range(64)]
    words += [FULL << shift & FULL for shift in range(64)] + [1 << 63 | 1, 0x8000, 0x10000, 0xFFFF0000]
    words += [rng.getrandbits(64) >> rng.randrange(64) | 1 << rng.randrange(64) for _ in range(3000)]
    assert all(scan(word) == BY_PYTHON[what](word) for word in words)


def test_the_empty_word():
    counts = [gallery.open_scan(name).popcount(0) for name, what in SCANS if what == "popcount"]
    assert counts == [0] * len(counts)
    assert gallery.open_scan("modulo-67").lowest_square(0) == 64


# --- about them -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*gallery.usable(), *gallery.SCANS])
def test_the_size_of_the_tables_is_what_about_says(name):
    is_scan = name in gallery.SCANS
    about = (gallery.open_scan(name) if is_scan else gallery.open_technique(name)).ABOUT
    assert about.name == name
    assert all(about[:4]) and about.depends_on
    if about.table_bytes:
        owner = name if is_scan else gallery.TECHNIQUES[name].tables_of or name
        assert len(technique_tables.block(owner, None)) == about.table_bytes
    assert is_scan or gallery.TECHNIQUES[name].has_tables == (about.table_bytes > 0)


@every_technique
def test_all_techniques_have_what_the_list_says(name):
    technique, facts = gallery.open_technique(name), gallery.TECHNIQUES[name]
    assert all(hasattr(technique, function) for function in FUNCTIONS)
    assert all(hasattr(technique, function) == facts.is_setwise for function in SET_FUNCTIONS)
    assert all(
        hasattr(technique, function) == facts.is_rotated
        for function in ("rotated_occupancy", "add_piece", "remove_piece")
    )


@pytest.mark.parametrize("name", gallery.SCANS)
def test_all_scans_have_what_the_list_says(name):
    scan = gallery.open_scan(name)
    assert gallery.SCANS[name] == tuple(what for what in BY_PYTHON if hasattr(scan, what))
