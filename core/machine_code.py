"""The machine code of entries in the cache: one file for each.

It needs nothing but the functions that every process has. So a later start runs it without Numba.
"""

import marshal
from typing import Any, NamedTuple

from bluekrait.core.compiler import cache

C_FUNCTIONS = ("memset", "memcpy", "memmove")  # which code may call, as every process has them
MARSHAL_VERSION = 2  # which every Python reads: the files may come with the package


class Code(NamedTuple):
    """The machine code of an entry."""

    symbol: str
    binary: bytes  # an object file


def file_of(name: str, home: str) -> tuple[str, str]:
    """The name of the cache's file of an entry, and the module on whose sources it depends."""
    return f"{home}.{name}.native", home


def read(name: str, home: str) -> Code | None:
    """The machine code of an entry, if it was kept."""
    payload = cache.read(*file_of(name, home))
    return None if payload is None else Code(*marshal.loads(payload))


def keep(name: str, home: str, compiled: Any) -> None:
    """Keep the machine code of an entry for later processes, if they can use it."""
    if stands_alone(compiled.library):
        code = Code(compiled.fndesc.llvm_func_name, compiled.library._get_compiled_object())
        file, home = file_of(name, home)
        cache.write(file, marshal.dumps(tuple(code), MARSHAL_VERSION), home)


def stands_alone(library: Any) -> bool:
    """True if the code calls nothing that only a process with Numba in it has."""
    declared = (function.name for function in library._final_module.functions if function.is_declaration)
    return all(name.startswith("llvm.") or name in C_FUNCTIONS for name in declared)
