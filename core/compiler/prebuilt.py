"""Compiled code that came with the package: with it, the first start compiles nothing.

`tools/prebuild.py` puts into a wheel, or into the file that `make` builds, what the cache would hold after
the first start: once for each set of SETS, in a folder of its own. The files are those of
`core.compiler.cache`, with the same names, which tell the sources, and with the same checksums. So they do
not count once a source is edited.

The code depends on the system and on what the processor can, and on nothing else: an entry stands alone
(see `core.native`), so Python, Numba and llvmlite may be others than those it was made with.
"""

import os
import sys
from typing import NamedTuple

from bluekrait.core.compiler import cpuid, processor

FOLDER = "prebuilt_code"  # beside this file

# The levels of x86-64, as its common ABI defines them, by LLVM's names.
_V2 = ("cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")

# They may change the code, and are not told apart here: who sets them wants to see what they do.
_VARIABLES_OF_THE_COMPILER = (
    *("NUMBA_OPT", "NUMBA_ENABLE_AVX", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE"),
    *("NUMBA_DEBUGINFO", "NUMBA_DEBUG", "NUMBA_BOUNDSCHECK"),
)


class Target(NamedTuple):
    """A system and a kind of processors."""

    system: str  # as `sys.platform` has it
    machine: str  # as `cpuid.machine` has it
    triple: str  # what LLVM calls both; on Windows, with the format of object files that Numba uses there
    wheel_tag: str


LINUX = Target("linux", "x86_64", "x86_64-unknown-linux-gnu", "linux_x86_64")
WINDOWS = Target("win32", "x86_64", "x86_64-pc-windows-msvc-elf", "win_amd64")
LINUX_ARM = Target("linux", "aarch64", "aarch64-unknown-linux-gnu", "linux_aarch64")
TARGETS = (LINUX, WINDOWS, LINUX_ARM)


class Set(NamedTuple):
    """Code for a system and a level of processors, with one way to find slider attacks."""

    target: Target
    level: str  # LLVM has a processor of that name
    technique: str
    features: tuple[str, ...]  # all that the code may use, beyond what every such processor has

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables with which Numba compiles such code, and with which it is chosen."""
        return {
            "NUMBA_CPU_NAME": self.level,
            "NUMBA_CPU_FEATURES": ",".join(f"+{feature}" for feature in self.features),
            "BLUEKRAIT_SLIDERS": self.technique,
        }

    @property
    def folder(self) -> str:
        """The name of the folder with its files."""
        return f"{self.target.wheel_tag}-{self.level}-{self.technique}"


_X86_SETS = (  # the best first
    ("x86-64-v4", "pext", _V4),
    ("x86-64-v3", "pext", _V3),
    ("x86-64-v3", "magic", _V3),
    ("x86-64-v2", "magic", _V2),
)
SETS = (
    *(Set(LINUX, *each) for each in _X86_SETS),
    *(Set(WINDOWS, *each) for each in _X86_SETS),
    Set(LINUX_ARM, "generic", "magic", ()),
)


def read(file: str) -> bytes | None:
    """The content of the file of that name, in the cache's envelope; None if there is none that fits."""
    chosen = chosen_set()
    if chosen is None or __spec__ is None or __spec__.loader is None:
        return None
    try:  # the package may lie in an archive
        path = os.path.join(os.path.dirname(__file__), FOLDER, chosen.folder, file)
        content: bytes = __spec__.loader.get_data(path)  # type: ignore[attr-defined]
        return content
    except OSError:
        return None


def chosen_set() -> Set | None:
    """The best set for this system and this processor; None if there is none, or none is wanted."""
    if os.environ.get("BLUEKRAIT_PREBUILT") == "0" or sys.maxsize < 1 << 32:
        return None
    if any(name in os.environ for name in _VARIABLES_OF_THE_COMPILER):
        return None
    here = sys.platform, cpuid.machine()
    candidates = [each for each in SETS if (each.target.system, each.target.machine) == here]
    if not candidates:
        return None
    technique = os.environ.get("BLUEKRAIT_SLIDERS") or processor.slider_technique()
    features = processor.features()
    fitting = (each for each in candidates if each.technique == technique)
    return next((each for each in fitting if features.issuperset(each.features)), None)
