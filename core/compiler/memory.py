"""Words of memory at an address, for tables that threads share without locks."""

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import instruction, uint64

_word_pointer = ir.IntType(64).as_pointer()
_READ, _KEEP_CLOSE, _DATA = 0, 3, 1
CACHE_LINE = 64  # bytes


def load_word(address: int) -> np.uint64:
    """The 64-bit word at an address."""
    return np.uint64(ctypes.c_uint64.from_address(int(address)).value)


def load_anywhere(address: int) -> np.uint64:
    """The 64-bit word at an address that need not be a multiple of eight."""
    return load_word(address)


def store_word(address: int, word: int) -> None:
    """Put a 64-bit word at an address."""
    ctypes.c_uint64.from_address(int(address)).value = int(word)


def prefetch(address: int) -> None:
    """Ask the processor to fetch a cache line that will be wanted soon."""


def align_stack() -> None:
    """Let the function that calls this begin its stack frame with a cache line.

    Else vector registers, where there are not enough and some are spilled, may straddle two lines.
    """


def _emit_load(context: Any, builder: Any, address: Any) -> Any:
    return builder.load(builder.inttoptr(address, _word_pointer))


def _emit_load_anywhere(context: Any, builder: Any, address: Any) -> Any:
    word = _emit_load(context, builder, address)
    word.align = 1
    return word


def _emit_store(context: Any, builder: Any, address: Any, word: Any) -> Any:
    builder.store(word, builder.inttoptr(address, _word_pointer))
    return context.get_dummy_value()


def _emit_prefetch(context: Any, builder: Any, address: Any) -> Any:
    byte_pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    shape = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
    function = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], shape)
    flags = [ir.Constant(flag, value) for value in (_READ, _KEEP_CLOSE, _DATA)]
    builder.call(function, [builder.inttoptr(address, byte_pointer), *flags])
    return context.get_dummy_value()


def _emit_align_stack(context: Any, builder: Any) -> Any:
    builder.function.attributes.add("noinline")  # the frame must be its own
    builder.function.attributes.alignstack = CACHE_LINE
    return context.get_dummy_value()


instruction(align_stack, signature(types.none), _emit_align_stack)
instruction(load_word, signature(uint64, uint64), _emit_load)
instruction(load_anywhere, signature(uint64, uint64), _emit_load_anywhere)
instruction(store_word, signature(types.none, uint64, uint64), _emit_store)
instruction(prefetch, signature(types.none, uint64), _emit_prefetch)
