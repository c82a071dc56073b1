"""The entry points of the compiled rules: functions that take the address of a record, and nothing else.

Because they need no Python object, their machine code can be kept, and run by a process that has loaded
neither Numba nor NumPy; see `core.native`.
"""

from bluekrait.core.compiler.jit import entry, record_reader
from bluekrait.core.counting.expand import perft_job_at
from bluekrait.core.counting.perft import count_pending, walk, walk_hashed
from bluekrait.core.records import GameRecord
from bluekrait.core.rules.history import push, repetitions
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.core.rules.outcome import status
from bluekrait.core.rules.position_records import read_position, write_position

game_at, _ = record_reader(GameRecord)


@entry
def perft(address):
    """Count the leaves of a `PerftJob`."""
    job = perft_job_at(address)
    position = read_position(job.position)
    if job.table:
        walk_hashed(job, position.board, job.depth)
    else:
        walk(job, position.board, job.depth)
        count_pending(job)
    return 0


@entry
def legal_moves(address):
    """Fill in what a `GameRecord` says of its position: legal moves, checkers, repetitions, status."""
    game = game_at(address)
    position = read_position(game.position)
    state = legality(position.board)
    game.legal.count = add_legal_moves(position.board, state, game.legal, 0)
    game.checkers = state.checkers
    game.repetitions = repetitions(game.history, position)
    game.status = status(position)
    return game.legal.count


@entry
def play_move(address):
    """Make the move of a `GameRecord`, and push the position before it on the history."""
    game = game_at(address)
    position = read_position(game.position)
    push(game.history, position)
    write_position(game.position, make_move(position, game.move))
    return 0


ENTRIES = {"perft": perft, "legal_moves": legal_moves, "play_move": play_move}
