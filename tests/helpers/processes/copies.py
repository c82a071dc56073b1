"""Copies of the sources for tests to edit or damage, each with a home and caches that nothing else uses."""

import os
import shutil
import subprocess
import sys
import zlib

FOLDERS = ("core", "search", "uci")
PATIENCE = 600  # seconds; nothing is timed, this only keeps a hanging test from hanging for ever

PERFT = """
import sys
from bluekrait.search.engine import load_engine

engine = load_engine()
engine.set_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [])
print(engine.perft(3).nodes, *{"numba"} & set(sys.modules), *{"numpy"} & set(sys.modules))
"""

# The same by the rules alone, which compile in a fraction of the time.
PERFT_OF_RULES = """
import sys
from bluekrait.core import native
from bluekrait.core.counting.perft_threads import Perft
from bluekrait.core.notation.fen import parse_fen

position = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
nodes = Perft(native.load("bluekrait.core.rules_entries")).run(position, 3).nodes
print(nodes, *{"numba"} & set(sys.modules), *{"numpy"} & set(sys.modules))
"""
WARM, COMPILED = "97862\n", "97862 numba numpy\n"  # what they print

WARMUP = ("-m", "bluekrait.uci", "warmup")

FINGERPRINT = "from bluekrait.core.compiler import cache; print(cache.fingerprint())"

# The pawn takes a pawn that a pawn defends: even, unless the copy was edited so that it does not capture.
EXCHANGE = """
from bluekrait.core import parse_fen, see_at_least
from bluekrait.core.board import PAWN
from bluekrait.core.move import pack

board = parse_fen("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1").board
{interlude}
print(see_at_least(board, pack(28, 35, PAWN, PAWN), 1))
"""


class Installation:
    """A copy of the engine with a home, a temporary directory and a cache of its own."""

    def __init__(self, place):
        self.sources = place / "sources"
        self.home = place / "home"
        self.temporary = place / "temporary"
        self.cache = place / "the cache of Zoë"
        self.settings = {}  # environment variables; None for one that is not to be there
        self.before = []  # words before every command

    def furnish(self, sources):
        """Make the directories, and copy the sources into theirs."""
        copy_sources(sources, self.sources / "bluekrait")
        self.home.mkdir()
        self.temporary.mkdir()
        return self

    def start(self, *arguments, **streams):
        """A Python process that finds this installation."""
        streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE) | streams
        return subprocess.Popen(
            [*self.before, sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            env=self._environment(),
            cwd=self.temporary,
            text=True,
            **streams,
        )

    def run(self, *arguments, **settings):
        """Exit code, output and errors of such a process."""
        process = self.start(*arguments, **settings)
        output, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, output, errors

    def output(self, program, **settings):
        """What a program prints that must succeed and not complain."""
        code, output, errors = self.run("-c", program, **settings)
        assert (code, errors) == (0, ""), errors
        return output

    def directory(self):
        """The directory of the cache for the environment as it is now."""
        return self.cache / self.output(FINGERPRINT).strip()

    def file(self, pattern):
        """The one file of the cache with such a name."""
        (path,) = self.cache.rglob(pattern)
        return path

    def kernels(self):
        """The names of all compiled functions in the cache, by the names of their files."""
        files = (path for path in self.cache.rglob("*") if path.suffix in {".kernel", ".part"})
        return {path.name: path.name.rpartition("-")[0] for path in files}

    def _environment(self):
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BLUEKRAIT_"))
        }
        own = {
            "PYTHONPATH": self.sources,
            "PYTHONDONTWRITEBYTECODE": "1",  # an edit within the same second must count
            "HOME": self.home,
            "TMPDIR": self.temporary,
            "XDG_CACHE_HOME": None,
            "BLUEKRAIT_CACHE_DIR": self.cache,
        }
        wanted = inherited | own | self.settings
        return {name: os.fspath(value) for name, value in wanted.items() if value is not None}


def copy_sources(origin, target):
    """Copy what the engine consists of."""
    for folder in FOLDERS:
        shutil.copytree(origin / folder, target / folder, ignore=shutil.ignore_patterns("__pycache__"))


def edit(path, old, new):
    """Replace a passage of a source, which must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def seal(payload):
    """The payload with the checksum that the cache expects behind it."""
    return payload + zlib.crc32(payload).to_bytes(4, "little")


def flip_a_bit(content):
    """The content with one bit of its middle changed."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0x10]) + content[middle + 1 :]


DAMAGES = {
    "emptied": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "without its last byte": lambda content: content[:-1],
    "one bit flipped": flip_a_bit,
    "zeroed": lambda content: bytes(len(content)),
    "grown": lambda content: content + b"\0",
    "another file": lambda content: b"#!/bin/sh\nrm -rf /\n",
}
