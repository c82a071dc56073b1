"""What this machine's processor can do, and whether anything is compiled for it at all."""

import os


def is_interpreted() -> bool:
    """True if Numba is told to compile nothing, in the way that Numba understands it."""
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT", "0")) != 0
    except ValueError:
        return False


def has_pext() -> bool:
    """True if the code may use PEXT."""
    from llvmlite import binding

    if os.environ.keys() & {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"}:
        return False  # code for another processor, which need not have it: compiling would abort
    return bool(binding.get_host_cpu_features().get("bmi2"))


def processor_name() -> str:
    """The name by which LLVM knows the processor."""
    from llvmlite import binding

    return binding.get_host_cpu_name()
