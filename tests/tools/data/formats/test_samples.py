"""Samples: as they are packed, and as lines of text."""

import pytest

from bluekrait.core.notation.fen import parse_fen
from bluekrait.tools.data.formats.samples import (
    LOST,
    WON,
    Sample,
    pack_sample,
    sample_from_text,
    unpack_sample,
)
from helpers.labelled import some_samples


def test_a_sample_is_unpacked_as_it_was_packed():
    for sample in some_samples():
        assert len(pack_sample(sample)) == 32
        assert unpack_sample(pack_sample(sample)) == sample
    longest = some_samples()[0]._replace(clock=255)
    assert unpack_sample(pack_sample(longest._replace(clock=300))) == longest


def test_a_line_of_text_is_seen_by_the_side_to_move():
    fen = "4k3/8/8/8/8/8/4P3/4K3 {} - - 3 1"
    white, black = (sample_from_text(f"{fen.format(side)}; 1; 120") for side in "wb")
    assert white == Sample(parse_fen(fen.format("w")).board, 120, 0, 0, 3, WON)
    assert black == Sample(parse_fen(fen.format("b")).board, -120, 1, 0, 3, LOST)


LABELLED = "4k3/8/8/8/8/8/8/4K3 w - - 0 1; {}"


@pytest.mark.parametrize("labels", ["1; 120", "1.0; +120", "1.; 120; e1e2"])
def test_labels_may_be_written_in_several_ways(labels):
    sample = sample_from_text(LABELLED.format(labels))
    assert (sample.result, sample.score) == (WON, 120)


def test_a_missing_score_is_told():
    with pytest.raises(ValueError, match="the score is missing"):
        sample_from_text(LABELLED.format("1"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1; 1; 0",
        *map(
            LABELLED.format,
            ("3; 0", "0.3; 20", "inf; 20", "nan; 20", "; 20", "1", "1; ", "1; high", "1; 32001", "1; +-5"),
        ),
    ],
)
def test_a_bad_line_of_text_is_refused(line):
    with pytest.raises(ValueError):
        sample_from_text(line)
