"""How the rules are compiled: one set of flags, one cache, one signature per function.

`@kernel(signature)` makes a function that is compiled the first time it is needed, always for the
declared types, and never again: not for other argument types, and not in the next process, which finds
it in `core.compiler.cache`. Under NUMBA_DISABLE_JIT=1 the same functions run as plain Python over
`numpy.uint64`, slowly, with the same answers.

Most kernels are parts: only other kernels call them. LLVM optimises all that a kernel or an entry consists of
at once, and makes machine code of it once.

Some operations are single machine instructions that Python cannot express. `instruction` gives a plain
Python function such a meaning inside kernels, and the function's own body stays its meaning outside.
"""

import ctypes
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core import caching, codegen, compiler, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.typing.templates import ConcreteTemplate, Signature, infer_global, signature
from numba.extending import lower_builtin, register_jitable, typeof_impl

from bluekrait.core import move
from bluekrait.core.board import Board, Position, all_pieces, piece_on
from bluekrait.core.compiler import cache, linker, sources

FLAGS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "no_cfunc_wrapper": True,
}
INTERNAL = {"no_cpython_wrapper": True, "_nrt": False}  # of what only machine code calls
GENERIC: dict[str, Any] = {  # of what is compiled into its callers, for the types that these give
    **INTERNAL,
    "forceinline": True,
    "error_model": FLAGS["error_model"],
    "no_cfunc_wrapper": FLAGS["no_cfunc_wrapper"],
}
PART = "part"  # the name of libraries that need none
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

kernels: list["Kernel"] = []  # all whose compiled code is kept, in the order of definition


@typeof_impl.register(Board)
def _typeof_board(value: Board, context: object) -> types.Type:
    """All boards have one type, whatever integers they hold."""
    return board_type


@typeof_impl.register(Position)
def _typeof_position(value: Position, context: object) -> types.Type:
    return position_type


class Kernel(CPUDispatcher):
    """A compiled function with one declared signature."""

    pipeline = compiler.Compiler
    _can_compile: bool  # while there is no machine code

    def __init__(self, function: Callable[..., Any], declared: Signature, options: dict[str, Any]) -> None:
        options = dict(FLAGS, **options)
        super().__init__(py_func=function, targetoptions=options, pipeline_class=self.pipeline)
        self.declared = declared

    def keep(self) -> None:
        """From now on, use the cache."""
        self._cache = KernelCache(self.py_func)

    def is_compiled(self) -> bool:
        """True if it need not be compiled, in this process or at all."""
        return not self._can_compile or self._cache.has_file()

    def prepare(self) -> None:
        """Compile, or load what was compiled before; nothing happens the second time, in any thread."""
        if self._can_compile:
            with global_compiler_lock:
                if self._can_compile:
                    self.compile(self.declared)
                    self.disable_compile()

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> tuple[Any, ...]:
        """Called from another kernel: that one gets the declared types too."""
        self.prepare()
        return super().get_call_template(args, kws)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Callable[..., Any]:
        """Called from Python for the first time; returns what is to be called."""
        return self.compiled.entry_point

    @property
    def compiled(self) -> compiler.CompileResult:
        """The one compilation result."""
        self.prepare()
        (result,) = self.overloads.values()
        return result


class PartLibrary(codegen.JITCodeLibrary):
    """The code of a part, as LLVM's instructions; no machine code is made of it.

    A library that it is linked into contains all of it, and is optimised as a whole.
    """

    @classmethod
    def of_bitcode(cls, context: Any, bitcode: bytes) -> "PartLibrary":
        """A library with the code of another one, as that one was kept."""
        library = cls(context.codegen(), PART)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code that Numba has made. It throws nothing: else LLVM would make tables for exceptions."""
        for function in ir_module.functions:
            function.attributes.add("nounwind")
        super().add_ir_module(ir_module)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept of it. There is no object code."""
        kept: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return kept


class PartPipeline(compiler.Compiler):
    """Compiles a function into such a library, and goes no further."""

    def __init__(self, typing: Any, target: Any, _library: None, *others: Any) -> None:
        super().__init__(typing, target, PartLibrary(target.codegen(), PART), *others)
        self.state.flags.no_compile = True


class Part(Kernel):
    """A kernel that only other kernels call. If Python calls it after all, machine code is made then."""

    pipeline = PartPipeline

    def __init__(self, function: Callable[..., Any], declared: Signature, options: dict[str, Any]) -> None:
        super().__init__(function, declared, options)
        self._part_cache: caching.NullCache = caching.NullCache()  # `_cache` is for machine code

    def keep(self) -> None:
        """From now on, use the cache."""
        super().keep()
        self._part_cache = PartCache(self.py_func)

    def is_compiled(self) -> bool:
        """True if it need not be compiled, in this process or at all."""
        return bool(self.overloads) or self._part_cache.has_file()

    def prepare(self) -> None:
        """Compile, or load what was compiled before; nothing happens the second time, in any thread."""
        with global_compiler_lock:
            if not self.overloads:
                result: Any = self._part_cache.load_overload(self.declared, self.targetctx) or self._compile()
                self.targetctx.insert_user_function(self, result.fndesc, [result.library])
                self.overloads[tuple(result.signature.args)] = result._replace(entry_point=self)

    def compile(self, sig: Signature) -> None:
        """Prepare it: for Numba, which knows the types of a call, but not that there is one signature."""
        self.prepare()

    def _compile(self) -> compiler.CompileResult:
        with self._compiling_counter:
            result = self._compiler.compile(*sigutils.normalize_signature(self.declared))
        self._part_cache.save_overload(self.declared, result)
        return result

    def _compile_for_args(self, *args: Any, **kws: Any) -> Callable[..., Any]:
        """Called from Python for the first time; returns what is to be called."""
        with global_compiler_lock:
            if self._can_compile:
                made = self._cache.load_overload(self.declared, self.targetctx) or self._make_code()
                self._function = made.entry_point  # kept, since `_insert` counts no reference
                self._insert([kind._code for kind in self.declared.args], self._function, False)
                self._can_compile = False
        return self._function

    def _make_code(self) -> compiler.CompileResult:
        part: Any = self.compiled
        library = self.targetctx.codegen().create_library(self.py_func.__name__)
        library.enable_object_caching()
        library.add_llvm_module(part.library._final_module.clone())
        function = self.targetctx.get_executable(library, part.fndesc, part.environment)
        made: compiler.CompileResult = part._replace(library=library, entry_point=function)
        self._cache.save_overload(self.declared, made)
        return made


class KernelCache(caching.NullCache):
    """Compiled functions on disk: one file a function, since it has one signature."""

    suffix = "kernel"

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}.{self.suffix}"
        self._modules = modules_of(function)

    def has_file(self) -> bool:
        """True if the function was compiled before, for the present sources."""
        return bool(cache.origin(self._name, *self._modules))

    def load_overload(self, sig: Signature, target_context: Any) -> compiler.CompileResult | None:
        """The compiled function, or None if there is none that can be used."""
        target_context.refresh()
        payload = cache.read(self._name, *self._modules)
        if payload is None:
            return None
        try:
            return self._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # whatever is wrong with it, compiling again is the cure
            return None

    def _rebuild(self, target_context: Any, *kept: Any) -> compiler.CompileResult:
        return compiler.CompileResult._rebuild(target_context, *kept)

    def save_overload(self, sig: Signature, data: compiler.CompileResult) -> None:
        """Keep a freshly compiled function, if there is anywhere to keep it."""
        cache.write(self._name, dumps(data._reduce()), *self._modules)


class PartCache(KernelCache):
    """The same for parts, without machine code."""

    suffix = "part"

    def _rebuild(self, target_context: Any, *kept: Any) -> compiler.CompileResult:
        (_, _, bitcode), fndesc, environment, signature, _, _, annotation, *_ = kept
        return compiler.compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            library=PartLibrary.of_bitcode(target_context, bitcode),
            environment=environment,
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=False,
            typing_error=None,
        )


def modules_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The module that a function stands in, and those of the functions in its closure."""
    cells = inspect.getclosurevars(function).nonlocals.values()
    others = {value.__module__ for value in cells if callable(value)}
    return (function.__module__, *sorted(filter(sources.is_known, others)))


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
