"""The file of a network: what is written is read again, and nothing else is taken for one."""

import json
import os
import struct
import zlib

import pytest

from bluekrait.search.evaluation.network.network_file import (
    RESIDUAL,
    Head,
    Network,
    NetworkError,
    array_sizes,
    bucket_of,
    pack,
    read_network,
    unpack,
)
from helpers.network.huge_files import little_memory, sparse_file
from helpers.network.networks import random_network

NETWORK = random_network(32, buckets=8, kind=RESIDUAL, factor=(400, 173))
CONTENT = pack(NETWORK)
HEAD = json.loads(CONTENT[12 : 12 + struct.unpack_from("<I", CONTENT, 8)[0]])


def file_of(head, arrays=NETWORK.arrays):
    """A file with this text for its head, and with the right checksum."""
    start = struct.pack("<4sII", b"BKNN", 2, len(head)) + head.encode()
    body = start.ljust(-(-len(start) // 64) * 64, b"\0") + arrays
    return body + struct.pack("<I", zlib.crc32(body))


def test_what_was_written_is_read_again(tmp_path):
    (tmp_path / "one.bknn").write_bytes(CONTENT)
    assert read_network(tmp_path / "one.bknn") == NETWORK


def test_equal_networks_make_equal_files():
    assert pack(NETWORK) == CONTENT


def test_files_from_before_there_were_sets_and_kinds_are_read():
    older = {name: HEAD[name] for name in HEAD if name not in ("regions", "threats", "kinds")}
    assert unpack(file_of(json.dumps(older))) == NETWORK


def test_the_arrays_begin_with_a_cache_line():
    assert CONTENT.index(NETWORK.arrays) % 64 == 0
    assert CONTENT.index(NETWORK.arrays) + len(NETWORK.arrays) + 4 == len(CONTENT)


def test_buckets_divide_the_numbers_of_pieces():
    assert [bucket_of(pieces, 1) for pieces in range(2, 33)] == [0] * 31
    buckets = [bucket_of(pieces, 8) for pieces in range(2, 33)]
    assert buckets == sorted(buckets)
    assert set(buckets) == set(range(8))
    assert (bucket_of(1, 8), bucket_of(40, 8)) == (0, 7)


@pytest.mark.parametrize("size", [*range(0, 700, 7), *range(700, len(CONTENT), 4999), len(CONTENT) - 1])
def test_truncated_files_are_refused(size):
    with pytest.raises(NetworkError, match="truncated|no network"):
        unpack(CONTENT[:size])


@pytest.mark.parametrize("place", [*range(0, 700, 3), *range(700, len(CONTENT), 4999), len(CONTENT) - 1])
def test_damaged_files_are_refused(place):
    damaged = bytearray(CONTENT)
    damaged[place] ^= 0x10
    with pytest.raises(NetworkError) as refusal:
        unpack(damaged)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no network"),
        (b"\x89PNG" + bytes(100), "no network"),
        (CONTENT + b"x", "damaged"),
        (CONTENT.replace(b'"screlu"', b'"crelu" '), "architecture is another: activation"),
        (CONTENT.replace(b'"width": 32', b'"width": 33'), "architecture is another: its width is 33"),
        (CONTENT.replace(b'"buckets": 8', b'"buckets": 4'), "architecture is another: 4 output buckets"),
        (CONTENT.replace(b'"kinds": 6', b'"kinds": 5'), "architecture is another: 5 kinds of pieces"),
        (CONTENT.replace(b'"kind": "residual"', b'"kind": "whatever"'), "architecture is another: its kind"),
        (CONTENT.replace(b'"denominator": 173', b'"denominator": 000'), "damaged"),
        (CONTENT.replace(b'"qa": 127', b'"qa": 255'), "architecture is another: qa"),
        (b"BKNN\x01" + CONTENT[5:], "version 1, and this engine reads version 2"),
    ],
)
def test_foreign_files_are_refused(content, reason):
    with pytest.raises(NetworkError, match=reason):
        unpack(content)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"width": 0}, "its width is 0"),
        ({"width": 1056}, "its width is 1056"),
        ({"width": 32.0}, "its width is 32.0"),
        ({"regions": 2}, "2 king regions instead of 1 or 4"),
        ({"regions": 1.0}, "1.0 king regions"),
        ({"threats": 3}, "3 sets of weights"),
        ({"threats": True}, "True sets of weights"),
        ({"factor": {"numerator": 1, "denominator": (1 << 20) + 1}}, "its factor"),
        ({"factor": {"numerator": 0.5, "denominator": 1}}, "its factor"),
        ({"factor": [1, 1]}, "its head cannot be read"),
        ({"name": 7}, "its head cannot be read"),
        ({"licence": None}, "its head cannot be read"),
        ({"data": []}, "its head cannot be read"),
    ],
    ids=str,
)
def test_heads_of_other_networks_are_refused(changes, reason):
    with pytest.raises(NetworkError, match=reason):
        unpack(file_of(json.dumps(HEAD | changes)))


@pytest.mark.parametrize(
    "head", ["", "[]", "{}", "[" * 50_000], ids=["empty", "list", "without entries", "deep"]
)
def test_heads_that_are_none_are_refused(head):
    with pytest.raises(NetworkError, match="its head cannot be read"):
        unpack(file_of(head))


def test_no_file_is_made_that_would_be_refused():
    head = NETWORK.head._replace(name=None)
    with pytest.raises(NetworkError, match="its head cannot be read"):
        pack(NETWORK._replace(head=head))


def test_a_head_that_is_too_long_is_not_written():
    head = NETWORK.head._replace(name="x" * (1 << 16))
    with pytest.raises(NetworkError, match="its head would have"):
        pack(NETWORK._replace(head=head))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(NetworkError, match="No such file"):
        read_network(tmp_path / "none.bknn")


@pytest.mark.parametrize(("beginning", "reason"), [(b"", "no network"), (CONTENT, "it goes on after its")])
def test_a_huge_file_is_refused_without_reading_it_all(tmp_path, beginning, reason):
    sparse_file(tmp_path / "huge.bknn", beginning)
    with pytest.raises(NetworkError, match=reason), little_memory():
        read_network(tmp_path / "huge.bknn")


def test_the_largest_network_is_read(tmp_path):
    head = Head(1024, buckets=8, regions=4, threats=2, kinds=7)
    largest = Network(head, *map(bytes, array_sizes(head)))
    (tmp_path / "largest.bknn").write_bytes(pack(largest))
    assert read_network(tmp_path / "largest.bknn") == largest


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.bknn")
    with pytest.raises(NetworkError, match="not an ordinary file"):
        read_network(tmp_path / "pipe.bknn")


def with_output_weight(weight):
    """The network with this output weight in the first place."""
    weights = weight.to_bytes(2, "little", signed=True) + NETWORK.output_weights[2:]
    return NETWORK._replace(output_weights=weights)


@pytest.mark.parametrize("weight", [-259, 259, -1 << 15])
def test_weights_that_would_overflow_are_refused(weight):
    network = with_output_weight(weight)
    with pytest.raises(NetworkError, match="beyond 258"):
        pack(network)
    with pytest.raises(NetworkError, match="beyond 258"):
        unpack(file_of(json.dumps(HEAD), network.arrays))


@pytest.mark.parametrize("weight", [-258, 258])
def test_the_largest_weights_are_read(weight):
    network = with_output_weight(weight)
    assert unpack(pack(network)) == network


def test_arrays_of_another_length_are_refused():
    with pytest.raises(NetworkError, match="as long as"):
        pack(NETWORK._replace(feature_biases=b"12"))
