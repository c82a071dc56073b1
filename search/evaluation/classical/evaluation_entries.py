"""The entries of the evaluation, see `core.rules_entries`."""

from bluekrait.core.compiler.jit import entry, record_reader
from bluekrait.core.rules.bits import U64
from bluekrait.core.rules_entries import read_board
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationDesk
from bluekrait.search.evaluation.classical.sum_terms import evaluate, trace

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
    """Fill in the trace of the board on an `EvaluationDesk`."""
    return trace(address + TRACE, read_board(desk_at(address).board))


ENTRIES = {"evaluate": evaluate_desk, "trace": trace_desk}
