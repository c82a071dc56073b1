"""`genfens`: balanced openings for other programs, in the format of OpenBench.

    genfens 100 seed 7 book None            random openings
    genfens 100 seed 7 book Books/uho.epd   random continuations of the book's lines

Each opening is one line, `info string genfens <FEN>`. The same seed and book give the same openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from bluekrait.search.playing.random_openings import PLIES, balanced_openings
from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.protocol.bench import with_new_engine
from bluekrait.uci.protocol.position_file import FIELDS_OF_EPD, read_positions

if TYPE_CHECKING:
    from bluekrait.uci.session import Session

MOST_OPENINGS = 10_000_000
LARGEST_SEED = 2**64 - 1
BOOK_PLIES = (2, 3)  # random moves after a line of a book, which is an opening already
THREADS, MEGABYTES = 1, 16  # always the same, because the search that judges openings must be reproducible
NO_BOOK = "none"


def genfens(session: Session, words: list[str]) -> None:
    """Print openings until there are enough, or until `stop`."""
    count, seed, book = _parse(words)
    beginnings: Sequence[str | None] = (None,) if book is None else read_book(book)
    plies = PLIES if book is None else BOOK_PLIES
    openings = balanced_openings(session.engine, seed, beginnings, plies)
    for fen in with_new_engine(session, THREADS, MEGABYTES, islice(openings, count)):
        session.say(f"info string genfens {fen}")


def _parse(words: list[str]) -> tuple[int, int, str | None]:
    """Number of openings, seed, and the book's path, None for no book. Other words are ignored."""
    if len(words) < 1:
        raise ValueError("expected genfens <number> seed <number> book <file or None>")
    count = _whole("number", words[0], 1, MOST_OPENINGS)
    settings = dict(zip(words[1::2], words[2::2]))
    seed = _whole("seed", settings.get("seed", "1"), 0, LARGEST_SEED)
    book = settings.get("book", NO_BOOK)
    return count, seed, None if book.lower() == NO_BOOK else book


def _whole(name: str, text: str, lowest: int, highest: int) -> int:
    try:
        return parse_whole(text, lowest, highest)
    except ValueError as error:
        raise ValueError(f"genfens {name}: {error}") from None


def read_book(path: str) -> list[str]:
    """The positions of a book, without their counters."""
    return [" ".join(fen.split()[:FIELDS_OF_EPD]) for fen in read_positions(path)]
