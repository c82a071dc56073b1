"""The record that holds all state of a search thread, described once for Python and for kernels."""

import ctypes

from bluekrait.core.records import MAX_MOVES, MoveList, PositionRecord
from bluekrait.search.evaluation.classical.pawn_cache import PawnCache
from bluekrait.search.parameters import PARAMETERS
from bluekrait.search.scores import MAX_PLY

LOOK_BACK = 6  # empty plies before the root, so that `ply - 6` always exists
KEYS_CAPACITY = 1024  # positions of the game and the line at hand, for repetitions
PLACES_COMPARED = 16  # scores of moves that are compared at once
TRIED_CAPACITY = 64  # moves of a node that are kept for the update of histories
SIDES, CODES, SQUARES = 2, 8, 64
PIECE_SQUARES = SIDES * CODES * SQUARES
BUTTERFLIES = SIDES * 4 * SQUARES * SQUARES  # four for each move: which of its squares are attacked
PAWN_ROWS = 1 << 9  # of pawn history
CORRECTION_KINDS, CORRECTIONS = 8, 1 << 14  # of correction history
NO_NODE_LIMIT = (1 << 64) - 1


class Ply(ctypes.Structure):
    """The state of one ply on the line that is being searched."""

    _fields_ = [
        ("static_eval", ctypes.c_int64),  # UNKNOWN in check
        ("correction", ctypes.c_int64),  # what correction history adds to the evaluation, 0 in check
        ("move", ctypes.c_int64),  # the move being searched from here
        ("excluded", ctypes.c_int64),  # the hash move, while a singular search leaves it out
        ("killer", ctypes.c_int64),  # a quiet move that caused a cut-off in a sibling of this node
        ("count", ctypes.c_int64),  # how many moves were tried here with `move`, 0 at the root
        ("continuation", ctypes.c_int64),  # the row of continuation history that `move` selects
        ("extension", ctypes.c_int64),  # of the move being searched, if it is the hash move
        ("double_extensions", ctypes.c_int64),  # on the line to here
        ("reduction", ctypes.c_int64),  # plies by which the child at hand is searched less deep
        ("cutoffs", ctypes.c_int64),  # how many of the children of the node before were cut off by a move
        ("attacked", ctypes.c_uint64),  # by the enemy
        ("pawn_row", ctypes.c_int64),  # the row of pawn history that the pawns here select
        # The picker.
        ("stage", ctypes.c_int64),
        ("hash_move", ctypes.c_int64),
        ("counter_move", ctypes.c_int64),
        ("cursor", ctypes.c_int64),  # the next move to look at
        ("bad_noisy", ctypes.c_int64),  # how many noisy moves were put back, at the start of the list
        ("is_quiet_skipped", ctypes.c_int64),
        ("good_exchange", ctypes.c_int64),  # what a noisy move must gain at least to be good
        ("list", MoveList),
        ("move_scores", ctypes.c_int32 * (MAX_MOVES + PLACES_COMPARED)),  # see `search.tree.move_scores`
        ("quiets_tried", ctypes.c_uint32 * TRIED_CAPACITY),
        ("noisies_tried", ctypes.c_uint32 * TRIED_CAPACITY),
        # The principal variation from here.
        ("length", ctypes.c_int64),
        ("line", ctypes.c_uint32 * (MAX_PLY + 1)),
    ]


class RootMove(ctypes.Structure):
    """A move at the root, with its score and line."""

    _fields_ = [
        ("move", ctypes.c_int64),
        ("score", ctypes.c_int64),
        ("bound", ctypes.c_int64),  # what the score tells of the true one, see `search.scores`
        ("nodes", ctypes.c_uint64),
        ("selective_depth", ctypes.c_int64),
        ("length", ctypes.c_int64),
        ("line", ctypes.c_uint32 * (MAX_PLY + 1)),
    ]


class Parameters(ctypes.Structure):
    """The values of `search.parameters` in use."""

    _fields_ = [(parameter.name, ctypes.c_int64) for parameter in PARAMETERS]


class SearchThread(ctypes.Structure):
    """One thread's search."""

    _fields_ = [
        ("nodes", ctypes.c_uint64),
        ("node_limit", ctypes.c_uint64),
        ("stop", ctypes.c_uint64),  # set from outside, or at the node limit
        ("table", ctypes.c_uint64),  # address of the transposition table
        ("clusters", ctypes.c_uint64),
        ("generation", ctypes.c_uint64),
        ("tablebases", ctypes.c_uint64),  # address of the tablebases
        ("tablebase_pieces", ctypes.c_uint64),  # positions with no more pieces are looked up there
        ("tablebase_depth", ctypes.c_int64),  # those with exactly so many only if that depth is left
        ("tablebase_hits", ctypes.c_uint64),
        ("fifty_moves", ctypes.c_int64),  # whether the rule counts for what tables say
        ("selective_depth", ctypes.c_int64),
        ("null_move_ply", ctypes.c_int64),  # before this ply none is allowed: one is being verified
        ("game_length", ctypes.c_int64),  # how many keys lie before the root's
        ("repeatable_from", ctypes.c_int64),  # place of the first key that can be repeated, after a null move
        ("keys", ctypes.c_uint64 * KEYS_CAPACITY),
        ("position", PositionRecord),  # the root
        # The iteration, see `search.tree.aspiration`.
        ("iteration", ctypes.c_int64),  # its depth
        ("expected", ctypes.c_int64),  # the score that it begins with
        ("depth", ctypes.c_int64),  # of the present window, which may be searched less deep
        ("alpha", ctypes.c_int64),
        ("beta", ctypes.c_int64),
        ("margin", ctypes.c_int64),  # between the expected score and the bounds
        ("score", ctypes.c_int64),  # of the window that was searched last
        ("rank", ctypes.c_int64),  # root moves before this one are better, and left out
        ("current", ctypes.c_int64),  # place of the root move that is being searched
        ("root_count", ctypes.c_int64),
        ("ranking", ctypes.c_int64 * MAX_MOVES),  # indices of root moves, the best first
        ("roots", RootMove * MAX_MOVES),
        ("parameters", Parameters),
        ("evaluation_kind", ctypes.c_int64),  # CLASSICAL, NETWORK or RESIDUAL, see `network_records`
        ("network", ctypes.c_uint64),  # address of a NetworkRecord
        ("accumulators", ctypes.c_uint64),  # address of this thread's own
        ("plies", Ply * (LOOK_BACK + MAX_PLY + 3)),
        ("pawns", PawnCache),
        # History heuristics.
        ("butterfly", ctypes.c_int16 * BUTTERFLIES),
        ("captures", ctypes.c_int16 * (PIECE_SQUARES * CODES * 2)),
        ("continuations", ctypes.c_int16 * (PIECE_SQUARES * PIECE_SQUARES)),
        ("pawn_histories", ctypes.c_int16 * (PAWN_ROWS * CODES * SQUARES)),
        ("counters", ctypes.c_uint32 * PIECE_SQUARES),
        # Correction history.
        ("corrections", ctypes.c_int16 * (CORRECTION_KINDS * SIDES * CORRECTIONS)),
    ]
