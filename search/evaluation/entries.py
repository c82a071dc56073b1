"""The doors of the evaluation, see `core.entries`."""

from bluekrait.core.bits import U64
from bluekrait.core.entries import read_board
from bluekrait.core.jit import entry, record_reader
from bluekrait.search.evaluation.evaluate import evaluate, trace
from bluekrait.search.evaluation.records import EvaluationDesk

desk_at, _ = record_reader(EvaluationDesk)
TRACE = U64(EvaluationDesk.trace.offset)


@entry
def evaluate_desk(address):
    """Evaluate the board on an `EvaluationDesk`."""
    desk = desk_at(address)
    desk.score = evaluate(desk.pawn_cache, read_board(desk.board))
    return desk.score


@entry
def trace_desk(address):
    """Tell how the evaluation of the board on an `EvaluationDesk` comes about."""
    return trace(address + TRACE, read_board(desk_at(address).board))


ENTRIES = {"evaluate": evaluate_desk, "trace": trace_desk}
