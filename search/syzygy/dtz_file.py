"""Files of distances to the next capture or pawn move (DTZ, `KRPvKR.rtbz`).

After what all files have, and before the sparse indices, come lists of distances by outcome, of which the
values are numbers, where that makes the file smaller.
"""

from bluekrait.search.syzygy.table_file import PADDING, Sizes, TableFile
from bluekrait.search.syzygy.table_records import FILES, DistanceRecord, DistanceView
from bluekrait.search.syzygy.wdl import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN

# Flags of a view.
OF_SECOND_SIDE, HAS_LISTS, WINS_IN_HALF_MOVES, LOSSES_IN_HALF_MOVES, IS_WIDE = 1, 2, 4, 8, 16
OUTCOMES_OF_LISTS = (WIN, LOSS, CURSED_WIN, BLESSED_LOSS)  # in their order


class DtzFile(TableFile):
    """A file of distances for one side to move."""

    ENDING = ".rtbz"
    MAGIC = bytes.fromhex("d7660ca5")
    record: DistanceRecord

    def _read(self) -> None:
        self.record = record = DistanceRecord()
        kept = record.views[: FILES if self.has_pawns else 1]
        values, place = self._read_orders([[one.layout] for one in kept])
        sizes: list[Sizes] = []
        flags = []
        for one, count in zip(kept, values, strict=True):
            flags.append(self._bytes[place])
            place = self._read_compression(one.layout.compression, count, place, sizes)
        for one, flag in zip(kept, flags, strict=True):
            place = self._read_lists(one, flag, place)
        self._lay_out([one.layout.compression for one in kept], sizes, place + (place & 1))

    def _read_lists(self, kept: DistanceView, flags: int, place: int) -> int:
        """Read what the values of a view mean; where the next view's lists begin."""
        is_either_side = self.is_symmetric and not self.has_pawns
        kept.side = 0 if is_either_side else flags & OF_SECOND_SIDE
        kept.bytes = 2 if flags & IS_WIDE else 1
        for outcome in (LOSS, BLESSED_LOSS, DRAW, CURSED_WIN, WIN):
            in_half_moves = flags & {WIN: WINS_IN_HALF_MOVES, LOSS: LOSSES_IN_HALF_MOVES}.get(outcome, 0)
            kept.half_moves[outcome - LOSS] = 1 if in_half_moves else 2
        if flags & HAS_LISTS:
            place += place & (kept.bytes - 1)
            for outcome in OUTCOMES_OF_LISTS:
                length = self._number_at(place, kept.bytes)
                kept.lists[outcome - LOSS] = self._start + place + kept.bytes
                if place + kept.bytes * (1 + self.largest_value) + PADDING > len(self._bytes):
                    raise ValueError("it is cut off")
                place += kept.bytes * (1 + length)
        return place
