"""Files of wins, draws and losses (WDL, `KRPvKR.rtbw`)."""

from bluekrait.search.syzygy.table_file import Sizes, TableFile
from bluekrait.search.syzygy.table_records import FILES, OUTCOMES, SIDES, TableRecord


class WdlFile(TableFile):
    """A file of outcomes for both sides to move."""

    ENDING = ".rtbw"
    MAGIC = bytes.fromhex("71e8235d")
    record: TableRecord

    def _read(self) -> None:
        self.record = record = TableRecord(self.has_pawns, self.leaders)
        sides = 1 if self.is_symmetric else SIDES  # one view does where both have the same
        files = FILES if self.has_pawns else 1
        views = [[record.views[side * FILES + file] for side in range(sides)] for file in range(files)]
        values, place = self._read_orders(views)
        sizes: list[Sizes] = []
        compressions = [view.compression for both in views for view in both]
        for compression, count in zip(compressions, values, strict=True):
            place = self._read_compression(compression, count, place, sizes)
        if self.largest_value >= OUTCOMES:
            raise ValueError("an outcome is not known")
        self._lay_out(compressions, sizes, place)
