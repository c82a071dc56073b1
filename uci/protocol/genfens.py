"""`genfens`: openings for other programs, in the words that OpenBench uses.

    genfens 100 seed 7 book None            random openings
    genfens 100 seed 7 book Books/uho.epd   random continuations of the book's lines

Each is one line, `info string genfens <FEN>`. Same seed and book, same openings.
"""

from itertools import islice

from bluekrait.search.playing.random_openings import PLIES, balanced_openings
from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.protocol.bench import as_new

MOST = 10_000_000
LARGEST_SEED = 2**64 - 1
BOOK_PLIES = (2, 3)  # random moves after a line of a book: it is an opening already
MEGABYTES = 16
NO_BOOK = "none"


def genfens(room, words):
    """Say openings; stopped by `stop`."""
    count, seed, book = _parsed(words)
    beginnings, plies = ((None,), PLIES) if book is None else (read_book(book), BOOK_PLIES)
    openings = balanced_openings(room.engine, seed, beginnings, plies)
    # Two threads, or a larger table, would not always agree with others on what is fair.
    for fen in as_new(room, 1, MEGABYTES, islice(openings, count)):
        room.say(f"info string genfens {fen}")


def _parsed(words):
    """Number of openings, seed, and the book's name, None for no book. What else there is concerns others."""
    if len(words) < 1:
        raise ValueError("expected genfens <number> seed <number> book <file or None>")
    count = _whole("number", words[0], 1, MOST)
    wishes = dict(zip(words[1::2], words[2::2]))
    seed = _whole("seed", wishes.get("seed", "1"), 0, LARGEST_SEED)
    book = wishes.get("book", NO_BOOK)
    return count, seed, None if book.lower() == NO_BOOK else book


def _whole(name, text, lowest, highest):
    try:
        return parse_whole(text, lowest, highest)
    except ValueError as error:
        raise ValueError(f"genfens {name}: {error}") from None


def read_book(path):
    """The positions of a book in EPD, or of FENs."""
    from bluekrait.core.notation.fen import parse_fen

    try:
        with open(path, encoding="utf-8") as file:
            positions = [" ".join(line.split()[:4]) for line in file if line.strip()]
        for position in positions:
            parse_fen(position)
    except (OSError, ValueError) as error:
        raise ValueError(f"genfens: {path}: {error}") from None
    if not positions:
        raise ValueError(f"genfens: {path} is empty")
    return positions
