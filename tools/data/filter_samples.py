"""Write the positions of files of either format that pass filters, 32 bytes each."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from bluekrait.tools.common.files.whole_file import opened_as_draft
from bluekrait.tools.data.derived_head import facts_of
from bluekrait.tools.data.formats.game_samples import Filters
from bluekrait.tools.data.formats.labelled_file import filtered_batches, opened
from bluekrait.tools.data.formats.sample_array import LAYOUT, Samples, blocks_of, hashes_of
from bluekrait.tools.data.formats.sample_file import pack_block, pack_head
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.progress import ProgressLine, count_text

KIND = "filtered"
BLOCK_SAMPLES = 4096
TOGETHER = 1 << 21  # samples that are compared with all previous ones in one operation


def write_filtered(names: Sequence[str], output: str, filters: Filters, dedupe: bool) -> int:
    """Write the positions of some files that pass the filters; the exit code.

    ValueError if the output exists: nothing is overwritten.
    """
    line, total = ProgressLine(), 0
    head = {"kind": KIND, **filters._asdict(), "dedupe": dedupe, **facts_of(names)}
    batches = _all_batches(names, filters)
    if dedupe:
        batches = _firsts(_gathered(batches))
    try:
        with opened_as_draft(output, names) as file:
            file.write(pack_head(head))
            for number, samples in enumerate(blocks_of(batches, BLOCK_SAMPLES)):
                file.write(pack_block(number, [samples.tobytes()]))
                total += len(samples)
                line.show(f"{total} positions written")
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        line.clear()
    print(f"{output}: {total} positions of {count_text(len(names), 'file')}")
    return SUCCESS


def _all_batches(names: Iterable[str], filters: Filters) -> Iterator[Samples]:
    for name in names:
        with opened(name) as data:
            yield from filtered_batches(data, filters)


def _gathered(batches: Iterable[Samples]) -> Iterator[Samples]:
    """The same samples in larger arrays."""
    waiting, size = [], 0
    for samples in batches:
        waiting.append(samples)
        size += len(samples)
        if size >= TOGETHER:
            yield np.concatenate(waiting)
            waiting, size = [], 0
    yield np.concatenate([np.empty(0, LAYOUT), *waiting])


def _firsts(batches: Iterable[Samples]) -> Iterator[Samples]:
    """The samples whose positions did not occur before."""
    seen = np.empty(0, np.uint64)  # sorted
    for samples in batches:
        hashes, places = np.unique(hashes_of(samples), return_index=True)
        before = np.searchsorted(seen, hashes)
        new = before == np.searchsorted(seen, hashes, side="right")
        seen = np.insert(seen, before[new], hashes[new])
        yield samples.take(np.sort(places[new]))
