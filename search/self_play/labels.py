"""Samples that are searched again, to give them the scores and moves of the present engine."""

from bluekrait.core.board import Position
from bluekrait.core.compiler.jit import int64, internal
from bluekrait.core.rules.bits import EMPTY, U64, signed
from bluekrait.search.self_play.choose_move import prepare_search, search_position
from bluekrait.search.self_play.game_keys import position_key
from bluekrait.search.self_play.job import job_type, sample_at
from bluekrait.search.self_play.packing import short_move, unpack_board
from bluekrait.search.tree.evaluate import unscaled_by_material
from bluekrait.search.tree.state import root_at, thread_type

SAMPLE_BYTES = U64(32)


@internal(int64(job_type, thread_type))
def label_samples(job, thread):
    """Search the samples of a job one after the other; how many they are."""
    address = U64(job.samples)
    thread.game_length, thread.generation = 0, EMPTY
    for _ in range(job.count):
        sample = sample_at(address)
        board, clock, ply = unpack_board(sample.board), signed(U64(sample.clock)), signed(U64(sample.ply))
        position = Position(board, position_key(board, ply), clock, ply)
        if prepare_search(job, thread, position):
            score = search_position(thread, position, job.nodes)
            sample.score = unscaled_by_material(thread, board, score)
            sample.move = short_move(root_at(thread, 0).move)
        address += SAMPLE_BYTES
    return signed(U64(job.count))
