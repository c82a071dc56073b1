"""Functions without a signature: parts of the kernels that call them, for whatever types these give."""

from collections.abc import Callable
from typing import Any

from numba.extending import register_jitable

from bluekrait.core.compiler.jit import INTERNAL

GENERIC: dict[str, Any] = {**INTERNAL, "forceinline": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def generic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: compile a function into each kernel that calls it."""
    compiled: Callable[..., Any] = register_jitable(**GENERIC)(function)
    return compiled
