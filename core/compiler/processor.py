"""The processor that code is compiled for: the one of this machine, or the one that Numba is told of.

`NUMBA_CPU_NAME` and `NUMBA_CPU_FEATURES` tell Numba to compile for another processor. Features have the names
that LLVM gives them.
"""

import os

SLOW_PEXT = ("znver1", "znver2", "bdver4")  # microcoded there: slower than a multiplication


def is_interpreted() -> bool:
    """True if Numba is told to compile nothing, in the way that Numba understands it."""
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT", "0")) != 0
    except ValueError:
        return False


def name() -> str:
    """What LLVM calls the processor."""
    from llvmlite import binding

    return os.environ.get("NUMBA_CPU_NAME") or str(binding.get_host_cpu_name())


def features() -> frozenset[str]:
    """What the processor can, as Numba understands the variables."""
    without = "" if os.environ.get("NUMBA_CPU_NAME", "").lower() == "generic" else None
    chosen = os.environ.get("NUMBA_CPU_FEATURES", without)
    if chosen is not None:
        words = (word.strip() for word in chosen.split(","))
        return frozenset(word[1:] for word in words if word.startswith("+"))
    from llvmlite import binding

    return frozenset(feature for feature, present in binding.get_host_cpu_features().items() if present)


def has_pext() -> bool:
    """True if the code may use PEXT."""
    return "bmi2" in features()


def slider_technique() -> str:
    """How slider attacks are found unless somebody chooses: "pext" or "magic"."""
    return "pext" if has_pext() and name() not in SLOW_PEXT else "magic"
