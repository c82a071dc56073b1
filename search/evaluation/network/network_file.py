"""The file of a network: what it computes, how it is laid out, reading and writing.

What it computes, for the side to move:

* Each side sees the board as its own: its back rank is rank 1, and if its king stands on the files e to h,
  left and right are exchanged. A piece is the input `(enemy * kinds + kind) * 64 + (square ^ mirror)`: enemy
  is 1 for the other side's pieces, kind is 0 to 5 for pawn, knight, bishop, rook, queen, king, square is 0
  for a1 to 63 for h8 as that side sees it, mirror is 7 or 0. If there are seven `kinds`, 6 is a passed pawn.
* Each side has `width` hidden numbers: the feature biases, and the feature weights of every piece, which are
  others in each of the `regions` where that side's king may stand. If there are two sets of `threats`, the
  second one is for pieces that a piece of the other colour attacks. Both sides have the same weights. The
  numbers are clipped to 0 ... QA, and squared.
* The output weights of one of the `buckets`, by the number of pieces on the board, are multiplied with these
  squares, the half of the side to move first. With the output bias, the sum is `output` * QA * QA * QB.
* The evaluation is 400 * output in the engine's units, rounded to the nearest, halves up. The kind `residual`
  adds to it `classical * factor` rounded down: the classical evaluation of the position in the measure that
  the network was trained with.

What the file holds, all numbers little-endian:

    magic "BKNN"; version, u32; length of the head, u32; the head, JSON; zeros up to a multiple of 64
    feature weights, i8 [regions][threats][2][kinds][64][width]      feature biases, i16 [width]
    output weights, i16 [buckets][2][width]       output biases, i32 [buckets]
    CRC-32 of everything before, u32
"""

import struct
import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

MAGIC = b"BKNN"
VERSION = 2  # in version 1, feature weights had 16 bits
SIDES, SQUARES = 2, 64
NARROWEST, WIDEST, WIDTH_STEP = 32, 1024, 32
BUCKET_COUNTS = (1, 8)
REGION_COUNTS = (1, 4)
THREAT_COUNTS = (1, 2)
KIND_COUNTS = (6, 7)
BARE, RESIDUAL = "bare", "residual"
QA, QB = 127, 128  # what stands for 1 in the hidden numbers, and in the output weights
SCALE = 400  # units of the engine's evaluation in an output of 1
LARGEST_OUTPUT_WEIGHT = ((1 << 15) - 1) // QA  # so that its product with a clipped number is an i16
ALIGNMENT = 64

_START = struct.Struct("<4sII")
_CHECKSUM = struct.Struct("<I")
_LONGEST_HEAD = 1 << 16
_FIXED = {"activation": "screlu", "mirrored": True, "qa": QA, "qb": QB, "scale": SCALE}


class NetworkError(ValueError):
    """A file holds no network that can be used; the message says why, in one line."""


class Head(NamedTuple):
    """What a file says of its network."""

    width: int  # hidden numbers of each side
    buckets: int = 1  # sets of output weights
    kind: str = BARE
    factor: tuple[int, int] = (1, 1)  # of the classical evaluation in a residual: numerator and denominator
    name: str = ""
    licence: str = ""
    data: dict[str, Any] = {}  # of the training: digest, positions, settings, engine version
    regions: int = 1  # sets of feature weights, see `region_of`
    threats: int = 1  # sets of them in each region: for all pieces, or one for those that are attacked
    kinds: int = 6  # of pieces: 7 if passed pawns are another kind than other pawns


class Network(NamedTuple):
    """A network as it stands in its file: little-endian bytes of each array."""

    head: Head
    feature_weights: bytes
    feature_biases: bytes
    output_weights: bytes
    output_biases: bytes

    @property
    def arrays(self) -> bytes:
        """The arrays one behind the other: what the engine computes with."""
        return b"".join(self[1:])


def bucket_of(pieces: int, buckets: int) -> int:
    """Which output weights are used with so many pieces on the board, kings included."""
    return min(max((pieces - 2) * buckets // 31, 0), buckets - 1)


def region_of(king: int, regions: int) -> int:
    """Which feature weights a side has whose king stands on a square, as that side sees it.

    Of four regions, region 0 is where a king has castled, the outer two files of the back rank on both wings;
    1 the rest of the back rank; 2 the second rank; 3 the rest of the board.
    """
    rank, file = divmod(king, 8)
    return 0 if regions == 1 else (rank > 0 or 2 <= file <= 5) + (rank > 0) + (rank > 1)


def array_sizes(head: Head) -> tuple[int, int, int, int]:
    """Bytes of the four arrays."""
    width, buckets = head.width, head.buckets
    rows = head.regions * head.threats * SIDES * head.kinds * SQUARES
    return rows * width, 2 * width, 2 * buckets * 2 * width, 4 * buckets


def most_bytes() -> int:
    """The size of the largest file that a network can have."""
    regions, threats, kinds = REGION_COUNTS[-1], THREAT_COUNTS[-1], KIND_COUNTS[-1]
    largest = Head(WIDEST, BUCKET_COUNTS[-1], regions=regions, threats=threats, kinds=kinds)
    return aligned(_START.size + _LONGEST_HEAD) + sum(array_sizes(largest)) + _CHECKSUM.size


def pack(network: Network) -> bytes:
    """The content of a network file. The arrays may be anything that `bytes` accepts, also from NumPy."""
    import json

    head = network.head
    arrays = [bytes(part) for part in network[1:]]
    _check_head(head)
    _check_arrays(head, arrays)
    text = json.dumps(_as_json(head), ensure_ascii=True, sort_keys=True).encode("ascii")
    if len(text) > _LONGEST_HEAD:
        raise NetworkError(f"its head would have {len(text)} bytes, at most {_LONGEST_HEAD} are possible")
    start = _START.pack(MAGIC, VERSION, len(text)) + text
    body = start.ljust(aligned(len(start)), b"\0") + b"".join(arrays)
    return body + _CHECKSUM.pack(zlib.crc32(body))


def unpack(content: bytes) -> Network:
    """The network in the content of a file; a NetworkError if it cannot be used."""
    if len(content) < _START.size or not is_network(content):
        raise NetworkError("this is no network of BlueKrait")
    _, version, length = _START.unpack_from(content)
    if version != VERSION:
        raise NetworkError(f"its format is version {version}, and this engine reads version {VERSION}")
    place = _START.size + length
    if length > _LONGEST_HEAD:
        raise NetworkError("it is damaged: its head is impossibly long")
    if len(content) < place + _CHECKSUM.size:
        raise NetworkError("it is truncated: it ends within its head")
    head = _head_from(bytes(content[_START.size : place]))
    place, sizes = aligned(place), array_sizes(head)
    expected = place + sum(sizes) + _CHECKSUM.size
    if len(content) < expected:
        raise NetworkError(f"it is truncated: {len(content)} of {expected} bytes are there")
    if len(content) > expected:
        raise NetworkError(f"it is damaged: it goes on after its {expected} bytes")
    if _CHECKSUM.unpack_from(content, expected - _CHECKSUM.size)[0] != _checksum_of(content):
        raise NetworkError("it is damaged: its checksum is wrong")
    arrays = []
    for size in sizes:
        arrays.append(bytes(content[place : place + size]))
        place += size
    _check_arrays(head, arrays)
    return Network(head, *arrays)


def is_network(content: bytes) -> bool:
    """Whether a file that begins so claims to be a network."""
    return bytes(content[: len(MAGIC)]) == MAGIC


def read_network(path: str) -> Network:
    """The network in a file; a NetworkError if there is none that can be used."""
    return unpack(read_content(path))


def read_content(path: str) -> bytes:
    """The content of a file that may be a network, or as much of it as tells that it is none.

    A NetworkError if it cannot be read.
    """
    from bluekrait.search.ordinary_file import open_ordinary  # here, since `make` loads this module alone

    try:
        with open_ordinary(path) as file:
            return file.read(most_bytes() + 1)
    except OSError as error:
        raise NetworkError(error.strerror or str(error)) from None


def aligned(place: int) -> int:
    """The next place at which an array may begin."""
    return -(-place // ALIGNMENT) * ALIGNMENT


def _checksum_of(content: bytes) -> int:
    return zlib.crc32(memoryview(content)[: -_CHECKSUM.size])


def _as_json(head: Head) -> dict[str, Any]:
    numerator, denominator = head.factor
    factor = {"numerator": numerator, "denominator": denominator}
    return {**head._asdict(), "factor": factor, **_FIXED}


def _head_from(text: bytes) -> Head:
    import json  # only where there is a network: it takes time

    try:
        entries = json.loads(text)
        for name, value in _FIXED.items():
            if entries[name] != value:
                raise NetworkError(f"its architecture is another: {name} is {entries[name]!r}, not {value!r}")
        factor = entries["factor"]["numerator"], entries["factor"]["denominator"]
        for name in "regions", "threats", "kinds":
            entries.setdefault(name, Head._field_defaults[name])  # files from before there were others
        head = Head(**{name: entries[name] for name in Head._fields if name != "factor"}, factor=factor)
    except NetworkError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError):
        raise NetworkError("it is damaged: its head cannot be read") from None
    _check_head(head)
    return head


def _check_head(head: Head) -> None:
    if not (_is_whole(head.width, NARROWEST, WIDEST) and head.width % WIDTH_STEP == 0):
        known = f"a multiple of {WIDTH_STEP} from {NARROWEST} to {WIDEST}"
        raise NetworkError(f"its architecture is another: its width is {head.width!r}, not {known}")
    _check_count(head.buckets, BUCKET_COUNTS, "output buckets")
    _check_count(head.regions, REGION_COUNTS, "king regions")
    _check_count(head.threats, THREAT_COUNTS, "sets of weights for attacked pieces")
    _check_count(head.kinds, KIND_COUNTS, "kinds of pieces")
    if head.kind not in (BARE, RESIDUAL):
        known = f"{BARE} or {RESIDUAL}"
        raise NetworkError(f"its architecture is another: its kind is {head.kind!r}, not {known}")
    if not all(_is_whole(part, 1, 1 << 20) for part in head.factor):
        raise NetworkError("it is damaged: its factor is no fraction of positive whole numbers")
    if not (isinstance(head.name, str) and isinstance(head.licence, str) and isinstance(head.data, dict)):
        raise NetworkError("it is damaged: its head cannot be read")


def _check_count(count: object, known: tuple[int, int], name: str) -> None:
    if count not in known or isinstance(count, (bool, float)):
        raise NetworkError(
            f"its architecture is another: {count!r} {name} instead of {known[0]} or {known[1]}"
        )


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _check_arrays(head: Head, arrays: Sequence[bytes]) -> None:
    if tuple(map(len, arrays)) != array_sizes(head):
        raise NetworkError("its arrays are not as long as its head says")
    weights = array("h", arrays[2])
    if sys.byteorder == "big":
        weights.byteswap()
    if max(weights) > LARGEST_OUTPUT_WEIGHT or min(weights) < -LARGEST_OUTPUT_WEIGHT:
        raise NetworkError(f"an output weight is beyond {LARGEST_OUTPUT_WEIGHT}")
