"""Tablebases for the referee: with few pieces left, the result of a game is known."""

import os
from functools import cache

import chess
import chess.syzygy

from bluekrait.search.syzygy.wdl import CURSED_WIN, WIN
from bluekrait.tools.match.setup.contest import Rules


@cache
def open_tables(directories: str) -> chess.syzygy.Tablebase:
    """The tables of some directories, separated as in PATH; ValueError if there are none."""
    tables = chess.syzygy.Tablebase()
    for directory in directories.split(os.pathsep):
        try:
            tables.add_directory(directory, load_dtz=False)
        except OSError as error:
            raise ValueError(f"--tb {directory}: {error.strerror or error}") from None
    if not tables.wdl:
        raise ValueError(f"--tb {directories}: there are no Syzygy tables (.rtbw)")
    return tables


def tablebase_outcome(board: chess.Board, rules: Rules) -> int | None:
    """1 if the side to move wins, 0 for a draw, -1 if it loses; None if the tables do not know.

    WDL tables assume that the halfmove clock is zero, so only such positions are probed.
    """
    if not rules.tables or board.halfmove_clock or board.castling_rights:
        return None
    if rules.tablebase_pieces and board.occupied.bit_count() > rules.tablebase_pieces:
        return None
    try:
        wdl = open_tables(rules.tables).probe_wdl(board)
    except KeyError:  # a table is missing
        return None
    decided = CURSED_WIN if rules.tables_ignore_fifty else WIN
    return (wdl >= decided) - (wdl <= -decided)
