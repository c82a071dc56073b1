"""The processor that code is compiled for: the one of this machine, or the one that Numba is told of.

`NUMBA_CPU_NAME` and `NUMBA_CPU_FEATURES` tell Numba to compile for another processor. Features have the names
that LLVM gives them.
"""

import os
from functools import cache

from bluekrait.core.compiler import cpuid

SLOW_PEXT = ("znver1", "znver2", "bdver4")  # microcoded there: slower than a multiplication


def is_interpreted() -> bool:
    """True if Numba is told to compile nothing, in the way that Numba understands it."""
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT", "0")) != 0
    except ValueError:
        return False


def features() -> frozenset[str]:
    """What the processor can, as Numba understands the variables; of this machine's, what matters here."""
    without = "" if os.environ.get("NUMBA_CPU_NAME", "").lower() == "generic" else None
    chosen = os.environ.get("NUMBA_CPU_FEATURES", without)
    if chosen is not None:
        words = (word.strip() for word in chosen.split(","))
        return frozenset(word[1:] for word in words if word.startswith("+"))
    answers = _answers()
    if answers:
        return answers.features
    from llvmlite import binding

    return frozenset(feature for feature, present in binding.get_host_cpu_features().items() if present)


def identity() -> bytes:
    """What tells this machine's processor from others for which a compiler makes other code."""
    answers = _answers()
    if answers:
        return answers.raw
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}".encode()


def has_pext() -> bool:
    """True if the code may use PEXT."""
    return "bmi2" in features()


def has_slow_pext() -> bool:
    """True if the processor is known to be slow at PEXT."""
    chosen = os.environ.get("NUMBA_CPU_NAME")
    if chosen:
        return chosen in SLOW_PEXT
    answers = _answers()
    return bool(answers and answers.has_slow_pext)


def slider_technique() -> str:
    """How slider attacks are found unless somebody chooses: "pext" or "magic"."""
    return "pext" if has_pext() and not has_slow_pext() else "magic"


@cache
def _answers() -> cpuid.Answers | None:
    return cpuid.ask()
