"""The classical way: for each of the eight directions, the ray on an empty board, without what is behind the
first piece.

    . . . x . . . .      the ray north of d2 ...
    . . . x . . . .
    . . . # . . . .      ... has a piece on d6: remove the ray north of d6
    . . . x . . . .

The first piece is the lowest bit on a ray that runs up the board, and the highest on one that runs down. The
bit of the last square of the board is always set, so that there is no need to ask whether there is any piece:
no ray starts from that corner.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64, lowest_square
from bluekrait.core.sliders import loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.sliders.instructions import highest_square
from bluekrait.core.tables import geometry

ABOUT = About(
    name="classical",
    inventor="David Slate and Larry Atkin",
    year=1977,
    reference="Chess 4.5: the Northwestern University chess program, in Chess Skill in Man and Machine",
    table_bytes=64 * 8 * 8,
    depends_on="bit scans in both directions",
)

_UP = ((1, 0), (0, 1), (1, 1), (-1, 1))
_DOWN = ((-1, 0), (0, -1), (-1, -1), (1, -1))
_EAST, _NORTH, _NORTH_EAST, _NORTH_WEST, _WEST, _SOUTH, _SOUTH_WEST, _SOUTH_EAST = (U64(i) for i in range(8))
_EIGHT = U64(8)
_A1, _H8 = U64(1), U64(1 << 63)


def _rays() -> bytes:
    return technique_tables.pack(
        geometry.slides(square, (step,)) for square in range(64) for step in _UP + _DOWN
    )


_ray = loads.word_reader(ABOUT.name, _rays)


@inline(uint64(uint64, uint64, uint64))
def _up(square, occupied, direction):
    ray = _ray(square * _EIGHT + direction)
    return ray ^ _ray(lowest_square((occupied & ray) | _H8) * _EIGHT + direction)


@inline(uint64(uint64, uint64, uint64))
def _down(square, occupied, direction):
    ray = _ray(square * _EIGHT + direction)
    return ray ^ _ray(highest_square((occupied & ray) | _A1) * _EIGHT + direction)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    upwards = _up(square, occupied, _NORTH) | _up(square, occupied, _EAST)
    return upwards | _down(square, occupied, _SOUTH) | _down(square, occupied, _WEST)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    upwards = _up(square, occupied, _NORTH_EAST) | _up(square, occupied, _NORTH_WEST)
    return upwards | _down(square, occupied, _SOUTH_WEST) | _down(square, occupied, _SOUTH_EAST)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
