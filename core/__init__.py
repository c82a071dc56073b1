"""The rules of chess, compiled: for the engine, for Python programs, and for their own compiled functions.

    from bluekrait.core import legal_moves, make_move, parse_fen

A name is loaded from its module when it is asked for, since most of them bring Numba along.
"""

# What takes time is not imported here, since the answer to `uci` waits for this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MODULES = {
    "api": (
        "attacked_squares",
        "board_text",
        "checkers",
        "format_fen",
        "is_legal",
        "legal_moves",
        "move_text",
        "parse_fen",
        "parse_move",
        "parse_san",
        "perft",
        "san",
    ),
    "rules.attacks": ("bishop_attacks", "king_attacks", "knight_attacks", "queen_attacks", "rook_attacks"),
    "board": ("Board", "Position"),
    "notation.fen": ("STARTING_FEN", "FenError"),
    "rules.make": ("make_move",),
    "notation.san_and_uci": ("MoveError",),
    "rules.outcome": ("CHECKMATE", "FIFTY_MOVES", "INSUFFICIENT_MATERIAL", "ONGOING", "STALEMATE", "status"),
    "rules.see": ("see_at_least",),
}
_module_of = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_module_of)


def __getattr__(name: str) -> "Any":
    if name in _module_of:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_module_of[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
