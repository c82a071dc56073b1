"""Perft with vector registers of other sizes than this processor's largest: in processes of their own."""

import json
import os
import platform
import subprocess
import sys

import pytest

from bluekrait.core.compiler import processor
from bluekrait.core.compiler.prebuilt import LINUX, SETS
from helpers.kernels import only_compiled
from helpers.perft_suite import POSITION_3, POSITION_4, POSITION_5, STANDARD

WITH_VECTORS = [each for each in SETS if each.target == LINUX and each.technique == "pext"]
LEVELS = [each for each in WITH_VECTORS if processor.features().issuperset(each.features)]
PROGRAM = """
import json, sys
from bluekrait.core import parse_fen, perft
from bluekrait.core.counting.vectors import LANES

counts = [int(perft(parse_fen(fen), depth)) for fen, depth in json.loads(sys.argv[1])]
print(json.dumps([LANES, counts]))
"""


@only_compiled
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="for x86-64 only")
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.level)
def test_every_size_of_registers_counts_the_same(level):
    trees = [(fen, depth) for fen in (POSITION_3, POSITION_4, POSITION_5) for depth in (1, 2, 3, 4)]
    words = [sys.executable, "-c", PROGRAM, json.dumps(trees)]
    run = subprocess.run(words, env=os.environ | level.settings, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lanes, counts = json.loads(run.stdout)
    assert lanes == (8 if "avx512f" in level.features else 4)
    assert counts == [STANDARD[fen][depth - 1] for fen, depth in trees]
