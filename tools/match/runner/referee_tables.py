"""Tablebases for the referee: with few pieces left it is known who wins, whatever the engines think of it."""

import os
from functools import cache

import chess.syzygy

from bluekrait.search.syzygy.outcomes import CURSED_WIN, WIN


@cache
def open_tables(directories):
    """The tables of some directories, written as in PATH; ValueError if there are none."""
    tables = chess.syzygy.Tablebase()
    for directory in directories.split(os.pathsep):
        try:
            tables.add_directory(directory, load_dtz=False)
        except OSError as error:
            raise ValueError(f"--tb {directory}: {error.strerror or error}") from None
    if not tables.wdl:
        raise ValueError(f"--tb {directories}: no Syzygy tables (.rtbw) are there")
    return tables


def tablebase_outcome(board, rules):
    """1 if the side to move wins, 0 if nobody does, -1 if it loses; None if the tables do not tell.

    They do not know when the last capture or pawn move was, so it must have been the last move.
    """
    if not rules.tables or board.halfmove_clock or board.castling_rights:
        return None
    if rules.table_pieces and board.occupied.bit_count() > rules.table_pieces:
        return None
    try:
        outcome = open_tables(rules.tables).probe_wdl(board)
    except KeyError:  # a table is missing
        return None
    decided = CURSED_WIN if rules.tables_ignore_fifty else WIN
    return (outcome >= decided) - (outcome <= -decided)
