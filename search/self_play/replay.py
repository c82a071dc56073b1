"""Reading games: all moves are played again; positions that pass the filters become samples of 32 bytes."""

import numpy as np

from bluekrait.core.board import Position
from bluekrait.core.compiler.jit import boolean, inline, int64, internal, position_type, uint32, uint64
from bluekrait.core.compiler.memory import load_word, store_word
from bluekrait.core.move import NO_MOVE, is_noisy
from bluekrait.core.rules.bits import EMPTY, U64, signed
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.search.self_play.game_records import WON
from bluekrait.search.self_play.job import game_at, game_type, replay_type, sample_at
from bluekrait.search.self_play.packing import long_move, pack_board, unpack_board

HEAD_BYTES, PLY_BYTES, SAMPLE_BYTES, WORD_BYTES = U64(40), U64(4), U64(32), U64(8)
U32 = np.uint32
_MOVE, _SCORE_BITS, _SIGN = (1 << 16) - 1, 16, 1 << 15


@internal(int64(replay_type))
def replay_games(job):
    """Write the wanted positions of all games; how many they are."""
    address, place, total = U64(job.games), U64(job.kept), 0
    for _ in range(job.count):
        game = game_at(address)
        kept = replay_game(job, game, U64(job.samples) + U64(total) * SAMPLE_BYTES)
        store_word(place, U64(kept))
        place += WORD_BYTES
        address += HEAD_BYTES + U64(game.head.plies) * PLY_BYTES
        total += kept
    return total


@internal(int64(replay_type, game_type, uint64))
def replay_game(job, game, address):
    """Write the wanted positions of a game to an address; how many they are."""
    head, kept = game.head, 0
    clock, ply = signed(U64(head.clock)), signed(U64(head.first_ply))
    position = Position(unpack_board(head.board), EMPTY, clock, ply)
    for place in range(signed(U64(head.plies))):
        word = signed(U64(game.plies[place]))
        short, score = word & _MOVE, ((word >> _SCORE_BITS) ^ _SIGN) - _SIGN
        move = long_move(position.board, short)
        if is_wanted(job, position, move, score):
            sample = sample_at(address + U64(kept) * SAMPLE_BYTES)
            pack_board(sample.board, position.board)
            sample.score, sample.ply, sample.move = score, position.ply, short
            sample.clock = min(position.clock, 255)
            sample.result = WON - head.result if position.ply & 1 else head.result
            kept += 1
        position = make_move(position, move)
    return kept


@internal(int64(replay_type))
def filter_samples(job):
    """Copy the wanted ones of some samples; how many they are."""
    address, place, kept = U64(job.games), U64(job.samples), 0
    for _ in range(job.count):
        sample = sample_at(address)
        clock, ply = signed(U64(sample.clock)), signed(U64(sample.ply))
        position = Position(unpack_board(sample.board), EMPTY, clock, ply)
        short = signed(U64(sample.move))
        move = long_move(position.board, short) if short else U32(NO_MOVE)
        if is_wanted(job, position, move, int(sample.score)):
            for offset in range(EMPTY, SAMPLE_BYTES, WORD_BYTES):
                store_word(place + offset, load_word(address + offset))
            place += SAMPLE_BYTES
            kept += 1
        address += SAMPLE_BYTES
    return kept


@inline(boolean(replay_type, position_type, uint32, int64))
def is_wanted(job, position, move, score):
    """True if a position passes the filters."""
    if position.ply < job.first_ply or abs(score) > job.highest_score:
        return False
    if job.quiet and is_noisy(move):
        return False
    return not (job.no_checks and legality(position.board).checkers != EMPTY)
