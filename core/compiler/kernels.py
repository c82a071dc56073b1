"""Kernels: compiled functions with one declared signature, which are kept in the cache."""

import inspect
import pickle
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import caching, compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import Signature

from bluekrait.core.compiler import cache, sources

FLAGS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "no_cfunc_wrapper": True,
}

_returned: dict[Callable[..., Any], types.Type] = {}  # the types that kernels return, by their functions


class Kernel(CPUDispatcher):
    """A compiled function with one declared signature."""

    pipeline = compiler.Compiler
    _can_compile: bool  # while there is no machine code

    def __init__(self, function: Callable[..., Any], declared: Signature, options: dict[str, Any]) -> None:
        options = dict(FLAGS, **options)
        super().__init__(py_func=function, targetoptions=options, pipeline_class=self.pipeline)
        self.declared = declared
        _returned[function] = declared.return_type

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


def modules_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The module that a function stands in, and those of the functions in its closure."""
    cells = inspect.getclosurevars(function).nonlocals.values()
    others = {value.__module__ for value in cells if callable(value)}
    return (function.__module__, *sorted(filter(sources.is_known, others)))


def _type_returned(inferer: TypeInferer) -> types.Type | None:
    """What a function returns that calls itself and is being compiled. Kernels have declared it.

    Else Numba infers the types of the whole function, as far as it can, for each of these calls.
    """
    return _returned.get(inferer.func_id.func) or _infer_type_returned(inferer)


_infer_type_returned = TypeInferer.return_types_from_partial
TypeInferer.return_types_from_partial = _type_returned  # type: ignore[method-assign]
