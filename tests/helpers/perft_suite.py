"""Positions whose leaves have been counted by many programs, and a perft that is as naive as can be."""

from bluekrait.core.notation.fen import STARTING_FEN
from helpers.support import engine, lines_of

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"

POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"

POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"

POSITION_6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

LARGEST_COUNT = 50_000_000  # enough for each line of the suite to be counted to some depth

# As published at https://www.chessprogramming.org/Perft_Results.
STANDARD = {
    STARTING_FEN: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    POSITION_3: [14, 191, 2812, 43238, 674624, 11030083],
    POSITION_4: [6, 264, 9467, 422333, 15833292],
    POSITION_5: [44, 1486, 62379, 2103487, 89941194],
    POSITION_6: [46, 2079, 89890, 3894594, 164075551],
}

# Nobody but the kings can move here, and each king only to and fro.
LOCKED = "4b2k/3pPp1p/3P1P1P/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"


def count(fen, depth, **settings):
    """Perft of a FEN by the engine, carried to the end."""
    engine().set_position(fen, [])
    result = engine().perft(depth, **settings)
    assert result.complete
    return result.nodes


def naive_perft(board, depth):
    """Perft by python-chess."""
    if depth <= 1:
        return board.legal_moves.count() if depth else 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += naive_perft(board, depth - 1)
        board.pop()
    return nodes


def read_suite():
    """Each line of the suite: FEN, and counts by depth."""
    for line in lines_of("perftsuite.epd"):
        fen, *fields = line.split(";")
        yield fen.strip(), {int(depth[1:]): int(nodes) for depth, nodes in map(str.split, fields)}


SUITE = list(read_suite())

IN_CHECK = SUITE[129][0]  # line 130: Black is to move, and White stands in check
