"""Perft as CeruleanJS does it: every leaf is made, tested and unmade; there is no bulk counting."""

import numpy as np

from bluekrait.core.compiler.jit import int64, internal, kernel, position_type, record_layout, uint64
from bluekrait.core.generators.cerulean.generate import generate
from bluekrait.core.generators.cerulean.mailbox import Mailbox, mailbox_type
from bluekrait.core.generators.cerulean.make import make, unmake, was_legal
from bluekrait.core.generators.cerulean.setup import set_up
from bluekrait.core.rules.bits import EMPTY, ONE, U64

_mailbox_layout = record_layout(Mailbox)


@kernel(int64(position_type, int64))
def perft(position, depth):
    """The number of sequences of legal moves of a length, at most `core.records.MAX_DEPTH`."""
    records = np.zeros(1, _mailbox_layout)
    set_up(records[0], position)
    nodes = walk(records[0], U64(depth), EMPTY) if depth else ONE
    return int(nodes if len(records) else EMPTY)  # keeps them alive until here, as one record does not


@internal(uint64(mailbox_type, uint64, uint64))
def walk(record, depth, ply):
    """Count the leaves below the position at a ply."""
    nodes, generation = EMPTY, record.generations[ply]
    for i in range(generate(record, generation)):
        move = U64(generation.moves[i])
        make(record, move)
        if was_legal(record, move):
            nodes += ONE if depth == ONE else walk(record, depth - ONE, ply + ONE)
        unmake(record, move, generation)
    return nodes
