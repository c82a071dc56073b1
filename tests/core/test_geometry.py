"""The slow walker against python-chess's attack tables."""

import random

import chess
import pytest

from bluekrait.core.tables import geometry

SQUARES = range(64)


def random_occupancies(seed, count):
    rng = random.Random(seed)
    return [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(count)]


def test_squares_come_lowest_first():
    assert list(geometry.squares(0)) == []
    assert list(geometry.squares(1 << 63 | 1 << 9 | 1)) == [0, 9, 63]


def test_neighbour_stops_at_every_edge():
    assert geometry.neighbour(chess.A1, (-1, 0)) is None
    assert geometry.neighbour(chess.H4, (1, 0)) is None
    assert geometry.neighbour(chess.E8, (0, 1)) is None
    assert geometry.neighbour(chess.E4, (1, 2)) == chess.F6


@pytest.mark.parametrize(
    "steps, attacks",
    [
        (geometry.KNIGHT_STEPS, chess.BB_KNIGHT_ATTACKS),
        (geometry.KING_STEPS, chess.BB_KING_ATTACKS),
        (geometry.PAWN_CAPTURE_STEPS, chess.BB_PAWN_ATTACKS[chess.WHITE]),
    ],
)
def test_leaps(steps, attacks):
    assert [geometry.leaps(square, steps) for square in SQUARES] == list(attacks)


def test_slides():
    for occupied in random_occupancies(seed=1, count=20):
        for square in SQUARES:
            bishop = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
            rank = chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            file = chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
            assert geometry.slides(square, geometry.BISHOP_STEPS, occupied) == bishop
            assert geometry.slides(square, geometry.ROOK_STEPS, occupied) == rank | file


def test_between():
    for start in SQUARES:
        for end in SQUARES:
            if start != end:
                assert geometry.between(start, end) == chess.between(start, end)


def test_relevant_occupancy_leaves_out_the_edges():
    for square in SQUARES:
        rank, file = chess.square_rank(square), chess.square_file(square)
        edges = (chess.BB_RANK_1 | chess.BB_RANK_8) & ~chess.BB_RANKS[rank]
        edges |= (chess.BB_FILE_A | chess.BB_FILE_H) & ~chess.BB_FILES[file]
        for steps in (geometry.ROOK_STEPS, geometry.BISHOP_STEPS):
            expected = geometry.slides(square, steps) & ~edges
            assert geometry.relevant_occupancy(square, steps) == expected


def test_subsets_are_numbered_by_the_bits_of_the_mask():
    assert list(geometry.subsets(0)) == [0]
    mask = 0b1010010
    bits = list(geometry.squares(mask))
    for number, subset in enumerate(geometry.subsets(mask)):
        assert subset == sum(1 << bits[index] for index in geometry.squares(number))
    assert number == 2 ** len(bits) - 1
