"""Moves that python-chess passes over in a PGN file, or whose piece it passes over.

It looks for moves wherever they stand and skips what it does not know: of `Sf3` it reads f3. Other words may
be remarks. So a word is a lost move if something unknown stands before its move, or if it stands where a move
must stand: behind a move number; or if the numbers tell that there should be more moves.
"""

import re
import unicodedata
from collections.abc import Iterator

import chess.pgn

BETWEEN_WORDS = re.compile(r"\{[^}]*\}?")
PARENTHESIS = re.compile(r"([()])")
NUMBER = re.compile(r"(\d+)(\.+|…)(.*)")
DOTS = re.compile(r"\.+|…")
SIGN = re.compile(r"\W+|\$\d+|1-0|0-1|1/2-1/2")  # that may stand behind a move number
CASTLING = re.compile(r"[O0o\u041e\u043e]\W[O0o\u041e\u043e]")  # also with other letters and dashes


def lost_move(movetext: str) -> str | None:
    """The first word that is, or hides, a lost move."""
    words = PARENTHESIS.sub(r" \1 ", BETWEEN_WORDS.sub(" ", movetext)).split()
    for word in words:
        if _has_unknown_piece(word):
            return word
    return _missing_move(_outside_variations(words))


def _moves_in(word: str) -> list[re.Match[str]]:
    matches = chess.pgn.MOVETEXT_REGEX.finditer(word)
    return [match for match in matches if match[1]]  # the others are signs and results


def _has_unknown_piece(word: str) -> bool:
    """True for Sf3 and ♘f3, N:f3 and e:d5."""
    before = (word[: move.start()].removesuffix(":")[-1:] for move in _moves_in(word))
    return any(char.isalpha() or _is_figurine(char) for char in before)


def _is_figurine(char: str) -> bool:
    """True for symbols, letters of fonts, and what makes symbols look like text; not for dots and dashes."""
    return not char.isascii() and unicodedata.category(char)[0] in "SMC"


def _outside_variations(words: list[str]) -> Iterator[str]:
    depth = 0
    for word in words:
        if word in ("(", ")"):
            depth = max(0, depth + (1 if word == "(" else -1))
        elif not depth:
            yield word


def _missing_move(words: Iterator[str]) -> str | None:
    """The word in the place of a move; or, where the next number tells of a missing one, what was skipped."""
    start = None  # half-moves before the first move, as its number tells
    count, number = 0, ""  # moves so far; the number behind which a move must stand
    skipped = ""  # since the last move
    for word in words:
        if match := NUMBER.fullmatch(word):
            ply = 2 * int(match[1]) + (match[2] != ".")
            start = ply if start is None else start
            if count < ply - start:
                return skipped or word
            number, word = match[1], match[3]
        elif number and not count and DOTS.fullmatch(word) and start is not None:
            start |= 1  # `1. ... e5`: Black begins
        moves = len(_moves_in(word))
        if moves:
            count, number, skipped = count + moves, "", ""
        elif word and not SIGN.fullmatch(word):
            if number or CASTLING.search(word):
                return word
            skipped = skipped or word
    return None
