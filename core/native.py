"""Loading the compiled entries of the engine, as fast as the state of the cache allows.

The first time, everything is compiled by Numba, and the machine code of each entry is kept in its own file.
Later processes link these files, in a millisecond and without importing Numba, NumPy or, on x86-64,
llvmlite. So does the first one, where they came with the package (`core.compiler.prebuilt`). After an edit,
only the entries that depend on the edited module are compiled again. Either way an entry becomes a function
that takes a record. It releases the interpreter lock while it runs.
"""

import contextlib
import ctypes
import marshal
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from bluekrait.core import machine_code
from bluekrait.core.compiler import cache, linker, processor, source_digests
from bluekrait.core.tables import table_block

Entries = Mapping[str, Callable[[Any], int]]
Progress = Callable[[int, int, str], None]

_prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)


class Entry:
    """A compiled function of one record, called by Numba's convention: result, exception, argument."""

    def __init__(self, address: int, owner: object) -> None:
        self._function = _prototype(address)
        self._owner = owner  # what must live as long as the code

    def __call__(self, record: ctypes.Structure) -> int:
        """Run it; what it returned."""
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = self._function(
            ctypes.addressof(result), ctypes.addressof(exception), ctypes.addressof(record)
        )
        if status:
            raise RuntimeError(f"compiled code failed with status {status}")
        return int(result.value)


def load(module: str, on_progress: Progress | None = None) -> Entries:
    """The entries by name, of a module whose ENTRIES they are; it is imported only if it must be compiled.

    `on_progress(done, total, what)` is called only then.
    """
    if processor.is_interpreted():
        return _interpreted(module)
    table_block.block()
    entries = _from_cache(module)
    if entries:
        return entries
    from bluekrait.core.compiler_lock import waiting_for_others  # in most starts, nothing is compiled

    with waiting_for_others(module, on_progress) as progress:
        return _from_cache(module) or _compile(module, progress)


def is_warm(module: str) -> bool:
    """True if nothing has to be compiled for the entries of a module."""
    return "" not in origins(module)


def origins(module: str) -> set[str]:
    """Where the code of the entries of a module is found, see `cache.origin`."""
    return {cache.origin(*machine_code.file_of(name, home)) for name, home in _homes(module).items()} or {""}


def files(module: str) -> list[str]:
    """The names of all files that a start without a compiler reads for the entries of a module."""
    entries = [cache.file_name(*machine_code.file_of(name, home)) for name, home in _homes(module).items()]
    return [cache.file_name(f"{module}.entries", module), *entries, table_block.file_name()]


def _from_cache(module: str) -> Entries | None:
    """The entries of a module, if all of them were compiled before."""
    with contextlib.suppress(Exception):  # whatever is wrong with a file, compiling again is the cure
        homes = _homes(module)
        codes = {name: code for name, home in homes.items() if (code := machine_code.read(name, home))}
        if codes and len(codes) == len(homes):
            entries = _link(codes)
            source_digests.keep()
            return entries
    return None


def _homes(module: str) -> dict[str, str]:
    """The modules in which the entries stand, by the entries' names; empty if nobody has noted them."""
    payload = cache.read(f"{module}.entries", module)
    return {} if payload is None else marshal.loads(payload)


def _link(codes: dict[str, machine_code.Code]) -> Entries:
    """Make kept machine code executable."""
    try:
        addresses, owner = linker.link([(code.symbol, code.binary) for code in codes.values()])
    except (linker.LinkError, OSError):
        return _link_with_llvm(codes)
    return {name: Entry(address, owner) for name, address in zip(codes, addresses)}


def _link_with_llvm(codes: dict[str, machine_code.Code]) -> Entries:
    """The same for every processor and format of object files; loading LLVM takes longer than linking."""
    from llvmlite import binding

    linker.tell_llvm()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    for code in codes.values():
        engine.add_object_file(binding.ObjectFileRef.from_data(code.binary))
    engine.finalize_object()
    return {name: Entry(engine.get_function_address(code.symbol), engine) for name, code in codes.items()}


def _compile(module: str, on_progress: Progress) -> Entries:
    """Compile with Numba what was not compiled before, and keep it for the next process."""
    entries = import_module(module).ENTRIES
    from bluekrait.core.compilation import Plan, compile_unit, homes_of, units_of
    from bluekrait.core.compiler.jit import JIT_DISABLED
    from bluekrait.core.second_compiler import sharing

    if JIT_DISABLED:  # by Numba's settings in the working directory, which nothing else here reads
        return _interpreted(module)
    homes = homes_of(entries)
    kept = _kept(homes)
    missing = {name: kernel for name, kernel in entries.items() if name not in kept}
    plan = Plan(units_of(missing))
    with sharing(plan, module):
        for unit in plan:
            compile_unit(unit, lambda done, name: on_progress(plan.kernels_done + done, plan.kernels, name))
    kept |= _kept({name: homes[name] for name in missing})
    if len(kept) == len(entries):
        cache.write(f"{module}.entries", marshal.dumps(homes, machine_code.MARSHAL_VERSION), module)
    return {name: kept[name] if name in kept else _fresh(kernel) for name, kernel in entries.items()}


def _fresh(kernel: Any) -> Entry:
    """An entry whose code could not be kept."""
    result = kernel.compiled
    return Entry(result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result)


def _kept(homes: dict[str, str]) -> dict[str, Callable[[Any], int]]:
    """Those entries that were compiled before, ready to run."""
    kept: dict[str, Callable[[Any], int]] = {}
    for name, home in homes.items():
        with contextlib.suppress(Exception):
            code = machine_code.read(name, home)
            if code is not None:
                kept |= _link({name: code})
    return kept


def _interpreted(module: str) -> Entries:
    """The entries as plain Python, for NUMBA_DISABLE_JIT=1."""
    import numpy as np

    entries = import_module(module).ENTRIES

    def runner(function: Callable[[int], int]) -> Callable[[Any], int]:
        def run(record: ctypes.Structure) -> int:
            with np.errstate(over="ignore"):  # NumPy keeps that setting per thread
                return int(function(ctypes.addressof(record)))

        return run

    return {name: runner(function) for name, function in entries.items()}
