"""Without Numba's compiler the same functions are plain Python: slow, and with the same answers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.processes import answers


@pytest.fixture(scope="module")
def interpreted():
    """The answers of a process that compiles nothing and lets no warning pass."""
    program = Path(answers.__file__)
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-W", "error", program], env=settings, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


def test_compiled_and_interpreted_code_agree(interpreted):
    assert interpreted == json.loads(json.dumps(answers.answers()))


def test_interpreted_perft_is_right(interpreted):
    trees = [position[-2:] for position in interpreted.values()]
    assert trees == [
        [[1, 20, 400], [400, 8902]],
        [[1, 48, 2039], [2039, 97862]],
        [[1, 21, 528], [528, 12189]],
        [[1, 31, 707], [707, 21637]],
        [[1, 6, 264], [264, 9467]],
        [[1, 0, 0], [0, 0]],
    ]
