"""Shuffle more positions than fit into memory, in two passes.

The first pass writes each position to one of several temporary files, the buckets, at random. The second
reads bucket after bucket, shuffles it in memory, and appends it to the output. Every order is equally likely.

The buckets lie in a hidden folder beside the output, named after it. If the process is killed, they are left
behind, and the next shuffle with this output removes them.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

import numpy as np

from bluekrait.tools.common.files.named_file import open_named
from bluekrait.tools.common.files.whole_file import opened_as_draft
from bluekrait.tools.data.derived_head import facts_of
from bluekrait.tools.data.formats.labelled_file import (
    SHUFFLED,
    most_positions,
    opened,
    read_blocks,
    samples_in,
)
from bluekrait.tools.data.formats.sample_array import LAYOUT, Samples
from bluekrait.tools.data.formats.sample_file import Part, in_batches, pack_block, pack_head
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.progress import ProgressLine, count_text

BLOCK_SAMPLES = 4096  # of the result, where blocks are no games
COPIES = 3  # of a bucket in memory at a time
BUFFER = 1 << 20  # bytes that are distributed at a time
MOST_BUCKETS = 512  # files open at a time
MEGABYTE = 1 << 20


def shuffle(names: Sequence[str], output: str, seed: int, megabytes: int) -> int:
    """Write all samples of some files in random order; the exit code.

    ValueError if the output exists: nothing is overwritten.
    """
    size = sum(map(most_positions, names)) * LAYOUT.itemsize
    count = min(MOST_BUCKETS, max(1, -(-size * COPIES // (megabytes * MEGABYTE))))
    rng, line = np.random.default_rng(seed), ProgressLine()
    try:
        with opened_as_draft(output, names) as file, _folder_beside(output) as folder:
            buckets = [os.path.join(folder, str(bucket)) for bucket in range(count)]
            total = _distribute(names, buckets, rng, line)
            head = {"kind": SHUFFLED, "seed": seed, **facts_of(names), SHUFFLED: True}
            file.write(pack_head(head))
            _write(file, _shuffled(buckets, rng), total, line)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        line.clear()
    print(f"{output}: {total} positions of {count_text(len(names), 'file')} in random order")
    return SUCCESS


@contextmanager
def _folder_beside(output: str) -> Iterator[str]:
    """An empty folder for as long as the output is written, which only one process does at a time."""
    place, name = os.path.split(os.path.realpath(output))
    folder = os.path.join(place, f".shuffle-{name}")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _distribute(
    names: Iterable[str], buckets: Sequence[str], rng: np.random.Generator, line: ProgressLine
) -> int:
    """Distribute all samples over the buckets; how many they are."""
    total = 0
    with ExitStack() as stack:
        files = [stack.enter_context(open_named(bucket, "wb")) for bucket in buckets]
        for samples in batches(names):
            places = rng.integers(len(files), size=len(samples))
            for place, file in enumerate(files):
                file.write(samples.compress(places == place).tobytes())
            total += len(samples)
            line.show(f"{total} positions distributed over {len(files)} buckets")
    return total


def batches(names: Iterable[str]) -> Iterator[Samples]:
    """The samples of some files, about a megabyte at a time."""
    return map(samples_in, in_batches(_blocks(names), BUFFER))


def _blocks(names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        with opened(name) as data:
            yield from read_blocks(data)


def _shuffled(buckets: Iterable[str], rng: np.random.Generator) -> Iterator[bytes]:
    """The bodies of blocks, full but for the last of all."""
    rest = np.empty(0, LAYOUT)
    for bucket in buckets:
        samples = np.fromfile(bucket, LAYOUT)
        os.unlink(bucket)
        samples = np.concatenate([rest, samples.take(rng.permutation(len(samples)))])
        whole = len(samples) // BLOCK_SAMPLES * BLOCK_SAMPLES
        for start in range(0, whole, BLOCK_SAMPLES):
            yield samples[start : start + BLOCK_SAMPLES].tobytes()
        rest = samples[whole:]
    if len(rest):
        yield rest.tobytes()


def _write(file: BinaryIO, bodies: Iterable[bytes], total: int, line: ProgressLine) -> None:
    for number, body in enumerate(bodies):
        file.write(pack_block(number, [body]))
        line.show(f"{number * BLOCK_SAMPLES} of {total} positions written")
