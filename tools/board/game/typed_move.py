"""A move as people type it: in any notation, and without regard to capitals where that leaves no doubt."""

import re
from collections.abc import Iterator

from bluekrait.search.library.position import Move, Position

PASSED_OVER = re.compile(r"\s+|e\.?p\.?$")
SQUARES = re.compile(r"[a-h][1-8][-x]?[a-h][1-8]")
PROMOTION = re.compile(r"([a-h][18])=?\(?([nbrq])\)?$")


def typed_move(position: Position, text: str) -> Move:
    """The legal move that a text means. ValueError if there is none, or if it is ambiguous.

    What is right as it stands comes first: `bxc3` is a pawn's move, and a bishop's only where no pawn has it.
    """
    errors = []
    for spelling in _spellings(PASSED_OVER.sub("", text).replace("–", "-").replace(":", "x")):
        try:
            return position.move(spelling)
        except ValueError as error:
            errors.append(error)
    raise next((error for error in errors if "ambiguous" in str(error)), errors[0])


def _spellings(text: str) -> Iterator[str]:
    """Ways to spell a text, the nearest first."""
    yield text
    small = text.lower()
    promoting = PROMOTION.sub(lambda match: f"{match[1]}={match[2].upper()}", small)  # e8q is e8=Q
    if SQUARES.match(small):  # B1C3 is no bishop's move
        yield from (small, promoting)
    else:
        yield from (text[:1] + promoting[1:], promoting, text[:1].upper() + small[1:])
