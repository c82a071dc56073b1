"""Compiled functions of tests; and what is skipped where nothing is compiled, under NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest

from bluekrait.core.compiler.kernels import Kernel
from bluekrait.core.compiler.processor import is_interpreted

WORD = np.uint64 if is_interpreted() else int  # plain Python calculates with the words that it is given

only_compiled = pytest.mark.skipif(is_interpreted(), reason="nothing is compiled")
too_slow_interpreted = pytest.mark.skipif(is_interpreted(), reason="takes too long where nothing is compiled")


def uncached_kernel(declared):
    """Decorator: a kernel that is not kept, since the cache does not know the sources of tests.

    Where nothing is compiled, it is the plain function.
    """
    return lambda function: function if is_interpreted() else Kernel(function, declared, {})
