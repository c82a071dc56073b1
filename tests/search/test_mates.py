"""Mates are found, with their exact length, and the line that is shown leads to them."""

import chess
import pytest

from bluekrait.search.limits import Limits, Settings
from helpers.search.searching import mirrored, played, searcher, spelled, think

NODES = 1_500_000  # a great deal more than any of these needs
MANY = 20_000  # nodes that are enough for a move of a won endgame
SPARE_DEPTH = 4  # beyond a mate: enough for all of its line to be searched

# Positions by the number of moves to the mate, negative where the side to move is mated.
MATES = {
    1: """
        4K1Q1/5r2/8/8/8/q7/5k2/R7 b - - 0 1
        Q7/p2P2P1/1n6/2B5/8/4p2k/4q3/7K b - - 0 1
        2Q4r/8/1R6/8/4k3/8/3q4/5K2 b - - 0 1
        B7/7p/8/1K6/8/k6r/1R1N4/8 w - - 0 1
        5K1k/2pr2N1/8/8/8/8/2B2R2/8 w - - 0 1
    """,
    2: """
        r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1
        5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1
        4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - - 0 1
        7k/pp4np/2p3p1/3pN1q1/3P4/Q7/1r3rPP/2R2RK1 w - - 0 1
        rn1qr1k1/1p2np2/2p3p1/8/1pPb4/7Q/PB1P1PP1/2KR1B1R w - - 0 1
        3qrbk1/ppp1r2n/3pP2p/3P4/2P4P/1P3Q2/PB6/R4R1K w - - 0 1
        r1b1qN1k/1pp3p1/p2p3n/4p1B1/8/1BP4Q/PP3KPP/8 w - - 0 1
        qn1kr2r/1pRbb3/pP5p/P2pP1pP/3N1pQ1/3B4/3B1PP1/R5K1 w - - 0 1
        6R1/4qp1p/ppr1n1pk/8/1P2P1QP/6N1/P4PP1/6K1 w - - 0 1
        8/8/5RK1/8/8/8/R7/4k3 w - - 0 1
        7K/8/2q5/5k2/8/8/8/8 b - - 0 1
        8/3P4/8/2pq2N1/P7/7K/2p1bk2/2Q5 b - - 0 1
        8/5P1k/5K2/8/8/8/8/8 w - - 0 1
    """,
    3: """
        k4r2/1R4pb/1pQp1n1p/3P4/5p1P/3P2P1/r1q1R2K/8 w - - 0 1
        r3q1kr/ppp5/3p2pQ/8/3PP1b1/5R2/PPP3P1/5RK1 w - - 0 1
        6k1/5p2/p5np/4B3/3P4/1PP1q3/P3r1QP/6RK w - - 0 1
        b4r1k/pq2rp2/1p1bpn1p/3PN2n/2P2P2/P2B3K/1B2Q2N/3R2R1 w - - 0 1
        5b2/pp2r1pk/2pp1pRp/4rP1N/2P1P3/1P4QP/P3q1P1/5R1K w - - 0 1
        7k/1p4p1/7p/3P1n2/4Q3/2P2P2/PP3qRP/7K b - - 0 1
        8/8/1r6/6p1/4k3/7K/8/8 b - - 0 1
        8/8/8/4K3/1k6/5R2/8/6R1 w - - 0 1
        8/8/4q3/8/8/6K1/8/6k1 b - - 0 1
    """,
    4: """
        6k1/2pb1r1p/3p1PpQ/p1nPp3/1q2P3/2N2P2/PrB5/2K3RR w - - 0 1
        3r2k1/p6p/2Q3p1/4q3/2P1p3/P3Pb2/1P3P1P/2K2BR1 b - - 0 1
        8/1r6/2q5/8/5Q2/1k6/7R/1K6 b - - 0 1
        8/8/8/8/1Q3K2/8/8/k7 w - - 0 1
        6K1/4R3/q7/8/8/2Q5/8/r5k1 b - - 0 1
        8/8/5P2/1R6/8/4K3/2k5/8 w - - 0 1
        2k5/3R4/8/3K4/8/4b3/8/3R4 w - - 0 1
    """,
    5: """
        8/8/4Q3/8/4r3/8/3k4/K7 w - - 0 1
    """,
    -1: """
        7R/5k1K/8/8/6r1/2Q5/7q/8 w - - 0 1
    """,
    -2: """
        8/k6P/8/1K6/8/8/8/5R2 b - - 0 1
        2Q5/8/8/8/8/5K2/8/6k1 b - - 0 1
        8/7P/7K/8/k7/8/8/1R6 b - - 0 1
    """,
    -3: """
        3k4/5Q2/8/4K3/8/8/8/8 b - - 0 1
        8/8/2R5/6k1/4K3/8/4R3/8 b - - 0 1
    """,
    -4: """
        2k5/8/4K3/Q7/8/8/8/8 b - - 0 1
        3k4/8/RR1K2b1/8/8/8/8/8 b - - 0 1
        8/1k6/5R2/3R4/8/6K1/8/8 b - - 0 1
    """,
    -5: """
        4k3/8/8/rr6/8/8/8/2K5 w - - 0 1
    """,
}

each_mate = pytest.mark.parametrize(
    "fen, mate",
    [
        (spelling(fen.strip()), mate)
        for mate, fens in MATES.items()
        for fen in fens.strip().splitlines()
        for spelling in (str, mirrored)
    ],
)


def half_moves(mate):
    """How long the line to a mate is."""
    return 2 * mate - 1 if mate > 0 else -2 * mate


@each_mate
def test_a_mate_is_found_with_its_exact_length(fen, mate):
    answer = think(fen, mate=abs(mate), nodes=NODES)
    assert answer.score == (None, mate)
    assert answer.choice.move == answer.best.moves[0]
    answer.after()


@each_mate
def test_the_line_ends_with_the_mate_that_is_announced(fen, mate):
    found_at = think(fen, mate=abs(mate), nodes=NODES).best.depth
    answer = think(fen, depth=max(found_at, half_moves(mate)) + SPARE_DEPTH, nodes=NODES)
    announced = answer.score.mate
    assert announced >= mate if mate > 0 else announced < 0
    assert len(answer.best.moves) == half_moves(announced)
    assert answer.after().is_checkmate()
    assert answer.best.win_draw_loss == ((1000, 0, 0) if mate > 0 else (0, 0, 1000))


@pytest.mark.parametrize("mate", [2, 3, 4, -2, -3])
def test_looking_for_a_mate_takes_no_more_nodes_than_deepening(mate):
    for fen in MATES[mate].strip().splitlines()[:4]:
        answer = think(fen.strip(), mate=abs(mate), nodes=NODES)
        heard = []
        searcher().new_game()
        searcher().go(Limits(depth=answer.best.depth), on_line=heard.append)
        announced = next(line for line in heard if line.score.mate and abs(line.score.mate) <= abs(mate))
        assert answer.best.nodes <= announced.nodes


# --- python-chess knows the short ones --------------------------------------------------------------


def test_python_chess_agrees_about_the_short_ones():
    for mate in (1, 2, -1, -2):
        for fen in MATES[mate].strip().splitlines():
            board, moves = chess.Board(fen.strip()), abs(mate)
            oracle = can_mate if mate > 0 else must_be_mated
            assert oracle(board, moves) and not oracle(board, moves - 1)


def test_all_mates_of_a_position_are_listed_shortest_first():
    answer = think("7k/Q7/6K1/8/8/8/8/8 w - - 0 1", depth=8, settings=Settings(multi_pv=99))
    lines = answer.choice.lines
    assert len(lines) == answer.board.legal_moves.count()
    mates = [line.score.mate for line in lines]
    assert mates == sorted(mates, key=lambda mate: mate or 99)
    for line in lines:
        after = played(answer.board, line.moves[:1])
        assert after.is_checkmate() == (line.score.mate == 1)
        if line.score.mate == 2:
            assert is_mate_after(after, 2)
        if after.is_stalemate():
            assert line.score == (0, None)


def can_mate(board, moves):
    """True if the side to move mates in so many moves at most, by trying everything."""
    return moves > 0 and any(is_mate_after(after, moves) for after in boards_after(board))


def is_mate_after(after, moves):
    """True if the move that led to a board mates, or will with one move less."""
    return after.is_checkmate() or must_be_mated(after, moves - 1)


def must_be_mated(board, moves):
    """True if the side to move is mated in so many moves at most."""
    if moves <= 0 or not any(board.legal_moves):
        return False
    return all(can_mate(after, moves) for after in boards_after(board))


def boards_after(board):
    """The boards after each legal move."""
    for move in list(board.legal_moves):
        after = board.copy(stack=False)
        after.push(move)
        yield after


# --- lone kings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",  # towards a corner that the bishop sees
        "8/8/8/4k3/8/8/8/K1BN4 w - - 0 1",
        "k7/8/1K6/8/8/8/8/2B1N3 w - - 0 1",  # from the other corner into that one
        "7k/8/5N1K/8/8/8/8/1B6 w - - 0 1",
    ],
)
def test_a_lone_king_is_mated_before_fifty_moves_are_over(fen):
    # With bishop and knight, one game in a hundred is drawn; with another number of nodes it is another one.
    assert any(is_mated_in_a_game(fen, nodes) for nodes in (MANY, MANY + MANY // 10))


def is_mated_in_a_game(fen, nodes):
    """True if the game that begins so ends with mate."""
    engine, board = searcher(), chess.Board(fen)
    engine.new_game()
    while not (board.is_game_over() or board.is_fifty_moves() or board.is_repetition()):
        engine.set_position(fen, [move.uci() for move in board.move_stack])
        board.push_uci(spelled(engine.go(Limits(nodes=nodes)).move, board))
    return board.is_checkmate()


# --- promotions -------------------------------------------------------------------------------------


def test_a_rook_is_better_than_stalemate():
    answer = think("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", mate=2, nodes=NODES)
    assert (answer.move, answer.score) == ("f7f8r", (None, 2))


def test_a_knight_mates_where_a_queen_would_lose():
    answer = think("6nb/5Ppk/6pp/8/8/8/8/K7 w - - 0 1", mate=1, nodes=NODES)
    assert (answer.move, answer.score) == ("f7f8n", (None, 1))
