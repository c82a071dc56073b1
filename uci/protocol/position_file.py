"""Files of positions, one a line: FENs, or EPD. Operations are left out, and lines that begin with #."""

from __future__ import annotations

from itertools import takewhile

from bluekrait.core.notation.fen import FenError, parse_fen
from bluekrait.uci.exits import system_error_text

FIELDS_OF_EPD = 4  # board, side to move, castling, en passant


def read_positions(path: str) -> list[str]:
    """The FENs of a file; a ValueError if it cannot be read, holds none, or one of them is wrong."""
    try:
        with open(path, encoding="utf-8-sig") as file:  # some programs put a byte order mark before the text
            lines = [(number, line) for number, line in enumerate(file, 1) if _has_position(line)]
    except OSError as error:
        raise ValueError(system_error_text(error)) from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    if not lines:
        raise ValueError(f"{path}: no positions")
    return [_checked(_without_operations(line), f"{path}, line {number}") for number, line in lines]


def _has_position(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _without_operations(line: str) -> str:
    """The FEN at the beginning of a line, with the counters that follow it, if any."""
    fields = line.partition(";")[0].split()
    # The name of an operation begins with a letter, a counter does not.
    counters = takewhile(lambda field: not field[0].isalpha(), fields[FIELDS_OF_EPD:])
    return " ".join([*fields[:FIELDS_OF_EPD], *counters])


def _checked(fen: str, place: str) -> str:
    try:
        parse_fen(fen)
    except FenError as error:
        raise ValueError(f"{place}: bad FEN: {error}") from None
    return fen
