"""The records of self-play: a game as it lies in a file, and what the kernels need to play and read games."""

import ctypes

from bluekrait.core.records import MoveList

LONGEST = 400  # plies since the starting position, then a game is drawn

# How a game ended: the first as in `core.rules.outcome`, then what only games know.
CHECKMATE, STALEMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, REPETITION = 1, 2, 3, 4, 5
TOO_LONG, WIN_ADJUDICATED, DRAW_ADJUDICATED = 6, 7, 8
LOST, DRAWN, WON = 0, 1, 2  # for the side that is named

ENDINGS = {
    CHECKMATE: "checkmate",
    STALEMATE: "stalemate",
    FIFTY_MOVES: "fifty moves",
    INSUFFICIENT_MATERIAL: "insufficient material",
    REPETITION: "repetition",
    TOO_LONG: "too long",
    WIN_ADJUDICATED: "win by adjudication",
    DRAW_ADJUDICATED: "draw by adjudication",
}


class PackedBoard(ctypes.Structure):
    """A board in 24 bytes: the occupied squares, and nibbles as in `tools.data.formats.samples`."""

    _fields_ = [
        ("occupied", ctypes.c_uint64),
        ("first_pieces", ctypes.c_uint64),  # sixteen nibbles, the lowest is that of the lowest square
        ("last_pieces", ctypes.c_uint64),
    ]


class GameHead(ctypes.Structure):
    """What comes before the plies of a game."""

    _fields_ = [
        ("board", PackedBoard),  # the opening
        ("number", ctypes.c_uint32),
        ("plies", ctypes.c_uint16),  # that follow
        ("first_ply", ctypes.c_uint16),  # half-moves since the starting position; odd if Black is to move
        ("clock", ctypes.c_uint8),  # half-moves since the last capture or pawn move
        ("result", ctypes.c_uint8),  # for White
        ("ending", ctypes.c_uint8),  # how the game ended
        ("is_chess960", ctypes.c_uint8),
        ("nodes", ctypes.c_uint32),  # searched in all
    ]


class Game(ctypes.Structure):
    """A game. A ply is a move of 16 bits (see `tools.data.formats.samples`) below a score of 16 bits."""

    _fields_ = [("head", GameHead), ("plies", ctypes.c_uint32 * LONGEST)]


class SelfPlay(ctypes.Structure):
    """The seed and settings of a game, the threads that search, and the game that they play."""

    _fields_ = [
        ("seed", ctypes.c_uint64),
        ("number", ctypes.c_uint64),
        ("opening", ctypes.c_uint64),  # its number: with the seed, it decides all that is random
        ("nodes", ctypes.c_uint64),  # soft limit for a move; with a clock, what each move gives back
        ("has_clock", ctypes.c_int64),  # see `node_clock`
        ("nodes_left", ctypes.c_int64 * 2),  # on the clocks of White and Black
        ("chess960", ctypes.c_int64),  # per cent of the games
        ("most_ahead", ctypes.c_int64),  # centipawns that an opening may favour one side by
        # Addresses of `SearchThread`s that have forgotten all before. They may be one and the same.
        ("judge", ctypes.c_uint64),  # which finds out by how much
        ("white", ctypes.c_uint64),
        ("black", ctypes.c_uint64),
        ("random_state", ctypes.c_uint64),
        ("legal", MoveList),
        ("winning_plies", ctypes.c_int64),  # in a row, for the same side
        ("winner", ctypes.c_int64),  # 1 if that is White, -1 if Black
        ("level_plies", ctypes.c_int64),
        ("game", Game),
        ("samples", ctypes.c_uint64),  # address of those that are to be searched again
        ("count", ctypes.c_uint64),
    ]


class Sample(ctypes.Structure):
    """A position for training, in 32 bytes, as described in `tools.data.formats.samples`."""

    _fields_ = [
        ("board", PackedBoard),
        ("score", ctypes.c_int16),
        ("ply", ctypes.c_uint16),
        ("move", ctypes.c_uint16),
        ("clock", ctypes.c_uint8),
        ("result", ctypes.c_uint8),
    ]


class Replay(ctypes.Structure):
    """Games or samples in memory, what is wanted of them, and where the positions go."""

    _fields_ = [
        ("games", ctypes.c_uint64),  # or samples: the address of the first
        ("count", ctypes.c_uint64),
        ("samples", ctypes.c_uint64),  # address, with room for all plies
        ("kept", ctypes.c_uint64),  # address of a number for each game: its positions kept
        ("first_ply", ctypes.c_int64),
        ("highest_score", ctypes.c_int64),
        ("no_checks", ctypes.c_int64),
        ("quiet", ctypes.c_int64),
    ]


def packed_game(job: SelfPlay, plies: int) -> bytes:
    """The bytes of the game of so many plies that was played, as they stand in a file."""
    size = ctypes.sizeof(GameHead) + plies * ctypes.sizeof(ctypes.c_uint32)
    return ctypes.string_at(ctypes.addressof(job.game), size)
