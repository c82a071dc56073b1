"""How the rules are compiled: one set of flags, one cache, one signature per function.

`@kernel(signature)` makes a function that is compiled the first time it is needed, always for the
declared types, and never again: not for other argument types, and not in the next process, which finds
it in `core.compiler.cache`. Under NUMBA_DISABLE_JIT=1 the same functions run as plain Python over
`numpy.uint64`, slowly, with the same answers.

Most kernels are parts: only other kernels call them (`core.compiler.parts`).

Some operations are single machine instructions that Python cannot express. `instruction` gives a plain
Python function such a meaning inside kernels, and the function's own body stays its meaning outside.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.typing.templates import ConcreteTemplate, Signature, infer_global, signature
from numba.extending import lower_builtin, register_jitable, typeof_impl

from bluekrait.core import move
from bluekrait.core.board import Board, Position, all_pieces, piece_on
from bluekrait.core.compiler import cache, linker, sources
from bluekrait.core.compiler.kernels import FLAGS, Kernel
from bluekrait.core.compiler.parts import Part

INTERNAL = {"no_cpython_wrapper": True, "_nrt": False}  # of what only machine code calls
GENERIC: dict[str, Any] = {  # of what is compiled into its callers, for the types that these give
    **INTERNAL,
    "forceinline": True,
    "error_model": FLAGS["error_model"],
    "no_cfunc_wrapper": FLAGS["no_cfunc_wrapper"],
}
JIT_DISABLED = bool(numba.config.DISABLE_JIT)

if JIT_DISABLED:
    np.seterr(over="ignore")  # words wrap round, as they do in the machine

uint64, int64, uint32, int32 = types.uint64, types.int64, types.uint32, types.int32
boolean = types.boolean
board_type = types.NamedUniTuple(uint64, 8, Board)
position_type = types.NamedTuple((board_type, uint64, int64, int64), Position)

linker.tell_llvm()
cache.fingerprint()
sources.remember_all()  # now: in an interactive session they may change before all kernels are compiled

kernels: list[Kernel] = []  # all whose compiled code is kept, in the order of definition


@typeof_impl.register(Board)
def _typeof_board(value: Board, context: object) -> types.Type:
    """All boards have one type, whatever integers they hold."""
    return board_type


@typeof_impl.register(Position)
def _typeof_position(value: Position, context: object) -> types.Type:
    return position_type


def kernel(declared: Signature, kind: type[Kernel] = Kernel, **options: Any) -> Callable[..., Any]:
    """Decorator: compile a function for the declared signature, when it is first needed."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if JIT_DISABLED:
            return function
        made = kind(function, declared, options)
        if sources.is_known(function.__module__):  # else a change would go unnoticed there
            made.keep()
            kernels.append(made)
        return made

    return decorate


def inline(declared: Signature) -> Callable[..., Any]:
    """Decorator: a small kernel that disappears into its callers."""
    return kernel(declared, Part, forceinline=True, _nrt=False)


def generic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: the same without a signature, for whatever types the calling kernels give."""
    return function if JIT_DISABLED else register_jitable(**GENERIC)(function)


def internal(declared: Signature) -> Callable[..., Any]:
    """Decorator: a kernel that is only called by kernels."""
    return kernel(declared, Part, **INTERNAL)


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a kernel that takes the address of a record. `native` keeps its machine code."""
    if JIT_DISABLED:
        return function
    return Kernel(function, int64(uint64), INTERNAL)


def instruction(twin: Callable[..., Any], meaning: Signature, emit: Callable[..., Any]) -> Callable[..., Any]:
    """Give a plain Python function the meaning of emitted machine code inside kernels.

    `meaning` is its signature there; `emit(context, builder, *values)` builds the LLVM code.
    """
    template = type(twin.__name__, (ConcreteTemplate,), {"key": twin, "cases": [meaning]})
    infer_global(twin, types.Function(template))
    lower_builtin(twin, *meaning.args)(lambda context, builder, sig, values: emit(context, builder, *values))
    return twin


def record_layout(structure: type[ctypes.Structure]) -> np.dtype:
    """The NumPy type of a ctypes structure, whose fields are attributes in plain Python too."""
    return np.dtype((np.record, np.dtype(structure)))


def record_reader(structure: type[ctypes.Structure]) -> tuple[Callable[..., Any], types.Record]:
    """A function that reads an address as a record of a ctypes structure, and the type of that record."""
    layout = record_layout(structure)
    record_type = numba.from_dtype(layout)

    def record_at(address: int) -> np.record:
        memory = (ctypes.c_char * layout.itemsize).from_address(int(address))
        return np.frombuffer(memory, layout)[0]

    def emit(context: Any, builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, context.get_value_type(record_type))

    instruction(record_at, signature(record_type, uint64), emit)
    return record_at, record_type


def share(*functions: Callable[..., Any]) -> None:
    """Let kernels call plain functions: of the light modules, or such as work on several types."""
    for function in functions:
        register_jitable(function)


share(
    all_pieces,
    piece_on,
    move.pack,
    move.origin_of,
    move.target_of,
    move.piece_of,
    move.captured_of,
    move.promotion_of,
    move.kind_of,
    move.order_of,
    move.with_order,
    move.is_noisy,
)
