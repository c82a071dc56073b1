"""Functions without a signature: parts of the kernels that call them, for whatever types these give."""

from numba.extending import register_jitable

from bluekrait.core.compiler.jit import INTERNAL

GENERIC = {**INTERNAL, "forceinline": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def generic(function):
    """Decorator: compile a function into each kernel that calls it."""
    return register_jitable(**GENERIC)(function)
