"""The entry of the classical evaluation that explains itself, see `core.rules_entries`."""

from bluekrait.core.compiler.jit import entry, record_reader
from bluekrait.core.rules.bits import U64
from bluekrait.core.rules.position_records import read_board
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationRequest
from bluekrait.search.evaluation.classical.sum_terms import trace

request_at, _ = record_reader(EvaluationRequest)
TRACE = U64(EvaluationRequest.trace.offset)


@entry
def trace_request(address):
    """Fill in the trace of the board on an `EvaluationRequest`."""
    return trace(address + TRACE, read_board(request_at(address).board))


ENTRIES = {"trace": trace_request}
