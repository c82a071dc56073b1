"""Getting at the compiled rules, as fast as the state of the cache allows.

The first time, everything is compiled by Numba, and the machine code of the entry points is kept. Later
processes link that code with llvmlite alone, in a few milliseconds and without importing Numba or
NumPy. Either way an entry becomes a function that takes a record. Running it releases the interpreter lock.
"""

import contextlib
import ctypes
import marshal
from importlib import import_module

from bluekrait.core.compiler import cache
from bluekrait.core.tables import table_block

BUNDLE = "entries.native"

_prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)


class Entry:
    """A compiled function of one record, called by Numba's convention: result, exception, argument."""

    def __init__(self, address, owner):
        self._function = _prototype(address)
        self._owner = owner  # whoever must live as long as the code

    def __call__(self, record):
        """Run it; what it returned."""
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = self._function(
            ctypes.addressof(result), ctypes.addressof(exception), ctypes.addressof(record)
        )
        if status:
            raise RuntimeError(f"compiled code failed with status {status}")
        return result.value


def load(module, on_progress=None):
    """The entries by name, of a module whose ENTRIES they are; it is imported only if it must be compiled.

    `on_progress(done, total, what)` is called only then.
    """
    if table_block.is_interpreted():
        return _interpreted(module)
    table_block.block()
    payload = cache.read(BUNDLE)
    if payload is not None:
        with contextlib.suppress(Exception):  # whatever is wrong with it, compiling again is the cure
            return _link(marshal.loads(payload))
    return _compile(module, on_progress)


def is_warm():
    """True if nothing has to be compiled."""
    return cache.read(BUNDLE) is not None


def _link(bundle):
    """Make kept machine code executable."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    linker = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    for _, _, code in bundle:
        linker.add_object_file(binding.ObjectFileRef.from_data(code))
    linker.finalize_object()
    return {name: Entry(linker.get_function_address(symbol), linker) for name, symbol, _ in bundle}


def _compile(module, on_progress):
    """Compile everything with Numba and keep the entries for the next process."""
    entries = import_module(module).ENTRIES
    from bluekrait.core.compiler import jit

    work = [*jit.kernels, *entries.values()]
    for done, kernel in enumerate(work):
        if on_progress:
            on_progress(done, len(work), kernel.py_func.__name__)
        kernel.prepare()
    compiled = {name: kernel.compiled for name, kernel in entries.items()}
    if all(_stands_alone(result.library) for result in compiled.values()):
        bundle = [
            (name, result.fndesc.llvm_func_name, result.library._get_compiled_object())
            for name, result in compiled.items()
        ]
        cache.write(BUNDLE, marshal.dumps(bundle))
    return {
        name: Entry(result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result)
        for name, result in compiled.items()
    }


def _stands_alone(library):
    """True if the code calls nothing that only a process with Numba in it has."""
    declared = (function.name for function in library._final_module.functions if function.is_declaration)
    return all(name.startswith("llvm.") or name in _LIBC for name in declared)


_LIBC = ("memset", "memcpy", "memmove")


def _interpreted(module):
    """The entries as plain Python, for NUMBA_DISABLE_JIT=1."""
    import numpy as np

    entries = import_module(module).ENTRIES

    def runner(function):
        def run(record):
            with np.errstate(over="ignore"):  # NumPy keeps that setting per thread
                return int(function(ctypes.addressof(record)))

        return run

    return {name: runner(function) for name, function in entries.items()}
