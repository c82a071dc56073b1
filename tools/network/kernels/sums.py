"""Sums of chosen rows of a table: where training a network on sparse inputs spends its time.

Forward, the rows are weights, chosen by the pieces of a position. Backward, they are gradients of positions
that have a feature in common. The sums stay in vector registers: that is written in LLVM's language, because
no loop in Python is sure to be compiled so.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import signature
from numpy.typing import NDArray

from bluekrait.core.compiler.jit import instruction, int64

LANES = 16  # of the vectors; LLVM splits them where the processor has narrower ones
NARROW, MIDDLE, WIDE = 32, 128, 256  # columns that are summed at a time, in registers

matrix_type = types.float32[:, ::1]
numbers_type = types.uint16[::1]

_vector = ir.VectorType(ir.FloatType(), LANES)
_word = ir.IntType(64)


def add_rows_narrow(table, chosen, first, end, target, row, column):
    """Add chosen[first:end] of the table's rows to a row of the target, in `NARROW` columns."""
    _add_rows(table, chosen, first, end, target, row, column, NARROW)


def add_rows_middle(table, chosen, first, end, target, row, column):
    """Add chosen[first:end] of the table's rows to a row of the target, in `MIDDLE` columns."""
    _add_rows(table, chosen, first, end, target, row, column, MIDDLE)


def add_rows_wide(table, chosen, first, end, target, row, column):
    """Add chosen[first:end] of the table's rows to a row of the target, in `WIDE` columns."""
    _add_rows(table, chosen, first, end, target, row, column, WIDE)


def _add_rows(
    table: NDArray[Any],
    chosen: NDArray[Any],
    first: int,
    end: int,
    target: NDArray[Any],
    row: int,
    column: int,
    width: int,
) -> None:
    columns = slice(column, column + width)
    for number in chosen[first:end]:
        target[row, columns] += table[number, columns]


def _emit(width: int) -> Callable[..., Any]:
    """The machine code of these functions: a loop over rows, its sums in width / LANES registers."""
    places = range(0, width, LANES)

    def emit(
        context: Any,
        builder: Any,
        table: Any,
        chosen: Any,
        first: Any,
        end: Any,
        target: Any,
        row: Any,
        column: Any,
    ) -> Any:
        table = context.make_array(matrix_type)(context, builder, table)
        chosen = context.make_array(numbers_type)(context, builder, chosen)
        target = context.make_array(matrix_type)(context, builder, target)
        row_length = builder.extract_value(table.shape, 1)

        def vectors_at(data: Any, number: Any) -> Iterator[Any]:
            start = builder.add(builder.mul(number, row_length), column)
            for place in places:
                float_pointer = builder.gep(data, [builder.add(start, _word(place))])
                yield builder.bitcast(float_pointer, _vector.as_pointer())

        goals = list(vectors_at(target.data, row))
        some, loop, summed, done = map(builder.append_basic_block, ("some", "rows", "summed", "done"))
        builder.cbranch(builder.icmp_signed("<", first, end), some, done)  # no row: the target is not touched

        builder.position_at_end(some)
        before = [builder.load(goal, align=4) for goal in goals]
        builder.branch(loop)

        builder.position_at_end(loop)
        place, sums = builder.phi(_word), [builder.phi(_vector) for _ in goals]
        number = builder.zext(builder.load(builder.gep(chosen.data, [place])), _word)
        rows = [builder.load(pointer, align=4) for pointer in vectors_at(table.data, number)]
        more = [builder.fadd(total, vector) for total, vector in zip(sums, rows)]
        following = builder.add(place, _word(1))
        builder.cbranch(builder.icmp_signed("<", following, end), loop, summed)
        place.add_incoming(first, some)
        place.add_incoming(following, loop)
        for total, start, result in zip(sums, before, more):
            total.add_incoming(start, some)
            total.add_incoming(result, loop)

        builder.position_at_end(summed)
        for goal, result in zip(goals, more):
            builder.store(result, goal, align=4)
        builder.branch(done)

        builder.position_at_end(done)
        return context.get_dummy_value()

    return emit


_meaning = signature(types.void, matrix_type, numbers_type, int64, int64, matrix_type, int64, int64)
instruction(add_rows_narrow, _meaning, _emit(NARROW))
instruction(add_rows_middle, _meaning, _emit(MIDDLE))
instruction(add_rows_wide, _meaning, _emit(WIDE))


def aligned(*shape: int) -> NDArray[np.float32]:
    """Zeros that begin where a cache line does: vectors that lie across two cost twice as much."""
    size = int(np.prod(shape))
    room = np.zeros(size + LANES, np.float32)
    start = -(room.ctypes.data // 4) % LANES
    return room[start : start + size].reshape(shape)
