"""What python-chess says, in our words: the independent truth that the core is tested against."""

import random

import chess
import chess.polyglot

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, TURN_ROUND, Board, Position
from bluekrait.core.move import CASTLING, DOUBLE_PUSH, EN_PASSANT, NORMAL, pack
from helpers.kernels import WORD

CODES = {
    None: NONE,
    chess.PAWN: PAWN,
    chess.KNIGHT: KNIGHT,
    chess.BISHOP: BISHOP,
    chess.ROOK: ROOK,
    chess.QUEEN: QUEEN,
    chess.KING: KING,
}


def turn_of(board):
    """Our WHITE or BLACK for the side to move."""
    return 0 if board.turn == chess.WHITE else 1


def position_of(board):
    """The position that a python-chess board stands for."""
    en_passant = chess.BB_SQUARES[board.ep_square] if board.has_legal_en_passant() else 0
    words = (
        board.pawns,
        board.knights,
        board.bishops | board.queens,
        board.rooks | board.queens,
        board.kings,
        board.occupied_co[board.turn],
        board.clean_castling_rights(),
        en_passant,
    )
    if board.turn == chess.BLACK:
        words = map(chess.flip_vertical, words)
    return Position(Board(*map(WORD, words)), WORD(key_of(board)), board.halfmove_clock, board.ply())


def key_of(board):
    """The Zobrist key, en passant counted only where it is legal."""
    board = board.copy(stack=False)
    if not board.has_legal_en_passant():
        board.ep_square = None
    return chess.polyglot.zobrist_hash(board)


def packed_moves(board):
    """The legal moves of a python-chess board, packed."""
    return [packed_move(board, move) for move in king_takes_rook(board).legal_moves]


def packed_move(board, move):
    """One legal move packed; castling is given as king takes rook."""
    turn_round = 0 if board.turn == chess.WHITE else TURN_ROUND
    kind = kind_of(board, move)
    return pack(
        move.from_square ^ turn_round,
        move.to_square ^ turn_round,
        CODES[board.piece_type_at(move.from_square)],
        captured=captured_by(board, move, kind),
        promotion=CODES[move.promotion],
        kind=kind,
    )


def kind_of(board, move):
    """NORMAL, DOUBLE_PUSH, EN_PASSANT or CASTLING."""
    if board.is_castling(move):
        return CASTLING
    if board.is_en_passant(move):
        return EN_PASSANT
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    return DOUBLE_PUSH if is_pawn and abs(move.to_square - move.from_square) == 16 else NORMAL


def captured_by(board, move, kind):
    """Code of the piece that a move of this kind captures."""
    if kind == CASTLING:
        return NONE
    return PAWN if kind == EN_PASSANT else CODES[board.piece_type_at(move.to_square)]


def king_takes_rook(board):
    """A copy of the board that spells castling as Chess960 does."""
    board = board.copy(stack=False)
    board.chess960 = True
    return board


def random_boards(seed, games, plies=80, chess960=False):
    """The boards met in seeded random games, one object per game, played on between yields."""
    rng = random.Random(seed)
    for _ in range(games):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(plies):
            yield board
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
