"""The evaluation: one description, both for the number and for the reasons; the same for both sides."""

from functools import cache

import chess
from oracles import position_of
from support import cases

from bluekrait.core.board import Board
from bluekrait.core.native import Entry
from bluekrait.search.evaluation import entries
from bluekrait.search.evaluation.reasons import traced_score
from bluekrait.search.evaluation.records import EvaluationDesk


@cache
def compiled(name):
    result = entries.ENTRIES[name].compiled
    return Entry(result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result)


def desk_with(board):
    desk = EvaluationDesk()
    for field, word in zip(Board._fields, board):
        setattr(desk.board, field, word)
    return desk


def evaluation(desk, board):
    for field, word in zip(Board._fields, board):
        setattr(desk.board, field, word)
    return compiled("evaluate")(desk)


def score(fen):
    return evaluation(EvaluationDesk(), position_of(chess.Board(fen)).board)


def test_the_reasons_add_up_to_the_number():
    desk = EvaluationDesk()
    for case in cases():
        number = evaluation(desk, case.position.board)
        compiled("trace")(desk)
        assert traced_score(desk.trace) == number, case.board.fen()
